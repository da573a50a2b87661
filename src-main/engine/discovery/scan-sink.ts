// What the scanner asks and what it hands on: the rules for ignored entries, and the sink that turns its findings into transfers.
// Types only.
import type { FileRow } from '../journal/files.ts'
import type { Entry } from '../ports.ts'

export interface Rules {
  /** The rule that leaves out this file, null where none does. `rel`: relative path; `size` in bytes. */
  file(rel: string, size: number): { readonly rule: string } | null
  /** The same for a directory and all that is in it. `listed: false`: not even counted; the directory itself is the one entry. */
  dir(rel: string, view: Entry | null): { readonly rule: string; readonly listed?: boolean } | null
}

export interface Found {
  readonly dir: string
  readonly name: string
  readonly entry: Entry
  /** Epoch milliseconds, no later than the disk was read. */
  readonly seenAt: number
  /** The row under this name, null where there is none or the file was ignored. */
  readonly known: FileRow | null
  /** Was passed over until now, by a rule or because it could not be read: it may have been there all along. */
  readonly late: boolean
  /** The whole folder was scanned: had the file that was known here moved within it, `left` would have said so before. */
  readonly isWhole: boolean
}

export interface Touched {
  readonly dir: string
  readonly name: string
  readonly entry: Entry
  readonly row: FileRow
}

/** What the scanner hands on; the folder session decides about settling and queueing. Every method is called inside a transaction. */
export interface ScanSink {
  /** A version that the journal does not have. */
  found(file: Found): void
  /** A known version whose inode changed since: its mode, its name, or its bytes under the old time. */
  touched(file: Touched): void
  /** The file of this row is not there any more; the row has been dropped. */
  vanished(row: FileRow): void
  /** The file of this row has another name now, and the row is not moved. */
  left(row: FileRow): void
  /** The file of this row is elsewhere now; the row has been moved. `from`: its old path, absolute. */
  moved(row: FileRow, from: string, entry: Entry): void
  /** The file is there and a rule leaves it out from now on; `moved`: under another name. */
  ruledOut(row: FileRow, rule: string, moved: boolean): void
}
