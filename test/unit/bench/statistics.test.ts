// Table-driven tests of the bench's arithmetic and of its evaluation of deliveries.
// Nothing is measured here.
import { describe, expect, it } from 'vitest'
import { type Arrived, verdictOf } from '../../bench/delivery.ts'
import { median, percentile, ratio } from '../../bench/statistics.ts'

describe('median', () => {
  it.each([
    [[], 0],
    [[7], 7],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected)
  })
})

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)

  it.each([
    [hundred, 50, 50],
    [hundred, 99, 99],
    [hundred, 100, 100],
    [hundred, 0, 1],
    [[3, 1, 2], 99, 3],
    [[], 50, 0],
  ])('of %j', (values, percent, expected) => {
    expect(percentile(values, percent)).toBe(expected)
  })

  it('leaves its input as it was', () => {
    const values = [2, 1]
    percentile(values, 50)
    median(values)
    expect(values).toEqual([2, 1])
  })
})

describe('ratio', () => {
  it('compares, and knows when there is nothing to compare with', () => {
    expect(ratio(3, 2)).toBe(1.5)
    expect(ratio(3, 0)).toBeNull()
    expect(ratio(Number.NaN, 2)).toBeNull()
  })
})

describe('verdictOf', () => {
  const file = (sha256: string, storedAt: number, deletedAt: number | null = null): Arrived => ({
    filename: 'a.txt',
    sha256,
    storedAt,
    deletedAt,
  })
  const wanted = [{ name: 'a.txt', sha256: 'right', closedAt: 100 }]

  it.each<readonly [string, readonly Arrived[], ReturnType<typeof verdictOf>]>([
    ['there once', [file('right', 150)], { latencies: [50], torn: 0, lost: 0, twice: 0 }],
    ['not there', [], { latencies: [], torn: 0, lost: 1, twice: 0 }],
    ['torn', [file('half', 120)], { latencies: [], torn: 1, lost: 1, twice: 0 }],
    [
      'torn, then right',
      [file('half', 120), file('right', 150)],
      { latencies: [50], torn: 1, lost: 0, twice: 0 },
    ],
    [
      'torn and taken back, then right',
      [file('half', 120, 130), file('right', 150)],
      { latencies: [50], torn: 0, lost: 0, twice: 0 },
    ],
    ['twice', [file('right', 150), file('right', 160)], { latencies: [50], torn: 0, lost: 0, twice: 1 }],
    [
      'twice, one taken back',
      [file('right', 150, 155), file('right', 160)],
      { latencies: [60], torn: 0, lost: 0, twice: 1 },
    ],
    ['taken back for good', [file('right', 150, 155)], { latencies: [], torn: 0, lost: 1, twice: 0 }],
  ])('%s', (_name, files, expected) => {
    expect(verdictOf(wanted, files)).toEqual(expected)
  })

  it('does not look at files nobody asked for', () => {
    expect(verdictOf(wanted, [file('right', 150), { ...file('other', 1), filename: 'b.txt' }])).toEqual({
      latencies: [50],
      torn: 0,
      lost: 0,
      twice: 0,
    })
  })
})
