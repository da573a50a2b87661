// Decides which files a folder skips because they were in it before it was watched, if the user chose to skip such files. A skipped file
// stays skipped when it is renamed or moved.
import type { FileRow } from '../../journal/files.ts'
import type { TransferRow } from '../../journal/transfers.ts'
import type { Entry } from '../../ports.ts'
import type { Found } from '../scan/scan-sink.ts'
import type { FolderState } from './folder-state.ts'

/** The rule reported for files that are skipped because they were in the folder before it was watched. */
export const EXISTING_RULE = 'was here before'

const REMEMBERED_MAX = 100_000

export interface Sighting extends Pick<Found, 'late' | 'wasExisting' | 'hasChanged' | 'readAt'> {
  readonly prior: TransferRow | null
}

export class ExistingFiles {
  readonly #state: Pick<FolderState, 'row'>
  /**
   * Identities of existing files that are no longer at their paths. When a directory is moved, the scanner may notice that its files are
   * gone from the old path before it finds them at the new one.
   */
  readonly #left = new Set<string>()

  constructor(state: Pick<FolderState, 'row'>) {
    this.#state = state
  }

  /** Notes that the file of this row is no longer at its path. Does nothing unless the row records an existing file. */
  remember(row: FileRow): void {
    if (!isExisting(row) || row.ino === 0) return
    if (this.#left.size > REMEMBERED_MAX) this.#left.clear()
    this.#left.add(identity(row))
  }

  /**
   * Whether the folder skips this newly found file because it existed before the folder was watched. That is the case if the file was
   * passed to `remember`, if it is recorded as existing (`wasExisting`), or if it changed no later than the start of the watch. After the
   * first complete scan, the time of the change counts only for a `late` file: it was ignored or unreadable until now, so it may be older
   * than the watch. A file is never skipped if an earlier version has a transfer (`prior`) that isn't done.
   *
   * A time later than `readAt` can't be trusted. It is caused by a clock rollback, or by a network drive whose server's clock is ahead. A
   * file with such a time is skipped unless `hasChanged` shows that it is new, because publishing an old file by mistake can't be undone.
   */
  has(entry: Entry, { late, wasExisting, hasChanged, readAt, prior }: Sighting): boolean {
    const { existing, counted, since } = this.#state.row
    if (existing !== 'skip' || (prior !== null && prior.state !== 'done')) return false
    if (wasExisting || this.#left.has(identity(entry))) return true
    if (counted && !late) return false
    // On FAT, the ctime is missing or before 1970, so the mtime is used instead. The result is rounded down to whole milliseconds, because
    // `since` and `readAt` have no fractions.
    const changedAt = Math.floor(entry.ctime > 0 ? entry.ctime : entry.mtime)
    return changedAt <= since || (changedAt > readAt && !hasChanged)
  }
}

/** Whether this row records that the folder skips the file, because it was in the folder before it was watched. */
export function isExisting(row: FileRow): boolean {
  return row.class === 'ignored' && row.rule === EXISTING_RULE
}

function identity(one: Pick<Entry, 'ino' | 'dev' | 'size' | 'mtime'>): string {
  return `${one.dev} ${one.ino} ${one.size} ${one.mtime}`
}
