// Limits how often the service's file list is reread for uploads whose outcome is unknown. Each confirmed upload can trigger a lookup of
// held uploads. Without a limit, these lookups would use up much of the rate limit during a backlog.

/** Initial minimum interval between lookups of held uploads. It doubles with each lookup, up to `HELD_MOST_MS`. */
const HELD_MS = 60_000
const HELD_MOST_MS = 3_600_000
/** Initial delay while a row's file may belong to another upload that is still in flight. It doubles each time, up to `SIBLING_MOST_MS`. */
const SIBLING_MS = 1000
const SIBLING_MOST_MS = 60_000
/** Initial delay while a row's local file can't be read. It doubles each time, up to `UNREADABLE_MOST_MS`. */
const UNREADABLE_MS = 5000
const UNREADABLE_MOST_MS = 600_000
/** Initial delay after a read of the list that failed. It doubles each time, up to `FAILED_MOST_MS`. */
const FAILED_MS = 2000
const FAILED_MOST_MS = 300_000

interface HeldLooks {
  /** When the scheduled lookup is due; null if none is scheduled. */
  readonly next: number | null
  /** The earliest time at which the next lookup may begin. */
  readonly from: number
  /** Minimum interval between that lookup and the one after it. */
  readonly stepMs: number
}

const NO_LOOKS: HeldLooks = { next: null, from: Number.NEGATIVE_INFINITY, stepMs: HELD_MS }

/** Decides when lookups are repeated. Times are in milliseconds of the monotonic clock. */
export class LookPace {
  #held = NO_LOOKS
  /** The next delay in milliseconds of each row whose file may belong to another upload, by row ID. */
  readonly #siblings = new Map<number, number>()
  /** The next delay in milliseconds of each row whose local file can't be read, by row ID. */
  readonly #unreadable = new Map<number, number>()
  #failedMs = FAILED_MS

  /**
   * Returns the milliseconds until a lookup of held uploads may begin, at least `leastMs`. Null means that one is scheduled already. A
   * caller that schedules the lookup must call `scheduled`.
   */
  untilHeldLook(mono: number, leastMs: number): number | null {
    const { next, from } = this.#held
    // If a lookup is overdue by `HELD_MS`, assume that it was lost, for example because of a clock rollback.
    if (next !== null && mono < next + HELD_MS) return null
    return Math.max(leastMs, from - mono)
  }

  /** Records that a lookup of held uploads is due at this time. */
  scheduled(at: number): void {
    this.#held = { ...this.#held, next: at }
  }

  /** Call when a lookup begins. If a scheduled lookup was due, the interval before the next one doubles. */
  began(mono: number): void {
    const { next, stepMs } = this.#held
    if (next !== null && mono >= next) this.#held = { next: null, from: mono + stepMs, stepMs: Math.min(HELD_MOST_MS, 2 * stepMs) }
  }

  /** Call when another upload is held. Resets the interval between lookups, because that upload may turn up soon. */
  held(): void {
    this.#held = { ...this.#held, stepMs: HELD_MS }
  }

  /** Returns the delay before another lookup of a row whose file may belong to another upload, in milliseconds. Doubles with each call. */
  siblingMs(rowId: number): number {
    const ms = this.#siblings.get(rowId) ?? SIBLING_MS
    this.#siblings.set(rowId, Math.min(SIBLING_MOST_MS, 2 * ms))
    return ms
  }

  /**
   * Returns the delay before another lookup of a row whose local file can't be read, in milliseconds. Doubles with each call, so that the
   * first delays are short in case a drive was disconnected only briefly.
   */
  unreadableMs(rowId: number): number {
    const ms = this.#unreadable.get(rowId) ?? UNREADABLE_MS
    this.#unreadable.set(rowId, Math.min(UNREADABLE_MOST_MS, 2 * ms))
    return ms
  }

  /**
   * Returns the delay before the list is read again after a failure, in milliseconds. Doubles with each call, because every attempt counts
   * towards the day's request limit, which uploads need.
   */
  failedMs(): number {
    const ms = this.#failedMs
    this.#failedMs = Math.min(FAILED_MOST_MS, 2 * ms)
    return ms
  }

  /** Call when the list has been read. */
  listRead(): void {
    this.#failedMs = FAILED_MS
  }

  /** Call when the row is no longer looked up. */
  forget(rowId: number): void {
    this.#siblings.delete(rowId)
    this.#unreadable.delete(rowId)
  }

  reset(): void {
    this.#held = NO_LOOKS
    this.#siblings.clear()
    this.#unreadable.clear()
    this.listRead()
  }
}

/** Returns the time `ms` milliseconds after `now`. Rounds it up if it is at least four seconds away, so that many rows share one lookup. */
export function onGrid(now: number, ms: number): number {
  const grid = ms < 4000 ? 1 : ms <= 20_000 ? 1000 : 5000
  return Math.ceil((now + ms) / grid) * grid
}
