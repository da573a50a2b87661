// The state of one scan (which directories haven't been listed yet, what has been seen so far), and the
// scanner's interfaces: rules and sink. Missing files are only collected here; vanished.ts acts on them once
// everything has been listed.
import { split } from '../disk/rel-path.ts'
import type { FileRow } from '../journal/files.ts'
import type { DiskFailure, Entry, Listing } from '../ports.ts'
import { isUnanswered } from '../sleep.ts'

/** Entries or rows per transaction, limited so that nothing else waits long for the thread. */
export const BATCH = 100
export const ABORTED: Stop = { reason: 'aborted', failure: null }

export interface Unreadable {
  /** Relative path of the entry or directory. */
  readonly dir: string
  readonly message: string
}

/**
 * Why a scan ended early. `aborted`: the session is ending. `root`: the folder itself is missing or
 * unreadable, or was replaced. `failed`: the disk failed or didn't answer a request on which the result
 * depends.
 */
export type Incomplete = 'aborted' | 'root' | 'failed'

/**
 * The result of a scan. Files count as deleted only after everything has been listed, so a scan that ends
 * before that reports no deletions. All findings of an incomplete scan are valid.
 */
export type ScanReport =
  | {
      readonly kind: 'complete'
      readonly unreadable: readonly Unreadable[]
      readonly files: number
      /** Whether the scan looked at this entry or directory (relative path). */
      readonly covers: (rel: string) => boolean
    }
  | { readonly kind: 'incomplete'; readonly reason: Incomplete; readonly failure: DiskFailure | null }

/** A directory in the scan's queue. */
export interface Directory {
  /** Relative, '' for the root. */
  readonly dir: string
  readonly recursive: boolean
  /**
   * The rule that ignores this directory or a parent, so that its files are only counted; null if none does.
   */
  readonly ignoredBy: { readonly dir: string; readonly rule: string } | null
  /** This directory or a parent was skipped or unreadable until now. */
  readonly late?: boolean
}

/** A directory and its listing. */
export interface ListedDirectory {
  readonly item: Directory
  readonly list: Listing
  /** Epoch milliseconds, no later than the time at which the disk was read. */
  readonly seenAt: number
  /** Epoch milliseconds, no earlier than the time at which the disk was read. */
  readonly readAt: number
}

/** An entry as it is on disk, with the journal's row under its name. */
export interface SeenEntry {
  readonly dir: string
  readonly view: Entry
  readonly row: FileRow | null
  /** Epoch milliseconds, no later than the time at which the disk was read. */
  readonly seenAt: number
  /** Epoch milliseconds, no earlier than the time at which the disk was read. */
  readonly readAt: number
  /** Whether a directory is scanned recursively even if it was seen before. */
  readonly recursive: boolean
  /**
   * Until now, a rule ignored the entry or a directory above it, or one of them was unreadable. The entry may
   * have existed all along.
   */
  readonly late: boolean
  /** Whether a download's control file is next to the file. */
  readonly isDownload: boolean
}

/** Why a scan can't continue; null if it can. */
export type Stop = { readonly reason: Incomplete; readonly failure: DiskFailure | null } | null

export class ScanRun {
  readonly signal: AbortSignal
  /** Whether the whole folder is scanned. */
  readonly isWhole: boolean
  readonly queue: Directory[] = []
  /**
   * Paths that were looked at one by one (relative), without directories: these count only if they were
   * listed.
   */
  readonly looked = new Set<string>()
  /** Directories that were listed. */
  readonly visited = new Set<string>()
  /**
   * Rows whose name is missing from a listing, or whose path was not found. They are checked once more at the
   * end.
   */
  readonly missing: FileRow[] = []
  /**
   * Rows whose path something else has taken: a directory, or the same name in another spelling (letter case,
   * accents).
   */
  readonly replaced: FileRow[] = []
  /**
   * Known names that now belong to another file. Processed at the end, when it is known whether the earlier
   * file was renamed.
   */
  readonly taken: Found[] = []
  /**
   * Rows of files that still exist but are now ignored by a rule. If the rule ignores the file itself, its
   * new row is already written. If it ignores the file's directory, the row of the directory counts the file.
   */
  readonly ruledOut: { readonly row: FileRow; readonly rule: string }[] = []
  readonly unreadable: Unreadable[] = []
  /** Number of files in and below each ignored directory. */
  readonly ignoredCounts = new Map<string, { readonly rule: string; readonly count: number }>()
  files = 0

  constructor(signal: AbortSignal, isWhole: boolean) {
    this.signal = signal
    this.isWhole = isWhole
  }

  /** Whether the scan has looked at this entry or directory (relative path). */
  covers(rel: string): boolean {
    return this.isWhole || this.looked.has(rel) || this.visited.has(rel) || this.visited.has(split(rel).dir)
  }

  countIgnored(directory: { readonly dir: string; readonly rule: string }, count: number): void {
    const before = this.ignoredCounts.get(directory.dir)
    this.ignoredCounts.set(directory.dir, {
      rule: before?.rule ?? directory.rule,
      count: (before?.count ?? 0) + count,
    })
  }
}

/**
 * Returns why the scan must stop if the disk didn't answer for some paths, otherwise null. A missing answer
 * says nothing about a file.
 */
export function unansweredIn(stats: readonly (Entry | DiskFailure | null)[], asked: number): Stop {
  if (stats.length < asked) return { reason: 'failed', failure: null }
  for (const stat of stats)
    if (stat !== null && 'code' in stat && isUnanswered(stat)) return { reason: 'failed', failure: stat }
  return null
}

/**
 * Maps names that a disk may treat as the same to one form, regardless of letter case and the composition of
 * accents.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

// The scanner's interfaces: the rules that it consults, and the sink that turns its findings into transfers.
// Types only.
export interface Rules {
  /** The rule that ignores this file, or null. `rel`: relative path; `size` in bytes. */
  file(rel: string, size: number): { readonly rule: string } | null
  /**
   * Like `file`, for a directory and everything in it. `listed: false`: its files aren't even counted; the
   * directory counts as a single entry.
   */
  dir(rel: string, view: Entry | null): { readonly rule: string; readonly listed?: boolean } | null
  /** Whether the folder's disk finds names in any letter case. */
  ignoresCase(): boolean
  /** Called with each listed directory and whether it is a data folder of Slipway, which is left out. */
  noteOwnData(dir: string, isOwn: boolean): void
  /** Called when a directory's rules file is gone, usually with the directory. */
  forgetFile(dir: string): void
  /**
   * Called with a directory's rules file, or null if it has none. Resolves to true if the rules have changed.
   */
  readFile(dir: string, entry: Entry | null): Promise<boolean>
}

export interface Found {
  readonly dir: string
  readonly name: string
  readonly entry: Entry
  /** Epoch milliseconds, no later than the time at which the disk was read. */
  readonly seenAt: number
  /** Epoch milliseconds, no earlier than the time at which the disk was read. */
  readonly readAt: number
  /** The row under this name; null if there is none or the file was ignored. */
  readonly known: FileRow | null
  /**
   * Until now, a rule ignored the file or a directory above it, or one of them was unreadable. The file may
   * have existed all along.
   */
  readonly late: boolean
  /** Whether a download's control file is next to the file. */
  readonly isDownload: boolean
  /**
   * The rule by which the folder skips this very version of the file, as existing or left
   * (existing-files.ts), according to its row.
   */
  readonly skippedAs: string | null
  /** A complete scan recorded an earlier version of the file as skipped. */
  readonly hasChanged: boolean
  /**
   * Whether the scan covers the whole folder. In that case, `left` has already been called if the file known
   * under this name has moved within the folder.
   */
  readonly isWhole: boolean
}

export interface Touched {
  readonly dir: string
  readonly name: string
  readonly entry: Entry
  readonly row: FileRow
}

/**
 * Receives the scanner's findings and decides what becomes of the files (apply-findings.ts). Every method is called
 * inside a transaction.
 */
export interface ScanSink {
  /** A new file, a new version of a known one, or a file that was ignored or settling at the last scan. */
  found(file: Found): void
  /**
   * A file with the size and mtime of its row, whose bytes may differ nevertheless. Its ctime has changed (by
   * a chmod, a rename, or a write that restored the old mtime), or it was skipped or unreadable until now.
   */
  touched(file: Touched): void
  /** The file of this row is no longer at its path; the row has been dropped. */
  vanished(row: FileRow): void
  /** The file of this row now has another name, but the row has not been moved. */
  left(row: FileRow): void
  /** The file of this row was moved, and the row with it. `from`: its old path, absolute. */
  moved(row: FileRow, from: string, entry: Entry): void
  /** The file exists, but a rule ignores it from now on. `moved`: the file also has another name now. */
  ruledOut(row: FileRow, rule: string, moved: boolean): void
}
