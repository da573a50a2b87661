// Records what the service stored for a transfer, before the link is shown. Also queues the deletion of a
// file that the new one replaces, and of an upload that must not stay published, unless that file might be in
// use by others.

import type { RemoteFile } from '../../api/types.ts'
import type { Budget } from '../budget/budget.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { Claims } from '../journal/claims.ts'
import { type Origin, type Owners, originOf } from '../journal/owners.ts'
import { hasReplaced, isOtherFile, type Remote, type RemoteEntry } from '../journal/remote-list.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import { localDay } from '../journal/usage.ts'
import type { Ports } from '../ports.ts'
import type { Catalog } from '../remote/remote-files.ts'
import type { FileFailures, RowWriter } from './file-failures.ts'
import type { FilesPutAway } from './put-away.ts'

/** Maximum wait for the rate limit when a file's upload date is requested. */
const UPLOADED_AT_WAIT_MS = 5000

/** How a transfer got its remote file. */
export interface Confirmation {
  /** Lowercase hex; null if unknown. */
  readonly sha256: string | null
  /** Whether the remote file was found on the service rather than returned by an upload. */
  readonly adopted: boolean
  /** Whether bytes of this transfer were sent. */
  readonly sent: boolean
  /** Whether the remote file existed before this transfer. If so, other people may have its link. */
  readonly isOlder?: boolean
  /**
   * The `Date` of the upload's response in epoch milliseconds; null if it had none, or if the transfer wasn't
   * confirmed by a response.
   */
  readonly server: number | null
}

/**
 * When a file was stored, according to the date that the service shows. `zone`: milliseconds to subtract from
 * `at` to get UTC, null if unknown.
 */
interface StoredAt {
  readonly at: number
  readonly zone: number | null
}

/** `changed`: IDs of the other transfers that have changed. */
interface Recorded {
  readonly origin: Origin
  readonly changed: readonly number[]
}

type Receipt = RemoteFile & { readonly fileId: number }

export interface ReceiptsOptions {
  readonly ports: Pick<Ports, 'clock' | 'log'>
  readonly transfers: Transfers
  readonly remote: Remote
  readonly claims: Claims
  readonly owners: Owners
  readonly budget: Pick<Budget, 'serverNow'>
  readonly catalog: Pick<Catalog, 'file' | 'linkShows'>
  readonly limits: Pick<UploadLimits, 'zone' | 'keepCounting'>
  readonly putAway: Pick<FilesPutAway, 'wake'>
  readonly stop: AbortSignal
}

export class Receipts {
  readonly #options: ReceiptsOptions
  readonly #rows: RowWriter
  readonly #failures: FileFailures

  constructor(options: ReceiptsOptions, rows: RowWriter, failures: FileFailures) {
    this.#options = options
    this.#rows = rows
    this.#failures = failures
  }

  /**
   * Returns the receipt. If its ID is that of another file of ours or of the list, that file is marked as gone
   * if its link is dead. Otherwise, the ID identifies neither of them, both stay, and the ID is dropped.
   */
  async identified(row: TransferRow, file: RemoteFile, sha256: string | null): Promise<RemoteFile> {
    const { ports, remote, catalog, stop } = this.#options
    const { fileId } = file
    if (fileId === null || !this.#isReused({ ...file, fileId }, remote.get(fileId), row, sha256)) return file
    const link = await catalog.linkShows(fileId, stop)
    if (link === 'lives' || (link === 'unread' && !(await this.#leadsTo(fileId, file))))
      return { ...file, fileId: null }
    await this.#rows.commit(() => {
      remote.markGone(fileId, ports.clock.now())
    })
    return file
  }

  /** Whether the service shows this receipt's file under its ID. */
  async #leadsTo(fileId: number, { publicLink }: RemoteFile): Promise<boolean> {
    const { catalog, stop } = this.#options
    const got = await catalog.file(fileId, 'watched', stop, UPLOADED_AT_WAIT_MS)
    return got.ok && publicLink !== null && got.value.publicLink === publicLink
  }

  /**
   * Confirms a transfer with this remote file, and resolves once that is written. A file that was found
   * rather than returned by an upload has no effect if the row has received another version, ended or been
   * sent again in the meantime. Returns whether the upload created the file; `unknown` if nothing was
   * written.
   */
  async finish(row: TransferRow, file: RemoteFile, confirmation: Confirmation): Promise<Origin> {
    const at = this.#options.ports.clock.now()
    const isReceipt = confirmation.sent && !confirmation.adopted
    // The service may have stored the file under the ID of a deleted one, or have answered with an existing
    // file whose link has changed. The upload date shows which. If the ID was reused, storing the response in
    // the catalog drops the deleted file (`hasReplaced`).
    if (isReceipt && file.fileId !== null && this.#isRelinked({ ...file, fileId: file.fileId }, row.id))
      await this.#storedAt(file.fileId)
    let recorded: Recorded | null = null
    let origin: Origin = 'unknown'
    await this.#rows.commit(() => {
      if (!isReceipt && !this.#rows.isOpenFor(row)) return
      recorded = this.#record(row, file, confirmation, at)
      origin = recorded.origin
    })
    if (recorded !== null) this.#announce(row, confirmation, recorded)
    return origin
  }

  /**
   * Confirms a transfer with the remote file that `found` returns, without sending it. Returns `done` once
   * that is written, `none` if `found` returned null, and `changed` if the row now has another version or is
   * no longer queued.
   */
  async reuse(
    row: TransferRow,
    sha256: string,
    found: () => RemoteFile | null,
  ): Promise<'done' | 'none' | 'changed'> {
    const confirmation: Confirmation = { sha256, adopted: false, sent: false, server: null }
    let recorded: Recorded | null = null
    let isQueued = false
    await this.#rows.commit(() => {
      isQueued = this.#rows.isQueuedFor(row)
      const file = isQueued ? found() : null
      if (file !== null) recorded = this.#record(row, file, confirmation, this.#options.ports.clock.now())
    })
    if (!isQueued) return 'changed'
    if (recorded === null) return 'none'
    this.#announce(row, confirmation, recorded)
    return 'done'
  }

  /**
   * Queues the deletion of a file that was just stored but must not stay published, unless it might be in use
   * by others.
   */
  async takeBack(
    row: TransferRow,
    file: RemoteFile & { readonly fileId: number },
    why: 'torn' | 'cancelled',
  ): Promise<void> {
    const { ports, transfers, remote, owners } = this.#options
    const { fileId } = file
    const storedAt = await this.#storedAt(fileId)
    await this.#rows.commit(() => {
      if (hasReplaced(remote.get(fileId), file)) remote.markGone(fileId, ports.clock.now())
      const entry = remote.get(fileId)
      const origin = this.#origin(transfers.get(row.id) ?? row, { ...file, fileId }, entry, storedAt)
      // If the service has reused the ID of a deleted file, `put` drops any deletion queued under that ID. So
      // `put` must come before `discard`, which queues the deletion of the new file.
      if (isOtherFile(entry, file.publicLink)) remote.put(file, ports.clock.now(), false)
      const removed = owners.discard(fileId, why, origin, ports.clock.now())
      ports.log.warn(`transfer.${why === 'torn' ? 'torn' : 'withheld'}`, { id: row.id, removed })
      if (!removed) return
      remote.put(file, ports.clock.now(), false)
      transfers.setLeft(row.id, fileId)
    })
  }

  /** Writes the confirmation. Call inside a transaction. */
  #record(
    row: TransferRow,
    found: RemoteFile,
    { sha256, adopted, sent, isOlder, server }: Confirmation,
    at: number,
  ): Recorded {
    const { transfers, remote, claims, owners, limits } = this.#options
    const now = transfers.get(row.id) ?? row
    const isReceipt = sent && !adopted
    const entry = found.fileId === null ? null : remote.get(found.fileId)
    // Another upload was answered with this ID since `identified`.
    const isShared =
      isReceipt &&
      found.fileId !== null &&
      this.#isReused({ ...found, fileId: found.fileId }, entry, row, sha256)
    const file = isShared ? { ...found, fileId: null } : found
    const { fileId } = file
    const origin = fileId === null || !isReceipt ? 'new' : this.#origin(now, { ...file, fileId }, entry, null)
    if (fileId !== null) owners.note(row.id, fileId, origin)
    if (isOlder === true) claims.setBorrowed(row.id)
    // The row was uploaded before, and its file is gone from the service, which still counts that upload.
    if (now.isSent && now.doneAt !== null && now.state !== 'done') limits.keepCounting(now.doneAt)
    transfers.done(row.id, file, { sha256, adopted, sent, at, server })
    const relinked =
      isReceipt && fileId !== null && file.publicLink !== null ? claims.relink(fileId, file.publicLink) : []
    if (fileId !== null) {
      // If this upload has just created the file, its download count is 0. That is stored only if the service
      // counts downloads at all.
      const isNew =
        sent && !adopted && origin !== 'older' && entry === null && remote.facts.get('deduplicates') !== true
      const isCounted = isNew && remote.facts.get('catalog-ways')?.counts === true
      remote.put({ ...file, fileId, downloadCount: file.downloadCount ?? (isCounted ? 0 : null) }, at, false)
    }
    if (sent) remote.addUsage(localDay(at), { uploads: 1, bytes: row.size })
    if (now.cancel) {
      const left = `It was published as ${file.publicLink ?? 'a file'} before it was cancelled, and its ID isn't known. Delete it on the service.`
      transfers.transition(row.id, {
        kind: 'cancelled',
        ...(fileId === null && sent ? { message: left } : {}),
      })
      // The user deleted the upload in Slipway while it was being sent.
      if (now.ended === 'deleted') claims.endCancelled(row.id, sha256, at)
      if (fileId !== null && sent) owners.discard(fileId, 'cancelled', origin, at)
      return { origin, changed: [] }
    }
    // A queued deletion of this file is obsolete, because this transfer now has a claim on the file.
    if (fileId !== null) remote.dropRemoval(fileId)
    const replaced =
      now.replaces === null || now.replaces === fileId
        ? []
        : owners.release(now.replaces, now.path, 'replaced', at).ended
    return { origin, changed: [...relinked, ...replaced] }
  }

  #announce(row: TransferRow, { adopted, sent }: Confirmation, { changed }: Recorded): void {
    this.#failures.confirmed(row.id)
    this.#options.ports.log.info('transfer.done', { id: row.id, size: row.size, adopted, sent })
    for (const id of [...changed, row.id]) this.#rows.changed(id)
    this.#options.putAway.wake()
  }

  /**
   * Whether the service has given this upload the ID of another file: of a listed file that differs, or of an
   * earlier upload with another link and other content.
   */
  #isReused(
    file: Receipt,
    entry: RemoteEntry | null,
    { id, size }: TransferRow,
    sha256: string | null,
  ): boolean {
    if (hasReplaced(entry, file)) return true
    const earlier = this.#earlier(file, id)
    return (
      earlier !== null &&
      this.#isRelinked(file, id) &&
      (earlier.size !== size || (earlier.sha256 !== null && sha256 !== null && earlier.sha256 !== sha256))
    )
  }

  /** Whether the service has answered this upload with the ID of an earlier one, but with another link. */
  #isRelinked(file: Receipt, id: number): boolean {
    const earlier = this.#earlier(file, id)?.publicLink ?? null
    return earlier !== null && file.publicLink !== null && earlier !== file.publicLink
  }

  /** The other transfer that has a live claim on this file, if there is one. */
  #earlier({ fileId }: Receipt, id: number): TransferRow | null {
    const earlier = this.#options.transfers.byFileId(fileId)
    return earlier === null || earlier.id === id || earlier.state !== 'done' || earlier.ended !== null
      ? null
      : earlier
  }

  /** Determines whether a receipt refers to a file that existed before this upload. */
  #origin(
    row: TransferRow,
    { fileId, publicLink }: Receipt,
    entry: RemoteEntry | null,
    storedAt: StoredAt | null,
  ): Origin {
    const { transfers, budget } = this.#options
    // If the ID was that of a deleted file, what is known about that file doesn't apply to this one.
    const isOther = isOtherFile(entry, publicLink)
    return originOf({
      isKnownReceipt: !isOther && transfers.isReceipt(fileId, row.id),
      intentMark: row.intentMark,
      firstMark: isOther ? null : (entry?.firstMark ?? null),
      uploadedAt: storedAt?.at ?? null,
      zone: storedAt?.zone ?? null,
      intentServer: row.intentServer ?? this.#intentByAnswer(row),
      nowServer: budget.serverNow(),
    })
  }

  /**
   * Estimates when an upload began according to the service's clock, for an intent that was recorded before
   * that clock was known. Returns null if that isn't possible.
   */
  #intentByAnswer(row: TransferRow): number | null {
    const server = this.#options.budget.serverNow()
    const tookMs = row.intentAt === null ? -1 : this.#options.ports.clock.now() - row.intentAt
    return server === null || tookMs < 0 ? null : server - tookMs
  }

  async #storedAt(fileId: number): Promise<StoredAt | null> {
    const { catalog, limits, stop } = this.#options
    const got = await catalog.file(fileId, 'watched', stop, UPLOADED_AT_WAIT_MS)
    const date = got.ok && got.value.uploadDate !== null ? readUploadDate(got.value.uploadDate) : null
    return date === null ? null : { at: date.at, zone: date.zoned ? 0 : limits.zone() }
  }
}
