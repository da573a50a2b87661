// Helps detect moves that changed the inode or mtime. If a file vanishes and another file of the same size was recently queued, the queued
// file is hashed before it is sent. If the bytes are the same, the queued file takes over the link of the vanished one.
import type { TransferRow, Transfers } from '../journal/transfers.ts'

/** Maximum number of sizes to remember. */
const SIZES_MAX = 5000
/** Maximum number of transfers to remember per size. */
const PER_SIZE_MAX = 21

export class MovedBytes {
  readonly #transfers: Transfers
  /** Recently queued transfers, by size. */
  readonly #recent = new Map<number, readonly number[]>()

  constructor(transfers: Transfers) {
    this.#transfers = transfers
  }

  /** Remembers a transfer that was just queued. */
  remember(size: number, id: number): void {
    if (this.#recent.size > SIZES_MAX) this.#recent.clear()
    this.#recent.set(size, [...(this.#recent.get(size) ?? []).slice(1 - PER_SIZE_MAX), id])
  }

  /**
   * Marks a done, running or unconfirmed transfer whose file is no longer at its path. Recently queued files of its size are then hashed
   * before they are sent, so that one with the same bytes takes over the link. Call inside a transaction.
   */
  markAway(t: TransferRow): void {
    this.#transfers.setAway(t.id, true)
    for (const id of this.#recent.get(t.size) ?? []) if (this.#transfers.get(id)?.state === 'queued') this.#transfers.setHashFirst(id)
  }
}
