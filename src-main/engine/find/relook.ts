// Rechecks recently changed files a few times, at growing intervals. Writes through a memory mapping raise no
// event, and if pages are written twice before the system flushes them, not even the mtime changes. If there
// are too many files, the oldest are dropped.
import type { Clock, Disk, Entry } from '../ports.ts'

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
  #cancelTimer: (() => void) | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #isChecking = false
  #isClosed = false

  constructor(options: RelookOptions) {
    this.#options = options
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
    if (this.#cancelTimer === null || this.#timerAt > at) this.#schedule()
  }

  close(): void {
    this.#isClosed = true
    this.#cancelTimer?.()
    this.#items.clear()
  }

  #schedule(): void {
    if (this.#isClosed || this.#isChecking || this.#items.size === 0) return
    const { clock } = this.#options
    let next = Number.POSITIVE_INFINITY
    for (const item of this.#items.values()) if (item.at < next) next = item.at
    if (this.#cancelTimer !== null && this.#timerAt <= next) return
    this.#cancelTimer?.()
    this.#timerAt = next
    this.#cancelTimer = clock.after(Math.max(0, next - clock.mono()), () => {
      this.#cancelTimer = null
      this.#timerAt = Number.POSITIVE_INFINITY
      void this.#checkDue()
    })
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
    this.#schedule()
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
