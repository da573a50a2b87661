// Recognizes files that were in the folder before it was watched, if the user chose to skip those.
// Such a file stays skipped when it is renamed or moved.
import type { FileRow } from '../../journal/files.ts'
import type { TransferRow } from '../../journal/transfers.ts'
import type { Entry } from '../../ports.ts'
import type { Found } from '../scan/scan-sink.ts'
import type { FolderState } from './folder-state.ts'

/** The rule reported for files that are skipped because they were in the folder before it was watched. */
export const EXISTING_RULE = 'was here before'

const REMEMBERED_MAX = 100_000

export interface Sighting extends Pick<Found, 'late' | 'hasChanged' | 'readAt'> {
  readonly prior: TransferRow | null
}

export class ExistingFiles {
  readonly #state: Pick<FolderState, 'row'>
  /**
   * Existing files that have left their path: when a directory is moved, the scanner may notice that its files are gone from the old path
   * before it finds them at the new one.
   */
  readonly #left = new Set<string>()

  constructor(state: Pick<FolderState, 'row'>) {
    this.#state = state
  }

  /** Remembers an existing file that has left its path. */
  remember(row: FileRow): void {
    if (!isExisting(row) || row.ino === 0) return
    if (this.#left.size > REMEMBERED_MAX) this.#left.clear()
    this.#left.add(identity(row))
  }

  /**
   * Whether the folder skips this newly found file because it existed before the watch: it was remembered, or its times say so. After the
   * first complete scan, the times decide only if `late` (the file was skipped or unreadable until now, so it may be that old).
   * `prior`: the transfer of an earlier version.
   *
   * A time after `readAt` doesn't show when the file was saved: after a clock rollback, or on a network drive whose server has a clock
   * that is ahead. Such a file is skipped, because publishing an old one can't be undone, unless `hasChanged` shows that it is newer.
   */
  has(entry: Entry, { late, hasChanged, readAt, prior }: Sighting): boolean {
    const { existing, counted, since } = this.#state.row
    if (existing !== 'skip' || (prior !== null && prior.state !== 'done')) return false
    if (this.#left.has(identity(entry))) return true
    if (counted && !late) return false
    // On FAT, the ctime is missing or before 1970, so the mtime is used instead.
    // Rounded down to whole milliseconds, because the times of the clock have no fractions.
    const changedAt = Math.floor(entry.ctime > 0 ? entry.ctime : entry.mtime)
    return changedAt <= since || (changedAt > readAt && !hasChanged)
  }
}

/** Whether this is the row of a file that existed before the folder was watched. */
export function isExisting(row: FileRow): boolean {
  return row.class === 'ignored' && row.rule === EXISTING_RULE
}

function identity(one: Pick<Entry, 'ino' | 'dev' | 'size' | 'mtime'>): string {
  return `${one.dev} ${one.ino} ${one.size} ${one.mtime}`
}
