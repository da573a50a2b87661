// The count of stored files between the readings of `/stats` and of the list, which come in any order.
// The readings are given; no service is involved.

import { describe, expect, it } from 'vitest'
import { noQuota } from '../../../../src-main/engine/budget/plan-limits.ts'
import type { Facts } from '../../../../src-main/engine/journal/single-values.ts'
import { StoredCount } from '../../../../src-main/engine/remote/stats-refresh.ts'

interface Known {
  /** What the last `/stats` counted, and when it was read. */
  stats: { readonly at: number; readonly files: number | null } | null
  /** What the last complete list contained, and when its reading began. */
  list: { readonly at: number; readonly files: number } | null
  /** How many files the journal knows. */
  held: number
}

function counter(): {
  readonly known: Known
  readonly count: StoredCount
  readonly files: () => number | null
} {
  const known: Known = { stats: null, list: null, held: 0 }
  const count = new StoredCount(
    { unit: () => 'bytes', quota: () => ({ ...noQuota, totalFiles: known.stats?.files ?? null }) },
    {
      stats: () =>
        known.stats === null ? null : { at: known.stats.at, stats: { plan: null, stats: {}, limits: {} } },
    },
    { get: () => (known.list === null ? null : { ...known.list, size: 0 }) } as unknown as Facts,
    () => ({ files: known.held, size: known.held * 100 }),
  )
  return { known, count, files: () => count.view().files }
}

describe('the count of stored files', () => {
  it('is that of the newer reading, and what was sent or deleted since', () => {
    const { known, count, files } = counter()
    expect(files()).toBeNull()
    known.stats = { at: 1, files: 10 }
    count.statsRead()
    count.uploaded(1)
    count.uploaded(1)
    count.removed(1)
    expect(files()).toBe(11)
    known.list = { at: 2, files: 20 }
    count.listed()
    expect(files()).toBe(20)
    count.removed(1)
    expect(files()).toBe(19)
  })

  it('keeps what was sent since /stats was read when a list ends whose reading began before', () => {
    const { known, count, files } = counter()
    known.stats = { at: 2, files: 10 }
    count.statsRead()
    count.uploaded(1)
    known.list = { at: 1, files: 11 }
    count.listed()
    expect(files()).toBe(11)
  })

  it('keeps what was sent since the list when a /stats without a count is read', () => {
    const { known, count, files } = counter()
    known.list = { at: 1, files: 10 }
    count.listed()
    count.uploaded(1)
    known.stats = { at: 2, files: null }
    count.statsRead()
    expect(files()).toBe(11)
  })

  it.each([
    ['a list', null, { at: 2, files: 0 }],
    ['`/stats`', { at: 2, files: 0 }, null],
    ['both', { at: 2, files: 0 }, { at: 1, files: 1 }],
  ])('includes what an earlier process sent after it read %s', (_name, stats, list) => {
    const { known, count, files } = counter()
    Object.assign(known, { stats, list, held: 2 })
    expect(files()).toBe(2)
    count.uploaded(1)
    known.held = 3
    expect(files()).toBe(3)
    // What this process reads itself counts from then on.
    known.stats = { at: 3, files: 7 }
    count.statsRead()
    expect(files()).toBe(7)
  })

  it('is that of `/stats` if the journal knows only a part of the files', () => {
    const { known, files } = counter()
    Object.assign(known, { stats: { at: 2, files: 500 }, held: 20 })
    expect(files()).toBe(500)
  })
})
