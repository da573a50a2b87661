// The cached remote list as the engine sees it: refreshed within the budget (listing.ts), completed where the list leaves fields out
// (single-files.ts), and the deletions that are still to be done (removals.ts). The service is the truth.
import type { ListProgress } from '../../../src-shared/model.ts'
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { RemovalRow } from '../journal/remote.ts'
import type { Priority } from '../limits/budget.ts'
import type { ListWays } from './background-jobs.ts'
import { CatalogStore, type CatalogStoreOptions } from './catalog-store.ts'
import type { ListHabits } from './list-walk.ts'
import { type HeldFiles, Listing, type ListingOptions, type Pace } from './listing.ts'
import { type RemovalResult, RemovalRunner, type RemovalsOptions } from './removals.ts'
import type { CallResult } from './requests.ts'
import { SingleFiles } from './single-files.ts'

export type CatalogOptions = CatalogStoreOptions & ListingOptions & RemovalsOptions

export interface Catalog {
  /**
   * Reads all of the list, or what came after the newest file that is known, and waits for capacity; `onPage` is called with the number of
   * files on each page. `isComplete`: nothing of that part can be missing.
   */
  readForComparison(
    part: { readonly newerThan: number | null; readonly since: number; readonly priority: Priority },
    onPage: (files: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<{ readonly isComplete: boolean }>>
  /** Reads the whole list; returns the number of files. With a `pace`, it gives way unless a user waits for it. */
  refresh(priority: Priority, signal: AbortSignal, pace?: Pace): Promise<CallResult<number>>
  /** Reads the part of the list with the files uploaded since then (on the service's own time line). */
  newest(since: number, signal: AbortSignal, pace: Pace): Promise<CallResult<number>>
  /** How the list behaves; null: not read yet. */
  ways(): ListWays | null
  /** What walks of the list have learned about its pages. */
  habits(): ListHabits
  setHabits(habits: ListHabits): void
  list(page: number, limit: number, priority: Priority, signal: AbortSignal, maxWaitMs?: number): Promise<CallResult<ListPage>>
  file(fileId: number, priority: Priority, signal: AbortSignal, maxWaitMs?: number): Promise<CallResult<RemoteFile>>
  /** Completes a receipt that lacks link or id, where the service shows them. */
  complete(file: RemoteFile, signal: AbortSignal): Promise<RemoteFile>
  /**
   * Carries out one deletion that is queued. `kept`: the file found an owner meanwhile, and stays. A failure leaves it queued, to be tried
   * again later.
   */
  carry(removal: Pick<RemovalRow, 'fileId' | 'reason' | 'attempts'>, priority: Priority, signal: AbortSignal): Promise<RemovalResult>
  /** Its DELETE is in flight. */
  isSending(fileId: number): boolean
  /** Carries out deletions that are due. Returns when to come again, null if none is left. */
  removals(signal: AbortSignal): Promise<number | null>
  /** When the last whole list was read, null: never. */
  asOf(): number | null
  /** How far the first reading of the whole list is; null: it was read once, or is not begun. */
  progress(): ListProgress | null
  /** Call when the account changes: discards everything known about the old one. */
  reset(): void
  /** What the last whole list held; null where no complete one was read. */
  held(): HeldFiles | null
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { remote } = options
  const store = new CatalogStore(options)
  const listing = new Listing(options, store)
  const single = new SingleFiles(options, store, listing)
  const removals = new RemovalRunner(options, store)
  return {
    readForComparison: (part, onPage, signal) => listing.readForComparison(part, onPage, signal),
    refresh: (priority, signal, pace) => listing.refresh(priority, signal, pace),
    newest: (since, signal, pace) => listing.newest(since, signal, pace),
    ways: () => listing.ways(),
    habits: () => listing.habits(),
    setHabits: (habits) => listing.setHabits(habits),
    list: (page, limit, priority, signal, maxWaitMs) => listing.page(page, limit, priority, signal, maxWaitMs),
    file: (fileId, priority, signal, maxWaitMs) => single.file(fileId, priority, signal, maxWaitMs),
    complete: (receipt, signal) => single.complete(receipt, signal),
    carry: (removal, priority, signal) => removals.carry(removal, priority, signal),
    isSending: (fileId) => removals.isSending(fileId),
    removals: (signal) => removals.round(signal),
    asOf: () => listing.asOf(),
    held: () => listing.held(),
    progress: () => listing.progress(),
    reset: () => {
      listing.reset()
      single.reset()
      remote.forgetLooks()
      remote.forgetFiles()
      remote.forgetCounts()
    },
  }
}
