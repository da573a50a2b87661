// Decides when one upload may test whether the service's day has turned. Our own count covers the last 24 hours, because it isn't known when
// the service's day begins. If the test is accepted, the uploads before it no longer count.
import type { Facts } from '../journal/facts.ts'
import type { Clock } from '../ports.ts'
import type { DailyUploadCounter } from './daily-uploads.ts'

/** Once our count has reached the limit, one upload an hour is such a test. */
const EVERY_MS = 3_600_000
/** The user can have a test made this long after the last one. */
const ASKED_MS = 300_000
/** The test that was accepted began at most this long ago, and counts. */
const BEGAN_MS = 60_000

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

  /** When the next test is due (epoch milliseconds); infinite if the service's own count says that the limit is reached. */
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
