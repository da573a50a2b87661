// Keeps the items of recent uploads for paging: a folder of 100,000 files is one upload and two hundred pages. Only the newest MAX_BATCHES
// are kept.
import type { UploadItem } from '../../../src-shared/contract.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { SnapshotReader } from '../snapshot.ts'

const PAGE_ITEMS = 500
const MAX_BATCHES = 50

export interface BatchPage {
  readonly batch: number
  readonly items: UploadItem[]
  /** Offset of the next page, or null if this is the last one. */
  readonly next: number | null
}

export class UploadBatches {
  readonly #transfers: Pick<Transfers, 'get'>
  readonly #snapshots: Pick<SnapshotReader, 'transfer'>
  readonly #batches = new Map<number, readonly UploadItem[]>()
  #nextBatch = 1

  constructor(transfers: Pick<Transfers, 'get'>, snapshots: Pick<SnapshotReader, 'transfer'>) {
    this.#transfers = transfers
    this.#snapshots = snapshots
  }

  /** Stores the items and returns the number to pass to `page`. */
  add(items: readonly UploadItem[]): number {
    const batch = this.#nextBatch++
    this.#batches.set(batch, items)
    this.#batches.delete(batch - MAX_BATCHES)
    return batch
  }

  /** Returns up to PAGE_ITEMS items from offset `after` on, with the current state of their transfers; null if the batch isn't kept. */
  page(batch: number, after: number): BatchPage | null {
    const all = this.#batches.get(batch)
    if (all === undefined) return null
    const items = all.slice(after, after + PAGE_ITEMS).map((item): UploadItem => {
      const row = item.transfer === null ? null : this.#transfers.get(item.transfer.id)
      return row === null ? item : { ...item, transfer: this.#snapshots.transfer(row) }
    })
    return { batch, items, next: after + PAGE_ITEMS < all.length ? after + PAGE_ITEMS : null }
  }
}
