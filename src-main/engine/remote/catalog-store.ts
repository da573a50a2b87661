// Stores remote files from responses in the cached list, except recently deleted ones that a listing still
// shows. Reports first downloads, and passes on dates from which the service's time zone is learned.
import type { RemoteFile } from '../../api/types.ts'
import { isOtherFile } from '../journal/catalog-rows.ts'
import type { Remote } from '../journal/remote.ts'
import type { Clock } from '../ports.ts'

/**
 * How long a list may still show a deleted file, because it was read during the deletion or comes from a
 * stale replica.
 */
const STALE_LIST_MS = 10 * 60_000
/** Maximum number of remembered deletions. If there are more, all are forgotten. */
const DELETED_KEPT = 10_000

export interface FirstDownload {
  readonly fileId: number
  readonly filename: string | null
}

export interface CatalogStoreOptions {
  readonly clock: Clock
  readonly remote: Remote
  /** Called with the upload date of a file, as the service shows it. */
  readonly learnDate: (fileId: number, shown: string) => void
  /** Called with a file that counted as gone and is listed again. Inside a transaction. */
  readonly shownAgain: (fileId: number, at: number) => void
  /** Called with files that were downloaded for the first time. */
  readonly firstDownloads: (files: readonly FirstDownload[]) => void
}

export class CatalogStore {
  readonly #options: CatalogStoreOptions
  #firsts: FirstDownload[] = []
  /** When this process deleted each file, in epoch milliseconds, by file ID. */
  readonly #deletedAt = new Map<number, number>()

  constructor(options: CatalogStoreOptions) {
    this.#options = options
  }

  /**
   * Stores a file, unless it comes from a listing (`isListed`) and was deleted recently: the listing may be
   * older than the deletion. A file that has been given the ID of the deleted one is stored. Call inside a
   * transaction.
   */
  put(file: RemoteFile & { readonly fileId: number }, at: number, isListed: boolean): void {
    const { remote } = this.#options
    const deletedAt = this.#deletedAt.get(file.fileId)
    const isStale = isListed && deletedAt !== undefined && at - deletedAt < STALE_LIST_MS
    if (isStale && !isOtherFile(remote.get(file.fileId), file.publicLink)) return
    const { first, goneAt } = remote.put(file, at, isListed)
    // The service has answered that it deleted the file, or it was proved to be gone, and is shown again long
    // after any stale list.
    if (isListed && goneAt != null && at - goneAt >= STALE_LIST_MS) this.#options.shownAgain(file.fileId, at)
    if (first) {
      this.#firsts.push({
        fileId: file.fileId,
        filename: file.filename ?? remote.get(file.fileId)?.filename ?? null,
      })
    }
    if (file.uploadDate !== null) this.#options.learnDate(file.fileId, file.uploadDate)
  }

  /** Reports the first downloads seen since the last call, all at once. Call after the transaction. */
  reportFirstDownloads(): void {
    const firsts = this.#firsts
    this.#firsts = []
    if (firsts.length > 0) this.#options.firstDownloads(firsts)
  }

  /**
   * Forgets unreported first downloads and recent deletions. Call when the account changes, because the same
   * IDs then mean other files.
   */
  reset(): void {
    this.#firsts = []
    this.#deletedAt.clear()
  }

  deleted(fileId: number): void {
    if (this.#deletedAt.size > DELETED_KEPT) this.#deletedAt.clear()
    this.#deletedAt.set(fileId, this.#options.clock.now())
  }
}
