// Decides from the result of each check whether a file is finished: whether it has changed, whether it has been unchanged for long enough,
// and whether a writer or a download holds it back. Pure.
import { isUnanswered } from '../disk/silence.ts'
import type { Disk, DiskFailure, Entry } from '../ports.ts'

/**
 * A non-empty file that has been unchanged for longer than this when it is first seen counts as finished and isn't observed. Usually, such
 * a file was moved here, or its download is complete.
 */
const OLD_MS = 2000
/**
 * Quiet time between the last change and the upload, unless the disk sets a shorter one. A file should be on the server 250 ms after it was
 * closed, which leaves 70 ms for checking and sending.
 */
const QUIET_MS = 180
/**
 * Minimum quiet time where the system can't report all programs that write to a file. A file whose writer pauses for longer is uploaded
 * twice.
 */
const QUIET_UNKNOWN_WRITERS_MS = 2000
/** Minimum quiet time of an empty file, which is nearly always the first half of a write. */
const QUIET_EMPTY_MS = 3000
/** The quiet time doubles, up to this maximum, whenever a file that already looked nearly finished changes again (SURPRISE_PART). */
const QUIET_MAX_MS = 5000
/** A change after this share of the quiet time is a surprise. A change before that only means that the file is still growing. */
const SURPRISE_PART = 0.6
/** Tolerance for timers that fire a little early. */
const TIMER_SLACK_MS = 5
/** After checks have failed for this long, the file is passed on, and the upload reports why it can't be read. */
const FAILED_PATIENCE_MS = 30_000
/** A file that a program keeps open for writing, such as a log, is held back no longer than this after its last change. */
export const WRITER_PATIENCE_MS = 30_000

/** A file under observation. Times are monotonic, in milliseconds. */
export interface Observed {
  readonly entry: Entry
  /** When size, mtime or inode last changed. */
  readonly stillSince: number
  /** Quiet time of a non-empty file that has caused no surprise. */
  readonly usualMs: number
  /** Minimum quiet time; grows with every surprise. */
  readonly quietMs: number
  /** Number of checks that the disk responded to. */
  readonly checks: number
  /** When the current series of failed checks began; null if the last check succeeded. */
  readonly failedSince: number | null
}

/** The result of one check of a file. */
export type CheckOutcome =
  /**
   * No response from the disk, or a failure that may be temporary. The file may still exist and may still change. `isLasting`: checks have
   * failed for so long that the file is passed on, and the upload reports why.
   */
  | { readonly kind: 'unanswered'; readonly failedSince: number; readonly isLasting: boolean }
  | { readonly kind: 'gone' }
  /** The file can't be examined; the upload will report why. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'changed'; readonly entry: Entry }
  /** Unchanged, but not for long enough. */
  | { readonly kind: 'quiet-time'; readonly entry: Entry; readonly until: number }
  | { readonly kind: 'still'; readonly entry: Entry }

/** Evaluates one check. `stat`: the disk's response, undefined if there was none. `mono`: the current monotonic time in milliseconds. */
export function checkOutcome(file: Observed, stat: Entry | DiskFailure | null | undefined, mono: number): CheckOutcome {
  if (stat === undefined || (stat !== null && 'code' in stat && isPassing(stat))) {
    const failedSince = file.failedSince ?? mono
    return { kind: 'unanswered', failedSince, isLasting: mono - failedSince >= FAILED_PATIENCE_MS }
  }
  if (stat === null) return { kind: 'gone' }
  if ('code' in stat) return { kind: 'unreadable' }
  if (stat.kind !== 'file') return { kind: 'gone' }
  if (hasChanged(file.entry, stat)) return { kind: 'changed', entry: stat }
  // A new ctime doesn't restart the quiet time: a chmod after the last write must not delay the upload.
  const until = file.stillSince + quietTime(file, stat)
  return mono + TIMER_SLACK_MS >= until ? { kind: 'still', entry: stat } : { kind: 'quiet-time', entry: stat, until }
}

/** What an unchanged file still waits for; null if it is finished. `isWriting`: a program has it open for writing, null if unknown. */
export function waitsFor(
  file: Pick<Observed, 'stillSince'>,
  isWriting: boolean | null,
  isPlaceholder: boolean,
  mono: number,
): 'writer' | 'download' | null {
  // If it is unknown whether a program is writing, wait as if one were.
  if (isWriting !== false && mono - file.stillSince < WRITER_PATIENCE_MS) return 'writer'
  return isPlaceholder ? 'download' : null
}

/**
 * The observation of a file that is seen for the first time. `now`: epoch milliseconds. The last argument states whether the disk can
 * report all programs that write to the file, and the disk's own quiet time, if any.
 */
export function firstSeen(
  entry: Entry,
  mono: number,
  now: number,
  { knowsWriters, quietMs = QUIET_MS }: Pick<Disk, 'knowsWriters' | 'quietMs'>,
): Observed {
  // The file counts as unchanged since its mtime or, if it is empty, since its ctime if that is later. A time in the future counts as now.
  const changed = entry.size === 0 ? Math.max(entry.mtime, Math.min(entry.ctime, now)) : entry.mtime
  const age = Math.max(0, Math.min(Math.max(OLD_MS, QUIET_EMPTY_MS), now - changed))
  return {
    entry,
    stillSince: mono - age,
    usualMs: quietMs,
    quietMs: knowsWriters ? 0 : QUIET_UNKNOWN_WRITERS_MS,
    checks: 0,
    failedSince: null,
  }
}

/** Returns the observation, with a longer minimum quiet time if `stat` reports that programs may write to the file unseen. */
export function withWriters(file: Observed, stat: Entry | DiskFailure | null | undefined): Observed {
  if (stat == null || 'code' in stat || stat.hasHiddenWriters !== true) return file
  return { ...file, quietMs: Math.max(file.quietMs, QUIET_UNKNOWN_WRITERS_MS) }
}

/** The observation of the same file after a change. */
export function afterChange(file: Observed, entry: Entry, mono: number): Observed {
  const isSurprise = file.checks > 0 && mono - file.stillSince > quietTime(file) * SURPRISE_PART
  const quietMs = isSurprise ? Math.min(QUIET_MAX_MS, Math.max(file.usualMs, file.quietMs) * 2) : file.quietMs
  return { ...file, entry, stillSince: mono, quietMs }
}

/** When the file's quiet time ends, in monotonic milliseconds. */
export function quietUntil(file: Observed): number {
  return file.stillSince + quietTime(file)
}

/** Whether a file seen for the first time needs no observation. `now`: epoch milliseconds. */
export function isOldEnough(entry: Entry, now: number): boolean {
  // A move changes only the ctime, so the mtime gives the age of the content. An empty file may be a browser's placeholder, however old it
  // is.
  return entry.size > 0 && now - entry.mtime > OLD_MS
}

/** Whether the failure may be temporary, rather than a problem with the file itself. */
export function isPassing(failure: DiskFailure): boolean {
  return isUnanswered(failure) || failure.code === 'io' || failure.code === 'busy'
}

export function hasChanged(a: Entry, b: Entry): boolean {
  return a.size !== b.size || a.mtime !== b.mtime || a.ino !== b.ino
}

function quietTime(file: Observed, entry = file.entry): number {
  return Math.max(file.quietMs, entry.size === 0 ? QUIET_EMPTY_MS : file.usualMs)
}
