// Records in the journal what happened to a transfer, and notifies listeners. A response must not be lost, so a failed commit is retried
// until it succeeds or the engine closes.

import type { Database } from '../journal/open.ts'
import type { Standing } from '../journal/transfer-queue.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { TransferEvent } from '../journal/transitions.ts'
import type { Clock } from '../ports.ts'
import { sleep } from '../sleep.ts'
import type { Bus } from '../tell/bus.ts'

const RETRY_MS = 200
const RETRY_MAX_MS = 5000
const ENDED_OR_SENT: ReadonlySet<string> = new Set(['uploading', 'done', 'cancelled', 'gone'])

export interface RowWriterOptions {
  readonly clock: Clock
  readonly db: Database
  readonly transfers: Transfers
  readonly bus: Pick<Bus, 'changed' | 'touched'>
  /** Called when a commit fails. The commit is then retried, unless the engine is closing. */
  readonly journalFailed: (error: unknown) => void
  /** Aborts when the engine closes. */
  readonly stop: AbortSignal
}

export class RowWriter {
  readonly #options: RowWriterOptions

  constructor(options: RowWriterOptions) {
    this.#options = options
  }

  /**
   * Runs `work` in a transaction, and retries with back-off as long as the commit fails, for example on a full disk. If the engine closes,
   * gives up and resolves without a commit. The intent of an upload that was sent remains, so its outcome is looked up after the next
   * start.
   */
  async commit(work: () => void): Promise<void> {
    const { clock, db, journalFailed, stop } = this.#options
    for (let tries = 0; ; tries++) {
      try {
        await db.soon(work)
        return
      } catch (error) {
        journalFailed(error)
        if (stop.aborted) return
        await sleep(clock, Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** tries), stop)
      }
    }
  }

  async apply(row: TransferRow, event: TransferEvent): Promise<void> {
    await this.commit(() => this.#options.transfers.transition(row.id, event))
    this.changed(row.id)
  }

  /** Like `apply`, but changes nothing if the row now has another version or is no longer queued. */
  async applyIfQueued(row: TransferRow, event: TransferEvent): Promise<void> {
    await this.commit(() => {
      if (this.isQueuedFor(row)) this.#options.transfers.transition(row.id, event)
    })
    this.changed(row.id)
  }

  /** Like `apply`, but changes nothing unless the row is queued or uploading. */
  async applyIfActive(row: TransferRow, event: TransferEvent): Promise<void> {
    const { transfers } = this.#options
    await this.commit(() => {
      const state = transfers.get(row.id)?.state
      if (state === 'queued' || state === 'uploading') transfers.transition(row.id, event)
    })
    this.changed(row.id)
  }

  /** Whether the transfer is still queued with the version that `row` shows. Call inside the transaction that relies on it. */
  isQueuedFor(row: TransferRow): boolean {
    return this.#sameVersion(row)?.state === 'queued'
  }

  /** Whether the transfer has neither ended nor been sent again, and still has the version that `row` shows. */
  isOpenFor(row: TransferRow): boolean {
    const state = this.#sameVersion(row)?.state
    return state !== undefined && !ENDED_OR_SENT.has(state)
  }

  changed(id: number): void {
    this.#options.bus.changed(id)
    this.#options.bus.touched()
  }

  #sameVersion(row: TransferRow): Standing | null {
    const now = this.#options.transfers.standing(row.id)
    return now !== null && now.size === row.size && now.mtime === row.mtime ? now : null
  }
}
