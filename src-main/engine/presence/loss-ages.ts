// Tracks how long ago the answer to an upload was lost. Prefers monotonic time and the system's uptime, because the wall clock can change.
// If a recent loss looked old, its file could be sent again before the service shows it.
import type { TransferRow } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import { firstLookMs } from './evidence.ts'

/** When there are more ages than this in memory, all are discarded. They can be computed again from the journal. */
const MOST = 2000

type Lost = Pick<TransferRow, 'id' | 'intentMark' | 'lostAt' | 'lostUp'>

export class LossAges {
  readonly #clock: Clock
  /** When each answer was lost, in monotonic milliseconds, by row ID. `mark` identifies the request that wasn't answered. */
  readonly #losses = new Map<number, { readonly mark: number | null; readonly mono: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records that the answer to a row's request was just lost. `row` must have been read after the intent of that request was recorded. */
  lost(row: Lost): void {
    this.#keep(row, 0)
  }

  /** Milliseconds since the answer was lost. The result is too low if the system has restarted since then. */
  since(row: Lost): number {
    const known = this.#losses.get(row.id)
    if (known !== undefined && known.mark === row.intentMark) return this.#clock.mono() - known.mono
    const ago = this.#recordedAgo(row)
    this.#keep(row, ago)
    return ago
  }

  /** Computes the age in milliseconds from the journal, usually because an earlier process recorded the loss. */
  #recordedAgo({ lostAt, lostUp }: Lost): number {
    const up = this.#clock.uptime()
    // After a restart of the system, at least its uptime has passed since the loss.
    if (lostUp !== null && up !== null) return up >= lostUp ? up - lostUp : up
    // Earlier versions recorded only the wall clock's time. A process that was killed recorded nothing.
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
