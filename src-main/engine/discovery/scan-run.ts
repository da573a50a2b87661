// The state of one scan: which directories are still to be listed, and what was seen so far. What is missing is only collected here; it is
// acted on at the end of a complete scan (vanished.ts).
import type { FileRow } from '../journal/files.ts'
import type { DiskFailure, Entry, Listing } from '../ports.ts'
import type { Found } from './scan-sink.ts'

/** Changes made in one transaction, so that nothing else waits long for the thread (law 6). */
export const BATCH = 100

export interface Unreadable {
  /** Relative path of the entry or directory. */
  readonly dir: string
  readonly message: string
}

/** Why a scan ended early. `root`: the folder itself is not there or can't be read. `failed`: the disk's thread gave no answer. */
export type Incomplete = 'aborted' | 'root' | 'failed'

/**
 * What became of a scan. Only a complete one may take anything for deleted; what an incomplete one found is true all the same, since each
 * finding is a fact by itself.
 */
export type ScanReport =
  | { readonly kind: 'complete'; readonly unreadable: readonly Unreadable[]; readonly files: number }
  | { readonly kind: 'incomplete'; readonly reason: Incomplete; readonly failure: DiskFailure | null }

/** A directory to be listed. */
export interface Directory {
  /** Relative, '' for the root. */
  readonly dir: string
  readonly recursive: boolean
  /** A rule leaves out this directory, or one above it: its files are only counted. */
  readonly ignoredBy: { readonly dir: string; readonly rule: string } | null
  /** It, or one above it, was passed over until now. */
  readonly late?: boolean
}

/** A directory as it was listed, to be compared with the journal. */
export interface ListedDirectory {
  readonly item: Directory
  readonly list: Listing
  /** Epoch milliseconds, no later than the disk was read. */
  readonly seenAt: number
}

/** An entry as it is on disk, beside what the journal has under its name. */
export interface SeenEntry {
  readonly dir: string
  readonly view: Entry
  readonly row: FileRow | null
  /** Epoch milliseconds, no later than the disk was read. */
  readonly seenAt: number
  /** A directory is read whole, also if it was seen before. */
  readonly recursive: boolean
  /** It may have been there all along: it was passed over, or could not be read. */
  readonly late: boolean
}

/** Why a scan can't go on; null where it can. */
export type Stop = { readonly reason: Incomplete; readonly failure: DiskFailure | null } | null
export const ABORTED: Stop = { reason: 'aborted', failure: null }

export class ScanRun {
  readonly signal: AbortSignal
  /** The whole folder is scanned. */
  readonly isWhole: boolean
  readonly queue: Directory[] = []
  /** Directories that were listed. */
  readonly visited = new Set<string>()
  /** Rows that a listing lacks, or whose path answered with nothing: checked once more at the end. */
  readonly missing: FileRow[] = []
  /** Rows whose place something else has taken: a directory, or the same name in other letter case. */
  readonly replaced: FileRow[] = []
  /** Known names under which another file is now. Kept for the end: by then it is known whether the earlier file has a new name. */
  readonly taken: Found[] = []
  /** Rows of files that are there and that a rule now leaves out: their new row is written already. */
  readonly ruledOut: { readonly row: FileRow; readonly rule: string }[] = []
  readonly unreadable: Unreadable[] = []
  /** Files in and below each ignored directory. */
  readonly ignoredCounts = new Map<string, { readonly rule: string; readonly count: number }>()
  files = 0

  constructor(signal: AbortSignal, isWhole: boolean) {
    this.signal = signal
    this.isWhole = isWhole
  }

  countIgnored(directory: { readonly dir: string; readonly rule: string }, count: number): void {
    const before = this.ignoredCounts.get(directory.dir)
    this.ignoredCounts.set(directory.dir, { rule: before?.rule ?? directory.rule, count: (before?.count ?? 0) + count })
  }
}

/** Whether some of the answers never came: no answer says nothing about the disk. */
export function unansweredIn(stats: readonly (Entry | DiskFailure | null)[], asked: number): Stop {
  if (stats.length < asked) return { reason: 'failed', failure: null }
  for (const stat of stats) if (stat !== null && 'code' in stat && stat.code === 'interrupted') return { reason: 'failed', failure: stat }
  return null
}

/** Makes names equal that a disk may take for the same: letter case and the composition of accents. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
