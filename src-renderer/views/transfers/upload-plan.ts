// The effect of the daily upload limit on the open transfers: how many are uploaded today, how many later, and in how many days. Pure.
// There is no plan where the limit is unknown or large enough.
import type { Snapshot } from '../../../src-shared/model.ts'

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

/** Transfers that are not done, failed, held or cancelled. */
export function openCount(counts: Snapshot['counts']): number {
  return counts.settling + counts.queued + counts.uploading + counts.waiting + counts.unknown
}

/** Null: no daily limit is known, or it is large enough for everything that is open. */
export function planOf(snapshot: Pick<Snapshot, 'counts' | 'dailyUploads'>): Plan | null {
  const { limit, used, nextAt } = snapshot.dailyUploads
  if (limit === null || limit <= 0) return null
  const open = openCount(snapshot.counts)
  const left = Math.max(0, limit - used)
  if (open === 0 || open <= left) return null
  const later = open - left
  return { left, limit, now: left, later, from: nextAt, days: Math.ceil(later / limit) }
}
