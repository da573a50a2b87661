// The effect of the daily upload limit on the open transfers: how many are uploaded today, how many later, and in how many days. Pure.
// There is no plan where the limit is unknown or large enough.
import type { Snapshot } from '../../../src-shared/model.ts'
import { openCount, usedOf } from '../../../src-shared/overview.ts'

export interface Plan {
  readonly left: number
  readonly limit: number
  readonly now: number
  readonly later: number
  /** When the next upload is possible, epoch ms; null: not known. */
  readonly from: number | null
  /** Days until everything is uploaded, today not counted. */
  readonly days: number
}

/** Null: no daily limit is known, or it is large enough for everything that is open. */
export function planOf(snapshot: Pick<Snapshot, 'counts' | 'dailyUploads'>): Plan | null {
  const { limit, nextAt } = snapshot.dailyUploads
  if (limit === null || limit <= 0) return null
  const open = openCount(snapshot.counts)
  const left = limit - usedOf(snapshot.dailyUploads)
  if (open === 0 || open <= left) return null
  const later = open - left
  return { left, limit, now: left, later, from: nextAt, days: Math.ceil(later / limit) }
}
