// Handles content that was uploaded before: a file gets the existing link of its bytes if same-content.ts finds one that it can use, and
// content whose upload was deleted isn't published again.
import type { RemoteFile } from '../../api/types.ts'
import type { Claims } from '../journal/claims.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import type { LinkCheck } from '../remote/link-check.ts'
import type { Receipts } from './receipts.ts'
import type { RowWriter } from './row-writer.ts'
import { type Known, SameContent, type SameContentOptions } from './same-content.ts'

export interface KnownContentOptions extends Omit<SameContentOptions, 'disk'> {
  readonly ports: Pick<Ports, 'clock' | 'disk'>
  readonly transfers: Transfers
  readonly claims: Claims
  readonly linkCheck: Pick<LinkCheck, 'confirm'>
}

export class KnownContent {
  readonly #options: KnownContentOptions
  readonly #same: SameContent
  readonly #rows: RowWriter
  readonly #receipts: Receipts

  constructor(options: KnownContentOptions, rows: RowWriter, receipts: Receipts) {
    this.#options = options
    this.#same = new SameContent({ ...options, disk: options.ports.disk })
    this.#rows = rows
    this.#receipts = receipts
  }

  /** Whether the file must be hashed before anything is sent. */
  isLikely(row: TransferRow): boolean {
    return this.#same.mayBeUp(row)
  }

  /**
   * Returns `over` if nothing is to be sent: the transfer has ended because its content was uploaded before, or the row has meanwhile got
   * another version or isn't queued any more; `changed` if the file that the user added has changed meanwhile, so that a link of its bytes
   * isn't its link. Rejects with a DiskError if that can't be determined now.
   */
  async settle(row: TransferRow, sha256: string, hasChanged: () => Promise<boolean>): Promise<'over' | 'changed' | 'none'> {
    const { ports, claims, linkCheck } = this.#options
    // For a file that the user added, the link is checked before it is reused. A watched file needs no check, because it is sent again once
    // the list shows that its remote file is gone.
    let found = await this.#same.find(row, sha256)
    if (found !== null && row.source === 'upload') {
      await linkCheck.confirm([found.row])
      found = await this.#same.find(row, sha256)
      if (found !== null && (await hasChanged())) return 'changed'
    }
    if (found !== null && (await this.#receipts.reuse(row, sha256, () => this.#takeOver(row, found))) !== 'none') return 'over'
    // An upload of exactly these bytes from this path was deleted, by the user or on the service, so they aren't published again.
    if (row.source !== 'watch' || !claims.isWithdrawn(row.path, sha256)) return 'none'
    await this.#rows.commit(() => {
      if (this.#rows.isQueuedFor(row)) claims.withdraw(row.id, sha256, ports.clock.now())
    })
    this.#rows.changed(row.id)
    return 'over'
  }

  /**
   * Whether an unconfirmed upload may have been this very file under its old name. If so, the row is queued again until the outcome of that
   * upload is known.
   */
  async waitsForOther(row: TransferRow, sha256: string | null): Promise<boolean> {
    const { transfers } = this.#options
    const other = row.source === 'watch' && !row.again ? await this.#same.underWay(row, sha256) : null
    if (other === null) return false
    await this.#rows.commit(() => {
      if (transfers.get(other.id)?.state === 'unknown') transfers.setAway(other.id, true)
      transfers.setHashFirst(row.id)
    })
    if (!transfers.hasAwayUnderWay(row.size)) return false
    await this.#rows.apply(row, { kind: 'requeued' })
    return true
  }

  /**
   * Returns the remote file of the confirmed transfer `found`; null if its link no longer works or was given to another file in the
   * meantime. If `row` is the same watched file in a new place, that transfer gets the new path. Called inside a transaction.
   */
  #takeOver(row: TransferRow, found: Known): RemoteFile | null {
    const { transfers } = this.#options
    const done = transfers.get(found.row.id)
    if (done === null || !this.#same.isThere(done)) return null
    // If this is the same file in a new place, the new path takes over the old path's claim on the remote file.
    if (found.hasLeft && row.source === 'watch') {
      // Another file with the same bytes took the link first.
      if (done.path !== found.row.path && done.path !== row.path) return null
      transfers.setPath(done.id, row.path, row.name)
      if (done.folderId !== row.folderId) transfers.setFolder(done.id, row.folderId)
    }
    const { fileId, publicLink, filename } = done
    return { fileId, publicLink, filename, size: null, uploadDate: null, downloadCount: null }
  }
}
