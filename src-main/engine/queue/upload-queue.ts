// Selects the next upload: the most urgent row that can start now, and the oldest among equals. Passes over
// rows that wait for a similar upload, other large files, a drive that doesn't answer, their search or their
// comparison. `KnownFirst` finds files that need no upload while limits hold back the others; `SchedulerLog`
// writes why an upload started or didn't.

import type { Gate } from '../../../src-shared/model.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { DebugLog, Log } from '../ports.ts'
import type { Comparison } from '../presence/comparison.ts'
import { doubtKey, type ServiceHabits } from '../presence/naming.ts'
import type { FileOpens } from '../send/file-opens.ts'
import type { Propagator } from '../send/propagator.ts'
import type { Bus } from '../tell/bus.ts'

/**
 * Files of more than this many bytes count as large, because a few of them use up the bandwidth of the
 * connection.
 */
export const LARGE_BYTES = 16 * 1024 * 1024
const PAGE_ROWS = 64
const MAX_PAGES = 5
const MAX_KEYS = 5000
/** Why a row is passed over: an upload with the same key (`keyOf`) is unconfirmed. */
const BEHIND_UNCONFIRMED = 'same-name-and-size-unconfirmed'

/** The end of a wait is rounded to this before it is compared with the one last logged. */
const SAME_END_MS = 2000
const MAX_REMEMBERED = 5000

export interface UploadQueueOptions {
  readonly transfers: Transfers
  readonly compare: Pick<Comparison, 'mayGo' | 'isNeeded'>
  readonly debug: SchedulerLog
  readonly folders: Pick<WatchedFolders, 'sendingIds' | 'isOpen' | 'isPaused'>
  readonly opens: Pick<FileOpens, 'isUnanswered' | 'unanswered' | 'answering'>
  readonly propagator: Pick<Propagator, 'isSearching'>
  readonly habits: Pick<ServiceHabits, 'sendName' | 'sentName'>
  readonly bus: Pick<Bus, 'changed'>
}

/** The uploads in flight, and those whose answer was lost. */
export interface UnderWay {
  isActive(id: number): boolean
  /** No further large file may start. */
  readonly isFullOfLarge: boolean
  /** The keys (`keyOf`) of uploads whose answer was lost. */
  readonly unconfirmed: ReadonlySet<string>
  /**
   * The next upload tests whether the service accepts uploads again, so it should be a small one that was
   * rarely sent before.
   */
  readonly isProbe: boolean
}

export interface NextUpload {
  readonly row: TransferRow
  /** `newest`: the rows before it have to be compared with the service first. */
  readonly why: 'next' | 'newest'
}

export class UploadQueue {
  readonly #options: UploadQueueOptions
  #rows: TransferRow[] = []
  /** The position up to which the queue was read; null before the first page. */
  #readTo: { readonly priority: number; readonly id: number } | null = null
  #isStale = true
  /**
   * Number of uploads in flight by key (`keyOf`). Uploads with the same key aren't sent concurrently, because
   * they couldn't be distinguished on the service if an answer were lost.
   */
  readonly #held = new Map<string, number>()
  /** Results of `doubtKey`, by name and size. A row's own may change while it is queued. */
  readonly #keys = new Map<string, string>()
  /** IDs of rows that were passed over because an upload with the same key is unconfirmed. */
  readonly #behind = new Set<number>()

  constructor(options: UploadQueueOptions) {
    this.#options = options
  }

  /** Makes `next` reread the queue from its start. Call when the queue has changed. */
  invalidate(): void {
    this.#isStale = true
  }

  /**
   * A key shared by uploads that couldn't be distinguished on the service, because they have the same size
   * and similar names; see `doubtKey`.
   */
  keyOf(row: TransferRow): string {
    const { habits } = this.#options
    const name = row.state === 'unknown' ? habits.sentName(row) : habits.sendName(row)
    const version = `${row.size} ${name}`
    let found = this.#keys.get(version)
    if (found === undefined) {
      if (this.#keys.size > MAX_KEYS) this.#keys.clear()
      found = doubtKey(name, row.size)
      this.#keys.set(version, found)
    }
    return found
  }

  /** Blocks rows with the same key (`keyOf`) until `letGo`. */
  hold(row: TransferRow): void {
    const key = this.keyOf(row)
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1)
  }

  letGo(row: TransferRow): void {
    const key = this.keyOf(row)
    const left = (this.#held.get(key) ?? 1) - 1
    if (left <= 0) this.#held.delete(key)
    else this.#held.set(key, left)
  }

  next(underWay: UnderWay): NextUpload | null {
    const { transfers, compare, debug, folders, opens } = this.#options
    if (this.#isStale) {
      this.#rows = []
      this.#readTo = null
      this.#isStale = false
    }
    let isComparing = false
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      for (const row of underWay.isProbe ? this.#rows.toSorted(byProbe) : this.#rows) {
        if (this.#isHeldUp(row, underWay)) continue
        if (!compare.mayGo(row)) {
          isComparing = true
          debug.passedOver(row, 'compared-first')
          continue
        }
        this.#rows.splice(this.#rows.indexOf(row), 1)
        const now = transfers.get(row.id)
        if (now === null || now.state !== 'queued') return this.next(underWay)
        return { row: now, why: 'next' }
      }
      const page = transfers.due(
        PAGE_ROWS,
        this.#readTo,
        opens.answering(folders.sendingIds()),
        opens.unanswered(),
      )
      const last = page.at(-1)
      if (last === undefined) {
        // The next call starts over, including the rows that were passed over.
        this.#isStale = true
        return null
      }
      this.#readTo = { priority: last.priority, id: last.id }
      this.#rows.push(...page)
    }
    if (!isComparing) return null
    // Many old files that have to be compared first must not delay newer ones.
    const row = transfers
      .newestQueued(PAGE_ROWS)
      .find((one) => this.#maySend(one.folderId) && !this.#isHeldUp(one, underWay) && !compare.isNeeded(one))
    return row === undefined ? null : { row, why: 'newest' }
  }

  /** Whether this row waits until it is known if another upload with the same key (`keyOf`) has arrived. */
  isBehindUnconfirmed({ id, state }: Pick<TransferRow, 'id' | 'state'>): boolean {
    return state === 'queued' && this.#behind.has(id)
  }

  #maySend(folderId: number | null): boolean {
    const { folders } = this.#options
    return folders.isOpen(folderId) && !folders.isPaused(folderId)
  }

  #isHeldUp(row: TransferRow, underWay: UnderWay): boolean {
    if (underWay.isActive(row.id)) return true
    const why = this.#whyHeldUp(row, underWay)
    this.#noteBehind(row.id, why === BEHIND_UNCONFIRMED)
    if (why === null) return false
    this.#options.debug.passedOver(row, why)
    return true
  }

  #noteBehind(id: number, isBehind: boolean): void {
    if (this.#behind.has(id) === isBehind) return
    if (isBehind) this.#behind.add(id)
    else this.#behind.delete(id)
    this.#options.bus.changed(id)
  }

  #whyHeldUp(row: TransferRow, underWay: UnderWay): string | null {
    if (this.#options.opens.isUnanswered(row)) return 'drive-unanswered'
    if (this.#options.propagator.isSearching(row.id)) return 'being-searched'
    const key = this.keyOf(row)
    if (this.#held.has(key)) return 'same-name-and-size-active'
    if (underWay.unconfirmed.has(key)) return BEHIND_UNCONFIRMED
    // This file may be one whose upload is in flight or unconfirmed under its old name.
    if (row.hashFirst && row.folderId !== null && this.#options.transfers.hasAwayUnderWay(row.size))
      return 'maybe-moved-while-active'
    return row.size > LARGE_BYTES && underWay.isFullOfLarge ? 'enough-large-files' : null
  }
}

function byProbe(x: TransferRow, y: TransferRow): number {
  return x.attempts - y.attempts || x.size - y.size
}

// Writes the debug topic `scheduler`: why an upload started, why one was passed over, and why nothing starts,
// and until when. A reason that stays the same is logged once, although the scheduler runs many times a
// second.

/** Why no further upload starts now. */
export interface Wait {
  readonly why: string
  /** When it ends, in epoch milliseconds; null if unknown, or if an event ends it. */
  readonly until: number | null
}

export class SchedulerLog {
  readonly #debug: DebugLog | null
  #lastWait = ''
  /** Why each transfer was last passed over. */
  readonly #passed = new Map<number, string>()

  constructor(log: Log) {
    this.#debug = log.debug?.('scheduler') ?? null
  }

  isOn(): boolean {
    return this.#debug !== null
  }

  /** `why`: see `NextUpload`. */
  started(row: TransferRow, why: 'next' | 'newest', active: number): void {
    if (this.#debug === null) return
    this.#lastWait = ''
    this.#passed.delete(row.id)
    this.#debug('scheduler.start', {
      id: row.id,
      path: row.path,
      size: row.size,
      priority: row.priority,
      why,
      active,
    })
  }

  passedOver(row: TransferRow, why: string): void {
    if (this.#debug === null || this.#passed.get(row.id) === why) return
    if (this.#passed.size >= MAX_REMEMBERED) this.#passed.clear()
    this.#passed.set(row.id, why)
    this.#debug('scheduler.passed-over', { id: row.id, path: row.path, why })
  }

  waits({ why, until }: Wait, active: number): void {
    if (this.#debug === null) return
    const key = `${why} ${until === null ? '' : Math.round(until / SAME_END_MS)}`
    if (key === this.#lastWait) return
    this.#lastWait = key
    this.#debug('scheduler.wait', {
      why,
      until: until === null ? null : new Date(until).toISOString(),
      active,
    })
  }
}

// Selects files whose bytes may already have a link while the plan's limits hold back uploads. Such a file
// needs no upload, so the limits don't apply to it. Each version is checked once.

/** Older rows are checked once these have been, or when they are sent. */
const MAX_KNOWN_PAGES = 20
const MAX_CHECKED = 5000
/** Limits of the plan that a file without an upload doesn't use up. */
const LIMITS: ReadonlySet<string> = new Set<Gate['reason']>(['daily-uploads', 'storage-full'])

export interface KnownFirstOptions {
  readonly transfers: Pick<Transfers, 'due' | 'hasDoneSize'>
  readonly folders: Pick<WatchedFolders, 'sendingIds'>
  readonly opens: Pick<FileOpens, 'answering'>
  readonly bus: Pick<Bus, 'changed'>
  readonly propagator: Pick<Propagator, 'reuse'>
}

export class KnownFirst {
  readonly #options: KnownFirstOptions
  readonly #checked = new Set<string>()

  constructor(options: KnownFirstOptions) {
    this.#options = options
  }

  /** The next file to check while `gate` holds back uploads; null if there is none. */
  next(gate: Pick<Gate, 'reason'>): TransferRow | null {
    if (!LIMITS.has(gate.reason)) return null
    const { transfers, folders, opens } = this.#options
    let after: { readonly priority: number; readonly id: number } | null = null
    for (let pages = 0; pages < MAX_KNOWN_PAGES; pages++) {
      const page: readonly TransferRow[] = transfers.due(
        PAGE_ROWS,
        after,
        opens.answering(folders.sendingIds()),
      )
      const found = page.find((row) => this.#isUnchecked(row))
      if (found !== undefined) return found
      const last = page.at(-1)
      if (last === undefined) return null
      after = { priority: last.priority, id: last.id }
    }
    return null
  }

  /** Whether a queued file is still to be checked. */
  isPending(row: TransferRow, gate: Pick<Gate, 'reason'> | null): boolean {
    return gate !== null && LIMITS.has(gate.reason) && row.state === 'queued' && this.#isUnchecked(row)
  }

  /** Gives the file the link of its bytes. If they have none, it waits for the limit. Never rejects. */
  async check(row: TransferRow, signal: AbortSignal): Promise<void> {
    await this.#options.propagator.reuse(row, signal)
    if (this.#checked.size >= MAX_CHECKED) this.#checked.clear()
    this.#checked.add(versionOf(row))
    this.#options.bus.changed(row.id)
  }

  #isUnchecked(row: TransferRow): boolean {
    return !row.again && this.#options.transfers.hasDoneSize(row.size) && !this.#checked.has(versionOf(row))
  }
}

function versionOf({ id, size, mtime }: TransferRow): string {
  return `${id} ${size} ${mtime}`
}
