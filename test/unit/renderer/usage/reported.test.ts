// Fields of the service that Slipway doesn't know: any JSON becomes one short line under its own name.
// Nothing is interpreted, and nothing can affect the page.
import { describe, expect, it } from 'vitest'
import { createReporter } from '../../../../src-renderer/views/usage/reported.ts'
import type { StatsView } from '../../../../src-shared/model.ts'

const report = createReporter('en', { yes: 'yes', no: 'no', none: '–' })
const open = { limit: null, used: 0, nextAt: null }

function view(stats: Record<string, unknown>, limits: Record<string, unknown> = {}): StatsView {
  return {
    plan: 'pro',
    totalFiles: 1,
    totalSize: 1,
    stats,
    limits,
    maxFileSize: { kind: 'unknown', value: null, unit: 'bytes' },
    minute: open,
    day: open,
    dailyUploads: open,
  }
}

describe('reported fields', () => {
  it('leaves out what has a place of its own', () => {
    expect(
      report(
        view(
          { total_files: 3, total_size: 9, max_file_size: 1 },
          { max_file_size: 5, daily_uploads: 5, x: 1 },
        ),
      ),
    ).toEqual([
      { name: 'max_file_size', value: '1' },
      { name: 'x', value: '1' },
    ])
  })

  it.each<[unknown, string]>([
    [12_884_901_888, '12,884,901,888'],
    [0.25, '0.25'],
    [0, '0'],
    [-1, '-1'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
    [1e300, '1E300'],
    [1e-9, '1E-9'],
    [null, '–'],
    [undefined, '–'],
    ['', '–'],
    ['  ', '–'],
    ['12 GB', '12 GB'],
    ['a\nb\u202ec', 'a\\nb\\u202ec'],
    [true, 'yes'],
    [false, 'no'],
    [[], '–'],
    [{}, '–'],
    [[1, 'two', null], '1, two, –'],
    [{ used: 1, of: { day: 5, ok: true } }, 'used 1, of (day 5, ok yes)'],
    [[[[['deep']]]], '((…))'],
    [
      Array.from({ length: 30 }, (_, i) => i),
      '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, …',
    ],
  ])('%j', (value, expected) => {
    expect(report(view({ field: value }))).toEqual([{ name: 'field', value: expected }])
  })

  it('cuts what is long, names as well as values, and the number of fields', () => {
    const [long] = report(view({ ['n'.repeat(500)]: 'v'.repeat(100_000) }))
    expect([...(long?.name ?? '')]).toHaveLength(60)
    expect([...(long?.value ?? '')]).toHaveLength(160)
    expect(
      report(view(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`f${i}`, i])))),
    ).toHaveLength(200)
  })
})
