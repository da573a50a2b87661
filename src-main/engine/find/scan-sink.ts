// The scanner's interfaces: the rules that it consults, and the sink that turns its findings into transfers.
// Types only.
import type { FileRow } from '../journal/files.ts'
import type { Entry } from '../ports.ts'

export interface Rules {
  /** The rule that ignores this file, or null. `rel`: relative path; `size` in bytes. */
  file(rel: string, size: number): { readonly rule: string } | null
  /**
   * Like `file`, for a directory and everything in it. `listed: false`: its files aren't even counted; the directory counts as a single
   * entry.
   */
  dir(rel: string, view: Entry | null): { readonly rule: string; readonly listed?: boolean } | null
  /** Whether the folder's disk finds names in any letter case. */
  ignoresCase(): boolean
  /** Called with each listed directory and whether it is a data folder of Slipway, which is left out. */
  noteOwnData(dir: string, isOwn: boolean): void
  /** Called when a directory's rules file is gone, usually with the directory. */
  forgetFile(dir: string): void
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
  /** Until now, a rule ignored the file or a directory above it, or one of them was unreadable. The file may have existed all along. */
  readonly late: boolean
  /** Whether a download's control file is next to the file. */
  readonly isDownload: boolean
  /** The rule by which the folder skips this very version of the file, as existing or left (existing-files.ts), according to its row. */
  readonly skippedAs: string | null
  /** A complete scan recorded an earlier version of the file as skipped. */
  readonly hasChanged: boolean
  /**
   * Whether the scan covers the whole folder. In that case, `left` has already been called if the file known under this name has moved
   * within the folder.
   */
  readonly isWhole: boolean
}

export interface Touched {
  readonly dir: string
  readonly name: string
  readonly entry: Entry
  readonly row: FileRow
}

/** Receives the scanner's findings and decides what becomes of the files (findings.ts). Every method is called inside a transaction. */
export interface ScanSink {
  /** A new file, a new version of a known one, or a file that was ignored or settling at the last scan. */
  found(file: Found): void
  /**
   * A file with the size and mtime of its row, whose bytes may differ nevertheless. Its ctime has changed (by a chmod, a rename, or a write
   * that restored the old mtime), or it was skipped or unreadable until now.
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
