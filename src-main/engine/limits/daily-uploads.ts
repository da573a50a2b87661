// Uploads left today under the plan's daily limit: our own of the last 24 hours, and the service's count where that is higher.
// `dailyUploads` decides and is pure; `DailyUploadCounter` keeps what it needs and reads the journal as seldom as it can.
import type { Transfers } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import type { DayBudget } from './forecast.ts'
import { noQuota, type Quota } from './plan-limits.ts'

const DAY_MS = 86_400_000
/** As the pacer holds its day: clocks drift apart, and a service may count in whole seconds. */
const DAY_HOLD_MS = DAY_MS + 30_000
/** When only the service's own count says that the day is used up, it isn't known when its day ends: ask again. */
const ASK_AGAIN_MS = 3_600_000
/** The journal is counted at most this often; in between each upload adds one, so the count is never too low. */
const RECOUNT_MS = 60_000
const RELOAD_MS = 1000

export interface DailyUploads {
  /** Uploads that can go now; null: no limit is known. */
  readonly room: number | null
  readonly limit: number | null
  readonly used: number
  /** When the next one can go, null if one can now. */
  readonly nextAt: number | null
}

/**
 * Uploads left today. Counts ours of any 24 hours, since it isn't known when the service's day ends, and takes the service's own count where
 * it is higher (another device). A refusal by the daily limit counts as a full day until `fullUntil`.
 */
export function dailyUploads({
  quota,
  uploadedAt,
  now,
  server = null,
  fullUntil = null,
}: {
  readonly quota: Quota
  /** Own uploads of the last 24 hours, oldest first; of these only the newest, as many as the limit, are needed. */
  readonly uploadedAt: readonly number[]
  readonly now: number
  /** The service's count, when it was read, and own uploads since then. */
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
  /** Own uploads since `/stats` was read. */
  #sinceStats = 0
  /** Both with the monotonic time when they were read. */
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

  /** Another account: its limits aren't known. */
  forgetQuota(): void {
    this.#quota = noQuota
  }

  uploaded(): void {
    this.#last24h.count++
    this.#sinceStats++
    this.#times = { ...this.#times, at: Number.NEGATIVE_INFINITY }
  }

  last24h(): number {
    if (this.#clock.mono() - this.#last24h.at > RECOUNT_MS)
      this.#last24h = { at: this.#clock.mono(), count: this.#transfers.uploadsSince(this.#clock.now() - DAY_MS) }
    return this.#last24h.count
  }

  /** The service's count plus our own uploads since, or ours of a day: whichever is higher is never too low. */
  usedAtMost(): number {
    const { uploadsToday } = this.#quota
    return Math.max(this.last24h(), uploadsToday === null ? 0 : uploadsToday + this.#sinceStats)
  }

  /** The service may have counted less than is counted here: some of the uploads since `/stats` was read may be in its figure already. */
  isGuessed(): boolean {
    return this.#quota.uploadsToday !== null && this.#sinceStats > 0
  }

  left(fullUntil: number | null): DailyUploads {
    const quota = this.#quota
    const limit = quota.dailyUploads.kind === 'limited' ? quota.dailyUploads.value : null
    const now = this.#clock.now()
    // Read again each second at most, and after each upload.
    if (this.#clock.mono() - this.#times.at > RELOAD_MS)
      this.#times = { at: this.#clock.mono(), list: limit === null ? [] : this.#transfers.uploadTimes(now - 2 * DAY_MS, limit) }
    const { uploadsToday } = quota
    const server = uploadsToday === null ? null : { uploadsToday, readAt: this.#statsAt, ownSince: this.#sinceStats }
    return dailyUploads({ quota, uploadedAt: this.#times.list, now, server, fullUntil })
  }

  /** For the forecast; null where no limit is known. */
  budget(fullUntil: number | null): DayBudget | null {
    const left = this.left(fullUntil)
    if (left.limit === null || left.room === null) return null
    const releases = this.#times.list.map((at) => ({ at: at + DAY_MS, count: 1 }))
    // Uploads of other devices, or a day that the service calls full: back when that is known to end, else in a day.
    const rest = left.limit - left.room - releases.length
    const now = this.#clock.now()
    if (rest > 0) releases.push({ at: Math.max(now + 1, left.nextAt ?? now + DAY_MS), count: rest })
    return { limit: left.limit, free: left.room, releases: releases.toSorted((x, y) => x.at - y.at) }
  }
}
