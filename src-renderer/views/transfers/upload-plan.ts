// The effect of the daily upload limit on the open transfers: how many are uploaded today, how many later, and in how many days. Pure.
// There is no plan where the limit is unknown or large enough.
import type { Snapshot } from '../../../src-shared/model.ts'
import { openCount, usedOf } from '../../../src-shared/overview.ts'
import { daysUntil } from '../../lib/folder-forecast.ts'

const DAY_MS = 86_400_000

export interface Plan {
  readonly left: number
  readonly limit: number
  readonly now: number
  readonly later: number
  /** When the next upload is possible, epoch ms; null: not known. */
  readonly from: number | null
  /** Days until everything is uploaded. */
  readonly days: number
}

/** Null: no daily limit is known, or it is large enough for everything that is open. `now` in epoch ms. */
export function planOf(snapshot: Pick<Snapshot, 'counts' | 'dailyUploads'>, now: number): Plan | null {
  const { limit, nextAt } = snapshot.dailyUploads
  if (limit === null || limit <= 0) return null
  const open = openCount(snapshot.counts)
  const used = usedOf(snapshot.dailyUploads)
  const left = limit - used
  if (open === 0 || open <= left) return null
  const later = open - left
  return { left, limit, now: left, later, from: nextAt, days: daysUntil(lastUploadAt({ later, limit, used, nextAt, now }), now) }
}

/** What was used so far comes back at `nextAt`, what goes out now a day from now, and so on from day to day. */
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
