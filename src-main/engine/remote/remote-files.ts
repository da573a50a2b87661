// The engine's access to what the service stores: combines reading the list (list-reader.ts), requesting single
// files (known-files.ts) and carrying out queued deletions (deletion-runner.ts). Responses are stored in
// the cached list (list-store.ts).

import type { ListProgress } from '../../../src-shared/model.ts'
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { Budget, Priority } from '../budget/budget.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { Journal } from '../journal/journal.ts'
import type { RemovalRow } from '../journal/removals.ts'
import type { Clock, Log } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import type { ListWays } from './background-jobs.ts'
import { type RemovalResult, RemovalRunner } from './deletion-runner.ts'
import { KnownFiles } from './known-files.ts'
import type { Links } from './link-bytes.ts'
import type { ListHabits } from './list-pages.ts'
import { Listing, type Pace } from './list-reader.ts'
import { CatalogStore } from './list-store.ts'
import { type CallResult, type Calls, readPage } from './requests.ts'
import type { StoredCount } from './stats-refresh.ts'

export interface CatalogOptions {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Journal
  readonly calls: Calls
  readonly links: Pick<Links, 'shows' | 'hash'>
  readonly limits: Pick<UploadLimits, 'learnDate'>
  readonly budget: Pick<Budget, 'spacing'>
  readonly stored: Pick<StoredCount, 'listed' | 'removed'>
  readonly bus: Bus
  readonly stop: AbortSignal
}

export interface Catalog extends Pick<KnownFiles, 'file' | 'confirm' | 'linkShows' | 'beside'> {
  /**
   * Returns the receipt with its missing link or ID filled in if the service shows them, otherwise unchanged.
   */
  complete(receipt: RemoteFile, signal: AbortSignal): Promise<RemoteFile>
  /**
   * Reads everything uploaded at or after `newerThan` (epoch milliseconds plus the service's UTC offset), or
   * the whole list if `newerThan` is null. An interrupted walk of the whole list is resumed only if it began
   * at `since` (epoch milliseconds) or later. `onPage` receives the number of files on each page. A resumed
   * walk first reports the number of files that it had already read. If the call joins a walk in progress,
   * `onPage` isn't called. `isComplete`: whether the walk missed no files.
   */
  readForComparison(
    part: { readonly newerThan: number | null; readonly since: number; readonly priority: Priority },
    onPage: (files: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<{ readonly isComplete: boolean }>>
  /**
   * Reads the whole list or, with priority `person`, only the newest part of a long, ordered list that was
   * read before. Returns the number of files read. With a `pace`, the read yields to other work until a
   * caller with a higher priority joins it.
   */
  refresh(priority: Priority, signal: AbortSignal, pace?: Pace): Promise<CallResult<number>>
  /**
   * Reads the newest part of the list, back to the files uploaded at `since` (epoch milliseconds plus the
   * service's UTC offset). Returns the number of files read.
   */
  newest(since: number, signal: AbortSignal, pace: Pace): Promise<CallResult<number>>
  /**
   * The list's size and order, as seen by the last finished walk of the whole list; null if none has
   * finished.
   */
  ways(): ListWays | null
  /** What earlier walks have learned about the list's pages. */
  habits(): ListHabits
  setHabits(habits: ListHabits): void
  list(
    page: number,
    limit: number,
    priority: Priority,
    signal: AbortSignal,
    maxWaitMs?: number,
  ): Promise<CallResult<ListPage>>
  /**
   * Carries out one queued deletion; see `RemovalResult`. After a failure, the deletion remains queued and is
   * retried later.
   */
  carry(
    removal: Pick<RemovalRow, 'fileId' | 'reason' | 'attempts'>,
    priority: Priority,
    signal: AbortSignal,
  ): Promise<RemovalResult>
  /** Whether this file's DELETE request is in flight. */
  isSending(fileId: number): boolean
  /**
   * Carries out the deletions that are due. Returns when to call again (epoch milliseconds), or null if none
   * is left.
   */
  removals(signal: AbortSignal): Promise<number | null>
  /**
   * When the last finished walk of the whole list began, in epoch milliseconds; null if none has finished.
   */
  asOf(): number | null
  /** Progress of the first read of the whole list; null if it has finished or hasn't begun. */
  progress(): ListProgress | null
  /** Discards everything known about the files and the list. Call when the account changes. */
  reset(): void
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { clock, calls, journal } = options
  const { remote } = journal
  const store = new CatalogStore(options)
  const single = new KnownFiles({ ...options, store })
  const listing = new Listing({ ...options, single }, store)
  const removals = new RemovalRunner({ ...options, single })
  return {
    readForComparison: (part, onPage, signal) => listing.readForComparison(part, onPage, signal),
    refresh: (priority, signal, pace) => listing.refresh(priority, signal, pace),
    newest: (since, signal, pace) => listing.newest(since, signal, pace),
    ways: () => listing.ways(),
    habits: () => listing.habits(),
    setHabits: (habits) => listing.setHabits(habits),
    list: (page, limit, priority, signal, maxWaitMs) =>
      readPage(calls, page, limit, priority, signal, maxWaitMs),
    file: (fileId, priority, signal, maxWaitMs) => single.file(fileId, priority, signal, maxWaitMs),
    complete: async (receipt, signal) => {
      const { fileId, publicLink } = receipt
      // A walk that began before the receipt came, for another upload, may have passed the place where this
      // file is now.
      if (fileId === null && publicLink !== null && remote.byLink(publicLink) === null)
        await listing.readWhole('watched', signal, undefined, () => undefined, clock.now())
      return single.complete(receipt, signal)
    },
    linkShows: (fileId, signal) => single.linkShows(fileId, signal),
    beside: (files, signal) => single.beside(files, signal),
    confirm: (rows, isPrompt) => single.confirm(rows, isPrompt),
    carry: (removal, priority, signal) => removals.carry(removal, priority, signal),
    isSending: (fileId) => removals.isSending(fileId),
    removals: (signal) => removals.round(signal),
    asOf: () => listing.asOf(),
    progress: () => listing.progress(),
    reset: () => {
      listing.reset()
      store.reset()
      remote.forgetLooks()
      remote.forgetFiles()
      remote.forgetCounts()
      remote.forgetFigures()
    },
  }
}
