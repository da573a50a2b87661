// Observes files until they are finished, that is, unchanged for a quiet time, not open for writing, and not part of a download.
// This avoids most uploads of unfinished files. Correctness doesn't depend on it, because a change during an upload is detected. The rules
// are in settle-rules.ts.
import { basename, dirname } from 'node:path'
import type { Clock, DebugLog, Disk, DiskFailure, Entry } from '../ports.ts'
import { withControls } from './controls.ts'
import { entriesOf } from './entries.ts'
import { isPartial, isPlaceholder } from './placeholder.ts'
import {
  afterChange,
  checkOutcome,
  firstSeen,
  hasChanged,
  isPassing,
  type Observed,
  quietUntil,
  waitsFor,
  withWriters,
} from './settle-rules.ts'

/** Shortest and longest interval between checks of a download. A download that was paused may go on days later. */
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

export interface SettledFile {
  readonly path: string
  readonly entry: Entry
}

export interface Settle {
  /** Starts observing a file. If the file is already observed and `entry` shows a change, its quiet time restarts. */
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
  #cancelTimer: (() => void) | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #isChecking = false
  #isClosed = false

  constructor(options: SettleOptions) {
    this.#options = options
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
    this.#cancelTimer?.()
    this.#pending.clear()
  }

  #nextCheck(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { checkAt } of this.#pending.values()) if (checkAt < next) next = checkAt
    return next
  }

  #schedule(): void {
    if (this.#isClosed || this.#isChecking) return
    const { clock } = this.#options
    const next = this.#nextCheck()
    if (next === Number.POSITIVE_INFINITY || (this.#cancelTimer !== null && this.#timerAt <= next)) return
    this.#cancelTimer?.()
    this.#timerAt = next
    this.#cancelTimer = clock.after(Math.max(0, next - clock.mono()), () => {
      this.#cancelTimer = null
      this.#timerAt = Number.POSITIVE_INFINITY
      void this.#checkDue()
    })
  }

  async #checkDue(): Promise<void> {
    if (this.#isChecking || this.#isClosed) return
    this.#isChecking = true
    const { clock, disk, isObsolete } = this.#options
    const now = clock.mono()
    const next = [...this.#pending.values()].filter(({ checkAt }) => checkAt <= now + TOGETHER_MS).slice(0, CHECKS_PER_REQUEST)
    for (const { path } of next) if (isObsolete?.(path) === true) this.#pending.delete(path)
    const due = next.filter((item) => this.#isPending(item))
    const stats = await disk.stat(due.map(({ path }) => path))
    const still = due.filter((item, i) => this.#isPending(item) && this.#take(item, stats[i]))
    const paths = still.map(({ path }) => path)
    const [writers, controlled] = await Promise.all([disk.openForWriting(paths), withControls(disk, paths)])
    const placeholders = await this.#placeholdersOf(still.filter(({ file }) => file.entry.size === 0).map(({ path }) => path))
    const downloads = new Set([...controlled, ...placeholders])
    const settled = still.filter((item) => this.#isPending(item) && this.#isFinished(item, writers, downloads))
    this.#isChecking = false
    if (this.#isClosed) return
    if (settled.length > 0) this.#handOver(settled)
    this.#schedule()
  }

  /** Applies the result of a check. Returns true if only a writer or a download can still hold the file back. */
  #take(item: Pending, stat: Entry | DiskFailure | null | undefined): boolean {
    const { clock, debug, onGone } = this.#options
    const mono = clock.mono()
    item.file = withWriters(item.file, stat)
    const outcome = checkOutcome(item.file, stat, mono)
    if (outcome.kind !== 'still') debug?.('settle.wait', { path: item.path, why: outcome.kind, checks: item.file.checks })
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
      const download = Math.min(DOWNLOAD_MAX_MS, Math.max(DOWNLOAD_MS, (mono - file.stillSince) * DOWNLOAD_PART))
      item.checkAt = mono + (why === 'writer' ? WRITER_MS : download)
      return false
    }
    debug?.('settle.finished', { path, stillMs: Math.round(mono - file.stillSince), checks: file.checks })
    this.#pending.delete(path)
    return true
  }

  /**
   * Returns those of the empty files in `paths` that may be placeholders for a download, including those whose directory can't be listed at
   * the moment.
   */
  async #placeholdersOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const { clock, disk } = this.#options
    const dirs = [...new Set(paths.map((path) => dirname(path)))]
    const lists = dirs.length === 0 ? [] : await disk.list(dirs)
    const found = new Set<string>()
    for (const [i, dir] of dirs.entries()) {
      const list = lists[i]
      const isUnanswered = list === undefined || (list.failure !== null && isPassing(list.failure))
      const partial = isUnanswered ? null : [...entriesOf(list)].filter((entry) => isPartial(entry.name))
      for (const path of paths)
        if (dirname(path) === dir && (partial === null || isPlaceholder(basename(path), partial, clock.now()))) found.add(path)
    }
    return found
  }

  /** Passes finished files to `onSettled`. If that throws, they become pending again, and the call is retried later. */
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
