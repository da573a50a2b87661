// Implements one window of the request budget (the minute's or the day's): which limit is in force, how much
// of it is used, and when there is room. `createSlidingWindow` counts settled requests. request-pacer.ts
// combines both windows; rate-learning.ts computes the limits that are learned.
import type { RateHints } from '../../api/types.ts'
import {
  DAY_MS,
  headerLimit,
  type LearnedLimit,
  MINUTE_MARGIN_MS,
  MINUTE_MS,
  nextStep,
  othersFromHeader,
  othersLastMs,
  provenLimit,
  raisedLimit,
  raiseIntervalMs,
} from './rate-learning.ts'
import type { WindowName } from './rate-limits.ts'

/**
 * Added to the length of the day window: about 22 s for a clock that drifts by 500 ppm and is synchronized
 * twice a day, 1 s for a service that counts in whole seconds, and some reserve.
 */
const DAY_MARGIN_MS = 30_000
/**
 * Requests settled within one minute leave the day window together, at the time of the last of them. This
 * limits the window to about 1,440 entries at any request rate.
 */
const DAY_GRAIN_MS = 60_000
/** How long a settled request can stay in the day window. */
export const DAY_HOLD_MS = DAY_MS + DAY_MARGIN_MS + DAY_GRAIN_MS
/**
 * Shares of the limits reserved for the user: 2 of 50 requests per minute, and 10 of 5,000 per day. An
 * unwanted link can then be deleted even if uploads have used up all other requests of the day.
 */
const MINUTE_RESERVE = 0.04
const DAY_RESERVE = 0.002
/**
 * Shares of the limits that lists and spare work leave to uploads and the user. They let files dropped
 * together start at once, and keep reads of a long list from using up the day's requests.
 */
const MINUTE_KEPT = 0.1
const DAY_KEPT = 0.2
/** Maximum number of refused requests remembered per window. */
const REFUSED_KEPT = 1_000

interface WindowBudgetOptions {
  readonly name: WindowName
  readonly lengthMs: number
  readonly marginMs: number
  /** See `SlidingWindowOptions.grain`. */
  readonly grainMs: number
  /** Share of the limit reserved for the user's requests. See `Pacer.setPersonPresent`. */
  readonly reserveShare: number
  /** Share of the limit that lists and spare work leave to everything else. */
  readonly keptShare: number
  readonly header: number | null
  readonly learned: LearnedLimit | null
}

/** A refused request: when its response arrived, and the number of claims made before its own. */
export interface WindowView {
  readonly limit: number
  /** Requests counted against the limit, including other clients' and those in flight. */
  readonly used: number
  readonly free: number
  /**
   * Wall time when a full window has room again; null if it has room now, or if that depends on a pending
   * response.
   */
  readonly nextAt: number | null
  /** Wall time when all requests settled so far will have left the window; null if it holds none. */
  readonly resetsAt: number | null
  /** The limit learned from the service if it is below the plan's, otherwise null. */
  readonly learned: number | null
  /** The plan's own limit. */
  readonly planned: number
}

export interface RefusedPlace {
  readonly at: number
  readonly order: number
}

/**
 * What a request must leave free: nothing, the user's reserve, or the larger share kept for uploads and the
 * user.
 */
export type Leaves = 'nothing' | 'reserve' | 'share'

export class WindowBudget {
  readonly name: WindowName
  readonly window: SlidingWindow
  learned: LearnedLimit | null
  /**
   * The limit stated in rate headers; null if they state none, or one that is no lower than the limit of a
   * known plan.
   */
  #header: number | null
  /** The plan's own limit. `#isPlanKnown`: whether it is certain. */
  #planned = 0
  #isPlanKnown = false
  /** Requests of other clients with the same key, according to the headers. */
  #others: { readonly count: number; readonly until: number } = { count: 0, until: 0 }
  /**
   * Refused requests still in the window. The window counts them, although the service didn't let them
   * through.
   */
  #refused: readonly RefusedPlace[] = []
  readonly #lengthMs: number
  readonly #holdMs: number
  readonly #shares: Readonly<Record<Leaves, number>>

  constructor(options: WindowBudgetOptions) {
    this.name = options.name
    this.#lengthMs = options.lengthMs
    this.window = createSlidingWindow({
      length: options.lengthMs,
      margin: options.marginMs,
      grain: options.grainMs,
    })
    this.#header = options.header
    this.learned = options.learned
    this.#holdMs = options.lengthMs + options.marginMs + options.grainMs
    this.#shares = { nothing: 0, reserve: options.reserveShare, share: options.keptShare }
  }

  /** The plan's limit, or a lower one stated in headers; a higher one only if the plan is unknown. */
  base(): number {
    if (this.#header === null) return this.#planned
    return this.#isPlanKnown ? Math.min(this.#planned, this.#header) : this.#header
  }

  limit(): number {
    return this.learned === null ? this.base() : Math.min(this.base(), this.learned.limit)
  }

  used(inFlight: number): number {
    return this.window.count() + inFlight + this.#others.count
  }

  /** The part of `limit` that a request may use. A limit below 5 isn't divided. */
  #allowed(limit: number, leaves: Leaves): number {
    if (leaves === 'nothing' || limit < 5) return limit
    return limit - Math.max(1, Math.round(limit * this.#shares[leaves]))
  }

  /**
   * The time, on the timeline, when a request can be sent: `now` if at once, null if that depends on requests
   * in flight.
   */
  nextAt(inFlight: number, leaves: Leaves, now: number): number | null {
    const limit = this.limit()
    const base = this.base()
    const plain = this.#freeAt(this.#allowed(limit, leaves), inFlight, now)
    if (this.learned === null || limit >= base) return plain
    const raised = this.#freeAt(this.#allowed(nextStep(this.learned, base), leaves), inFlight, now)
    return earlier(plain, raised === null ? null : Math.max(raised, this.learned.raiseAt))
  }

  /**
   * Whether there is a learned limit, and one more request would exceed the number proven to pass
   * (`LearnedLimit.proven`).
   */
  isBeyondProven(inFlight: number): boolean {
    return this.learned !== null && this.used(inFlight) >= this.learned.proven
  }

  /** The limit stated in headers, for saving. */
  header(): number | null {
    return this.#header
  }

  setPlanned(limit: number, isKnown: boolean): void {
    this.#planned = limit
    this.#isPlanKnown = isKnown
  }

  /** Discards the limits learned under the old plan. Call when the plan changes. */
  forgetPlan(): void {
    this.learned = null
    this.#header = null
  }

  /**
   * Discards the learned limit and the requests of other clients, so that only the plan and the headers
   * count. Call when the user retries.
   */
  forgive(): void {
    this.learned = null
    this.#others = { count: 0, until: 0 }
  }

  /**
   * Whether a request could be sent if everything before `since` were older by `byMs`. No other requests may
   * be in flight.
   */
  hasCapacityIfOlder(byMs: number, since: number, leaves: Leaves, now: number): boolean {
    const used = this.window.countIfOlder(byMs, since, now) + this.#others.count
    return used < this.#allowed(this.limit(), leaves)
  }

  /** Learns the limit that rate headers state. Returns true if it has changed. */
  learnLimit(hints: RateHints): boolean {
    const limit = headerLimit(hints, this.#planned, this.#isPlanKnown)
    if (limit === undefined || limit === this.#header) return false
    this.#header = limit
    return true
  }

  /**
   * Learns from rate headers how many requests of other clients are in the window. Returns true if there are
   * any. `ours`: how many of our requests the service may have counted.
   */
  learnOthers(hints: RateHints, ours: number, now: number): boolean {
    const count = othersFromHeader(hints, this.base(), ours)
    // A lower count doesn't replace a higher one, because the requests counted earlier may still be in the
    // window.
    if (count > 0 && count >= this.#others.count)
      this.#others = { count, until: now + othersLastMs(hints, this.#lengthMs) }
    return count > 0
  }

  /**
   * Records that the service accepted the `count`th request in a window. Has no effect unless a limit was
   * learned.
   */
  proveLimit(count: number): void {
    if (this.learned !== null) this.learned = provenLimit(this.learned, count)
  }

  view(inFlight: number, now: number, toWall: (at: number) => number): WindowView {
    const limit = this.limit()
    const used = this.used(inFlight)
    const next = this.nextAt(inFlight, 'nothing', now)
    const count = this.window.count()
    const all = count === 0 ? null : this.window.freeAt(count)
    return {
      limit,
      used,
      free: Math.max(0, limit - used),
      nextAt: next === null || next <= now ? null : toWall(next),
      resetsAt: all === null ? null : toWall(all),
      learned: limit < this.#planned ? limit : null,
      planned: this.#planned,
    }
  }

  addRefused(place: RefusedPlace): void {
    this.#refused = [...this.#refused, place].slice(-REFUSED_KEPT)
  }

  /** Settled requests in the window that were not refused. */
  passedCount(): number {
    return this.window.count() - this.#refused.length
  }

  /**
   * How many requests claimed before the one with this `order` were refused, as far as their responses have
   * arrived.
   */
  refusedBefore(order: number): number {
    return this.#refused.filter((place) => place.order < order).length
  }

  /**
   * Raises the learned limit if more requests have passed together than it allows: some were in flight when
   * it was learned, and their responses arrived after the refusal. Returns true if it was raised.
   */
  raiseToPassed(): boolean {
    const passed = this.passedCount()
    if (this.learned === null || passed <= this.learned.limit) return false
    this.learned =
      passed >= this.base() ? null : { ...this.learned, limit: passed, proven: passed, refusedAt: passed }
    return true
  }

  expire(now: number): void {
    this.window.expire(now)
    if (now >= this.#others.until) this.#others = { count: 0, until: 0 }
    const oldest = now - this.#holdMs
    if (this.#refused.some((place) => place.at < oldest))
      this.#refused = this.#refused.filter((place) => place.at >= oldest)
  }

  /** Raises the learned limit by the steps that are due. Returns true if anything changed. */
  raise(refusalsOfDay: number, now: number): boolean {
    if (this.learned === null) return false
    const next = raisedLimit(
      this.learned,
      this.base(),
      this.#raiseIntervalMs(this.learned, refusalsOfDay),
      now,
    )
    const isChanged = next !== this.learned
    this.learned = next
    return isChanged
  }

  /** Counts the interval until the next raise from `now` on. Call when a pause has ended. */
  restartInterval(refusalsOfDay: number, now: number): void {
    if (this.learned === null) return
    const raiseAt = now + this.#raiseIntervalMs(this.learned, refusalsOfDay)
    this.learned = { ...this.learned, raiseAt }
  }

  #raiseIntervalMs({ failed }: LearnedLimit, refusalsOfDay: number): number {
    return raiseIntervalMs(this.name, failed, refusalsOfDay)
  }

  /**
   * The time, on the timeline, from which fewer than `limit` requests count; null if that depends on requests
   * in flight.
   */
  #freeAt(limit: number, inFlight: number, now: number): number | null {
    const need = this.used(inFlight) - limit + 1
    if (need <= 0) return now
    const ownAlone = this.window.freeAt(need)
    if (this.#others.count === 0) return ownAlone
    const rest = need - this.#others.count
    const ownRest = rest <= 0 ? now : this.window.freeAt(rest)
    const withOthers = ownRest === null ? null : Math.max(this.#others.until, ownRest)
    return earlier(ownAlone, withOthers)
  }
}

interface SavedLimits {
  readonly header: { readonly minute: number | null; readonly day: number | null }
  readonly learned: { readonly minute: LearnedLimit | null; readonly day: LearnedLimit | null }
}

export function minuteBudget(saved: SavedLimits | null): WindowBudget {
  return new WindowBudget({
    name: 'minute',
    lengthMs: MINUTE_MS,
    marginMs: MINUTE_MARGIN_MS,
    grainMs: 0,
    reserveShare: MINUTE_RESERVE,
    keptShare: MINUTE_KEPT,
    header: saved?.header.minute ?? null,
    learned: saved?.learned.minute ?? null,
  })
}

export function dayBudget(saved: SavedLimits | null): WindowBudget {
  return new WindowBudget({
    name: 'day',
    lengthMs: DAY_MS,
    marginMs: DAY_MARGIN_MS,
    grainMs: DAY_GRAIN_MS,
    reserveShare: DAY_RESERVE,
    keptShare: DAY_KEPT,
    header: saved?.header.day ?? null,
    learned: saved?.learned.day ?? null,
  })
}

/** The earlier of two times; null means unknown, which is later than any. */
function earlier(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

/** Returns `times` (in ascending order) without those before `before`; the same array if none is dropped. */
export function dropOld(times: readonly number[], before: number): readonly number[] {
  const [first] = times
  return first === undefined || first >= before ? times : times.filter((at) => at >= before)
}

// Implements a sliding window over settled requests: how many are in it, and when they leave. It works on the
// pacer's timeline, without limits, clock or storage. Adding nearly ordered requests and expiring them takes
// amortized constant time. Memory is bounded by the window's content, or by length / grain if requests share
// entries.
interface SlidingWindowOptions {
  /** Length of the server's window in milliseconds. */
  readonly length: number
  /** Added to `length`, because clocks drift apart and the service may count in whole seconds. */
  readonly margin: number
  /**
   * Requests settled within this many milliseconds of each other may share an entry and leave with the last
   * of them. If 0, only requests settled at the same time share one.
   */
  readonly grain: number
}

export interface Release {
  readonly at: number
  readonly count: number
}

interface Entry {
  first: number
  last: number
  count: number
}

interface SlidingWindow {
  /**
   * Adds a request settled at `at`. It counts until `at` + length + margin, or up to `grain` longer. Input
   * should be nearly in order.
   */
  add(at: number): void
  /** Drops requests that have left the window by `now`. */
  expire(now: number): void
  /** Number of settled requests in the window. */
  count(): number
  /**
   * When at least `places` of the settled requests will have left; null if there are fewer. `places` >= 1.
   */
  freeAt(places: number): number | null
  /** How many requests would remain if everything before `since` were older by `gap` than the timeline says. */
  countIfOlder(gap: number, since: number, now: number): number
  /** Moves everything from `since` on by `step` milliseconds. Call when the timeline was moved. */
  shift(since: number, step: number): void
  /** When requests leave, in order, grouped into steps of `grain` milliseconds. */
  releases(grain: number): readonly Release[]
}

export function createSlidingWindow({ length, margin, grain }: SlidingWindowOptions): SlidingWindow {
  const hold = length + margin
  let entries: Entry[] = []
  let head = 0
  let total = 0

  function compact(): void {
    if (head > 64 && head * 2 > entries.length) {
      entries = entries.slice(head)
      head = 0
    }
  }

  return {
    add(at) {
      total += 1
      // Searches from the end: input is in order, except after the few requests that failed without a
      // response and were dated later.
      let i = entries.length
      while (i > head && (entries[i - 1]?.first ?? 0) > at) i -= 1
      const before = i > head ? entries[i - 1] : undefined
      if (before !== undefined && at - before.first <= grain) {
        before.count += 1
        if (at > before.last) before.last = at
        return
      }
      const entry: Entry = { first: at, last: at, count: 1 }
      if (i === entries.length) entries.push(entry)
      else entries.splice(i, 0, entry)
    },

    expire(now) {
      for (
        let entry = entries[head];
        entry !== undefined && entry.last + hold <= now;
        entry = entries[head]
      ) {
        total -= entry.count
        head += 1
      }
      compact()
    },

    count: () => total,

    freeAt(places) {
      let left = places
      let at = -Infinity
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined) break
        // Entries leave in order, so a late one holds back those behind it.
        if (entry.last + hold > at) at = entry.last + hold
        left -= entry.count
        if (left <= 0) return at
      }
      return null
    },

    countIfOlder(gap, since, now) {
      let count = 0
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined) break
        const older = entry.last < since ? gap : 0
        if (entry.last - older + hold > now) count += entry.count
      }
      return count
    },

    shift(since, step) {
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined || entry.last < since) continue
        entry.first += step
        entry.last += step
      }
    },

    releases(step) {
      const out: { at: number; count: number }[] = []
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined) break
        const at = entry.last + hold
        const last = out.at(-1)
        // A group is dated at its last release, so that nothing is promised too early.
        if (last !== undefined && Math.ceil(at / step) === Math.ceil(last.at / step)) {
          last.count += entry.count
          last.at = Math.max(last.at, at)
        } else out.push({ at, count: entry.count })
      }
      return out
    },
  }
}
