// Handles content that was uploaded before. A file gets the existing link of its bytes if there is one that
// it can use: in a watched folder, only a link from its own path, or from a path that the file has moved away
// from. Moves are checked on disk, because scans may lag, and never see an ignored name go. Content whose
// upload was deleted isn't published again, unless the user names the file. A file that its folder skips
// although no rule excludes it (existing-files.ts) can get such a link, but isn't sent.
import type { RemoteFile } from '../../api/types.ts'
import { EXISTING_RULE, LEFT_RULE } from '../find/existing-files.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Claims } from '../journal/claims.ts'
import type { Files } from '../journal/files.ts'
import type { Remote } from '../journal/remote-list.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { DiskFailure, Entry, Ports } from '../ports.ts'
import type { Catalog } from '../remote/remote-files.ts'
import { ruledOutMessage } from '../rules/admission.ts'
import { inTime, isUnanswered } from '../sleep.ts'
import { isLive } from '../tell/views.ts'
import type { RowWriter } from './file-failures.ts'
import type { Receipts } from './receipts.ts'

/** Maximum number of unconfirmed uploads to check. */
const MAX_UNCONFIRMED = 2000
/** After this time without an answer from a drive, the upload gives up its slot and is retried later. */
const PATIENCE_MS = 2000
/** Maximum number of paths per request, limited so that a slow drive can answer in time. */
const STAT_PATHS = 64

export interface Known {
  readonly row: TransferRow
  /**
   * Whether the path that the row was uploaded from is missing, or leads through a link to the file's new
   * location.
   */
  readonly hasLeft: boolean
}

/**
 * Thrown if a file can be read, but another file's drive doesn't answer, so it isn't known whether the bytes
 * already have a link.
 */
export class UnansweredElsewhereError extends Error {
  constructor() {
    super("A file that may have the same content is on a drive that doesn't answer.")
  }
}

export interface KnownContentOptions {
  readonly ports: Pick<Ports, 'clock' | 'disk'>
  readonly transfers: Transfers
  readonly files: Pick<Files, 'byTransfer' | 'folder' | 'put'>
  readonly remote: Remote
  readonly claims: Claims
  readonly catalog: Pick<Catalog, 'confirm'>
  /** A file isn't considered gone while its folder can't be reached. */
  readonly folders: Pick<WatchedFolders, 'isAway'>
}

export class KnownContent {
  readonly #options: KnownContentOptions
  readonly #rows: RowWriter
  readonly #receipts: Receipts
  /** Folders with a request that wasn't answered in time and is still open. */
  readonly #silent = new Set<number | null>()

  constructor(options: KnownContentOptions, rows: RowWriter, receipts: Receipts) {
    this.#options = options
    this.#rows = rows
    this.#receipts = receipts
  }

  /** Whether the file must be hashed before anything is sent. */
  isLikely(row: TransferRow): boolean {
    return row.reuseOnly || (!row.again && (row.hashFirst || this.#options.transfers.hasDoneSize(row.size)))
  }

  /**
   * Decides whether the file still has to be sent. Returns `none` if so. Returns `over` if nothing must be
   * sent now: the transfer has ended because its content was uploaded before, waits for the outcome of
   * another upload, has received another version, or is no longer queued. Returns `changed` if a file that
   * the user added has changed in the meantime, so that a link to these bytes isn't a link to the file.
   * Rejects with a DiskError if the disk fails, with an UnansweredElsewhereError if another file's drive
   * doesn't answer, or if `signal` aborts.
   */
  async settle(
    row: TransferRow,
    sha256: string,
    hasChanged: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<'over' | 'changed' | 'none'> {
    const { catalog } = this.#options
    // For a file that the user added, the link is checked before it is reused. A watched file needs no check,
    // because it is sent again once the list shows that its remote file is gone.
    let found = await this.find(row, sha256, signal)
    if (found !== null && row.source === 'upload') {
      await catalog.confirm([found.row])
      found = await this.find(row, sha256, signal)
      if (found !== null && (await hasChanged())) return 'changed'
    }
    if (
      found !== null &&
      (await this.#receipts.reuse(row, sha256, () => this.#takeOver(row, found))) !== 'none'
    )
      return 'over'
    if (row.reuseOnly) return (await this.waitsForOther(row, sha256, signal)) ? 'over' : this.#skip(row)
    return this.#isWithdrawn(row, sha256) ? this.#withdraw(row, sha256) : 'none'
  }

  /**
   * Whether an upload of exactly these bytes from this path was deleted, by the user or on the service, so
   * that they aren't published again. That doesn't apply to a file that the user named. To a file that was
   * only found in a named folder, it applies only if the user deleted the upload.
   */
  #isWithdrawn({ source, path, isInside }: TransferRow, sha256: string): boolean {
    const { claims } = this.#options
    return source === 'watch'
      ? claims.isWithdrawn(path, sha256)
      : isInside && claims.isDeletedByUser(path, sha256)
  }

  /**
   * Withdraws a file whose content was deleted. Returns `none`, without withdrawing it, if the content may be
   * published by now, for example because the user has named the file in the meantime.
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
   * Whether an unconfirmed upload may have sent this very file under its old name. If so, requeues the row,
   * which then waits for the outcome of that upload. Rejects like `settle`.
   */
  async waitsForOther(row: TransferRow, sha256: string | null, signal: AbortSignal): Promise<boolean> {
    const { transfers } = this.#options
    const other = row.source === 'watch' && !row.again ? await this.underWay(row, sha256, signal) : null
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
   * Skips a file that its folder skips although no rule excludes it, because there is no link that it could
   * take over. Returns `none`, without skipping the file, if the user has named it in the meantime.
   */
  async #skip(row: TransferRow): Promise<'over' | 'none'> {
    const { transfers, files } = this.#options
    let isSkipped = true
    await this.#rows.commit(() => {
      if (!this.#rows.isQueuedFor(row)) return
      isSkipped = transfers.get(row.id)?.reuseOnly === true
      if (!isSkipped) return
      const file = files.byTransfer(row.id)
      const rule =
        file === null || files.folder(file.folderId)?.existing === 'skip' ? EXISTING_RULE : LEFT_RULE
      transfers.transition(row.id, { kind: 'cancelled', message: ruledOutMessage(rule) })
      if (file !== null) files.put({ ...file, class: 'ignored', rule, transferId: null })
    })
    this.#rows.changed(row.id)
    return isSkipped ? 'over' : 'none'
  }

  /**
   * Returns the remote file of the confirmed transfer `found`; null if its link no longer works or was given
   * to another file in the meantime. If `row` is the same watched file at a new path, that transfer gets the
   * new path. Call inside a transaction.
   */
  #takeOver(row: TransferRow, found: Known): RemoteFile | null {
    const { transfers } = this.#options
    const done = transfers.get(found.row.id)
    if (done === null || !isLive(done, this.#options.remote)) return null
    if (found.hasLeft && row.source === 'watch') {
      // Another file with the same bytes took the link first.
      if (done.path !== found.row.path && done.path !== row.path) return null
      transfers.setPath(done.id, row.path, row.name)
      if (done.folderId !== row.folderId) transfers.setFolder(done.id, row.folderId)
    }
    const { fileId, publicLink, filename } = done
    return { fileId, publicLink, filename, size: null, uploadDate: null, downloadCount: null }
  }
  /**
   * The transfer whose link this file can use, or null. Rejects with an UnansweredElsewhereError, or if
   * `signal` aborts.
   */
  async find(row: TransferRow, sha256: string, signal: AbortSignal): Promise<Known | null> {
    const live = this.#options.transfers
      .doneContent(sha256, row)
      .filter((done) => done.id !== row.id && isLive(done, this.#options.remote))
    for (const done of live) {
      const hasLeft = done.folderId !== null && done.away
      if (row.source === 'upload' || done.path === row.path || hasLeft) return { row: done, hasLeft }
    }
    const left = await this.#left(
      live.filter((done) => done.folderId !== null),
      row.path,
      signal,
    )
    return left === null ? null : { row: left, hasLeft: true }
  }

  /**
   * An unconfirmed upload that may be this file under its old name; null if there is none. Its outcome
   * decides whether this file is sent. Rejects like `find`.
   */
  async underWay(row: TransferRow, sha256: string | null, signal: AbortSignal): Promise<TransferRow | null> {
    const couldBe = this.#options.transfers
      .unknown(MAX_UNCONFIRMED)
      .filter((one) => one.folderId !== null && one.size === row.size && one.path !== row.path)
      .filter((one) => one.sha256 === null || sha256 === null || one.sha256 === sha256)
    return couldBe.find((one) => one.away) ?? this.#left(couldBe, row.path, signal)
  }

  /**
   * The first of these rows whose path is missing, or leads through a link to the file at `target`; null if
   * there is none. Folders may be on different drives, so each folder's rows are checked separately.
   */
  async #left(
    rows: readonly TransferRow[],
    target: string,
    signal: AbortSignal,
  ): Promise<TransferRow | null> {
    for (const [folderId, own] of Map.groupBy(rows, (row) => row.folderId)) {
      const paths = [...new Set(own.map((row) => row.path))]
      for (let at = 0; at < paths.length; at += STAT_PATHS) {
        const asked = paths.slice(at, at + STAT_PATHS)
        const [there, ...stats] = await this.#answer(
          folderId,
          () => this.#options.ports.disk.stat([target, ...asked]),
          signal,
        )
        for (const [i, path] of asked.entries()) {
          const stat = stats[i]
          if (stat === undefined || (stat !== null && 'code' in stat && isUnanswered(stat)))
            throw new UnansweredElsewhereError()
          const row = own.find((one) => one.path === path)
          if (row === undefined) continue
          // A folder that was replaced by a link counts as away, but a file that is found through the link
          // has certainly been moved.
          const isMoved = isSameFile(stat, there) && (await this.#leadsTo(target, row, signal))
          const isMissing =
            stat === null && !(await this.#answer(folderId, () => this.#options.folders.isAway(row), signal))
          if (isMoved || isMissing) return row
        }
      }
    }
    return null
  }

  /**
   * Whether the row's path resolves to the same path as `target`, rather than to another hard link of the
   * same file.
   */
  async #leadsTo(target: string, { path, folderId }: TransferRow, signal: AbortSignal): Promise<boolean> {
    const { disk } = this.#options.ports
    const found = await this.#answer(
      folderId,
      () => Promise.all([disk.resolve(path), disk.resolve(target)]),
      signal,
    )
    const [from, to] = found.map((one) => ('code' in one ? null : one.real))
    return from !== null && from === to
  }

  /**
   * Asks a folder's drive. Rejects with an UnansweredElsewhereError if the drive doesn't answer in time, or
   * if an earlier request is still open.
   */
  async #answer<T extends object | boolean>(
    folderId: number | null,
    ask: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted()
    if (!this.#silent.has(folderId)) {
      const asked = ask()
      const answer = await inTime(this.#options.ports.clock, asked, PATIENCE_MS, signal)
      if (answer !== 'late') return answer
      signal.throwIfAborted()
      this.#silent.add(folderId)
      const answered = (): void => void this.#silent.delete(folderId)
      asked.then(answered, answered)
    }
    throw new UnansweredElsewhereError()
  }
}

function isSameFile(a: Entry | DiskFailure | null, b: Entry | DiskFailure | null | undefined): boolean {
  if (a === null || b == null || 'code' in a || 'code' in b) return false
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtime === b.mtime
}
