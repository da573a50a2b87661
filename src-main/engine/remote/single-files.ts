// Requests single remote files: for missing fields, for download counts, or to find out whether they are gone. Completes receipts that lack
// the link or the ID. A 404 proves absence only on a service that has answered for a single file before.
import type { RemoteFile } from '../../api/types.ts'
import { byNewestId } from '../journal/file-ids.ts'
import type { Database } from '../journal/open.ts'
import type { Remote, RemoteEntry } from '../journal/remote.ts'
import type { Priority } from '../limits/requests/budget.ts'
import type { Clock } from '../ports.ts'
import type { CatalogStore } from './catalog-store.ts'
import { walkList } from './list-walk.ts'
import { CAPACITY_WAIT_MS, type Listing, unsent } from './listing.ts'
import { type CallResult, type Calls, isAboutOther, isGone, SWITCHED } from './requests.ts'

/**
 * If no listed file shows the link, this many of the newest files are considered, and those whose links are unknown are requested
 * individually.
 */
const NEWEST_FILES = 20

/**
 * To find out whether a file is gone, the whole list is read if fewer than SHORT_LIST files are known and the last walk took at most
 * SHORT_LIST_PAGES requests.
 */
const SHORT_LIST = 100
const SHORT_LIST_PAGES = 2

export interface SingleFilesOptions {
  readonly clock: Clock
  readonly db: Database
  readonly remote: Remote
  readonly calls: Calls
}

export class SingleFiles {
  readonly #options: SingleFilesOptions
  readonly #store: CatalogStore
  readonly #listing: Listing

  constructor(options: SingleFilesOptions, store: CatalogStore, listing: Listing) {
    this.#options = options
    this.#store = store
    this.#listing = listing
  }

  async file(fileId: number, priority: Priority, signal: AbortSignal, maxWaitMs = CAPACITY_WAIT_MS): Promise<CallResult<RemoteFile>> {
    const { clock, db, remote, calls } = this.#options
    const tenure = calls.tenure()
    const wasKnown = this.#isKnown(fileId)
    const got = await this.#ask(fileId, priority, signal, maxWaitMs)
    if (tenure.aborted) return SWITCHED
    if (got.ok) {
      db.tx(() => {
        this.#store.put({ ...got.value, fileId }, clock.now(), false)
        remote.setAsked(fileId, clock.now())
      })
      this.#store.found(fileId)
      this.#store.reportFirstDownloads()
      this.#noteAnswered()
    } else if (isGone(got.failure)) {
      if (wasKnown) this.#store.notFound(fileId)
      const isProof = await this.#answersForSingleFiles(fileId, priority, signal, maxWaitMs)
      if (tenure.aborted) return SWITCHED
      // If the file wasn't known before the request, an upload may have received this ID since. The 404 says nothing about that upload.
      if (!wasKnown) return got
      db.tx(() => (isProof ? remote.markGone(fileId, clock.now()) : remote.setAsked(fileId, clock.now())))
    } else if (isAboutOther(got.failure)) db.tx(() => remote.setAsked(fileId, clock.now()))
    return got
  }

  /**
   * Fills in a missing link or file ID from the service, or from the cached list. Returns the receipt unchanged if neither provides it.
   */
  async complete(receipt: RemoteFile, signal: AbortSignal): Promise<RemoteFile> {
    if (receipt.fileId !== null && receipt.publicLink !== null) return receipt
    if (receipt.fileId !== null) {
      const got = await this.file(receipt.fileId, 'watched', signal)
      return got.ok ? { ...receipt, publicLink: got.value.publicLink, filename: receipt.filename ?? got.value.filename } : receipt
    }
    const known = receipt.publicLink === null ? null : this.#options.remote.byLink(receipt.publicLink)
    if (known !== null) return { ...receipt, fileId: known.fileId }
    const found = await this.#findByLink(receipt.publicLink, signal)
    return found === null ? receipt : { ...receipt, fileId: found.fileId, filename: receipt.filename ?? found.filename }
  }

  reset(): void {
    this.#options.remote.facts.set('single-files', null)
  }

  async #findByLink(link: string | null, signal: AbortSignal): Promise<RemoteFile | RemoteEntry | null> {
    const result = await walkList({
      habits: this.#listing.habits(),
      fetch: async (page, limit) => {
        const got = await this.#listing.page(page, limit, 'watched', signal)
        return got.ok ? got : { ok: false, failure: unsent(got.failure) }
      },
    })
    if (!result.ok) return null
    const { files, habits } = result.walk
    this.#listing.setHabits(habits)
    const listed = files.find((f) => f.publicLink === link && f.fileId !== null)
    if (listed !== undefined) return listed
    for (const f of files.toSorted((a, b) => byNewestId(a.fileId ?? 0, b.fileId ?? 0)).slice(0, NEWEST_FILES)) {
      if (f.fileId === null || f.publicLink !== null || this.#options.remote.get(f.fileId)?.publicLink != null) continue
      const got = await this.file(f.fileId, 'watched', signal)
      if (got.ok && got.value.publicLink === link) return { ...got.value, fileId: f.fileId }
    }
    return null
  }

  /**
   * Whether a 404 for the file `except` proves that the file is gone. A service that doesn't answer requests for single files returns 404
   * for every one of them. With priority `person`, may request another file, or read a short list, to find out.
   */
  async #answersForSingleFiles(except: number, priority: Priority, signal: AbortSignal, maxWaitMs: number): Promise<boolean> {
    const { remote, calls } = this.#options
    if (remote.facts.get('single-files') !== null) return true
    if (priority !== 'person') return false
    const known = remote.live(null, SHORT_LIST)
    const witness = known.find((row) => row.fileId !== except)
    if (witness !== undefined) {
      const tenure = calls.tenure()
      const got = await this.#ask(witness.fileId, priority, signal, maxWaitMs)
      if (tenure.aborted) return false
      if (got.ok) this.#noteAnswered()
      if (got.ok || !isGone(got.failure)) return got.ok
      this.#store.notFound(witness.fileId)
    }
    // Requests for single files can't settle this. If the list is short, reading it shows whether the file is gone. If it was never read,
    // it may be long even though few files are known.
    const pages = this.#listing.asOf() === null ? null : this.#listing.ways()?.pages
    if (known.length < SHORT_LIST && pages != null && pages <= SHORT_LIST_PAGES)
      await this.#listing.readWhole('person', signal, undefined, () => undefined)
    return false
  }

  #isKnown(fileId: number): boolean {
    const entry = this.#options.remote.get(fileId)
    return entry !== null && entry.goneAt === null
  }

  #ask(fileId: number, priority: Priority, signal: AbortSignal, maxWaitMs: number): Promise<CallResult<RemoteFile>> {
    return this.#options.calls.run({ kind: 'file', priority, maxWaitMs, signal }, (api, s) => api.file(fileId, s))
  }

  #noteAnswered(): void {
    const { facts } = this.#options.remote
    if (facts.get('single-files') === null) facts.set('single-files', true)
  }
}
