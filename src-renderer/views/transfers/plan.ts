// What the day's upload limit does to what is open now: how many go, how many later, for how long. Pure; only where the limit is known and
// too small is there anything to say.
import type { Snapshot } from '../../../src-shared/model.ts'

export interface Plan {
  readonly left: number
  readonly limit: number
  readonly now: number
  readonly later: number
  /** When the next place comes free; null: not known. */
  readonly from: number | null
  /** Days until all is up, beside today. */
  readonly days: number
}

export function openCount(counts: Snapshot['counts']): number {
  return counts.settling + counts.queued + counts.uploading + counts.waiting + counts.unknown
}

export function planOf(snapshot: Pick<Snapshot, 'counts' | 'dailyUploads'>): Plan | null {
  const { limit, used, nextAt } = snapshot.dailyUploads
  if (limit === null || limit <= 0) return null
  const open = openCount(snapshot.counts)
  const left = Math.max(0, limit - used)
  if (open === 0 || open <= left) return null
  const later = open - left
  return { left, limit, now: left, later, from: nextAt, days: Math.ceil(later / limit) }
}
