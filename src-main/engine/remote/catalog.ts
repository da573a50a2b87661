// The engine's access to what the service stores: combines reading the list (listing.ts), requesting single
// files (presence/known-files.ts) and carrying out queued deletions (removals.ts). Responses are stored in
// the cached list (catalog.ts).

import type { ListProgress } from '../../../src-shared/model.ts'
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { Priority } from '../budget/budget.ts'
import type { RemovalRow } from '../journal/remote.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { ListWays } from './background-jobs.ts'
import { CatalogStore, type CatalogStoreOptions } from './catalog-store.ts'
import type { ListHabits } from './list-walk.ts'
import { type HeldFiles, Listing, type ListingOptions, type Pace } from './listing.ts'
import { type RemovalResult, RemovalRunner, type RemovalsOptions } from './removals.ts'
import type { CallResult } from './requests.ts'

/** Asks the service for files that are known, and judges whether they are there (presence/known-files.ts). */
export interface SingleFiles extends Pick<RemovalsOptions, 'isThere'>, Pick<ListingOptions, 'lives'> {
  file(
    fileId: number,
    priority: Priority,
    signal: AbortSignal,
    maxWaitMs?: number,
  ): Promise<CallResult<RemoteFile>>
  /**
   * Returns the receipt with its missing link or ID filled in if the service shows them, otherwise unchanged.
   */
  complete(file: RemoteFile, signal: AbortSignal): Promise<RemoteFile>
  /** Asks whether the files of these uploads still exist (see `KnownFiles.confirm`). */
  confirm(rows: readonly (Pick<TransferRow, 'fileId' | 'doneAt'> | null)[], isPrompt?: boolean): Promise<void>
}

export interface CatalogOptions
  extends CatalogStoreOptions,
    Omit<ListingOptions, 'lives'>,
    Omit<RemovalsOptions, 'file' | 'isThere'> {
  readonly singleFiles: (store: CatalogStore, listing: Listing) => SingleFiles
}

export interface Catalog extends Omit<SingleFiles, 'isThere' | 'lives'> {
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
  /** What the last complete list contained; null if none has been read. */
  held(): HeldFiles | null
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { remote } = options
  const store = new CatalogStore(options)
  const listing: Listing = new Listing({ ...options, lives: (fileIds) => single.lives(fileIds) }, store)
  const single = options.singleFiles(store, listing)
  const removals = new RemovalRunner(
    {
      ...options,
      file: (...asked) => single.file(...asked),
      isThere: (...asked) => single.isThere(...asked),
    },
    store,
  )
  return {
    readForComparison: (part, onPage, signal) => listing.readForComparison(part, onPage, signal),
    refresh: (priority, signal, pace) => listing.refresh(priority, signal, pace),
    newest: (since, signal, pace) => listing.newest(since, signal, pace),
    ways: () => listing.ways(),
    habits: () => listing.habits(),
    setHabits: (habits) => listing.setHabits(habits),
    list: (page, limit, priority, signal, maxWaitMs) =>
      listing.page(page, limit, priority, signal, maxWaitMs),
    file: (fileId, priority, signal, maxWaitMs) => single.file(fileId, priority, signal, maxWaitMs),
    complete: (receipt, signal) => single.complete(receipt, signal),
    confirm: (rows, isPrompt) => single.confirm(rows, isPrompt),
    carry: (removal, priority, signal) => removals.carry(removal, priority, signal),
    isSending: (fileId) => removals.isSending(fileId),
    removals: (signal) => removals.round(signal),
    asOf: () => listing.asOf(),
    held: () => listing.held(),
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
