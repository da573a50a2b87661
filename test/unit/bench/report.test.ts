// How the bench evaluates its figures: verdicts, the table, and its place in docs/figures.md. Nothing is
// measured here.
import { describe, expect, it } from 'vitest'
import { atLeast, atMost, failedRow, type RowResult } from '../../bench/results.ts'
import { mib, millis, percent, plain, renderTable, seconds, times } from '../../bench/table.ts'
import { replaceSection } from '../../tools/marked-section.ts'
import { readTree } from '../../tools/tree.ts'

const row = (name: string, more: Partial<RowResult> = {}): RowResult => ({
  ...failedRow(name, ''),
  failure: null,
  ...more,
})

describe('goals', () => {
  it.each([
    [atMost('at most 2 x', 2, 2, times), '2.00 x', true],
    [atMost('at most 2 x', 2.01, 2, times), '2.01 x', false],
    [atMost('at most 2 x', Number.NaN, 2, times), 'NaN x', false],
    [atMost('at most 2 x', null, 2, times), 'not measured', null],
    [atLeast('58 frames', 58, 58, plain), '58', true],
    [atLeast('58 frames', 57.9, 58, plain), '57.9', false],
  ])('%j', (goal, value, reached) => {
    expect(goal).toMatchObject({ value, reached })
  })
})

describe('figures as people read them', () => {
  it.each([
    [seconds(0.234), '0.23 s'],
    [seconds(12.34), '12.3 s'],
    [millis(4.25), '4.3 ms'],
    [millis(187.4), '187 ms'],
    [mib(149.6), '150 MiB'],
    [percent(0.05), '0.05 %'],
    [plain(100_000), '100,000'],
    [plain(19.53), '19.5'],
  ])('%s', (shown, expected) => {
    expect(shown).toBe(expected)
  })
})

const report = (rows: RowResult[], mode: 'quick' | 'usual' = 'usual') => ({
  machine: 'two cores',
  at: '2026-11-20T10:00:00Z',
  mode,
  rows,
})

describe('renderTable', () => {
  it('words reached, missed and not measured', () => {
    const goals = [atMost('one', 1, 2, plain), atMost('two', 3, 2, plain), atMost('three', null, 2, plain)]
    const text = renderTable(
      report([row('S1', { work: 'a file', notes: ['a note'], slipway: ['x', 'y'], peers: ['p'], goals })]),
    )
    expect(text).toContain('two cores; 2026-11-20.\n')
    expect(text).toContain(
      '| S1 | a file<br>a note | p | x<br>y | one: 1, reached<br>two: 3, **missed**<br>three: not measured |',
    )
  })

  it('keeps its columns whatever a text holds', () => {
    const text = renderTable(report([failedRow('S2', new Error('a | b\n  c'))]))
    expect(text).toContain('| S2 |  |  |  | not measured: a \\| b c |')
  })

  it('says when the run proves the bench alone', () => {
    expect(renderTable(report([], 'quick'))).toContain('Quick run')
    expect(renderTable(report([]))).not.toContain('Quick run')
  })
})

it('the table has its place in docs/figures.md', () => {
  expect(replaceSection(readTree('docs/figures.md'), 'bench', 'x')).not.toBeNull()
})
