// Pauses all uploads when several answers in a row are lost, because further uploads would probably become unconfirmed too. After a wait
// that grows each time, one file at a time is tried. The pause ends once the outcome of any upload is known. It survives a restart.
import type { Gate } from '../../../src-shared/model.ts'
import type { Clock } from '../ports.ts'

/** Uploads pause after this many lost answers, unless the outcome of an upload becomes known in between. */
const MOST_LOST = 8
const PAUSES_MS = [60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const

interface Count {
  /** Number of answers lost in a row. */
  readonly lost: number
  readonly pauses: number
  readonly until: number | null
}

const NONE: Count = { lost: 0, pauses: 0, until: null }

export class LostAnswers {
  readonly #clock: Pick<Clock, 'now'>
  readonly #save: (count: Count | null) => void
  #count: Count

  /** `save` stores the count for the next process; null clears it. */
  constructor(clock: Pick<Clock, 'now'>, saved: Count | null, save: (count: Count | null) => void) {
    this.#clock = clock
    this.#save = save
    this.#count = saved ?? NONE
  }

  /** Counts a lost answer, and pauses uploads if there were too many in a row. Call only if the upload's whole body had been sent. */
  lost(): void {
    const now = this.#clock.now()
    const { pauses, until } = this.#count
    const lost = this.#count.lost + 1
    if (lost < MOST_LOST || (until !== null && until > now)) this.#set({ lost, pauses, until })
    else this.#set({ lost, pauses: pauses + 1, until: now + (PAUSES_MS[Math.min(pauses, PAUSES_MS.length - 1)] ?? 3_600_000) })
  }

  /** Resets the count and ends the pause. Call when the outcome of an upload is known. Returns whether there was a pause. */
  proved(): boolean {
    const wasPaused = this.#count.until !== null
    if (this.#count !== NONE) this.#set(NONE)
    return wasPaused
  }

  /** Whether at most one upload may run at a time. True from the start of a pause until `proved` is called. */
  isProbing(): boolean {
    return this.#count.until !== null
  }

  gate(): Gate | null {
    const { until } = this.#count
    return until === null || until <= this.#clock.now() ? null : { reason: 'answers-lost', until, message: null }
  }

  /** Shifts the end of the pause by `by` milliseconds after a clock rollback; `by` is negative. */
  setBack(by: number): void {
    if (this.#count.until !== null) this.#set({ ...this.#count, until: this.#count.until + by })
  }

  /** Ends the wait, so that one upload is tried now. Call when the user retries. */
  retry(): void {
    if (this.#count.until !== null) this.#set({ ...this.#count, until: this.#clock.now() })
  }

  #set(count: Count): void {
    this.#count = count
    this.#save(count === NONE ? null : count)
  }
}
