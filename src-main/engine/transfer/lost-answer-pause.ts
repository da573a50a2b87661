// Notices when answer after answer is lost while the service may be storing what it is sent: then the whole account pauses, and one file at a
// time tries again after a growing wait. Any proof of what became of an upload ends the pause.
import type { Gate } from '../../../src-shared/model.ts'
import type { Clock } from '../ports.ts'

/** Answers lost in a row, without proof of any, that make the account pause. */
const MOST_LOST = 8
const PAUSES_MS = [60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const

export class LostAnswers {
  readonly #clock: Pick<Clock, 'now'>
  #lost = 0
  #pauses = 0
  #until: number | null = null

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The answer to an upload whose whole body was sent was lost. */
  lost(): void {
    this.#lost++
    if (this.#lost < MOST_LOST || (this.#until !== null && this.#until > this.#clock.now())) return
    this.#until = this.#clock.now() + (PAUSES_MS[Math.min(this.#pauses, PAUSES_MS.length - 1)] ?? 3_600_000)
    this.#pauses++
  }

  /** It is known what became of an upload. True: the pause is over. */
  proved(): boolean {
    const wasPaused = this.#until !== null
    this.#lost = 0
    this.#pauses = 0
    this.#until = null
    return wasPaused
  }

  /** After a pause one file tells whether answers come again. */
  isProbing(): boolean {
    return this.#until !== null
  }

  gate(): Gate | null {
    if (this.#until === null || this.#until <= this.#clock.now()) return null
    return { reason: 'answers-lost', until: this.#until, message: null }
  }

  /** The clock was set back by this many milliseconds (less than 0). */
  setBack(by: number): void {
    if (this.#until !== null) this.#until += by
  }

  /** A person asked to try again. */
  retry(): void {
    if (this.#until !== null) this.#until = this.#clock.now()
  }
}
