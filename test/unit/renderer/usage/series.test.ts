// The bars of the plots: what is cut, combined and summed, and what stays unknown.
// Labels and scales are derived only from the numbers.
import { describe, expect, it } from 'vitest'
import {
  axisValues,
  dayBars,
  minuteBars,
  noonOf,
  scaleOf,
  storedBars,
  sumsOf,
  tickIndexes,
} from '../../../../src-renderer/views/usage/series.ts'
import type { History } from '../../../../src-shared/model.ts'

function days(
  count: number,
  of: (i: number) => Partial<History['days'][number]> = () => ({}),
): History['days'] {
  return Array.from({ length: count }, (_, i) => {
    const date = new Date(2026, 10, 20 - (count - 1 - i), 12)
    const name = `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
    return {
      day: name,
      uploads: i,
      bytes: i * 1000,
      requests: i * 2,
      downloads: 0,
      storedFiles: null,
      storedBytes: null,
      ...of(i),
    }
  })
}

describe('noonOf', () => {
  it.each(['', '2026-11', '20.11.2026', '2026-11-20T00:00', 'x'])('finds no day in %j', (text) => {
    expect(noonOf(text)).toBeNull()
  })
  it('is noon of the local day', () => {
    expect(noonOf('2026-11-20')).toBe(new Date(2026, 10, 20, 12).getTime())
  })
})

describe('dayBars', () => {
  it('takes the last thirty of the measure', () => {
    const bars = dayBars(days(90), 'bytes')
    expect(bars).toHaveLength(30)
    expect(bars[0]?.value).toBe(60_000)
    expect(bars.at(-1)).toEqual({ at: new Date(2026, 10, 20, 12).getTime(), value: 89_000 })
  })
  it('leaves out a day that is none', () => {
    expect(dayBars([...days(2), ...days(1, () => ({ day: 'yesterday' }))], 'uploads')).toHaveLength(2)
  })
})

describe('minuteBars', () => {
  it('takes the last hour', () => {
    const bars = minuteBars(Array.from({ length: 70 }, (_, i) => ({ at: i * 60_000, requests: i })))
    expect(bars.map((bar) => bar.value)).toEqual(Array.from({ length: 60 }, (_, i) => i + 10))
  })
})

describe('storedBars', () => {
  it('starts at the first day that is known and keeps the gaps', () => {
    const { unit, bars } = storedBars(
      days(6, (i) => ({ storedBytes: [null, null, 10, null, 30, 40][i] ?? null, storedFiles: 1 })),
    )
    expect(unit).toBe('bytes')
    expect(bars.map((bar) => bar.value)).toEqual([10, null, 30, 40])
  })
  it('counts files where no size is known', () => {
    const { unit, bars } = storedBars(days(2, (i) => ({ storedFiles: i })))
    expect(unit).toBe('files')
    expect(bars.map((bar) => bar.value)).toEqual([0, 1])
  })
  it('folds many days into weeks that end today, each with its last known figure', () => {
    const { bars, span } = storedBars(days(36, (i) => ({ storedBytes: i === 35 ? null : i })))
    expect(bars.map((bar) => bar.value)).toEqual([0, 7, 14, 21, 28, 34])
    expect(bars.at(-1)?.at).toBe(new Date(2026, 10, 20, 12).getTime())
    expect(span).toBe(36)
  })
  it('shows nothing of nothing', () => {
    expect(storedBars(days(40)).bars).toEqual([])
  })
})

describe('sumsOf', () => {
  it.each([
    ['none', [], { total: 0, most: null, last: null }],
    ['only zeros', [0, 0], { total: 0, most: null, last: 0 }],
    ['the first of two largest', [1, 5, 5, 2], { total: 13, most: { index: 1, value: 5 }, last: 2 }],
    ['gaps', [null, 4, null], { total: 4, most: { index: 1, value: 4 }, last: null }],
    [
      'what is no number',
      [Number.NaN, 3, Number.POSITIVE_INFINITY],
      { total: 3, most: { index: 1, value: 3 }, last: Number.POSITIVE_INFINITY },
    ],
  ])('%s', (_name, values, expected) => {
    expect(sumsOf(values.map((value, at) => ({ at, value })))).toEqual(expected)
  })
})

describe('tickIndexes', () => {
  it.each([
    [0, 5, []],
    [1, 5, [0]],
    [2, 5, [0, 1]],
    [30, 5, [0, 7, 14, 21, 29]],
    [4, 4, [0, 1, 2, 3]],
    [6, 5, [0, 1, 2, 3, 5]],
    [60, 3, [0, 30, 59]],
    [3, 1, [0, 2]],
  ])('%i bars, %i wanted', (count, wanted, expected) => {
    expect(tickIndexes(count, wanted)).toEqual(expected)
  })
})

describe('scaleOf', () => {
  it.each([
    [0, null, { top: 1, line: false }],
    [40, null, { top: 40, line: false }],
    [3, 50, { top: 3, line: false }],
    [48, 50, { top: 52, line: true }],
    [100, 50, { top: 104, line: true }],
    [0, 0, { top: 1, line: false }],
  ])('most %s, limit %s', (most, limit, expected) => {
    expect(scaleOf(most, limit)).toEqual(expected)
  })
})

describe('axisValues', () => {
  it.each([
    [1, [1]],
    [3, [1, 2, 3]],
    [7, [2, 4, 6]],
    [52, [20, 40]],
    [95, [20, 40, 60, 80]],
    [100, [20, 40, 60, 80, 100]],
    [199, [50, 100, 150]],
    [3_900_000_000, [1e9, 2e9, 3e9]],
  ])('up to %s', (top, expected) => {
    expect(axisValues(top)).toEqual(expected)
  })
})
