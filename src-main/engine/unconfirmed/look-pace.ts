// Limits how often the service's file list is read again for uploads whose outcome stays unknown. Each confirmed upload may settle a held
// one, so without a limit, every confirmation during a backlog would cause a lookup, and the list requests would use up much of the rate
// limit.

/**
 * Minimum interval between lookups of held uploads that are triggered by confirmed uploads. It is doubled with each lookup, up to
 * `HELD_MOST_MS`.
 */
const HELD_MS = 60_000
const HELD_MOST_MS = 3_600_000
/**
 * First delay before a row is looked up again because its file may belong to another upload, which is still in flight. The delay is doubled
 * each time, up to `SIBLING_MOST_MS`.
 */
const SIBLING_MS = 1000
const SIBLING_MOST_MS = 60_000

interface HeldLooks {
  /** When the scheduled lookup is due; null if none is scheduled. */
  readonly next: number | null
  /** The next lookup begins no earlier than this. */
  readonly from: number
  /** Minimum interval between that lookup and the one after it. */
  readonly stepMs: number
}

const NO_LOOKS: HeldLooks = { next: null, from: Number.NEGATIVE_INFINITY, stepMs: HELD_MS }

/** Decides when lookups are repeated. Times are in milliseconds of the monotonic clock. */
export class LookPace {
  #held = NO_LOOKS
  /** The next delay of each row whose file may belong to another upload. */
  readonly #siblings = new Map<number, number>()

  /**
   * Milliseconds until a lookup of held uploads may begin, at least `leastMs`; null if one is scheduled already. If the lookup is then
   * scheduled, call `scheduled`.
   */
  untilHeldLook(mono: number, leastMs: number): number | null {
    const { next, from } = this.#held
    // A lookup that is overdue by this much was lost, for example because the clock was rolled back.
    if (next !== null && mono < next + HELD_MS) return null
    return Math.max(leastMs, from - mono)
  }

  /** Records that a lookup of held uploads is due at this time. */
  scheduled(at: number): void {
    this.#held = { ...this.#held, next: at }
  }

  /** Call when a lookup begins: if it is the scheduled one, the next one has to wait longer. */
  began(mono: number): void {
    const { next, stepMs } = this.#held
    if (next !== null && mono >= next) this.#held = { next: null, from: mono + stepMs, stepMs: Math.min(HELD_MOST_MS, 2 * stepMs) }
  }

  /** Call when another upload is held. Resets the interval between lookups, because that upload may turn up soon. */
  held(): void {
    this.#held = { ...this.#held, stepMs: HELD_MS }
  }

  /** Returns the delay in milliseconds before this row is looked up again because of another upload, and doubles the next one. */
  siblingMs(rowId: number): number {
    const ms = this.#siblings.get(rowId) ?? SIBLING_MS
    this.#siblings.set(rowId, Math.min(SIBLING_MOST_MS, 2 * ms))
    return ms
  }

  /** Call when the row is no longer looked up. */
  forget(rowId: number): void {
    this.#siblings.delete(rowId)
  }

  reset(): void {
    this.#held = NO_LOOKS
    this.#siblings.clear()
  }
}

/** Rounds up the times of lookups that are at least four seconds away, so that many rows share one request. */
export function onGrid(now: number, ms: number): number {
  const grid = ms < 4000 ? 1 : ms <= 20_000 ? 1000 : 5000
  return Math.ceil((now + ms) / grid) * grid
}
