// Asks the service for files that are known: for missing fields, for download counts, or to find out whether
// they are still there. A 404 or 410 is judged by presence/evidence.ts before a file counts as gone. Completes
// receipts that lack the link or the ID.
import type { RemoteFile } from '../../api/types.ts'
import type { Priority } from '../budget/budget.ts'
import type { Journal } from '../journal/journal.ts'
import { hasReplaced, type RemoteEntry } from '../journal/remote-list.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import { judgeMissing, type Missing, NEW_MS, type Verdict, YOUNG_MS } from '../presence/evidence.ts'
import { isStored } from '../tell/views.ts'
import type { Links } from './link-bytes.ts'
import type { CatalogStore } from './list-store.ts'
import {
  ABOUT_OTHER,
  CAPACITY_WAIT_MS,
  type CallResult,
  type Calls,
  isAboutOther,
  isGone,
  readPage,
  SWITCHED,
} from './requests.ts'

/**
 * Number of known files of which one is asked for as a witness, and of files on the first page of the list.
 */
const WITNESSES = 20
const WITNESS_PAGE = 100
/**
 * Maximum number of links to confirm per call. A folder of a thousand uploaded files isn't worth a thousand
 * requests; deleted files are also noticed when the list is read.
 */
const CONFIRMED_MAX = 20
/** Number of times that the link of a young file must be dead in a row. */
const YOUNG_LOOKS = 3
/** Number of links read at the same time, and how long a thousand files of a list may take. */
const LINKS_AT_ONCE = 8
const LINKS_MS = 10_000
/** A confirmed link isn't checked again within this time. */
const FRESH_MS = 60_000
/** The same for a file that the whole list lacks, because its link is read with each list. */
const UNLISTED_FRESH_MS = 3_600_000
/** Maximum number of remembered confirmations. If there are more, all are forgotten. */
const CONFIRMED_KEPT = 2000
/**
 * Maximum wait for the answers, because the user is waiting. Without an answer, the journal's state is used.
 */
const CONFIRM_MS = 3000
/**
 * Like `CONFIRM_MS`, for a command that only shows links. Such a command doesn't wait for the rate limit at
 * all.
 */
const PROMPT_MS = 1000

export interface KnownFilesOptions {
  readonly clock: Clock
  readonly journal: Pick<Journal, 'db' | 'remote' | 'transfers'>
  readonly calls: Calls
  readonly links: Pick<Links, 'shows' | 'hash'>
  readonly store: CatalogStore
  readonly stop: AbortSignal
}

export class KnownFiles {
  readonly #options: KnownFilesOptions
  readonly #startedAt: number
  /** When each file was last confirmed, in monotonic milliseconds. */
  readonly #confirmedAt = new Map<number, number>()
  /** The file that was shown last when another one wasn't. */
  #witness: number | null = null

  constructor(options: KnownFilesOptions) {
    this.#options = options
    this.#startedAt = options.clock.now()
  }

  /**
   * Asks for one file. If the service doesn't find a file that is known, marks it as gone once that is
   * proved; until then, the failure is `unproved`. If the service shows another file under its ID while its
   * link lives, the ID doesn't identify it, so the response counts as being about another file.
   */
  async file(
    fileId: number,
    priority: Priority,
    signal: AbortSignal,
    maxWaitMs = CAPACITY_WAIT_MS,
  ): Promise<CallResult<RemoteFile>> {
    const { clock, journal, calls, store } = this.#options
    const { db, remote } = journal
    const tenure = calls.tenure()
    const known = remote.get(fileId)
    const asked = await this.#ask(fileId, priority, signal, maxWaitMs)
    const isOther = asked.ok && (await this.#isOther(known, asked.value, signal))
    const got = isOther && (await this.linkShows(fileId, signal)) === 'lives' ? ABOUT_OTHER : asked
    if (tenure.aborted) return SWITCHED
    if (got.ok) {
      db.tx(() => {
        if (isOther) remote.markGone(fileId, clock.now())
        store.put({ ...got.value, fileId }, clock.now(), false)
        remote.setAsked(fileId, clock.now())
      })
      store.reportFirstDownloads()
      return got
    }
    if (isAboutOther(got.failure)) db.tx(() => remote.setAsked(fileId, clock.now()))
    // If the file wasn't known before the request, an upload may have received this ID since. The 404 says
    // nothing about that upload.
    if (!isGone(got.failure) || known === null || known.goneAt !== null) return got
    const verdict = await this.isThere(fileId, false, signal)
    if (tenure.aborted) return SWITCHED
    db.tx(() =>
      verdict === 'no' ? remote.markGone(fileId, clock.now()) : remote.setAsked(fileId, clock.now()),
    )
    return verdict === 'no' ? got : { ok: false, failure: { kind: 'unproved' } }
  }

  /**
   * Judges a 404 or 410 that the service has just answered for this file. `wasDeleted`: see `Missing`.
   * Requests only what can still change the verdict.
   */
  async isThere(fileId: number, wasDeleted: boolean, signal: AbortSignal): Promise<Verdict> {
    const { journal, links } = this.#options
    const { remote, transfers } = journal
    const own = transfers.byFileId(fileId)
    const entry = remote.get(fileId)
    const ageMs = this.#ageOf(entry?.firstSeen ?? null, own?.doneAt ?? null)
    const isYoung = ageMs !== null && ageMs < YOUNG_MS
    if (isYoung && ageMs < NEW_MS && !wasDeleted) return 'unknown'
    const publicLink = entry?.publicLink ?? null
    let link: Missing['link'] = publicLink === null ? 'unread' : 'dead'
    // The link of a young file may be answered by a replica that is behind.
    for (let i = 0; i < (isYoung ? YOUNG_LOOKS : 1) && link === 'dead' && publicLink !== null; i++)
      link = await links.shows({ fileId, publicLink }, own?.size ?? null, signal)
    const others = link === 'lives' ? 'none' : await this.#others(fileId, signal)
    return judgeMissing({ ageMs, link, others, wasDeleted })
  }

  /**
   * Returns those of these files, which the whole list lacks, whose links lead to what was uploaded: a
   * service that stores equal content only once lists another account's file for none of its later owners.
   * Asks for uploads of this journal only.
   */
  async lives(fileIds: readonly number[]): Promise<ReadonlySet<number>> {
    const { clock, journal, links, stop } = this.#options
    const { remote, transfers } = journal
    const found = new Set(fileIds.filter((fileId) => this.#isFresh(fileId, UNLISTED_FRESH_MS)))
    const late = new AbortController()
    const cancel = clock.after(LINKS_MS, () => late.abort())
    const signal = AbortSignal.any([late.signal, stop])
    const look = async (fileId: number): Promise<void> => {
      const own = transfers.byFileId(fileId)
      const publicLink = remote.get(fileId)?.publicLink ?? null
      if (own === null || publicLink === null || !(isStored(own) || remote.isRemoval(fileId))) return
      const isSeen =
        !signal.aborted && (await links.shows({ fileId, publicLink }, own.size, signal)) === 'lives'
      if (isSeen) this.#confirmed(fileId)
      // What couldn't be read in time is left to the next list.
      if (isSeen || signal.aborted) found.add(fileId)
    }
    const asked = fileIds.filter((fileId) => !found.has(fileId))
    for (let i = 0; i < asked.length; i += LINKS_AT_ONCE)
      await Promise.all(asked.slice(i, i + LINKS_AT_ONCE).map(look))
    cancel()
    return found
  }

  /**
   * Asks the service whether the rows' remote files still exist. Skips rows that were uploaded during this
   * run or confirmed within FRESH_MS, and asks about at most CONFIRMED_MAX files. Without a proof, nothing
   * changes. `isPrompt`: waits for a second at most, and not for the rate limit.
   */
  async confirm(
    rows: readonly (Pick<TransferRow, 'fileId' | 'doneAt'> | null)[],
    isPrompt = false,
  ): Promise<void> {
    const { clock, stop } = this.#options
    // A file that was uploaded during this run is unlikely to have been deleted elsewhere.
    const earlier = rows.flatMap((row) =>
      row?.fileId != null && (row.doneAt ?? 0) < this.#startedAt ? [row.fileId] : [],
    )
    const asked = [...new Set(earlier)]
      .filter((fileId) => !this.#isFresh(fileId, FRESH_MS))
      .slice(0, CONFIRMED_MAX)
    if (asked.length === 0) return
    const late = new AbortController()
    const cancel = clock.after(isPrompt ? PROMPT_MS : CONFIRM_MS, () => late.abort())
    const signal = AbortSignal.any([late.signal, stop])
    const answers = await Promise.all(
      asked.map((fileId) => this.file(fileId, 'person', signal, isPrompt ? 0 : CONFIRM_MS)),
    )
    cancel()
    for (const [i, fileId] of asked.entries()) if (answers[i]?.ok === true) this.#confirmed(fileId)
  }

  /**
   * Fills in a missing link or file ID from the service, or from the cached list. Returns the receipt
   * unchanged if neither provides it.
   */
  async complete(receipt: RemoteFile, signal: AbortSignal): Promise<RemoteFile> {
    if (receipt.fileId !== null && receipt.publicLink !== null) return receipt
    if (receipt.fileId !== null) {
      const got = await this.file(receipt.fileId, 'watched', signal)
      return got.ok
        ? { ...receipt, publicLink: got.value.publicLink, filename: receipt.filename ?? got.value.filename }
        : receipt
    }
    if (receipt.publicLink === null) return receipt
    const { remote } = this.#options.journal
    const found = remote.byLink(receipt.publicLink)
    return found === null
      ? receipt
      : { ...receipt, fileId: found.fileId, filename: receipt.filename ?? found.filename }
  }

  /** What the link that is known for this ID shows. */
  async linkShows(fileId: number, signal: AbortSignal): Promise<Missing['link']> {
    const { journal, links } = this.#options
    const known = journal.remote.get(fileId)
    if (known === null || known.publicLink === null) return 'unread'
    const size = journal.transfers.byFileId(fileId)?.size ?? known.size
    return links.shows({ fileId, publicLink: known.publicLink }, size, signal)
  }

  /**
   * Whether the service shows another file than the one that is known under this ID. If neither date, name
   * nor size distinguishes a new link from a new file, the bytes decide.
   */
  async #isOther(known: RemoteEntry | null, file: RemoteFile, signal: AbortSignal): Promise<boolean> {
    const { journal, links } = this.#options
    if (known === null || known.goneAt !== null || hasReplaced(known, file)) return hasReplaced(known, file)
    const { fileId } = known
    const { publicLink } = file
    if (known.publicLink === null || publicLink === null || known.publicLink === publicLink) return false
    const own = journal.transfers.byFileId(fileId)
    if ((known.uploadDate !== null && file.uploadDate !== null) || own === null || own.sha256 === null)
      return false
    const got = await links.hash({ fileId, publicLink }, (bytes) => bytes === own.size, signal)
    return typeof got === 'object' && got.sha256 !== own.sha256
  }

  /**
   * Returns those of these listed files that have the ID of another upload of ours whose link lives. Reads at
   * most `CONFIRMED_MAX` links.
   */
  async beside(files: readonly RemoteFile[], signal: AbortSignal): Promise<ReadonlySet<RemoteFile>> {
    const { remote, transfers } = this.#options.journal
    const found = new Set<RemoteFile>()
    let looks = 0
    for (const file of files) {
      const { fileId } = file
      if (fileId === null || looks === CONFIRMED_MAX || !hasReplaced(remote.get(fileId), file)) continue
      const own = transfers.byFileId(fileId)
      if (own === null || !isStored(own)) continue
      looks++
      if ((await this.linkShows(fileId, signal)) === 'lives') found.add(file)
    }
    return found
  }

  /**
   * Milliseconds since the earlier of two times; null if neither is known. After a clock rollback, the file
   * counts as new.
   */
  #ageOf(seenAt: number | null, doneAt: number | null): number | null {
    const at = Math.min(seenAt ?? Number.POSITIVE_INFINITY, doneAt ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(at) ? Math.max(0, this.#options.clock.now() - at) : null
  }

  /**
   * Asks for another file or, if the service doesn't show it, for the first page of the list, which may be
   * the whole list. If it isn't, asks for a file on it, because the known ones may all have been deleted.
   */
  async #others(fileId: number, signal: AbortSignal): Promise<Missing['others']> {
    const { journal, calls } = this.#options
    const { remote } = journal
    const known = [this.#witness, ...remote.live(null, WITNESSES).map((row) => row.fileId)].find(
      (id) => id !== null && id !== fileId,
    )
    if (await this.#isWitness(known, signal)) return 'lacks'
    const page = await readPage(calls, 1, WITNESS_PAGE, 'person', signal)
    if (!page.ok) return 'none'
    const { files, pagination } = page.value
    if (files.some((file) => file.fileId === fileId)) return 'shows'
    if (pagination.total !== null && pagination.total <= files.length) return 'lacks'
    return (await this.#isWitness(files.find((file) => file.fileId !== known)?.fileId, signal))
      ? 'lacks'
      : 'none'
  }

  async #isWitness(fileId: number | null | undefined, signal: AbortSignal): Promise<boolean> {
    const isShown = fileId != null && (await this.#ask(fileId, 'person', signal, CAPACITY_WAIT_MS)).ok
    if (isShown) this.#witness = fileId
    return isShown
  }

  #confirmed(fileId: number): void {
    if (this.#confirmedAt.size > CONFIRMED_KEPT) this.#confirmedAt.clear()
    this.#confirmedAt.set(fileId, this.#options.clock.mono())
  }

  #isFresh(fileId: number, ms: number): boolean {
    const at = this.#confirmedAt.get(fileId)
    return at !== undefined && this.#options.clock.mono() - at < ms
  }

  #ask(
    fileId: number,
    priority: Priority,
    signal: AbortSignal,
    maxWaitMs: number,
  ): Promise<CallResult<RemoteFile>> {
    return this.#options.calls.run({ kind: 'file', priority, maxWaitMs, signal }, (api, s) =>
      api.file(fileId, s),
    )
  }
}
