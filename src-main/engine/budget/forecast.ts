// Predicts how an upload of several files proceeds under the plan: how many files are sent now, how many
// later and when, and how many are too big. Simulates the budgets from their current state. The times depend
// only on the limits on requests and daily uploads; the speed of the connection isn't considered. Pure.
import { heldBy, noEvidence, type Quota, type SizeEvidence } from './plan-limits.ts'
import type { SizeUnit } from './size-unit.ts'
import type { Release } from './window-budget.ts'

/** A 24-hour budget. */
export interface DayBudget {
  readonly limit: number
  /**
   * How much of it is free now. Negative if more is used than the limit allows, because the limit was
   * lowered.
   */
  readonly free: number
  /** When the rest becomes free, in ascending order of time. */
  readonly releases: readonly Release[]
  /**
   * When the part of the rest that isn't in `releases`, such as the requests of other clients, becomes free.
   * If null, in a day.
   */
  readonly nextAt?: number | null
}

export interface Forecast {
  /** Number of files that can be sent, at the per-minute rate, before a daily limit makes the rest wait. */
  readonly nowCount: number
  /** Of `nowCount`, the files that don't have to wait for the per-minute rate limit. */
  readonly atOnce: number
  /**
   * When the last of the `nowCount` files will have been sent, in epoch milliseconds; null if `nowCount` is
   * 0.
   */
  readonly nowUntil: number | null
  readonly laterCount: number
  readonly heldTooBig: number
  /** Total bytes of the files that aren't too big. */
  readonly bytes: number
  /**
   * When files can be sent, and how many from each of these times until the next. The first time is `now` if
   * any can be sent now.
   */
  readonly steps: readonly { readonly at: number; readonly count: number }[]
  /**
   * When the last file that can be sent will have been sent, in epoch milliseconds; null if none can be sent.
   */
  readonly doneAt: number | null
  /**
   * The limit that delays files; null if none does. A daily limit takes precedence over the per-minute rate.
   */
  readonly limitedBy: 'rate-minute' | 'rate-day' | 'daily-uploads' | null
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/**
 * Capacity that frees up within the same quarter of an hour is combined into one step; finer steps would be
 * of no use.
 */
const STEP_MS = 900_000

interface Pool {
  free: number
  readonly coming: { at: number; count: number }[]
  next: number
}

function pool(budget: DayBudget | null, now: number): Pool {
  if (budget === null) return { free: Number.POSITIVE_INFINITY, coming: [], next: 0 }
  const { limit, free, releases, nextAt = null } = budget
  const rest = releases.reduce((left, { count }) => left - count, limit - free)
  const others = rest > 0 ? [{ at: Math.max(now + 1, nextAt ?? now + DAY_MS), count: rest }] : []
  return {
    free,
    coming: [...releases, ...others].map(({ at, count }) => ({ at, count })).toSorted((a, b) => a.at - b.at),
    next: 0,
  }
}

function take(from: Pool, until: number): void {
  for (
    let release = from.coming[from.next];
    release !== undefined && release.at <= until;
    release = from.coming[from.next]
  ) {
    from.free += release.count
    from.next += 1
  }
}

/** When `from` has room: `now` if it already has room, null if it never will. */
function ready(from: Pool, now: number): number | null {
  if (from.free > 0) return now
  return from.coming[from.next]?.at ?? null
}

export function forecast({
  sizes,
  ahead = 0,
  now,
  minute,
  day,
  daily,
  quota,
  unit,
  evidence = noEvidence,
}: {
  /** Bytes of each file that needs an upload. */
  readonly sizes: readonly number[]
  /** Number of queued uploads that are sent before these files. */
  readonly ahead?: number
  readonly now: number
  readonly minute: { readonly limit: number; readonly free: number }
  readonly day: DayBudget
  /** Daily uploads; null if no limit is known. */
  readonly daily: DayBudget | null
  readonly quota: Quota
  readonly unit: SizeUnit | null
  readonly evidence?: SizeEvidence
}): Forecast {
  let heldTooBig = 0
  let bytes = 0
  for (const size of sizes) {
    if (heldBy({ size, quota, unit, evidence }) !== null) heldTooBig += 1
    else bytes += size
  }
  const total = sizes.length - heldTooBig
  const requests = pool(day, now)
  const uploads = pool(daily, now)
  const rate = Math.max(1, minute.limit)
  const steps: { at: number; count: number }[] = []
  let left = total === 0 ? 0 : ahead + total
  let before = ahead
  let atOnce = 0
  let nowUntil: number | null = null
  let at = now
  /** When the first of a step's files can be sent; `at` is when the last can. */
  let startAt = now
  let minuteFree = Math.max(0, minute.free)
  let end: number | null = null
  let limitedBy: Forecast['limitedBy'] = null

  while (left > 0) {
    const requestsAt = ready(requests, at)
    const uploadsAt = ready(uploads, at)
    if (requestsAt === null || uploadsAt === null) break
    const next = Math.max(requestsAt, uploadsAt)
    if (next > at) {
      limitedBy = uploadsAt >= requestsAt ? 'daily-uploads' : 'rate-day'
      startAt = next
      at = Math.max(at, Math.ceil(next / STEP_MS) * STEP_MS)
      // After a wait for a daily limit, the minute window is empty again.
      minuteFree = rate
    }
    take(requests, at)
    take(uploads, at)
    const count = Math.min(left, requests.free, uploads.free)
    if (count <= 0) continue
    const minutes = count <= minuteFree ? 0 : Math.ceil((count - minuteFree) / rate)
    if (minutes > 0) limitedBy ??= 'rate-minute'
    const own = Math.max(0, count - before)
    if (own > 0 && at === now) atOnce = Math.max(0, Math.min(count, minuteFree) - before)
    before -= count - own
    const from = Math.max(at, end ?? at)
    end = from + minutes * MINUTE_MS
    minuteFree = Math.max(0, minuteFree + minutes * rate - count)
    requests.free -= count
    uploads.free -= count
    requests.coming.push({ at: end + DAY_MS, count })
    uploads.coming.push({ at: end + DAY_MS, count })
    left -= count
    if (own > 0) steps.push({ at: startAt, count: own })
    if (own > 0 && at === now) nowUntil = end
  }

  const [first] = steps
  const nowCount = first !== undefined && first.at === now ? first.count : 0
  return {
    nowCount,
    atOnce,
    nowUntil,
    laterCount: total - nowCount,
    heldTooBig,
    bytes,
    steps,
    doneAt: end,
    limitedBy,
  }
}
