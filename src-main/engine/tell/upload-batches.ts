// Keeps the items of recent uploads for paging: a folder of 100,000 files is one upload and two hundred pages. A page is kept until the one
// after it is requested. If there are too many batches or items, the batches that were read least recently are dropped, but never one that
// is still being read.
import type { UploadItem } from '../../../src-shared/contract.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import type { SnapshotReader } from './snapshot.ts'

const PAGE_ITEMS = 500
const MAX_BATCHES = 50
/** Maximum number of items kept, at up to a kilobyte each. The newest batch is kept even if it alone is larger. */
const MAX_ITEMS = 100_000
/** A batch counts as still being read for this long after a page was read. Meanwhile, it is kept even if a maximum is exceeded. */
const READING_MS = 60_000

export interface BatchPage {
  readonly batch: number
  readonly items: UploadItem[]
  /** Offset of the next page, or null if this is the last one. */
  readonly next: number | null
}

interface Batch {
  readonly items: readonly UploadItem[]
  /** Offset of the first item that is still kept. */
  readonly from: number
  /** When a page was last read, in monotonic milliseconds. */
  readonly readAt: number
}

export class UploadBatches {
  readonly #clock: Pick<Clock, 'mono'>
  readonly #transfers: Pick<Transfers, 'get'>
  readonly #snapshots: Pick<SnapshotReader, 'transfer'>
  /** Batches by number. The batch that was read least recently comes first. */
  readonly #batches = new Map<number, Batch>()
  #nextBatch = 1

  constructor(clock: Pick<Clock, 'mono'>, transfers: Pick<Transfers, 'get'>, snapshots: Pick<SnapshotReader, 'transfer'>) {
    this.#clock = clock
    this.#transfers = transfers
    this.#snapshots = snapshots
  }

  /** Stores the items and returns the number to pass to `page`. */
  add(items: readonly UploadItem[]): number {
    const batch = this.#nextBatch++
    this.#keep(batch, items, 0)
    return batch
  }

  /**
   * Returns up to PAGE_ITEMS items, beginning at the offset `after`, with the current state of their transfers. Returns null if they aren't
   * kept. Drops the earlier pages, because a caller that requests a page has received them. The page itself may be requested again, unless
   * it is the only one.
   */
  page(batch: number, after: number): BatchPage | null {
    const kept = this.#batches.get(batch)
    if (kept === undefined || after < kept.from) return null
    const rest = after === kept.from ? kept.items : kept.items.slice(after - kept.from)
    const next = rest.length > PAGE_ITEMS ? after + PAGE_ITEMS : null
    // If all items fit on one page, the caller has received them all and won't request another page.
    if (after === 0 && next === null) this.#batches.delete(batch)
    else this.#keep(batch, rest, after)
    const items = rest.slice(0, PAGE_ITEMS).map((item): UploadItem => {
      const row = item.transfer === null ? null : this.#transfers.get(item.transfer.id)
      return row === null ? item : { ...item, transfer: this.#snapshots.transfer(row) }
    })
    return { batch, items, next }
  }

  #keep(batch: number, kept: readonly UploadItem[], from: number): void {
    const now = this.#clock.mono()
    this.#batches.delete(batch)
    this.#batches.set(batch, { items: kept, from, readAt: now })
    let total = 0
    for (const { items } of this.#batches.values()) total += items.length
    for (const [oldest, { items, readAt }] of this.#batches) {
      if (oldest === batch || now - readAt < READING_MS || (this.#batches.size <= MAX_BATCHES && total <= MAX_ITEMS)) return
      this.#batches.delete(oldest)
      total -= items.length
    }
  }
}
