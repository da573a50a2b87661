// Is a file finished? It must stand still for a quiet time that grows with every surprise; a file whose last change lies well in the past
// is finished at once. Law 3 does not rest on this room: it only spares uploads that would be taken back.
import { basename, dirname } from 'node:path'
import type { Clock, Disk, DiskFailure, Entry } from '../ports.ts'
import { entriesOf } from './entries.ts'
import { isPartial, isPlaceholder } from './placeholder.ts'

/** Older than this when first seen: it came in whole (a move, a finished download), no need to wait. */
const OLD_MS = 2000
/** From the last change to the upload; the goal from close to server is 250 ms, the sending itself a few. */
const QUIET_MS = 180
/** An empty file is nearly always the first half of a write. */
const QUIET_EMPTY_MS = 3000
/** An empty file next to a partial download is looked at this often. */
const PLACEHOLDER_MS = 2000
/** After a look that failed; a disk that goes on failing is left to the upload, which says why. */
const FAILED_MS = 1000
const FAILED_PATIENCE_MS = 30_000
/** A file that moved after it had looked finished gets twice the time, up to this. */
const QUIET_MOST_MS = 5000
/** While another program holds it open for writing it is looked at this often ... */
const WRITER_MS = 250
/** ... but a program that never closes it (a log) does not hold it back for ever. */
const WRITER_PATIENCE_MS = 30_000
/** Paths looked at in one go. */
const LOOK_AT_ONCE = 500

interface Pending {
  readonly path: string
  entry: Entry
  /** When size or time last moved, by the monotonic clock. */
  stillSince: number
  lookAt: number
  quiet: number
  looks: number
  /** Since when every look at it failed, null if the last one did not. By the monotonic clock. */
  failedSince: number | null
}

export interface Settle {
  /** Puts a file under observation, or takes note that it was seen with this entry. */
  watch(path: string, entry: Entry): void
  isPending(path: string): boolean
  forget(path: string): void
  size(): number
  /** When the earliest pending file may be settled (this machine's clock); null if none is pending. */
  nextAt(): number | null
  close(): void
}

export interface SettleOptions {
  readonly clock: Clock
  readonly disk: Disk
  /** Where this throws, the same files are handed over again later. */
  readonly onSettled: (files: readonly { readonly path: string; readonly entry: Entry }[]) => void
  readonly onFailed: (error: unknown) => void
  readonly onGone: (path: string) => void
}

/** Whether a file seen for the first time needs no observation. `now`: this machine's clock. */
export function isOldEnough(entry: Entry, now: number): boolean {
  // A move changes ctime alone: then the age of its bytes counts. An empty file may be a browser's placeholder, however old it is.
  return entry.size > 0 && now - entry.mtime > OLD_MS
}

function quietFor(entry: Entry, base: number): number {
  return Math.max(base, entry.size === 0 ? QUIET_EMPTY_MS : QUIET_MS)
}

export function createSettle(options: SettleOptions): Settle {
  const { clock, disk } = options
  const pending = new Map<string, Pending>()
  let cancel: (() => void) | null = null
  let timerAt = Number.POSITIVE_INFINITY
  let looking = false
  let closed = false

  const schedule = (): void => {
    if (closed || looking) return
    let next = Number.POSITIVE_INFINITY
    for (const item of pending.values()) if (item.lookAt < next) next = item.lookAt
    if (next === Number.POSITIVE_INFINITY || (cancel !== null && timerAt <= next)) return
    cancel?.()
    timerAt = next
    cancel = clock.after(Math.max(0, next - clock.mono()), () => {
      cancel = null
      timerAt = Number.POSITIVE_INFINITY
      void look()
    })
  }

  const isFailure = (stat: Entry | DiskFailure): stat is DiskFailure => 'code' in stat

  /** A failure that may be over in a moment, as opposed to one that says what is wrong with the file. */
  const isPassing = (failure: DiskFailure): boolean => failure.code === 'interrupted' || failure.code === 'io' || failure.code === 'busy'

  /** Those of these empty files that wait for a download, or whose folder can't be asked. */
  const placeholdersOf = async (paths: readonly string[]): Promise<ReadonlySet<string>> => {
    const dirs = [...new Set(paths.map((path) => dirname(path)))]
    const lists = dirs.length === 0 ? [] : await disk.list(dirs)
    const now = clock.now()
    const found = new Set<string>()
    for (const [i, dir] of dirs.entries()) {
      const list = lists[i]
      const unanswered = list === undefined || (list.failure !== null && isPassing(list.failure))
      const partial = unanswered ? null : [...entriesOf(list)].filter((entry) => isPartial(entry.name))
      for (const path of paths)
        if (dirname(path) === dir && (partial === null || isPlaceholder(basename(path), partial, now))) found.add(path)
    }
    return found
  }

  const look = async (): Promise<void> => {
    if (looking || closed) return
    looking = true
    const now = clock.mono()
    const due = [...pending.values()].filter((item) => item.lookAt <= now + 5).slice(0, LOOK_AT_ONCE)
    const stats = await disk.stat(due.map((item) => item.path))
    const still: Pending[] = []
    for (const [i, item] of due.entries()) {
      if (pending.get(item.path) !== item) continue
      const stat = stats[i]
      if (stat === undefined || (stat !== null && isFailure(stat) && isPassing(stat))) {
        // No answer is neither "gone" nor "finished".
        item.failedSince ??= clock.mono()
        item.lookAt = clock.mono() + FAILED_MS
        if (clock.mono() - item.failedSince >= FAILED_PATIENCE_MS) still.push(item)
        continue
      }
      item.failedSince = null
      if (stat === null || (!isFailure(stat) && stat.kind !== 'file')) {
        pending.delete(item.path)
        options.onGone(item.path)
        continue
      }
      item.looks++
      if (isFailure(stat)) {
        // Can't be looked at: the propagator will say why.
        still.push(item)
        continue
      }
      if (moved(item.entry, stat)) {
        note(item, stat)
        continue
      }
      // A chmod after the last write moves the change time alone.
      item.entry = stat
      if (clock.mono() - item.stillSince + 5 >= quietFor(item.entry, item.quiet)) still.push(item)
      else item.lookAt = item.stillSince + quietFor(item.entry, item.quiet)
    }
    const writers = await disk.openForWriting(still.map((item) => item.path))
    const placeholders = await placeholdersOf(still.filter((item) => item.entry.size === 0).map((item) => item.path))
    const settled: Pending[] = []
    for (const item of still) {
      if (pending.get(item.path) !== item) continue
      // No answer counts as a writer, for as long as a writer counts.
      if (writers?.has(item.path) !== false && clock.mono() - item.stillSince < WRITER_PATIENCE_MS) {
        item.lookAt = clock.mono() + WRITER_MS
        continue
      }
      if (placeholders.has(item.path)) {
        item.lookAt = clock.mono() + PLACEHOLDER_MS
        continue
      }
      pending.delete(item.path)
      settled.push(item)
    }
    looking = false
    if (closed) return
    if (settled.length > 0) handOver(settled)
    schedule()
  }

  /** What could not be written down is not forgotten: it is handed over again. */
  const handOver = (settled: readonly Pending[]): void => {
    try {
      options.onSettled(settled.map((item) => ({ path: item.path, entry: item.entry })))
    } catch (error) {
      options.onFailed(error)
      for (const item of settled) {
        item.lookAt = clock.mono() + FAILED_MS
        if (!pending.has(item.path)) pending.set(item.path, item)
      }
    }
  }

  const moved = (a: Entry, b: Entry): boolean => a.size !== b.size || a.mtime !== b.mtime || a.ino !== b.ino

  const note = (item: Pending, entry: Entry): void => {
    // Still growing is no surprise; moving again after most of the quiet time is.
    const waited = clock.mono() - item.stillSince
    if (waited > quietFor(item.entry, item.quiet) * 0.6 && item.looks > 0)
      item.quiet = Math.min(QUIET_MOST_MS, Math.max(QUIET_MS, item.quiet) * 2)
    item.entry = entry
    item.stillSince = clock.mono()
    item.lookAt = item.stillSince + quietFor(entry, item.quiet)
  }

  return {
    watch: (path, entry) => {
      const item = pending.get(path)
      if (item !== undefined) {
        if (moved(item.entry, entry)) note(item, entry)
      } else {
        const now = clock.mono()
        // The file has stood still at least since its own time stamp, if that is not in the future.
        const changed = entry.size === 0 ? Math.max(entry.mtime, Math.min(entry.ctime, clock.now())) : entry.mtime
        const age = Math.max(0, Math.min(Math.max(OLD_MS, QUIET_EMPTY_MS), clock.now() - changed))
        const quiet = 0
        const stillSince = now - age
        pending.set(path, {
          path,
          entry,
          stillSince,
          lookAt: Math.max(now, stillSince + quietFor(entry, quiet)),
          quiet,
          looks: 0,
          failedSince: null,
        })
      }
      schedule()
    },
    isPending: (path) => pending.has(path),
    forget: (path) => {
      pending.delete(path)
    },
    size: () => pending.size,
    nextAt: () => {
      let next = Number.POSITIVE_INFINITY
      for (const item of pending.values()) if (item.lookAt < next) next = item.lookAt
      return next === Number.POSITIVE_INFINITY ? null : clock.now() + Math.max(0, next - clock.mono())
    },
    close: () => {
      closed = true
      cancel?.()
      pending.clear()
    },
  }
}
