// Handles content that was uploaded before. A file gets the existing link of its bytes if same-content.ts finds one that it can use.
// Content whose upload was deleted isn't published again, unless the user names the file. A file that its folder skips although no rule
// excludes it (existing-files.ts) can get such a link, but isn't sent.
import type { RemoteFile } from '../../api/types.ts'
import { ruledOutMessage } from '../admission/admission.ts'
import { EXISTING_RULE, LEFT_RULE } from '../discovery/folder/existing-files.ts'
import type { Claims } from '../journal/claims.ts'
import type { Files } from '../journal/files.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import type { Catalog } from '../remote/catalog.ts'
import type { Receipts } from './receipts.ts'
import type { RowWriter } from './row-writer.ts'
import { type Known, SameContent, type SameContentOptions } from './same-content.ts'

export interface KnownContentOptions extends Omit<SameContentOptions, 'clock' | 'disk'> {
  readonly ports: Pick<Ports, 'clock' | 'disk'>
  readonly transfers: Transfers
  readonly files: Pick<Files, 'byTransfer' | 'folder' | 'put'>
  readonly claims: Claims
  readonly catalog: Pick<Catalog, 'confirm'>
}

export class KnownContent {
  readonly #options: KnownContentOptions
  readonly #same: SameContent
  readonly #rows: RowWriter
  readonly #receipts: Receipts

  constructor(options: KnownContentOptions, rows: RowWriter, receipts: Receipts) {
    this.#options = options
    this.#same = new SameContent({ ...options, ...options.ports })
    this.#rows = rows
    this.#receipts = receipts
  }

  /** Whether the file must be hashed before anything is sent. */
  isLikely(row: TransferRow): boolean {
    return row.reuseOnly || this.#same.mayBeUp(row)
  }

  /**
   * Decides whether the file still has to be sent. Returns `none` if so. Returns `over` if nothing must be sent now: the transfer has ended
   * because its content was uploaded before, waits for the outcome of another upload, has received another version, or is no longer queued.
   * Returns `changed` if a file that the user added has changed in the meantime, so that a link to these bytes isn't a link to the file.
   * Rejects with a DiskError if the disk fails, with an UnansweredElsewhereError if another file's drive doesn't answer, or if `signal`
   * aborts.
   */
  async settle(
    row: TransferRow,
    sha256: string,
    hasChanged: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<'over' | 'changed' | 'none'> {
    const { catalog } = this.#options
    // For a file that the user added, the link is checked before it is reused. A watched file needs no check, because it is sent again once
    // the list shows that its remote file is gone.
    let found = await this.#same.find(row, sha256, signal)
    if (found !== null && row.source === 'upload') {
      await catalog.confirm([found.row])
      found = await this.#same.find(row, sha256, signal)
      if (found !== null && (await hasChanged())) return 'changed'
    }
    if (found !== null && (await this.#receipts.reuse(row, sha256, () => this.#takeOver(row, found))) !== 'none') return 'over'
    if (row.reuseOnly) return (await this.waitsForOther(row, sha256, signal)) ? 'over' : this.#skip(row)
    return this.#isWithdrawn(row, sha256) ? this.#withdraw(row, sha256) : 'none'
  }

  /**
   * Whether an upload of exactly these bytes from this path was deleted, by the user or on the service, so that they aren't published
   * again. That doesn't apply to a file that the user named. To a file that was only found in a named folder, it applies only if the user
   * deleted the upload.
   */
  #isWithdrawn({ source, path, isInside }: TransferRow, sha256: string): boolean {
    const { claims } = this.#options
    return source === 'watch' ? claims.isWithdrawn(path, sha256) : isInside && claims.isDeletedByUser(path, sha256)
  }

  /**
   * Withdraws a file whose content was deleted. Returns `none`, without withdrawing it, if the content may be published by now, for example
   * because the user has named the file in the meantime.
   */
  async #withdraw(row: TransferRow, sha256: string): Promise<'over' | 'none'> {
    const { ports, claims, transfers } = this.#options
    let isOver = true
    await this.#rows.commit(() => {
      const now = this.#rows.isQueuedFor(row) ? transfers.get(row.id) : null
      isOver = now === null || this.#isWithdrawn(now, sha256)
      if (now !== null && isOver) claims.withdraw(now, sha256, ports.clock.now())
    })
    this.#rows.changed(row.id)
    return isOver ? 'over' : 'none'
  }

  /**
   * Whether an unconfirmed upload may have sent this very file under its old name. If so, requeues the row, which then waits for the
   * outcome of that upload. Rejects like `settle`.
   */
  async waitsForOther(row: TransferRow, sha256: string | null, signal: AbortSignal): Promise<boolean> {
    const { transfers } = this.#options
    const other = row.source === 'watch' && !row.again ? await this.#same.underWay(row, sha256, signal) : null
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
   * Skips a file that its folder skips although no rule excludes it, because there is no link that it could take over. Returns `none`,
   * without skipping the file, if the user has named it in the meantime.
   */
  async #skip(row: TransferRow): Promise<'over' | 'none'> {
    const { transfers, files } = this.#options
    let isSkipped = true
    await this.#rows.commit(() => {
      if (!this.#rows.isQueuedFor(row)) return
      isSkipped = transfers.get(row.id)?.reuseOnly === true
      if (!isSkipped) return
      const file = files.byTransfer(row.id)
      const rule = file === null || files.folder(file.folderId)?.existing === 'skip' ? EXISTING_RULE : LEFT_RULE
      transfers.transition(row.id, { kind: 'cancelled', message: ruledOutMessage(rule) })
      if (file !== null) files.put({ ...file, class: 'ignored', rule, transferId: null })
    })
    this.#rows.changed(row.id)
    return isSkipped ? 'over' : 'none'
  }

  /**
   * Returns the remote file of the confirmed transfer `found`; null if its link no longer works or was given to another file in the
   * meantime. If `row` is the same watched file at a new path, that transfer gets the new path. Call inside a transaction.
   */
  #takeOver(row: TransferRow, found: Known): RemoteFile | null {
    const { transfers } = this.#options
    const done = transfers.get(found.row.id)
    if (done === null || !this.#same.isThere(done)) return null
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
