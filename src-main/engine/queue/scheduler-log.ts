// Writes the debug topic `scheduler`: why an upload started, why one was passed over, and why nothing starts, and until when. A reason that
// stays the same is logged once, although the scheduler runs many times a second.
import type { TransferRow } from '../journal/transfers.ts'
import type { DebugLog, Log } from '../ports.ts'

/** Why no further upload starts now. */
export interface Wait {
  readonly why: string
  /** When it ends, in epoch milliseconds; null if unknown, or if an event ends it. */
  readonly until: number | null
}

/** The end of a wait is rounded to this before it is compared with the one last logged. */
const SAME_END_MS = 2000
const MAX_REMEMBERED = 5000

export class SchedulerLog {
  readonly #debug: DebugLog | null
  #lastWait = ''
  /** Why each transfer was last passed over. */
  readonly #passed = new Map<number, string>()

  constructor(log: Log) {
    this.#debug = log.debug?.('scheduler') ?? null
  }

  isOn(): boolean {
    return this.#debug !== null
  }

  /** `why`: see `NextUpload`. */
  started(row: TransferRow, why: 'next' | 'newest', active: number): void {
    if (this.#debug === null) return
    this.#lastWait = ''
    this.#passed.delete(row.id)
    this.#debug('scheduler.start', { id: row.id, path: row.path, size: row.size, priority: row.priority, why, active })
  }

  passedOver(row: TransferRow, why: string): void {
    if (this.#debug === null || this.#passed.get(row.id) === why) return
    if (this.#passed.size >= MAX_REMEMBERED) this.#passed.clear()
    this.#passed.set(row.id, why)
    this.#debug('scheduler.passed-over', { id: row.id, path: row.path, why })
  }

  waits({ why, until }: Wait, active: number): void {
    if (this.#debug === null) return
    const key = `${why} ${until === null ? '' : Math.round(until / SAME_END_MS)}`
    if (key === this.#lastWait) return
    this.#lastWait = key
    this.#debug('scheduler.wait', { why, until: until === null ? null : new Date(until).toISOString(), active })
  }
}
