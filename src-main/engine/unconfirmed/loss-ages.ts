// Tracks how long ago the answer to an upload was lost. Uses monotonic time, because the wall clock may be changed at any moment: if a
// recent loss looked old, its file would be sent again before the service can show it.
import type { TransferRow } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import { firstLookMs } from './absence.ts'

/**
 * Maximum number of ages in memory. Beyond it, all of them are discarded, and computed from the times in the journal when they are needed.
 */
const MOST = 2000

type Lost = Pick<TransferRow, 'id' | 'intentMark' | 'lostAt'>

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

  /**
   * Milliseconds since the answer was lost. The wall clock is used only for losses that aren't in memory, usually because an earlier
   * process recorded them. If the journal has no time either, `firstLookMs` is assumed.
   */
  since(row: Lost): number {
    const known = this.#losses.get(row.id)
    if (known !== undefined && known.mark === row.intentMark) return this.#clock.mono() - known.mono
    const ago = row.lostAt === null ? firstLookMs() : Math.max(0, this.#clock.now() - row.lostAt)
    this.#keep(row, ago)
    return ago
  }

  forget(id: number): void {
    this.#losses.delete(id)
  }

  #keep(row: Lost, ago: number): void {
    if (this.#losses.size > MOST) this.#losses.clear()
    this.#losses.set(row.id, { mark: row.intentMark, mono: this.#clock.mono() - ago })
  }
}
