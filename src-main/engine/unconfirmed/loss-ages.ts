// Tracks how long ago the answer to an upload was lost. Uses monotonic time and the system's uptime, because the wall clock may be changed
// at any moment: if a recent loss looked old, its file would be sent again before the service can show it.
import type { TransferRow } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import { firstLookMs } from './absence.ts'

/**
 * Maximum number of ages in memory. Beyond it, all of them are discarded, and computed from the journal when they are needed.
 */
const MOST = 2000

type Lost = Pick<TransferRow, 'id' | 'intentMark' | 'lostAt' | 'lostUp'>

export class LossAges {
  readonly #clock: Clock
  /** By row ID, when the answer was lost, in monotonic milliseconds. `mark` identifies the intent whose answer it was. */
  readonly #losses = new Map<number, { readonly mark: number | null; readonly mono: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records that the answer to a row's request was just lost. `row` must have been read after the intent of that request was recorded. */
  lost(row: Lost): void {
    this.#keep(row, 0)
  }

  /** Milliseconds since the answer was lost, or fewer if the system has restarted since then. */
  since(row: Lost): number {
    const known = this.#losses.get(row.id)
    if (known !== undefined && known.mark === row.intentMark) return this.#clock.mono() - known.mono
    const ago = this.#recordedAgo(row)
    this.#keep(row, ago)
    return ago
  }

  /** For a loss that isn't in memory, usually because an earlier process recorded it. */
  #recordedAgo({ lostAt, lostUp }: Lost): number {
    const up = this.#clock.uptime()
    // After a restart of the system, at least its uptime has passed since the loss.
    if (lostUp !== null && up !== null) return up >= lostUp ? up - lostUp : up
    // An earlier version recorded only the wall clock's time, and a process that was killed recorded nothing.
    return lostAt === null ? firstLookMs() : Math.max(0, this.#clock.now() - lostAt)
  }

  forget(id: number): void {
    this.#losses.delete(id)
  }

  #keep(row: Lost, ago: number): void {
    if (this.#losses.size > MOST) this.#losses.clear()
    this.#losses.set(row.id, { mark: row.intentMark, mono: this.#clock.mono() - ago })
  }
}
