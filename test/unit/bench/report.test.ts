// How the bench evaluates its figures: verdicts, order, the table, its place in docs/figures.md, and the
// arguments. Nothing is measured here.
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../bench/arguments.ts'
import { atLeast, atMost, failedRow, Mergeable, mergeRows, type RowResult } from '../../bench/results.ts'
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

describe('mergeRows', () => {
  it('orders by letter and number, the goals first and what has no number last', () => {
    const names = mergeRows([row('S10'), row('BIG'), row('F2')], [row('S2'), row('F1'), row('S1')]).map(
      (one) => one.row,
    )
    expect(names).toEqual(['S1', 'S2', 'S10', 'F1', 'F2', 'BIG'])
  })

  it('takes the newer of two', () => {
    expect(mergeRows([row('S1', { work: 'old' })], [row('S1', { work: 'new' })])).toEqual([
      row('S1', { work: 'new' }),
    ])
  })

  it('reads rows of other programs by their shape', () => {
    const one = {
      row: 'F1',
      work: 'w',
      slipway: ['0'],
      peers: [],
      goals: [{ goal: '0 lost', value: '0', reached: true }],
    }
    expect(Mergeable.parse({ rows: [one], more: 1 }).rows).toMatchObject([
      { ...one, notes: [], failure: null },
    ])
    expect(Mergeable.safeParse({ rows: [{ row: 'F1' }] }).success).toBe(false)
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

describe('readArguments', () => {
  const value = (argv: readonly string[]) => {
    const read = readArguments(argv)
    if (!read.ok) throw new Error(read.message)
    return read.value
  }

  it('measures all but the longest rows, five times', () => {
    expect(value([])).toEqual({
      help: false,
      docs: false,
      mode: 'usual',
      rows: ['S1', 'S2', 'S4', 'S5', 'S6', 'S7', 'S8', 'S9', 'S10', 'S11', 'S12'],
      runs: 5,
      longRuns: 3,
      merge: [],
      history: null,
      against: null,
      reference: false,
    })
  })

  it('takes every row with --full, and a long one when it is named', () => {
    expect(value(['--full']).rows).toEqual(expect.arrayContaining(['S3', 'BIG']))
    expect(value(['--rows', 's3, S3,big']).rows).toEqual(['S3', 'BIG'])
  })

  it('runs less with --quick, and as often as it is told', () => {
    expect(value(['--quick'])).toMatchObject({ mode: 'quick', rows: ['S1', 'S2'], runs: 3, longRuns: 3 })
    expect(value(['--quick', '--rows', 'S10']).rows).toEqual(['S10'])
    expect(value(['--quick', '--runs', '7'])).toMatchObject({ runs: 7, longRuns: 3 })
    expect(value(['--merge', 'a.json', '--merge', 'b.json', '--docs'])).toMatchObject({
      merge: ['a.json', 'b.json'],
      docs: true,
    })
  })

  it('compares with a history, adds to one, and keeps a reference', () => {
    expect(value(['--against', 'a.jsonl', '--history', 'b.jsonl'])).toMatchObject({
      against: 'a.jsonl',
      history: 'b.jsonl',
    })
    expect(value(['--quick', '--reference'])).toMatchObject({ mode: 'quick', reference: true })
  })

  it.each([
    [['--reference'], 'goes with --quick'],
    [['--quick', '--reference', '--against', 'a'], 'not with --against'],
    [['--against'], '--against'],
    [['--docs', '--against', 'a'], '--merge'],
    [['--docs', '--history', 'a'], '--merge'],
    [['--rows', 'S99'], 'There is no row S99'],
    [['--rows', ''], 'There is no row ""'],
    [['--runs', '0'], 'not 0'],
    [['--runs', '2.5'], 'not 2.5'],
    [['--runs', 'many'], 'not many'],
    [['--quick', '--full'], 'together'],
    [['--docs', '--quick'], '--merge'],
    [['--docs', '--rows', 'S1'], '--merge'],
    [['--fast'], '--fast'],
    [['S1'], 'S1'],
  ])('refuses %j', (argv, part) => {
    const read = readArguments(argv)
    expect(read).toMatchObject({ ok: false })
    expect(read.ok ? '' : read.message).toContain(part)
  })
})
