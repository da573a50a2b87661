// Limits how often the service's file list is reread for uploads whose outcome is unknown. Each confirmed upload can trigger a lookup of
// held uploads. Without a limit, these lookups would use up much of the rate limit during a backlog.

/** Initial minimum interval between lookups of held uploads. It doubles with each lookup, up to `HELD_MOST_MS`. */
const HELD_MS = 60_000
const HELD_MOST_MS = 3_600_000
/**
 * Delays before another lookup of a row: while its file may belong to another upload that is still in flight, while its local file can't be
 * read (the first delays are short, in case a drive was disconnected only briefly), and after a read of the list that failed (every attempt
 * counts towards the day's request limit, which uploads need). Each doubles from the first to the last.
 */
const WAITS_MS = { sibling: [1000, 60_000], unreadable: [5000, 600_000], failed: [2000, 300_000] } as const
export type LookWait = keyof typeof WAITS_MS

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
  /** The next delay in milliseconds, by kind and row. */
  readonly #waits = new Map<string, number>()

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

  /** Returns the delay before another lookup in milliseconds. Doubles with each call. `rowId`: 0 for a read of the list. */
  waitMs(kind: LookWait, rowId = 0): number {
    const [first, most] = WAITS_MS[kind]
    const key = `${kind} ${rowId}`
    const ms = this.#waits.get(key) ?? first
    this.#waits.set(key, Math.min(most, 2 * ms))
    return ms
  }

  /** Call when the row is no longer looked up or, with 0, when the list has been read. */
  forget(rowId: number): void {
    for (const kind of Object.keys(WAITS_MS)) this.#waits.delete(`${kind} ${rowId}`)
  }

  reset(): void {
    this.#held = NO_LOOKS
    this.#waits.clear()
  }
}

/** Returns the time `ms` milliseconds after `now`. Rounds it up if it is at least four seconds away, so that many rows share one lookup. */
export function onGrid(now: number, ms: number): number {
  const grid = ms < 4000 ? 1 : ms <= 20_000 ? 1000 : 5000
  return Math.ceil((now + ms) / grid) * grid
}
