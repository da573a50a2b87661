// Finds an existing link for a file's bytes. In a watched folder every file gets its own link, so only the same file counts: at the same
// path, or moved away from the path that was uploaded. The disk is checked for moves, because the journal may not know of them yet: a scan
// may see the new name first, another folder may be scanned later, and the disappearance of an ignored name is never noticed.
import type { WatchedFolders } from '../discovery/folder/watched-folders.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { type Disk, DiskError } from '../ports.ts'
import { isTellable } from '../views.ts'

export interface SameContentOptions {
  readonly disk: Pick<Disk, 'stat'>
  readonly transfers: Pick<Transfers, 'doneContent' | 'hasDoneSize' | 'unknown'>
  readonly remote: Pick<Remote, 'get' | 'isRemoval'>
  /** A file isn't considered gone while its folder can't be reached. */
  readonly folders: Pick<WatchedFolders, 'isAway'>
}

/** Maximum number of unconfirmed uploads to check. */
const MAX_UNCONFIRMED = 2000

export interface Known {
  readonly row: TransferRow
  /** Whether nothing is left at the path it was uploaded from. */
  readonly hasLeft: boolean
}

export class SameContent {
  readonly #options: SameContentOptions

  constructor(options: SameContentOptions) {
    this.#options = options
  }

  /** Whether the file must be hashed before it is sent. */
  mayBeUp(row: TransferRow): boolean {
    return !row.again && (row.hashFirst || this.#options.transfers.hasDoneSize(row.size))
  }

  /** The transfer whose link this file can use. Rejects with a DiskError if the disk doesn't answer. */
  async find(row: TransferRow, sha256: string): Promise<Known | null> {
    const live = this.#options.transfers.doneContent(sha256, row).filter((done) => done.id !== row.id && this.isThere(done))
    for (const done of live) {
      const hasLeft = done.folderId !== null && done.away
      if (row.source === 'upload' || done.path === row.path || hasLeft) return { row: done, hasLeft }
    }
    const left = await this.#left(live.filter((done) => done.folderId !== null))
    return left === null ? null : { row: left, hasLeft: true }
  }

  /** An unconfirmed upload that may be this file under its old name. Its outcome decides whether this file is sent. */
  async underWay(row: TransferRow, sha256: string | null): Promise<TransferRow | null> {
    const couldBe = this.#options.transfers
      .unknown(MAX_UNCONFIRMED)
      .filter((one) => one.folderId !== null && one.size === row.size && one.path !== row.path)
      .filter((one) => one.sha256 === null || sha256 === null || one.sha256 === sha256)
    return couldBe.find((one) => one.away) ?? this.#left(couldBe)
  }

  /** Whether the link of this transfer works, as far as is known, and no deletion of its remote file is queued. */
  isThere(done: TransferRow): boolean {
    const { remote } = this.#options
    return isTellable(done) && (done.fileId === null || (!remote.isRemoval(done.fileId) && remote.get(done.fileId)?.goneAt == null))
  }

  /** The first of these rows whose path no longer exists. */
  async #left(rows: readonly TransferRow[]): Promise<TransferRow | null> {
    const paths = [...new Set(rows.map((row) => row.path))]
    if (paths.length === 0) return null
    const stats = await this.#options.disk.stat(paths)
    for (const [i, path] of paths.entries()) {
      const stat = stats[i]
      if (stat === undefined) throw new DiskError({ code: 'interrupted', message: 'no answer' })
      if (stat !== null && 'code' in stat && stat.code === 'interrupted') throw new DiskError(stat)
      const row = rows.find((one) => one.path === path)
      if (stat === null && row !== undefined && !(await this.#options.folders.isAway(row))) return row
    }
    return null
  }
}
