// Stores remote files from responses in the cached list, except recently deleted ones that the service
// still shows. Reports first downloads, and passes on dates from which the service's time zone is learned.
import type { RemoteFile } from '../../api/types.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { Journal } from '../journal/journal.ts'
import { isOtherFile } from '../journal/remote-list.ts'
import type { Clock } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'

/**
 * How long a list may still show a deleted file, because it was read during the deletion or comes from a
 * stale replica.
 */
const STALE_LIST_MS = 10 * 60_000

export interface CatalogStoreOptions {
  readonly clock: Clock
  readonly journal: Pick<Journal, 'remote' | 'owners' | 'transfers'>
  readonly limits: Pick<UploadLimits, 'learnDate'>
  readonly bus: Pick<Bus, 'emit'>
}

export class CatalogStore {
  readonly #options: CatalogStoreOptions
  /** The names of files that were downloaded for the first time; null if unknown. */
  #firsts: (string | null)[] = []

  constructor(options: CatalogStoreOptions) {
    this.#options = options
  }

  /**
   * Stores a file that the service shows, unless it was deleted recently: the response may be older than the
   * deletion. A file that has been given the ID of the deleted one is stored. Call inside a transaction.
   */
  put(file: RemoteFile & { readonly fileId: number }, at: number, isListed: boolean): void {
    const { journal, limits } = this.#options
    const { remote } = journal
    const deletedAt = remote.deletedAt(file.fileId)
    const isStale = deletedAt !== null && at - deletedAt < STALE_LIST_MS
    if (isStale && !isOtherFile(remote.get(file.fileId), file.publicLink)) return
    const { first, goneAt } = remote.put(file, at, isListed)
    // The service has answered that it deleted the file, or it was proved to be gone, and is shown again long
    // after any stale list.
    if (isListed && goneAt != null && at - goneAt >= STALE_LIST_MS) this.#shownAgain(file.fileId, at)
    if (first) this.#firsts.push(file.filename ?? remote.get(file.fileId)?.filename ?? null)
    if (file.uploadDate !== null) limits.learnDate(file.fileId, file.uploadDate)
  }

  /** Reports the first downloads seen since the last call, all at once. Call after the transaction. */
  reportFirstDownloads(): void {
    const firsts = this.#firsts
    this.#firsts = []
    if (firsts.length === 0) return
    const name = firsts[0] ?? 'a file'
    // Many first downloads may appear at once if the list hasn't been read for a long time.
    const title =
      firsts.length === 1
        ? `First download of ${name}`
        : `First downloads of ${name} and ${firsts.length - 1} more`
    const about = { what: 'first-download', name, count: firsts.length } as const
    this.#options.bus.emit({ kind: 'notice', level: 'info', title, hint: null, about })
  }

  /** Forgets unreported first downloads. Call when the account changes. */
  reset(): void {
    this.#firsts = []
  }

  /** Queues a deletion again that the service has only claimed to carry out. Call inside a transaction. */
  #shownAgain(fileId: number, at: number): void {
    const { owners, transfers, remote } = this.#options.journal
    const ended = owners.isFree(fileId) ? transfers.byFileId(fileId)?.ended : null
    if (ended === 'deleted' || ended === 'replaced')
      remote.addRemoval(fileId, ended === 'deleted' ? 'asked' : 'replaced', at)
  }
}
