// Decides which files a folder skips although no rule excludes them: those that were in it before it was
// watched, if the user chose to skip such files, and those that were left in a folder inside it when the
// watch of that folder ended. A skipped file stays skipped when it is renamed or moved.
import { absolute } from '../disk/rel-path.ts'
import type { FileRow } from '../journal/files.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Entry } from '../ports.ts'
import type { FolderState } from './folder-state.ts'
import type { LeftInside } from './left-inside.ts'
import type { Found } from './scan-run.ts'

/** The rule reported for files that are skipped because they were in the folder before it was watched. */
export const EXISTING_RULE = 'was here before'
/**
 * The rule reported for files that were left in a nested folder when its watch ended: waiting, skipped, or
 * excluded by its rules.
 */
export const LEFT_RULE = 'was in a folder that is no longer watched'

/**
 * Maximum number of files to remember, each of which takes about 150 bytes. A directory of a million files
 * may be moved at once.
 */
const REMEMBERED_MAX = 1_000_000

export interface Sighting extends Pick<Found, 'late' | 'skippedAs' | 'hasChanged' | 'readAt'> {
  readonly prior: TransferRow | null
}

export class ExistingFiles {
  readonly #state: Pick<FolderState, 'row'> & { readonly left: Pick<LeftInside, 'around' | 'hasSeen'> }
  /**
   * Identities of skipped files that are no longer at their paths, with their rules. When a directory is
   * moved, the scanner may notice that its files are gone from the old path before it finds them at the new
   * one.
   */
  readonly #left = new Map<string, string>()
  readonly #transfers: Pick<Transfers, 'newestOfPath'>

  constructor(
    state: Pick<FolderState, 'row'> & { readonly left: Pick<LeftInside, 'around' | 'hasSeen'> },
    transfers: Pick<Transfers, 'newestOfPath'>,
  ) {
    this.#state = state
    this.#transfers = transfers
  }

  /**
   * Notes that the file of this row is no longer at its path. Does nothing unless the row records a skipped
   * file.
   */
  remember(row: FileRow): void {
    if (row.rule === null || !isExisting(row) || row.ino === 0) return
    this.#left.set(identity(row), row.rule)
    for (const oldest of this.#left.keys()) {
      if (this.#left.size <= REMEMBERED_MAX) break
      this.#left.delete(oldest)
    }
  }

  /**
   * Whether a file that was left is uploaded nevertheless: by the nested folder, or because the user named it
   * since. `dir`: its directory.
   */
  isUploaded(dir: string, { name, size, mtime }: Pick<Entry, 'name' | 'size' | 'mtime'>): boolean {
    const newest = this.#transfers.newestOfPath(absolute(this.#state.row.path, dir, name))
    return newest !== null && newest.state === 'done' && newest.size === size && newest.mtime === mtime
  }

  /** Whether this row records a file that the folder still skips. */
  skips(row: FileRow): boolean {
    return isExisting(row) && this.#applies(row.rule)
  }

  /**
   * Returns the rule by which the folder skips this newly found file; null if it doesn't. `dir`: the file's
   * directory. A file is skipped if it was passed to `remember` or is recorded as skipped (`skippedAs`). If
   * the folder skips existing files, a file is also skipped if it changed no later than the start of the
   * watch. In a nested folder whose watch has ended, a file is skipped if it changed no later than that, or
   * if the nested folder has recorded it. After the first complete scan since the start or the end of the
   * watch, respectively, the last two rules apply only to a `late` file: it was ignored or unreadable until
   * now, so it may be older. A file is never skipped if an earlier version has a transfer (`prior`) that
   * isn't done, unless it was left by a nested folder.
   *
   * A time later than `readAt` can't be trusted. It is caused by a clock rollback, or by a network drive
   * whose server's clock is ahead. A file with such a time is skipped unless `hasChanged` shows that it is
   * new, because publishing an old file by mistake can't be undone.
   */
  ruleFor(dir: string, entry: Entry, sighting: Sighting): string | null {
    const { skippedAs, prior } = sighting
    const { left } = this.#state
    const { id, existing, counted, since } = this.#state.row
    const isPending = prior !== null && prior.state !== 'done'
    if (isPending && (prior.folderId === id || left.around(dir) === null)) return null
    const recorded = skippedAs ?? this.#left.get(identity(entry)) ?? null
    if (recorded !== null && this.#applies(recorded)) return recorded
    if (existing === 'skip' && (!counted || sighting.late) && isOld(entry, sighting, since))
      return EXISTING_RULE
    const ended = left.around(dir)
    if (ended === null || (ended.counted && !sighting.late)) return null
    return isOld(entry, sighting, ended.endedAt) || left.hasSeen(ended, dir, entry) ? LEFT_RULE : null
  }

  /**
   * Whether the folder still skips files that it recorded with this rule. Files that were left stay skipped
   * until the user stops watching this folder, which drops their rows.
   */
  #applies(rule: string | null): boolean {
    return rule === LEFT_RULE || this.#state.row.existing === 'skip'
  }
}

/** Whether this row records a file that its folder skips, or once skipped, although no rule excludes it. */
export function isExisting(row: FileRow): boolean {
  return row.class === 'ignored' && (row.rule === EXISTING_RULE || row.rule === LEFT_RULE)
}

/**
 * Whether, judging by its times, the file was there at `at` (epoch milliseconds), or its times can't be
 * trusted (see `ruleFor`).
 */
function isOld(
  entry: Entry,
  { hasChanged, readAt }: Pick<Sighting, 'hasChanged' | 'readAt'>,
  at: number,
): boolean {
  // On FAT, the ctime is missing or before 1970, so the mtime is used instead. The result is rounded down to
  // whole milliseconds, because `at` and `readAt` have no fractions.
  const changedAt = Math.floor(entry.ctime > 0 ? entry.ctime : entry.mtime)
  return changedAt <= at || (changedAt > readAt && !hasChanged)
}

function identity(one: Pick<Entry, 'ino' | 'dev' | 'size' | 'mtime'>): string {
  return `${one.dev} ${one.ino} ${one.size} ${one.mtime}`
}
