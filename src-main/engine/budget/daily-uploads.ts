// Determines how many uploads are left today under the plan's daily limit. The number used is the higher of
// our uploads in the last 24 hours and the service's own count. `dailyUploads` is pure. `DailyUploadCounter`
// caches the figures, so that the journal is read rarely. `DayTurn` decides when one upload may test whether
// the service's day has turned.
import type { Facts } from '../journal/single-values.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import type { DayBudget } from './forecast.ts'
import { noQuota, type Quota } from './plan-limits.ts'

const DAY_MS = 86_400_000
/**
 * How long an upload counts: a day plus a margin, because clocks drift apart, and the service may count in
 * whole seconds. The pacer uses the same margin (window-budget.ts).
 */
const DAY_HOLD_MS = DAY_MS + 30_000
/**
 * Once the service's count has reached the limit, uploads wait until this long after the count was read,
 * because it is unknown when the service's day ends. queue/plan-proof.ts rereads the count during this wait.
 */
const ASK_AGAIN_MS = 3_600_000
/**
 * If the planned end passes without a new count, the wait is extended in steps of this length.
 * queue/plan-proof.ts retries the read at about this interval.
 */
const ASK_RETRY_MS = 60_000
/** Minimum interval between counts of the uploads in the journal. In between, each upload adds one. */
const RECOUNT_MS = 60_000
const RELOAD_MS = 1000
/**
 * A service may store an upload this long after its response was lost, so a count read within this time may
 * not include it yet.
 */
const STORED_LATE_MS = 60_000
/**
 * If at most this many uploads are left, the times of our uploads are read from the journal again after each
 * upload.
 */
const EXACT_ROOM = 1000

/** Once our count has reached the limit, one upload an hour is such a test. */
const EVERY_MS = 3_600_000

/** The user can have a test made this long after the last one. */
export const ASKED_MS = 300_000

/** The test that was accepted began at most this long ago, and counts. */
const BEGAN_MS = 60_000

export interface DailyUploads {
  /** Uploads that can be sent now; null if no limit is known and no refusal blocks the day. */
  readonly room: number | null
  readonly limit: number | null
  readonly used: number
  /** When the next upload can be sent; null if one can be sent now. */
  readonly nextAt: number | null
}

/**
 * Determines the uploads left today. Counts our uploads of the last 24 hours, because it is unknown when the
 * service's day ends, and uses the service's count if that is higher, because other devices may upload as
 * well. After a refusal because of the daily limit, the day counts as full until `fullUntil`.
 */
export function dailyUploads({
  quota,
  uploadedAt,
  now,
  server = null,
  fullUntil = null,
}: {
  readonly quota: Quota
  /**
   * Times of our uploads, oldest first; those older than a day are ignored. Only the newest ones, up to the
   * limit, are needed.
   */
  readonly uploadedAt: readonly number[]
  readonly now: number
  /** `uploadsToday`: the service's count; `readAt`: when it was read; `ownSince`: our uploads since then. */
  readonly server?: {
    readonly uploadsToday: number
    readonly readAt: number
    readonly ownSince: number
  } | null
  readonly fullUntil?: number | null
}): DailyUploads {
  const ours = uploadedAt.length - firstThatCounts(uploadedAt, now)
  const blocked = fullUntil !== null && fullUntil > now ? fullUntil : null
  if (quota.dailyUploads.kind !== 'limited') {
    return { room: blocked === null ? null : 0, limit: null, used: ours, nextAt: blocked }
  }
  const limit = quota.dailyUploads.value
  const serverUsed =
    server !== null && now - server.readAt < DAY_HOLD_MS ? server.uploadsToday + server.ownSince : 0
  const used = Math.max(ours, serverUsed)
  const room = blocked === null ? Math.max(0, limit - used) : 0
  if (room > 0) return { room, limit, used, nextAt: null }
  const own = ours >= limit ? (uploadedAt[uploadedAt.length - limit] ?? now) + DAY_HOLD_MS : null
  const asked = serverUsed >= limit && server !== null ? askedAgainAt(server.readAt, now) : null
  return { room, limit, used, nextAt: Math.max(own ?? now, asked ?? now, blocked ?? now) }
}

/**
 * Returns the index of the first of these times, oldest first, that still counts. A binary search, because
 * there may be a million.
 */
function firstThatCounts(times: readonly number[], now: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? now) + DAY_HOLD_MS > now) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns the planned end of a wait for the service's count, which was last read at `readAt`. The result
 * doesn't change between two steps of ASK_RETRY_MS.
 */
function askedAgainAt(readAt: number, now: number): number {
  const planned = Math.min(readAt, now) + ASK_AGAIN_MS
  return planned > now ? planned : now + ASK_RETRY_MS - ((now - planned) % ASK_RETRY_MS)
}

export class DailyUploadCounter {
  readonly #clock: Clock
  readonly #transfers: Pick<Transfers, 'uploadsSince' | 'uploadTimes' | 'unconfirmedTimes'>
  readonly #facts: Pick<Facts, 'get' | 'set'>
  #quota: Quota = noQuota
  #statsAt = 0
  /** Our uploads since `/stats` was read. */
  #sinceStats = 0
  /** The cached result of `last24h`, with the monotonic time at which it was counted. */
  #last24h = { at: Number.NEGATIVE_INFINITY, count: 0 }
  /**
   * Times of uploads that the service counts but that no transfer accounts for (see `takenBack` and
   * `keepCounting`). Null until loaded.
   */
  #takenBack: readonly number[] | null = null
  /** Uploads before this time are known not to count any more (epoch milliseconds). */
  #dayFrom: number
  #times: { readonly at: number; readonly list: number[] } = { at: Number.NEGATIVE_INFINITY, list: [] }

  constructor(
    clock: Clock,
    transfers: Pick<Transfers, 'uploadsSince' | 'uploadTimes' | 'unconfirmedTimes'>,
    facts: Pick<Facts, 'get' | 'set'>,
  ) {
    this.#clock = clock
    this.#transfers = transfers
    this.#facts = facts
    this.#dayFrom = facts.get('day-from') ?? 0
  }

  setQuota(quota: Quota, readAt: number): void {
    this.#quota = quota
    this.#statsAt = readAt
    this.#sinceStats = this.#uploadsSince(readAt)
  }

  /**
   * Discards the limits and the uploads counted by `takenBack`, because they don't apply to another account.
   * Call when the account changes.
   */
  forgetQuota(): void {
    this.#quota = noQuota
    this.#takenBack = []
    this.#facts.set('taken-back', null)
    this.#dayFrom = 0
    this.#facts.set('day-from', null)
  }

  /** Whether the service's own count has reached the limit. False if the service doesn't count. */
  isServerFull(): boolean {
    const { uploadsToday, dailyUploads: daily } = this.#quota
    return uploadsToday !== null && daily.kind === 'limited' && uploadsToday + this.#sinceStats >= daily.value
  }

  /**
   * When the newest upload that counts was made, or may have been (epoch milliseconds); null if none counts.
   */
  newestAt(): number | null {
    const newest = Math.max(
      this.#uploadTimes(this.#clock.now() - DAY_HOLD_MS, 1).at(-1) ?? 0,
      this.unconfirmed().at(-1) ?? 0,
    )
    return newest === 0 ? null : newest
  }

  /** Uploads before `at` (epoch milliseconds) no longer count, because the service's day has turned since. */
  startDay(at: number): void {
    this.#dayFrom = at
    this.#facts.set('day-from', at)
    this.#last24h = { ...this.#last24h, at: Number.NEGATIVE_INFINITY }
    this.#times = { ...this.#times, at: Number.NEGATIVE_INFINITY }
  }

  uploaded(): void {
    this.#last24h.count++
    this.#sinceStats++
    const daily = this.#quota.dailyUploads
    if (daily.kind !== 'limited') return
    // With a high limit, reloading the list would cost more than the upload. Far from the limit, the list may
    // be inexact for a second.
    if (daily.value - this.#times.list.length > EXACT_ROOM) this.#times.list.push(this.#clock.now())
    else this.#times = { ...this.#times, at: Number.NEGATIVE_INFINITY }
  }

  /**
   * Counts an upload made at `at` (epoch milliseconds) that no transfer accounts for, because its file is
   * being deleted again.
   */
  takenBack(at: number): void {
    this.#takenBack = [...this.#takenBackSince(this.#clock.now() - DAY_HOLD_MS), at]
    if (at >= this.#statsAt) this.#sinceStats++
    this.#last24h = { ...this.#last24h, at: Number.NEGATIVE_INFINITY }
    this.#times = { ...this.#times, at: Number.NEGATIVE_INFINITY }
    this.#facts.set('taken-back', this.#takenBack)
  }

  /**
   * Keeps counting an upload that was counted at `at` (epoch milliseconds) and whose transfer is about to be
   * confirmed again, which overwrites that time. Call in the transaction of the confirmation.
   */
  keepCounting(at: number): void {
    if (at > this.#clock.now() - DAY_HOLD_MS)
      this.#facts.set('taken-back', [...this.#takenBackSince(this.#clock.now() - DAY_HOLD_MS), at])
    // Reloaded from the facts when next needed, because the transaction may be rolled back.
    this.#takenBack = null
  }

  /**
   * Number of our uploads in the last `DAY_HOLD_MS`. `dailyUploads` counts the same period, so `usedAtMost`
   * isn't below `used` in the result of `left`.
   */
  last24h(): number {
    if (this.#clock.mono() - this.#last24h.at > RECOUNT_MS)
      this.#last24h = { at: this.#clock.mono(), count: this.#uploadsSince(this.#clock.now() - DAY_HOLD_MS) }
    return this.#last24h.count
  }

  /**
   * The higher of two counts: the service's plus our uploads since `/stats` was read, and our uploads of the
   * last 24 hours. It includes all of our uploads, but none that other devices have made since `/stats` was
   * read.
   */
  usedAtMost(): number {
    const { uploadsToday } = this.#quota
    return Math.max(this.last24h(), uploadsToday === null ? 0 : uploadsToday + this.#sinceStats)
  }

  /**
   * Whether `usedAtMost` may be too high. An upload that was in flight when `/stats` was read may already be
   * in the service's count, and is counted again when it ends.
   */
  isGuessed(): boolean {
    return this.#quota.uploadsToday !== null && this.#sinceStats > 0
  }

  /**
   * Times of the last day at which responses were lost (epoch milliseconds, oldest first): each of these
   * uploads may count.
   */
  unconfirmed(): readonly number[] {
    const now = this.#clock.now()
    return this.#transfers.unconfirmedTimes(this.#since(now - DAY_HOLD_MS)).map((at) => Math.min(at, now))
  }

  /** `unconfirmed`: times of uploads to count in addition, see the method of this name. */
  left(fullUntil: number | null, unconfirmed: readonly number[] = []): DailyUploads {
    const quota = this.#quota
    const limit = quota.dailyUploads.kind === 'limited' ? quota.dailyUploads.value : null
    const now = this.#clock.now()
    // Reloaded at most once a second, except after an upload near the limit.
    if (this.#clock.mono() - this.#times.at > RELOAD_MS)
      this.#times = {
        at: this.#clock.mono(),
        list: limit === null ? [] : this.#uploadTimes(now - 2 * DAY_MS, limit),
      }
    const { uploadsToday } = quota
    const lostSince = unconfirmed.filter((at) => at > this.#statsAt - STORED_LATE_MS).length
    const ownSince = this.#sinceStats + lostSince
    const server = uploadsToday === null ? null : { uploadsToday, readAt: this.#statsAt, ownSince }
    const times = this.#times.list
    const uploadedAt = unconfirmed.length === 0 ? times : [...times, ...unconfirmed].toSorted((x, y) => x - y)
    return dailyUploads({ quota, uploadedAt, now, server, fullUntil })
  }

  /**
   * Today's uploads as a budget for the forecast; null if no limit is known or reached. `unconfirmed`: as for `left`.
   */
  budget(fullUntil: number | null, unconfirmed: readonly number[] = []): DayBudget | null {
    const left = this.left(fullUntil, unconfirmed)
    if (left.room === null) return null
    // Without a known limit, there is a refusal (`fullUntil`).
    const limit = left.limit ?? Number.MAX_SAFE_INTEGER
    const now = this.#clock.now()
    // The list also contains uploads that no longer count against the limit.
    const counted = [...this.#times.list.slice(firstThatCounts(this.#times.list, now)), ...unconfirmed]
    const releases = counted.map((at) => ({ at: at + DAY_HOLD_MS, count: 1 }))
    // The rest of the limit is used by other devices, or blocked because the service refused an upload
    // (`fullUntil`). It frees up at `nextAt` or, if that is null, in a day.
    const rest = limit - left.room - releases.length
    if (rest > 0) releases.push({ at: Math.max(now + 1, left.nextAt ?? now + DAY_MS), count: rest })
    return { limit, free: left.room, releases: releases.toSorted((x, y) => x.at - y.at) }
  }

  #since(at: number): number {
    return Math.max(at, this.#dayFrom)
  }

  #uploadsSince(at: number): number {
    return this.#transfers.uploadsSince(this.#since(at)) + this.#takenBackSince(this.#since(at)).length
  }

  #uploadTimes(at: number, most: number): number[] {
    const times = [...this.#transfers.uploadTimes(this.#since(at), most)]
    const takenBack = this.#takenBackSince(this.#since(at))
    return takenBack.length === 0 ? times : [...times, ...takenBack].toSorted((x, y) => x - y)
  }

  /** Leaves out times in the future, because the clock was ahead when they were recorded. */
  #takenBackSince(at: number): readonly number[] {
    const now = this.#clock.now()
    this.#takenBack ??= this.#facts.get('taken-back') ?? []
    return this.#takenBack.filter((one) => one > at && one <= now)
  }
}

// Decides when one upload may test whether the service's day has turned. Our own count covers the last 24
// hours, because it isn't known when the service's day begins. If the test is accepted, the uploads before it
// no longer count.

export class DayTurn {
  readonly #clock: Pick<Clock, 'now'>
  readonly #facts: Pick<Facts, 'get' | 'set'>
  readonly #counter: DailyUploadCounter
  /** The test in progress, as a transfer ID; null if there is none. */
  #test: number | null = null
  /** When the last test was started (epoch milliseconds). */
  #testedAt: number
  /** Whether the user has asked for a test. */
  #isAsked = false

  constructor(clock: Pick<Clock, 'now'>, facts: Pick<Facts, 'get' | 'set'>, counter: DailyUploadCounter) {
    this.#clock = clock
    this.#facts = facts
    this.#counter = counter
    this.#testedAt = facts.get('day-probe') ?? 0
  }

  /**
   * When the next test is due (epoch milliseconds); infinite if the service's own count says that the limit
   * is reached.
   */
  testAt(): number {
    const now = this.#clock.now()
    if (this.#counter.isServerFull()) return Number.POSITIVE_INFINITY
    if (this.#isAsked) return now
    // Times in the future were recorded before a clock rollback.
    const since = Math.max(this.#testedAt, this.#counter.newestAt() ?? now)
    return Math.min(since, now) + EVERY_MS
  }

  /** Call when an upload starts although our count has reached the limit. */
  started(id: number): void {
    this.#isAsked = false
    this.#test = id
    this.#testedAt = this.#clock.now()
    this.#facts.set('day-probe', this.#testedAt)
  }

  accepted(id: number): void {
    if (id !== this.#test) return
    this.#test = null
    this.#counter.startDay(this.#clock.now() - BEGAN_MS)
  }

  /** Makes a test due now, unless the last one is too recent. Call when the user retries, or names a file. */
  asked(): void {
    const ageMs = this.#clock.now() - this.#testedAt
    if (ageMs < 0 || ageMs >= ASKED_MS) this.#isAsked = true
  }
}
