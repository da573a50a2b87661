// Computes how the daily upload limit affects the open transfers. The result says how many are uploaded
// today, how many later, and within how many days. Pure. There is no plan if the limit is unknown or
// sufficient.
import type { Snapshot } from '../../../src-shared/model.ts'
import { openCount, usedOf } from '../../../src-shared/overview.ts'
import { daysUntil } from '../../lib/folder-forecast.ts'

const DAY_MS = 86_400_000

export interface Plan {
  readonly left: number
  readonly limit: number
  readonly now: number
  readonly later: number
  /** When the next upload is tried, in epoch ms. Null if one is possible now, or if the time is unknown. */
  readonly from: number | null
  /** Days until everything is uploaded. */
  readonly days: number
}

/** Returns null if the daily limit is unknown or sufficient for all open transfers. `now` is in epoch ms. */
export function planOf(snapshot: Pick<Snapshot, 'counts' | 'dailyUploads'>, now: number): Plan | null {
  const { limit, nextAt } = snapshot.dailyUploads
  if (limit === null || limit <= 0) return null
  const open = openCount(snapshot.counts)
  const used = usedOf(snapshot.dailyUploads)
  const left = limit - used
  if (open === 0 || open <= left) return null
  const later = open - left
  return {
    left,
    limit,
    now: left,
    later,
    from: nextAt,
    days: daysUntil(lastUploadAt({ later, limit, used, nextAt, now }), now),
  }
}

/**
 * Estimates the time of the last upload, in epoch ms. Splits the `later` uploads into daily portions of
 * `limit`. If the last portion has at most `used` uploads, the quota that becomes free at `nextAt` is enough
 * for it. Otherwise, it also needs quota that is used now, which becomes free a day from now. Each portion
 * before the last adds a day.
 */
function lastUploadAt(plan: {
  readonly later: number
  readonly limit: number
  readonly used: number
  readonly nextAt: number | null
  readonly now: number
}): number {
  const { later, limit, used, now } = plan
  const before = Math.ceil(later / limit) - 1
  const ofLastDay = later - before * limit
  const first = ofLastDay <= used && plan.nextAt !== null ? plan.nextAt : now + DAY_MS
  return first + before * DAY_MS
}
