// Observes files until they are finished, that is, unchanged for a quiet time, not open for writing, and not
// part of a download. First the observer, then the control files of downloads, the pure rules
// (`checkOutcome`) and the placeholders of browsers. Correctness doesn't depend on it: a change during an
// upload is detected.
import { basename, dirname, join } from 'node:path'
import type { Clock, DebugLog, Disk, DiskFailure, Entry } from '../ports.ts'
import { controlsOf, DOWNLOAD_EXTENSIONS, isNameless } from '../rules/unfinished.ts'
import { Alarm, isUnanswered } from '../sleep.ts'
import { entriesOf } from './entries.ts'

/**
 * Shortest and longest interval between checks of a download. A download that was paused may go on days
 * later.
 */
const DOWNLOAD_MS = 2000
const DOWNLOAD_MAX_MS = 30_000
/** In between, a download is checked again after this share of the time that the file has been unchanged. */
const DOWNLOAD_PART = 0.05
/** Delay after a failed check, or after finished files could not be passed on. */
const FAILED_MS = 1000
/** Interval between checks while another program has the file open for writing. */
const WRITER_MS = 250
/** Maximum number of files checked in one request. */
const CHECKS_PER_REQUEST = 500
/** Checks that are due within this time are batched. */
const TOGETHER_MS = 5

/**
 * A non-empty file that has been unchanged for longer than this when it is first seen counts as finished and
 * isn't observed. Usually, such a file was moved here, or its download is complete.
 */
const OLD_MS = 2000

/**
 * Quiet time between the last change and the upload, unless the disk sets a shorter one. A file should be on
 * the server 250 ms after it was closed, which leaves 70 ms for checking and sending.
 */
const QUIET_MS = 180

/**
 * Minimum quiet time where the system can't report all programs that write to a file. A file whose writer
 * pauses for longer is uploaded twice.
 */
const QUIET_UNKNOWN_WRITERS_MS = 2000

/** Minimum quiet time of an empty file, which is nearly always the first half of a write. */
const QUIET_EMPTY_MS = 3000

/**
 * The quiet time doubles, up to this maximum, whenever a file that already looked nearly finished changes
 * again (SURPRISE_PART).
 */
const QUIET_MAX_MS = 5000

/**
 * A change after this share of the quiet time is a surprise. A change before that only means that the file is
 * still growing.
 */
const SURPRISE_PART = 0.6

/** Tolerance for timers that fire a little early. */
const TIMER_SLACK_MS = 5

/**
 * After checks have failed for this long, the file is passed on, and the upload reports why it can't be read.
 */
const FAILED_PATIENCE_MS = 30_000

/**
 * A file that a program keeps open for writing, such as a log, is held back no longer than this after its
 * last change.
 */
export const WRITER_PATIENCE_MS = 30_000

/**
 * A partial file that hasn't changed for this long is a leftover, and so is one whose time is this far in the
 * future.
 */
const LEFTOVER_MS = 24 * 3_600_000

export interface SettledFile {
  readonly path: string
  readonly entry: Entry
}

export interface Settle {
  /**
   * Starts observing a file. If the file is already observed and `entry` shows a change, its quiet time
   * restarts.
   */
  watch(path: string, entry: Entry): void
  isPending(path: string): boolean
  forget(path: string): void
  size(): number
  /** When the next file may be finished (epoch milliseconds); null if none is pending. */
  nextAt(): number | null
  close(): void
}

export interface SettleOptions {
  readonly clock: Clock
  readonly disk: Disk
  /** Receives finished files. If it throws, the same files are passed again later. */
  readonly onSettled: (files: readonly SettledFile[]) => void
  /** Called when `onSettled` threw. */
  readonly onFailed: (error: unknown) => void
  readonly onGone: (path: string) => void
  /** Called before each check. If it returns true, the file is forgotten without a callback. */
  readonly isObsolete?: (path: string) => boolean
  readonly debug: DebugLog | null
}

export function createSettle(options: SettleOptions): Settle {
  return new PendingFiles(options)
}

interface Pending {
  readonly path: string
  file: Observed
  /** In monotonic milliseconds. */
  checkAt: number
}

class PendingFiles implements Settle {
  readonly #options: SettleOptions
  readonly #pending = new Map<string, Pending>()
  readonly #alarm: Alarm
  #isChecking = false
  #isClosed = false

  constructor(options: SettleOptions) {
    this.#options = options
    this.#alarm = new Alarm(options.clock, () => void this.#checkDue())
  }

  watch(path: string, entry: Entry): void {
    const { clock, disk } = this.#options
    const item = this.#pending.get(path)
    if (item === undefined) {
      const file = firstSeen(entry, clock.mono(), clock.now(), disk)
      this.#pending.set(path, { path, file, checkAt: Math.max(clock.mono(), quietUntil(file)) })
    } else if (hasChanged(item.file.entry, entry)) this.#noteChange(item, entry)
    this.#schedule()
  }

  isPending(path: string): boolean {
    return this.#pending.has(path)
  }

  forget(path: string): void {
    this.#pending.delete(path)
  }

  size(): number {
    return this.#pending.size
  }

  nextAt(): number | null {
    const { clock } = this.#options
    const next = this.#nextCheck()
    return next === Number.POSITIVE_INFINITY ? null : clock.now() + Math.max(0, next - clock.mono())
  }

  close(): void {
    this.#isClosed = true
    this.#alarm.cancel()
    this.#pending.clear()
  }

  #nextCheck(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { checkAt } of this.#pending.values()) if (checkAt < next) next = checkAt
    return next
  }

  #schedule(): void {
    if (!this.#isClosed && !this.#isChecking) this.#alarm.ringBy(this.#nextCheck())
  }

  async #checkDue(): Promise<void> {
    if (this.#isChecking || this.#isClosed) return
    this.#isChecking = true
    const { clock, disk, isObsolete } = this.#options
    const now = clock.mono()
    const next = [...this.#pending.values()]
      .filter(({ checkAt }) => checkAt <= now + TOGETHER_MS)
      .slice(0, CHECKS_PER_REQUEST)
    for (const { path } of next) if (isObsolete?.(path) === true) this.#pending.delete(path)
    const due = next.filter((item) => this.#isPending(item))
    const stats = await disk.stat(due.map(({ path }) => path))
    const still = due.filter((item, i) => this.#isPending(item) && this.#take(item, stats[i]))
    const paths = still.map(({ path }) => path)
    const [writers, controlled] = await Promise.all([disk.openForWriting(paths), withControls(disk, paths)])
    const placeholders = await this.#placeholdersOf(
      still.filter(({ file }) => file.entry.size === 0).map(({ path }) => path),
    )
    const downloads = new Set([...controlled, ...placeholders])
    const settled = still.filter(
      (item) => this.#isPending(item) && this.#isFinished(item, writers, downloads),
    )
    this.#isChecking = false
    if (this.#isClosed) return
    if (settled.length > 0) this.#handOver(settled)
    this.#schedule()
  }

  /**
   * Applies the result of a check. Returns true if only a writer or a download can still hold the file back.
   */
  #take(item: Pending, stat: Entry | DiskFailure | null | undefined): boolean {
    const { clock, debug, onGone } = this.#options
    const mono = clock.mono()
    item.file = withWriters(item.file, stat)
    const outcome = checkOutcome(item.file, stat, mono)
    if (outcome.kind !== 'still')
      debug?.('settle.wait', { path: item.path, why: outcome.kind, checks: item.file.checks })
    if (outcome.kind === 'unanswered') {
      item.file = { ...item.file, failedSince: outcome.failedSince }
      item.checkAt = mono + FAILED_MS
      return outcome.isLasting
    }
    if (outcome.kind === 'gone') {
      this.#pending.delete(item.path)
      onGone(item.path)
      return false
    }
    item.file = { ...item.file, failedSince: null, checks: item.file.checks + 1 }
    if (outcome.kind === 'unreadable') return true
    if (outcome.kind === 'changed') {
      this.#noteChange(item, outcome.entry)
      return false
    }
    item.file = { ...item.file, entry: outcome.entry }
    if (outcome.kind === 'still') return true
    item.checkAt = outcome.until
    return false
  }

  /** Returns whether a file is finished. If so, stops observing it. */
  #isFinished(item: Pending, writers: ReadonlySet<string> | null, downloads: ReadonlySet<string>): boolean {
    const { clock, debug } = this.#options
    const { path, file } = item
    const mono = clock.mono()
    const why = waitsFor(file, writers === null ? null : writers.has(path), downloads.has(path), mono)
    if (why !== null) {
      debug?.('settle.wait', { path, why, checks: file.checks })
      const download = Math.min(
        DOWNLOAD_MAX_MS,
        Math.max(DOWNLOAD_MS, (mono - file.stillSince) * DOWNLOAD_PART),
      )
      item.checkAt = mono + (why === 'writer' ? WRITER_MS : download)
      return false
    }
    debug?.('settle.finished', { path, stillMs: Math.round(mono - file.stillSince), checks: file.checks })
    this.#pending.delete(path)
    return true
  }

  /**
   * Returns those of the empty files in `paths` that may be placeholders for a download, including those
   * whose directory can't be listed at the moment.
   */
  async #placeholdersOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const { clock, disk } = this.#options
    const dirs = [...new Set(paths.map((path) => dirname(path)))]
    const lists = dirs.length === 0 ? [] : await disk.list(dirs)
    const found = new Set<string>()
    for (const [i, dir] of dirs.entries()) {
      const list = lists[i]
      const isSilent = list === undefined || (list.failure !== null && isPassing(list.failure))
      const partial = isSilent ? null : [...entriesOf(list)].filter((entry) => isPartial(entry.name))
      for (const path of paths)
        if (
          dirname(path) === dir &&
          (partial === null || isPlaceholder(basename(path), partial, clock.now()))
        )
          found.add(path)
    }
    return found
  }

  /**
   * Passes finished files to `onSettled`. If that throws, they become pending again, and the call is retried
   * later.
   */
  #handOver(settled: readonly Pending[]): void {
    const { clock, onSettled, onFailed } = this.#options
    try {
      onSettled(settled.map(({ path, file }) => ({ path, entry: file.entry })))
    } catch (error) {
      onFailed(error)
      for (const item of settled) {
        item.checkAt = clock.mono() + FAILED_MS
        if (!this.#pending.has(item.path)) this.#pending.set(item.path, item)
      }
    }
  }

  #noteChange(item: Pending, entry: Entry): void {
    item.file = afterChange(item.file, entry, this.#options.clock.mono())
    item.checkAt = quietUntil(item.file)
  }

  #isPending(item: Pending): boolean {
    return this.#pending.get(item.path) === item
  }
}

// Finds the files that a program is downloading under their final name, by the control file that it keeps
// next to each.

/**
 * The subset of `paths` (absolute) that have a control file. A control file that can't be examined doesn't
 * count.
 */
export async function withControls(
  disk: Pick<Disk, 'stat'>,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const controls = paths.flatMap((path) =>
    controlsOf(basename(path)).map((name) => ({ path, control: join(dirname(path), name) })),
  )
  const stats = controls.length === 0 ? [] : await disk.stat(controls.map(({ control }) => control))
  return new Set(controls.flatMap(({ path }, i) => (isThere(stats[i]) ? [path] : [])))
}

function isThere(stat: Awaited<ReturnType<Disk['stat']>>[number] | undefined): boolean {
  return stat != null && !('code' in stat)
}

// Decides from the result of each check whether a file is finished: whether it has changed, whether it has
// been unchanged for long enough, and whether a writer or a download holds it back. Pure.

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
   * No response from the disk, or a failure that may be temporary. The file may still exist and may still
   * change. `isLasting`: checks have failed for so long that the file is passed on, and the upload reports
   * why.
   */
  | { readonly kind: 'unanswered'; readonly failedSince: number; readonly isLasting: boolean }
  | { readonly kind: 'gone' }
  /** The file can't be examined; the upload will report why. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'changed'; readonly entry: Entry }
  /** Unchanged, but not for long enough. */
  | { readonly kind: 'quiet-time'; readonly entry: Entry; readonly until: number }
  | { readonly kind: 'still'; readonly entry: Entry }

/**
 * Evaluates one check. `stat`: the disk's response, undefined if there was none. `mono`: the current
 * monotonic time in milliseconds.
 */
export function checkOutcome(
  file: Observed,
  stat: Entry | DiskFailure | null | undefined,
  mono: number,
): CheckOutcome {
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
  return mono + TIMER_SLACK_MS >= until
    ? { kind: 'still', entry: stat }
    : { kind: 'quiet-time', entry: stat, until }
}

/**
 * What an unchanged file still waits for; null if it is finished. `isWriting`: a program has it open for
 * writing, null if unknown.
 */
export function waitsFor(
  file: Pick<Observed, 'stillSince'>,
  isWriting: boolean | null,
  isOfDownload: boolean,
  mono: number,
): 'writer' | 'download' | null {
  // If it is unknown whether a program is writing, wait as if one were.
  if (isWriting !== false && mono - file.stillSince < WRITER_PATIENCE_MS) return 'writer'
  return isOfDownload ? 'download' : null
}

/**
 * The observation of a file that is seen for the first time. `now`: epoch milliseconds. The last argument
 * states whether the disk can report all programs that write to the file, and the disk's own quiet time, if
 * any.
 */
export function firstSeen(
  entry: Entry,
  mono: number,
  now: number,
  { knowsWriters, quietMs = QUIET_MS }: Pick<Disk, 'knowsWriters' | 'quietMs'>,
): Observed {
  // The file counts as unchanged since its mtime or, if it is empty, since its ctime if that is later. A time
  // in the future counts as now.
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

/**
 * Returns the observation, with a longer minimum quiet time if `stat` reports that programs may write to the
 * file unseen.
 */
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
  // A move changes only the ctime, so the mtime gives the age of the content. An empty file may be a
  // browser's placeholder, however old it is.
  return entry.size > 0 && now - entry.mtime > OLD_MS
}

/** Whether the failure may be temporary, rather than a problem with the file itself. */
function isPassing(failure: DiskFailure): boolean {
  return isUnanswered(failure) || failure.code === 'io' || failure.code === 'busy'
}

function hasChanged(a: Entry, b: Entry): boolean {
  return a.size !== b.size || a.mtime !== b.mtime || a.ino !== b.ino
}

function quietTime(file: Observed, entry = file.entry): number {
  return Math.max(file.quietMs, entry.size === 0 ? QUIET_EMPTY_MS : file.usualMs)
}

// Recognizes the empty files that browsers create under a download's final name while they write to a partial
// file next to it. Such a placeholder isn't uploaded while a matching partial file exists. Pure.

interface Sibling {
  readonly name: string
  /** Epoch milliseconds. */
  readonly mtime: number
}

/** Whether this is the name of a partial file. */
export function isPartial(name: string): boolean {
  return isNameless(name) || stemOf(name) !== null
}

/** The name without the extension of a partial file; null if it has no such extension. */
function stemOf(partial: string): string | null {
  const end = DOWNLOAD_EXTENSIONS.find((one) => partial.toLowerCase().endsWith(one))
  return end === undefined ? null : partial.slice(0, -end.length)
}

function extension(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot).toLowerCase()
}

/**
 * Whether the partial file may become the file `name`. Without the partial-file extension, its name must be
 * `name`, another name with the same extension, or one of Chrome's temporary names.
 */
export function belongsTo(partial: string, name: string): boolean {
  const stem = stemOf(partial)
  if (stem === null) return isNameless(partial)
  // For `name`, Safari keeps a folder `name.download`. For `name.pdf`, Firefox writes a file such as
  // `x7Gh2.pdf.part`.
  return (
    stem.toLowerCase() === name.toLowerCase() ||
    isNameless(stem) ||
    (extension(stem) !== '' && extension(stem) === extension(name))
  )
}

/**
 * Whether an empty file called `name` is a placeholder for a download in progress. `now`: epoch milliseconds.
 */
export function isPlaceholder(name: string, siblings: Iterable<Sibling>, now: number): boolean {
  for (const sibling of siblings)
    if (Math.abs(now - sibling.mtime) < LEFTOVER_MS && belongsTo(sibling.name, name)) return true
  return false
}
