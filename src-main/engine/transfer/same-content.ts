// Finds an existing link for a file's bytes. In a watched folder, every file gets its own link, so only a link from the file's own path, or
// from a path that the file has moved away from, can be used. Moves are checked on disk: scans may not have recorded a move yet, and never
// notice that an ignored name has disappeared.
import type { WatchedFolders } from '../discovery/folder/watched-folders.ts'
import { isUnanswered } from '../disk/silence.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Disk, DiskFailure, Entry } from '../ports.ts'
import { inTime } from '../sleep.ts'
import { isLive } from '../views.ts'

export interface SameContentOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly disk: Pick<Disk, 'stat' | 'resolve'>
  readonly transfers: Pick<Transfers, 'doneContent' | 'hasDoneSize' | 'unknown'>
  readonly remote: Pick<Remote, 'get' | 'isRemoval'>
  /** A file isn't considered gone while its folder can't be reached. */
  readonly folders: Pick<WatchedFolders, 'isAway'>
}

/** Maximum number of unconfirmed uploads to check. */
const MAX_UNCONFIRMED = 2000
/** After this time without an answer from a drive, the upload gives up its slot and is retried later. */
const PATIENCE_MS = 2000
/** Maximum number of paths per request, limited so that a slow drive can answer in time. */
const STAT_PATHS = 64

export interface Known {
  readonly row: TransferRow
  /** Whether the path that the row was uploaded from is missing, or leads through a link to the file's new location. */
  readonly hasLeft: boolean
}

/** Thrown if a file can be read, but another file's drive doesn't answer, so it isn't known whether the bytes already have a link. */
export class UnansweredElsewhereError extends Error {
  constructor() {
    super("A file that may have the same content is on a drive that doesn't answer.")
  }
}

export class SameContent {
  readonly #options: SameContentOptions
  /** Folders with a request that wasn't answered in time and is still open. */
  readonly #silent = new Set<number | null>()

  constructor(options: SameContentOptions) {
    this.#options = options
  }

  /** Whether the file must be hashed before it is sent. */
  mayBeUp(row: TransferRow): boolean {
    return !row.again && (row.hashFirst || this.#options.transfers.hasDoneSize(row.size))
  }

  /** The transfer whose link this file can use, or null. Rejects with an UnansweredElsewhereError, or if `signal` aborts. */
  async find(row: TransferRow, sha256: string, signal: AbortSignal): Promise<Known | null> {
    const live = this.#options.transfers.doneContent(sha256, row).filter((done) => done.id !== row.id && this.isThere(done))
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
   * An unconfirmed upload that may be this file under its old name; null if there is none. Its outcome decides whether this file is sent.
   * Rejects like `find`.
   */
  async underWay(row: TransferRow, sha256: string | null, signal: AbortSignal): Promise<TransferRow | null> {
    const couldBe = this.#options.transfers
      .unknown(MAX_UNCONFIRMED)
      .filter((one) => one.folderId !== null && one.size === row.size && one.path !== row.path)
      .filter((one) => one.sha256 === null || sha256 === null || one.sha256 === sha256)
    return couldBe.find((one) => one.away) ?? this.#left(couldBe, row.path, signal)
  }

  /** See `isLive` in views.ts. */
  isThere(done: TransferRow): boolean {
    return isLive(done, this.#options.remote)
  }

  /**
   * The first of these rows whose path is missing, or leads through a link to the file at `target`; null if there is none. Folders may be
   * on different drives, so each folder's rows are checked separately.
   */
  async #left(rows: readonly TransferRow[], target: string, signal: AbortSignal): Promise<TransferRow | null> {
    for (const [folderId, own] of Map.groupBy(rows, (row) => row.folderId)) {
      const paths = [...new Set(own.map((row) => row.path))]
      for (let at = 0; at < paths.length; at += STAT_PATHS) {
        const asked = paths.slice(at, at + STAT_PATHS)
        const [there, ...stats] = await this.#answer(folderId, () => this.#options.disk.stat([target, ...asked]), signal)
        for (const [i, path] of asked.entries()) {
          const stat = stats[i]
          if (stat === undefined || (stat !== null && 'code' in stat && isUnanswered(stat))) throw new UnansweredElsewhereError()
          const row = own.find((one) => one.path === path)
          if (row === undefined) continue
          // A folder that was replaced by a link counts as away, but a file that is found through the link has certainly been moved.
          const isMoved = isSameFile(stat, there) && (await this.#leadsTo(target, row, signal))
          const isMissing = stat === null && !(await this.#answer(folderId, () => this.#options.folders.isAway(row), signal))
          if (isMoved || isMissing) return row
        }
      }
    }
    return null
  }

  /** Whether the row's path resolves to the same path as `target`, rather than to another hard link of the same file. */
  async #leadsTo(target: string, { path, folderId }: TransferRow, signal: AbortSignal): Promise<boolean> {
    const { disk } = this.#options
    const found = await this.#answer(folderId, () => Promise.all([disk.resolve(path), disk.resolve(target)]), signal)
    const [from, to] = found.map((one) => ('code' in one ? null : one.real))
    return from !== null && from === to
  }

  /**
   * Asks a folder's drive. Rejects with an UnansweredElsewhereError if the drive doesn't answer in time, or if an earlier request is still
   * open.
   */
  async #answer<T extends object | boolean>(folderId: number | null, ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    if (!this.#silent.has(folderId)) {
      const asked = ask()
      const answer = await inTime(this.#options.clock, asked, PATIENCE_MS, signal)
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
