// A job that runs whenever its time has come, never twice at once: looking up unconfirmed uploads, sending deletions. It knows when the
// next round is due; the scheduler asks it at every step.
import type { Clock, Log } from '../ports.ts'

/** After a round that threw. */
const DEFECT_RETRY_MS = 30_000

export interface PeriodicRoundOptions {
  /** For the log: `<name>.defect`. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  /** Resolves with the time of the next round in epoch milliseconds; null: none until it is asked for. */
  readonly run: () => Promise<number | null>
  /** A round has ended, and the time of the next one is set. */
  readonly onEnd: (next: number | null) => void
}

export class PeriodicRound {
  readonly #options: PeriodicRoundOptions
  #dueAt: number | null = 0
  #running: Promise<void> | null = null

  constructor(options: PeriodicRoundOptions) {
    this.#options = options
  }

  isRunning(): boolean {
    return this.#running !== null
  }

  /** Starts a round that is due. Gives the time to ask again, null where a round runs or none is planned. */
  runIfDue(): number | null {
    if (this.#running !== null || this.#dueAt === null) return null
    if (this.#dueAt > this.#options.clock.now()) return this.#dueAt
    this.#running = this.#round()
    return null
  }

  /** The next round is at this time (epoch milliseconds), or earlier if it was to be. */
  dueBy(time: number): void {
    this.#dueAt = Math.min(this.#dueAt ?? time, time)
  }

  /** The next round is now. */
  dueNow(): void {
    this.#dueAt = 0
  }

  /** As `dueNow`, but a round that is planned for later stays where it is. */
  dueIfIdle(): void {
    this.#dueAt ??= 0
  }

  /** The clock was set back by this many milliseconds (less than 0). */
  moveClock(by: number): void {
    if (this.#dueAt !== null) this.#dueAt += by
  }

  async settled(): Promise<void> {
    await this.#running
  }

  async #round(): Promise<void> {
    const { name, clock, log, run, onEnd } = this.#options
    let next: number | null
    try {
      next = await run()
    } catch (error) {
      log.error(`${name}.defect`, { message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      next = clock.now() + DEFECT_RETRY_MS
    }
    this.#running = null
    this.#dueAt = next
    onEnd(next)
  }
}
