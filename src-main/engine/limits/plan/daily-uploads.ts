// Counts the uploads left today under the plan's daily limit, from our uploads of the last 24 hours or the service's count, whichever is
// higher. `dailyUploads` decides and is pure; `DailyUploadCounter` keeps the figures, so that the journal is read rarely.
import type { Transfers } from '../../journal/transfers.ts'
import type { Clock } from '../../ports.ts'
import type { DayBudget } from '../forecast.ts'
import { noQuota, type Quota } from './plan-limits.ts'

const DAY_MS = 86_400_000
/**
 * How long an upload counts. The margin is that of the pacer (window-budget.ts): clocks drift apart, and a service may count in whole
 * seconds.
 */
const DAY_HOLD_MS = DAY_MS + 30_000
/** If only the service's count says that the day is used up, it is unknown when its day ends, so ask again after this time. */
const ASK_AGAIN_MS = 3_600_000
/** Minimum interval between counts of the uploads in the journal. In between, each upload adds one. */
const RECOUNT_MS = 60_000
const RELOAD_MS = 1000

export interface DailyUploads {
  /** Uploads that can be sent now; null if no limit is known and no refusal blocks the day. */
  readonly room: number | null
  readonly limit: number | null
  readonly used: number
  /** When the next upload can be sent; null if one can be sent now. */
  readonly nextAt: number | null
}

/**
 * Uploads left today. Counts our uploads of the last 24 hours, because it is unknown when the service's day ends, and uses the service's
 * count if that is higher (another device). After a refusal by the daily limit, the day counts as full until `fullUntil`.
 */
export function dailyUploads({
  quota,
  uploadedAt,
  now,
  server = null,
  fullUntil = null,
}: {
  readonly quota: Quota
  /** Times of our uploads, oldest first; those older than a day are ignored. Only the newest ones, up to the limit, are needed. */
  readonly uploadedAt: readonly number[]
  readonly now: number
  /** `uploadsToday`: the service's count; `readAt`: when it was read; `ownSince`: our uploads since then. */
  readonly server?: { readonly uploadsToday: number; readonly readAt: number; readonly ownSince: number } | null
  readonly fullUntil?: number | null
}): DailyUploads {
  const ours = uploadedAt.filter((at) => at + DAY_HOLD_MS > now)
  const blocked = fullUntil !== null && fullUntil > now ? fullUntil : null
  if (quota.dailyUploads.kind !== 'limited') {
    return { room: blocked === null ? null : 0, limit: null, used: ours.length, nextAt: blocked }
  }
  const limit = quota.dailyUploads.value
  const serverUsed = server !== null && now - server.readAt < DAY_HOLD_MS ? server.uploadsToday + server.ownSince : 0
  const used = Math.max(ours.length, serverUsed)
  const room = blocked === null ? Math.max(0, limit - used) : 0
  if (room > 0) return { room, limit, used, nextAt: null }
  const own = ours.length >= limit ? (ours[ours.length - limit] ?? now) + DAY_HOLD_MS : null
  const asked = serverUsed >= limit && server !== null ? Math.max(now, Math.min(server.readAt + ASK_AGAIN_MS, now + ASK_AGAIN_MS)) : null
  return { room, limit, used, nextAt: Math.max(own ?? now, asked ?? now, blocked ?? now) }
}

export class DailyUploadCounter {
  readonly #clock: Clock
  readonly #transfers: Pick<Transfers, 'uploadsSince' | 'uploadTimes'>
  #quota: Quota = noQuota
  #statsAt = 0
  /** Our uploads since `/stats` was read. */
  #sinceStats = 0
  /** Cached figures, with the monotonic time at which they were read. */
  #last24h = { at: Number.NEGATIVE_INFINITY, count: 0 }
  #times: { readonly at: number; readonly list: readonly number[] } = { at: Number.NEGATIVE_INFINITY, list: [] }

  constructor(clock: Clock, transfers: Pick<Transfers, 'uploadsSince' | 'uploadTimes'>) {
    this.#clock = clock
    this.#transfers = transfers
  }

  setQuota(quota: Quota, readAt: number): void {
    this.#quota = quota
    this.#statsAt = readAt
    this.#sinceStats = this.#transfers.uploadsSince(readAt)
  }

  /** Forgets the limits, because those of another account are unknown. Call when the account changes. */
  forgetQuota(): void {
    this.#quota = noQuota
  }

  uploaded(): void {
    this.#last24h.count++
    this.#sinceStats++
    this.#times = { ...this.#times, at: Number.NEGATIVE_INFINITY }
  }

  /** Our uploads of the last 24 hours and the margin before them (`DAY_HOLD_MS`), so that `usedAtMost` isn't below the `used` of `left`. */
  last24h(): number {
    if (this.#clock.mono() - this.#last24h.at > RECOUNT_MS)
      this.#last24h = { at: this.#clock.mono(), count: this.#transfers.uploadsSince(this.#clock.now() - DAY_HOLD_MS) }
    return this.#last24h.count
  }

  /**
   * The higher of two counts: the service's plus our uploads since `/stats` was read, and our uploads of the last 24 hours. It includes all
   * of our uploads, but none that other devices have made since `/stats` was read.
   */
  usedAtMost(): number {
    const { uploadsToday } = this.#quota
    return Math.max(this.last24h(), uploadsToday === null ? 0 : uploadsToday + this.#sinceStats)
  }

  /**
   * Whether `usedAtMost` may be too high: an upload that was in flight when `/stats` was read may be in its figure, and is added once more
   * when it ends.
   */
  isGuessed(): boolean {
    return this.#quota.uploadsToday !== null && this.#sinceStats > 0
  }

  left(fullUntil: number | null): DailyUploads {
    const quota = this.#quota
    const limit = quota.dailyUploads.kind === 'limited' ? quota.dailyUploads.value : null
    const now = this.#clock.now()
    // Reloaded at most once a second, except after an upload.
    if (this.#clock.mono() - this.#times.at > RELOAD_MS)
      this.#times = { at: this.#clock.mono(), list: limit === null ? [] : this.#transfers.uploadTimes(now - 2 * DAY_MS, limit) }
    const { uploadsToday } = quota
    const server = uploadsToday === null ? null : { uploadsToday, readAt: this.#statsAt, ownSince: this.#sinceStats }
    return dailyUploads({ quota, uploadedAt: this.#times.list, now, server, fullUntil })
  }

  /** Today's uploads as a budget for the forecast; null if no limit is known. */
  budget(fullUntil: number | null): DayBudget | null {
    const left = this.left(fullUntil)
    if (left.limit === null || left.room === null) return null
    const now = this.#clock.now()
    // The list also contains uploads that no longer count against the limit.
    const releases = this.#times.list.filter((at) => at + DAY_HOLD_MS > now).map((at) => ({ at: at + DAY_HOLD_MS, count: 1 }))
    // The rest of the limit is used by other devices, or blocked because the service refused an upload (`fullUntil`). It frees up at
    // `nextAt` or, if that is null, in a day.
    const rest = left.limit - left.room - releases.length
    if (rest > 0) releases.push({ at: Math.max(now + 1, left.nextAt ?? now + DAY_MS), count: rest })
    return { limit: left.limit, free: left.room, releases: releases.toSorted((x, y) => x.at - y.at) }
  }
}
