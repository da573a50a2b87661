// Finds out by content what size and times don't show: whether a file whose times differ was really changed,
// whether a queued file is a vanished one that was moved (`MovedBytes`), and whether a file was changed
// without an event (`Relook`). Runs in the background, one file at a time.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { hashFile, SMALL_FILE, sameVersion } from '../disk/content.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Disk, Entry, Hashing } from '../ports.ts'
import { Alarm, sleep } from '../sleep.ts'

/**
 * Maximum number of queued files, each of which takes about 300 bytes. Further files are dropped, and the
 * next rescan finds them again.
 */
const WAITING_MAX = 20_000
/**
 * After a large file, the job pauses for as long as reading it took, but no longer than this, to leave the
 * disk to other programs.
 */
const REST_MAX_MS = 2000
/** Delay before a file that has changed is scanned again. */
const CHANGED_MS = 1000

/** Maximum number of sizes to remember. */
const SIZES_MAX = 5000

/** Maximum number of transfers to remember per size. */
const PER_SIZE_MAX = 21

/** A file whose bytes must be compared with those that were sent. */
export interface Doubt {
  readonly dir: string
  readonly name: string
  readonly path: string
  /** The file as the scanner saw it. */
  readonly entry: Entry
  /**
   * The transfer that sent the bytes to compare with. Null if several uploads may have the same bytes, so
   * that the file is only hashed.
   */
  readonly transferId: number | null
  /** Hash of the bytes that were sent; null if `transferId` is. */
  readonly sha256: string | null
}

/**
 * `same`: the bytes are the ones that were sent. `other`: they differ, or there is no hash to compare with.
 * `changed`: the file has changed since it was scanned, possibly while it was being read; scan it again.
 * `unreadable`: it could not be compared; a later rescan tries again.
 */
export type CheckVerdict = 'same' | 'other' | 'changed' | 'unreadable'

export interface ContentCheck {
  add(doubt: Doubt): void
  /** Number of files that are queued or being read, or that have changed and are about to be reported. */
  size(): number
  /** Aborts the current read and drops the queue. Neither `onVerdict` nor `onIdle` is called afterwards. */
  close(): void
}

export interface ContentCheckOptions {
  readonly clock: Clock
  readonly disk: Disk
  readonly hashing: Hashing
  /**
   * `entry`: the file as it was when it was read; for `changed` and `unreadable`, as the scanner saw it.
   * `sha256`: the hash of the file; null for `changed` and `unreadable`.
   */
  readonly onVerdict: (doubt: Doubt, verdict: CheckVerdict, entry: Entry, sha256: string | null) => void
  /**
   * Called when the queue has become empty. `missed`: whether to rescan, because files were dropped while the
   * queue was full.
   */
  readonly onIdle: (missed: boolean) => void
}

export function createContentCheck(options: ContentCheckOptions): ContentCheck {
  return new CheckQueue(options)
}

class CheckQueue implements ContentCheck {
  readonly #options: ContentCheckOptions
  readonly #stop = new AbortController()
  /** The queued files by path, including the one that is being read. */
  readonly #waiting = new Map<string, Doubt>()
  /** Files that have changed, by path: functions that cancel the delayed report. */
  readonly #changed = new Map<string, () => void>()
  #isRunning = false
  /** Whether files were dropped because the queue was full. */
  #missed = false

  constructor(options: ContentCheckOptions) {
    this.#options = options
  }

  add(doubt: Doubt): void {
    if (this.#stop.signal.aborted) return
    if (this.#waiting.size >= WAITING_MAX && !this.#waiting.has(doubt.path)) {
      this.#missed = true
      return
    }
    this.#cancelReport(doubt.path)
    this.#waiting.set(doubt.path, doubt)
    void this.#run()
  }

  size(): number {
    return this.#waiting.size + this.#changed.size
  }

  close(): void {
    this.#stop.abort()
    this.#waiting.clear()
    for (const path of this.#changed.keys()) this.#cancelReport(path)
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    const { clock } = this.#options
    let decided = 0
    for (let next = first(this.#waiting); next !== null; next = first(this.#waiting)) {
      const began = clock.mono()
      const { verdict, entry, sha256 } = await this.#compare(next)
      if (this.#stop.signal.aborted) return
      // The verdict is dropped if a newer version of the file was added while this one was being read.
      if (this.#waiting.get(next.path) === next) {
        this.#waiting.delete(next.path)
        if (verdict !== 'unreadable') decided++
        if (verdict === 'changed') this.#reportLater(next)
        else this.#options.onVerdict(next, verdict, entry, sha256)
      }
      await yieldNow()
      const tookMs = Math.min(REST_MAX_MS, clock.mono() - began)
      if (next.entry.size > SMALL_FILE && tookMs > 0 && this.#waiting.size > 0) await this.#pause(tookMs)
    }
    if (this.#stop.signal.aborted) return
    this.#isRunning = false
    // If only unreadable files were checked, a rescan would just fill the queue with them again.
    const isWorthRescan = this.#missed && decided > 0
    this.#missed = false
    this.#options.onIdle(isWorthRescan)
  }

  async #compare(
    doubt: Doubt,
  ): Promise<{ readonly verdict: CheckVerdict; readonly entry: Entry; readonly sha256: string | null }> {
    const { disk, hashing } = this.#options
    try {
      const hashed = await hashFile(disk, hashing, doubt.path, this.#stop.signal)
      if (hashed !== null && sameVersion(hashed.entry, doubt.entry))
        return { verdict: hashed.sha256 === doubt.sha256 ? 'same' : 'other', ...hashed }
      return { verdict: 'changed', entry: doubt.entry, sha256: null }
    } catch {
      return { verdict: 'unreadable', entry: doubt.entry, sha256: null }
    }
  }

  /**
   * Reports a changed file after a delay, because it may be changing still. Other files are compared in the
   * meantime.
   */
  #reportLater(doubt: Doubt): void {
    const cancel = this.#options.clock.after(CHANGED_MS, () => {
      this.#changed.delete(doubt.path)
      this.#options.onVerdict(doubt, 'changed', doubt.entry, null)
      if (!this.#isRunning && this.size() === 0) this.#options.onIdle(false)
    })
    this.#changed.set(doubt.path, cancel)
  }

  #cancelReport(path: string): void {
    this.#changed.get(path)?.()
    this.#changed.delete(path)
  }

  #pause(ms: number): Promise<void> {
    return sleep(this.#options.clock, ms, this.#stop.signal)
  }
}

function first<T>(map: ReadonlyMap<string, T>): T | null {
  for (const value of map.values()) return value
  return null
}

// Helps detect moves that changed the inode or mtime. If a file vanishes and another file of the same size
// was recently queued, the queued file is hashed before it is sent. If the bytes are the same, the queued
// file takes over the link of the vanished one.

export class MovedBytes {
  readonly #transfers: Transfers
  /** Recently queued transfers, by size. */
  readonly #recent = new Map<number, readonly number[]>()

  constructor(transfers: Transfers) {
    this.#transfers = transfers
  }

  /** Remembers a transfer that was just queued. */
  remember(size: number, id: number): void {
    if (this.#recent.size > SIZES_MAX) this.#recent.clear()
    this.#recent.set(size, [...(this.#recent.get(size) ?? []).slice(1 - PER_SIZE_MAX), id])
  }

  /**
   * Marks a done, running or unconfirmed transfer whose file is no longer at its path. Recently queued files
   * of its size are then hashed before they are sent, so that one with the same bytes takes over the link.
   * Call inside a transaction.
   */
  markAway(t: TransferRow): void {
    this.#transfers.setAway(t.id, true)
    for (const id of this.#recent.get(t.size) ?? [])
      if (this.#transfers.get(id)?.state === 'queued') this.#transfers.setHashFirst(id)
  }
}

// Rechecks recently changed files a few times, at growing intervals. Writes through a memory mapping raise no
// event, and if pages are written twice before the system flushes them, not even the mtime changes. If there
// are too many files, the oldest are dropped.

/** Delays between checks. After the last one, the file is left to events and rescans. */
const STEPS_MS = [250, 1000, 3000, 10_000, 30_000, 120_000, 300_000] as const
/**
 * Searching all processes for mappings takes up to 0.1 s. So the search covers all due files only in these
 * steps, and in other steps only files that were mapped at the last search.
 */
const ASK_MAPS_IN_STEP: ReadonlySet<number> = new Set([0, 2, 4])
/**
 * A file that is still mapped after the last step is checked about this many more times, at the longest
 * delay.
 */
const MAPPED_CHECKS_MAX = 24
/** Maximum number of files to follow at once. */
const FILES_MAX = 256
/** Checks that are due within this time are batched. */
const TOGETHER_MS = 200

interface Item {
  readonly path: string
  readonly entry: Entry
  step: number
  checks: number
  /** When the next check is due, in monotonic milliseconds. */
  at: number
  isMapped: boolean
}

export interface Relook {
  /** Starts following a file. `entry`: the version that was considered finished. */
  watch(path: string, entry: Entry): void
  close(): void
}

export interface RelookOptions {
  readonly clock: Clock
  readonly disk: Disk
  /**
   * Called when the size, mtime, ctime or inode of a file has changed. The watcher may not have reported the
   * change.
   */
  readonly onMoved: (path: string) => void
  /**
   * Called when a file is no longer mapped for writing, or at the last check if it still is. Only its bytes
   * show whether it changed.
   */
  readonly onMapped: (path: string, entry: Entry) => void
}

export function createRelook(options: RelookOptions): Relook {
  return new RecentFiles(options)
}

class RecentFiles implements Relook {
  readonly #options: RelookOptions
  readonly #items = new Map<string, Item>()
  readonly #alarm: Alarm
  #isChecking = false
  #isClosed = false

  constructor(options: RelookOptions) {
    this.#options = options
    this.#alarm = new Alarm(options.clock, () => void this.#checkDue())
  }

  watch(path: string, entry: Entry): void {
    if (this.#isClosed) return
    const isMapped = this.#items.get(path)?.isMapped ?? false
    this.#items.delete(path)
    const at = this.#options.clock.mono() + STEPS_MS[0]
    this.#items.set(path, { path, entry, step: 0, checks: 0, at, isMapped })
    for (const oldest of this.#items.keys()) {
      if (this.#items.size <= FILES_MAX) break
      this.#items.delete(oldest)
    }
    if (!this.#isChecking) this.#alarm.ringBy(at)
  }

  close(): void {
    this.#isClosed = true
    this.#alarm.cancel()
    this.#items.clear()
  }

  async #checkDue(): Promise<void> {
    this.#isChecking = true
    const { clock, disk } = this.#options
    const until = clock.mono() + TOGETHER_MS
    const due = [...this.#items.values()].filter((item) => item.at <= until)
    const stats = await disk.stat(due.map((item) => item.path))
    const asked = due.filter((item) => item.isMapped || ASK_MAPS_IN_STEP.has(item.step))
    const mapped = asked.length === 0 ? null : await disk.mappedForWriting(asked.map((item) => item.path))
    this.#isChecking = false
    if (this.#isClosed) return
    for (const [i, item] of due.entries()) {
      if (this.#items.get(item.path) !== item) continue
      const stat = stats[i]
      // A file that is gone or can't be examined is left to events and rescans.
      if (stat == null || 'code' in stat) this.#items.delete(item.path)
      else this.#take(item, stat, mapped)
    }
    for (const item of this.#items.values()) this.#alarm.ringBy(item.at)
  }

  #take(item: Item, stat: Entry, mapped: ReadonlySet<string> | null): void {
    if (!isSame(stat, item.entry)) {
      this.#items.delete(item.path)
      this.#options.onMoved(item.path)
      return
    }
    const isMappedNow = mapped?.has(item.path) === true
    if (item.isMapped && mapped !== null && !isMappedNow) this.#options.onMapped(item.path, stat)
    if (mapped !== null) item.isMapped = isMappedNow
    this.#advance(item)
  }

  #advance(item: Item): void {
    item.checks++
    const step = STEPS_MS[item.step + 1] ?? (item.isMapped ? STEPS_MS.at(-1) : undefined)
    if (step === undefined || item.checks >= STEPS_MS.length + MAPPED_CHECKS_MAX) {
      this.#items.delete(item.path)
      if (item.isMapped) this.#options.onMapped(item.path, item.entry)
      return
    }
    item.step = Math.min(item.step + 1, STEPS_MS.length - 1)
    item.at = this.#options.clock.mono() + step
  }
}

function isSame(a: Entry, b: Entry): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.ino === b.ino
}
