// Limits how often the list is read for a question that stays open. Every confirmed upload may settle it, so that during a backlog each
// answer would cause a look, and lists would use up much of the rate limit.

/** Minimum interval between the looks for held uploads that later uploads cause. Doubled with each look, up to `HELD_MOST_MS`. */
const HELD_MS = 60_000
const HELD_MOST_MS = 3_600_000
/** First delay while another upload is in flight to which the found file may belong. Doubled each time, up to `SIBLING_MOST_MS`. */
const SIBLING_MS = 1000
const SIBLING_MOST_MS = 60_000

interface HeldLooks {
  /** When the scheduled look is due; null if none is scheduled. */
  readonly next: number | null
  /** The next look begins no earlier than this. */
  readonly from: number
  /** Minimum interval between that look and the one after it. */
  readonly stepMs: number
}

const NO_LOOKS: HeldLooks = { next: null, from: Number.NEGATIVE_INFINITY, stepMs: HELD_MS }

/** Times are in milliseconds by the monotonic clock. */
export class LookPace {
  #held = NO_LOOKS
  /** The next delay of each row whose file may belong to another upload. */
  readonly #siblings = new Map<number, number>()

  /**
   * Milliseconds until a look for held uploads may begin, at least `leastMs`; null if one is scheduled already. If the look is then
   * scheduled, call `scheduled`.
   */
  untilHeldLook(mono: number, leastMs: number): number | null {
    const { next, from } = this.#held
    // A look that is overdue by this much was lost, for example in a clock rollback.
    if (next !== null && mono < next + HELD_MS) return null
    return Math.max(leastMs, from - mono)
  }

  /** Records that a look for held uploads is due at this time. */
  scheduled(at: number): void {
    this.#held = { ...this.#held, next: at }
  }

  /** Call when a look begins: if it is the scheduled one, the next one has to wait longer. */
  began(mono: number): void {
    const { next, stepMs } = this.#held
    if (next !== null && mono >= next) this.#held = { next: null, from: mono + stepMs, stepMs: Math.min(HELD_MOST_MS, 2 * stepMs) }
  }

  /** Call when another upload is held. Looks become frequent again, because that upload may turn up soon. */
  held(): void {
    this.#held = { ...this.#held, stepMs: HELD_MS }
  }

  /** The delay before this row is looked up again because of another upload. */
  siblingMs(rowId: number): number {
    const ms = this.#siblings.get(rowId) ?? SIBLING_MS
    this.#siblings.set(rowId, Math.min(SIBLING_MOST_MS, 2 * ms))
    return ms
  }

  /** Call when the row's lookup is over. */
  forget(rowId: number): void {
    this.#siblings.delete(rowId)
  }

  reset(): void {
    this.#held = NO_LOOKS
    this.#siblings.clear()
  }
}
