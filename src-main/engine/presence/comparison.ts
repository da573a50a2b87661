// Compares files that may have been sent without this journal's knowledge (gap.ts) with those on the service. The list is read first. A
// file whose size matches no remote file may then be sent at once. If a remote file has the same content, the transfer adopts that file.
import type { Gate } from '../../../src-shared/model.ts'
import type { RemoteFile } from '../../api/types.ts'
import type { Bus } from '../bus.ts'
import type { WatchedFolders } from '../discovery/folder/watched-folders.ts'
import type { RemoteEntry } from '../journal/remote.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { writeTrouble } from '../journal/write-trouble.ts'
import type { Ports } from '../ports.ts'
import type { Catalog } from '../remote/catalog.ts'
import { ContentComparison, type ContentComparisonOptions, type Unread } from './comparison-content.ts'
import { ComparisonList, type ComparisonListOptions } from './comparison-list.ts'
import { ComparisonNeed, mayBeSent } from './gap.ts'
import { nameMatch } from './match.ts'

/** Number of files compared concurrently. */
const MAX_JOBS = 4
/** Delay before a file is compared again after its comparison threw. The delay is long, because every comparison reads the file. */
const FAILED_RETRY_MS = 30_000

/** How a transfer gets a remote file that has its content. `isOlder`: other people may have its link. */
interface Found {
  readonly sha256: string
  readonly adopted: true
  readonly sent: false
  readonly isOlder: true
  readonly server: null
}

export interface ComparisonOptions extends ComparisonListOptions, Omit<ContentComparisonOptions, 'isOpen'> {
  readonly ports: Ports
  readonly transfers: ContentComparisonOptions['transfers']
  readonly remote: ContentComparisonOptions['remote']
  readonly likes: ContentComparisonOptions['likes']
  readonly limits: ComparisonListOptions['limits'] & ContentComparisonOptions['limits']
  readonly catalog: Pick<Catalog, 'file' | 'readForComparison' | 'complete'>
  readonly folders: Pick<WatchedFolders, 'isOpen' | 'ended'>
  /** Confirms or ends transfers (transfer/propagator.ts). */
  readonly propagator: {
    finish(row: TransferRow, file: RemoteFile, how: Found): Promise<void>
    unread(row: TransferRow, why: Unread): Promise<void>
  }
  readonly bus: Pick<Bus, 'changed' | 'touched'>
  /** Called when a comparison failed because the journal couldn't be written. */
  readonly journalFailed: (error: unknown) => void
}

export class Comparison {
  readonly #options: ComparisonOptions
  readonly #need: ComparisonNeed
  readonly #list: ComparisonList
  readonly #content: ContentComparison
  /** Transfers that are being compared, or wait to be. */
  readonly #pending = new Set<number>()
  readonly #queue: number[] = []
  readonly #jobs = new Set<Promise<void>>()

  constructor(options: ComparisonOptions) {
    const { ports, past, folders } = options
    this.#options = options
    this.#need = new ComparisonNeed(ports.clock, past)
    this.#list = new ComparisonList(options)
    this.#content = new ContentComparison({ ...options, isOpen: (folderId) => folders.isOpen(folderId) }, this.#need)
  }

  /**
   * Whether the row may be sent now. If it has to be compared before that, starts the comparison or, if the list hasn't been read yet,
   * starts reading the list. Calls `moved` when there is progress, so that the caller can ask again.
   */
  mayGo(row: TransferRow): boolean {
    const { db, past } = this.#options
    if (!this.#need.isNeeded(row)) return true
    if (this.#pending.has(row.id)) return false
    const walk = past.get()?.walk
    if (walk === 'whole' && this.#list.totalFiles() === 0) {
      db.tx(() => past.close())
      return true
    }
    if (walk !== 'done') {
      this.#list.ask()
      return false
    }
    if (this.#content.alike(row).length === 0) {
      this.#need.clear(row)
      return true
    }
    this.#pending.add(row.id)
    this.#queue.push(row.id)
    this.#changed(row.id)
    this.#work()
    return false
  }

  /** Whether a version that isn't queued would have to be compared with a file on the service whose name fits. Starts nothing. */
  isForeseen(entry: { readonly name: string; readonly size: number; readonly mtime: number }): boolean {
    const { past, ports, remote, sendName } = this.#options
    const gap = past.get()
    if (gap === null || !mayBeSent(gap, entry.mtime, ports.clock.now())) return false
    const name = sendName(entry)
    return this.#content.alike({ ...entry, id: 0 }).some((id) => {
      const match = nameMatch(name, remote.get(id)?.filename ?? null)
      return match === 'exact' || match === 'loose'
    })
  }

  /** Whether the row has to be compared before it is sent. Starts nothing. */
  isNeeded(row: TransferRow): boolean {
    return this.#need.isNeeded(row)
  }

  /** Whether the transfer is being compared, or waits to be. */
  isPending(id: number): boolean {
    return this.#pending.has(id)
  }

  /** What holds back every file that has to be compared; null if nothing does. */
  gate(): Gate | null {
    return this.#list.gate()
  }

  /** The message for a row that is being compared. */
  message(): string {
    const files = this.#list.listedFiles()
    return `Comparing with the ${files === 1 ? 'file' : `${files.toLocaleString('en')} files`} on the service.`
  }

  /** Discards everything known about the old account. Call when the account changes. */
  reset(): void {
    const { db, likes } = this.#options
    // Comparisons in progress end on their own, because the old account's signal (`tenure`) has aborted.
    for (const id of this.#queue.splice(0)) this.#pending.delete(id)
    this.#need.reset()
    this.#content.reset()
    this.#list.reset()
    db.tx(() => likes.reset())
  }

  /** Resolves once nothing is running; after that, the journal can be closed. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#jobs, this.#list.settled()])
  }

  #work(): void {
    const { moved, stop } = this.#options
    while (this.#jobs.size < MAX_JOBS && !stop.aborted) {
      const id = this.#queue.shift()
      if (id === undefined) return
      const job = this.#compare(id)
        .catch((error: unknown) => {
          if (!stop.aborted) this.#failed(id, error)
        })
        .finally(() => {
          this.#jobs.delete(job)
          if (stop.aborted) return
          this.#work()
          moved()
        })
      this.#jobs.add(job)
    }
  }

  /** Leaves the file pending for a while after its comparison threw. */
  #failed(id: number, error: unknown): void {
    const { ports, journalFailed } = this.#options
    if (writeTrouble(error) !== null) journalFailed(error)
    else ports.log.error('compare.defect', { id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    this.#againIn(FAILED_RETRY_MS, id)
  }

  #againIn(ms: number, id: number): void {
    const { ports, moved } = this.#options
    ports.clock.after(Math.max(1, ms), () => {
      this.#pending.delete(id)
      moved()
    })
  }

  async #compare(id: number): Promise<void> {
    const { ports, transfers, propagator, tenure, stop } = this.#options
    const row = transfers.get(id)
    if (row !== null && row.state === 'queued' && this.#need.isNeeded(row)) {
      const signal = AbortSignal.any([stop, tenure()])
      const found = await this.#content.compare(row, signal)
      const compared = signal.aborted ? 'over' : found
      if (typeof compared === 'object' && 'again' in compared) {
        this.#againIn(compared.again - ports.clock.now(), id)
        return
      }
      // The transfer of an unreadable file fails or is deferred here. `clear` isn't called, because the file would then be sent without a
      // comparison once it can be read.
      if (typeof compared === 'object' && 'unread' in compared) await propagator.unread(row, compared.unread)
      else if (compared === 'absent') this.#need.clear(row)
      else if (compared !== 'over') await this.#adopt(row, compared.found, compared.sha256, signal)
    }
    this.#content.forget(id)
    this.#pending.delete(id)
    this.#changed(id)
  }

  async #adopt(row: TransferRow, file: RemoteEntry, sha256: string, signal: AbortSignal): Promise<void> {
    const { ports, catalog, propagator, folders } = this.#options
    const whole = await catalog.complete(file, signal)
    if (signal.aborted) return
    ports.log.info('compare.adopted', { id: row.id, fileId: file.fileId })
    // Other people may have this link, so the remote file is deleted only if the user asks for it, not when a newer version replaces it.
    await propagator.finish(row, whole, { sha256, adopted: true, sent: false, isOlder: true, server: null })
    folders.ended(row, row.folderId)
  }

  #changed(id: number): void {
    this.#options.bus.changed(id)
    this.#options.bus.touched()
  }
}
