// Runs a recurring job, such as looking up unconfirmed uploads or sending deletions, one round at a time. Keeps the time of the next round;
// the scheduler checks at every step whether it is due. The result of a round sets the time of the next one, and overrides requests made
// while the round was running, except those of `dueAgain`.
import type { Clock, Log } from '../ports.ts'

/** Delay after a round that threw. */
const DEFECT_RETRY_MS = 30_000

export interface PeriodicRoundOptions {
  /** Names the round in the log, as in `<name>.defect`. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  /** Resolves to the time of the next round in epoch milliseconds, or to null if none is due until one is requested. */
  readonly run: () => Promise<number | null>
  /** Called after each round, once the time of the next one is set. */
  readonly onEnd: (next: number | null) => void
}

export class PeriodicRound {
  readonly #options: PeriodicRoundOptions
  #dueAt: number | null = 0
  #running: Promise<void> | null = null
  #isAgain = false

  constructor(options: PeriodicRoundOptions) {
    this.#options = options
  }

  isRunning(): boolean {
    return this.#running !== null
  }

  /** Starts the round if it is due. Returns when to check again (epoch milliseconds); null if a round is running or none is scheduled. */
  runIfDue(): number | null {
    if (this.#running !== null || this.#dueAt === null) return null
    if (this.#dueAt > this.#options.clock.now()) return this.#dueAt
    this.#running = this.#round()
    return null
  }

  /** Schedules the next round for this time (epoch milliseconds), unless it is already scheduled for an earlier time. */
  dueBy(time: number): void {
    this.#dueAt = Math.min(this.#dueAt ?? time, time)
  }

  /** Schedules the next round for now. */
  dueNow(): void {
    this.#dueAt = 0
  }

  /** Like `dueNow`. If a round is running, it may have begun too early for the caller, so another one follows it. */
  dueAgain(): void {
    this.#dueAt = 0
    this.#isAgain = this.#running !== null
  }

  /** Like `dueNow`, unless a round is already scheduled. */
  dueIfIdle(): void {
    this.#dueAt ??= 0
  }

  /** Shifts the next run by `by` milliseconds after a clock rollback; `by` is negative. */
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
    this.#dueAt = this.#isAgain ? 0 : next
    this.#isAgain = false
    onEnd(this.#dueAt)
  }
}
