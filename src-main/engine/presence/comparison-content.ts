// Compares one local file with the remote files that have a matching size or its name, starting with the likeliest names. The bytes behind their public
// links decide. Reading links doesn't count towards the rate limit, and no link is read again once its hash is stored.

import { hashFile, sameVersion } from '../disk/content.ts'
import { byNewestId } from '../journal/file-ids.ts'
import type { Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote, RemoteEntry } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import type { UploadLimits } from '../limits/plan/upload-limits.ts'
import { DiskError, type DiskFailure, type Entry, type Ports } from '../ports.ts'
import type { Catalog } from '../remote/catalog.ts'
import { isAboutOther, isGone, isNotFound } from '../remote/requests.ts'
import type { FileOpens } from '../transfer/file-opens.ts'
import { type ComparisonNeed, versionKey } from './gap.ts'
import { type NameMatch, nameMatch, possibleShown, sizeCouldBe } from './match.ts'
import { COMPARE_MOST_BYTES, type RemoteBytes } from './remote-bytes.ts'

/** Number of retries while bytes on the service are temporarily unreadable. After that, the transfer is held. */
const TRIES = 8
const RETRY_MS = 1000
const RETRY_MAX_MS = 5 * 60_000
/** Number of times that reading a local file is retried before its transfer fails or waits. */
const LOCAL_TRIES = 3
/** Interval between attempts to read a file whose drive doesn't answer. */
const UNANSWERED_MS = 60_000
/** Interval at which a match is compared again while another pending file, whose name is exactly that of the remote file, may claim it. */
const RIVAL_MS = 200
const RIVAL_TRIES = 150
/** Tolerance for dates in an unknown time zone: time zones are up to 14 hours away from UTC, and clocks are off by minutes. */
const DATE_SLACK_MS = 15 * 3_600_000

const NAME_RANK: Readonly<Record<NameMatch, number>> = { exact: 0, loose: 1, unsaid: 2, no: 3 }

/**
 * Why the local file couldn't be compared. `failure`: the error that prevented reading it. `changed`: the version that the file has now;
 * null if unknown.
 */
export type Unread = { readonly failure: DiskFailure } | { readonly changed: Entry | null }

/**
 * `absent`: no remote file has this content; the upload may start. `over`: the comparison was aborted, or this version must no longer be
 * sent (it may be held now). `unread`: the local file couldn't be compared. `again`: when to compare again, in epoch milliseconds. `found`:
 * the remote file that has this content, and its hash.
 */
export type Compared =
  | 'absent'
  | 'over'
  | { readonly unread: Unread }
  | { readonly again: number }
  | { readonly found: RemoteEntry; readonly sha256: string }

/**
 * `same`: the remote file has this content, and belongs to no other transfer. `other`: it differs, belongs to another transfer, or was
 * deleted. `unread`: it may have this content, but can't be read. `later`: like `unread`, but it may be readable later.
 */
type Candidate = 'same' | 'other' | 'unread' | 'later'

export interface ContentComparisonOptions {
  readonly ports: Pick<Ports, 'clock' | 'hashing' | 'log'>
  readonly opens: Pick<FileOpens, 'diskOf' | 'isUnanswered'>
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Remote
  readonly likes: Likes
  readonly catalog: Pick<Catalog, 'file'>
  readonly bytes: Pick<RemoteBytes, 'read'>
  readonly limits: Pick<UploadLimits, 'unit' | 'sizesTell'>
  readonly sendName: (row: Pick<TransferRow, 'name'>) => string
  /** Whether transfers of this folder may be sent now. */
  readonly isOpen: (folderId: number | null) => boolean
}

export class ContentComparison {
  readonly #options: ContentComparisonOptions
  readonly #need: ComparisonNeed
  readonly #tries = new Map<number, number>()
  readonly #rivalTries = new Map<number, number>()
  /** Requests for the details of remote files, in progress or answered. Repeating them for each local file could use up the rate limits. */
  #asked = new Map<number, Promise<void>>()

  constructor(options: ContentComparisonOptions, need: ComparisonNeed) {
    this.#options = options
    this.#need = need
  }

  /** IDs of the remote files that may have this content: those of its size, and those of its name, because shown sizes may be others. */
  alike({ id, size, name }: Pick<TransferRow, 'id' | 'size' | 'name'>): readonly number[] {
    const { likes, limits, sendName } = this.#options
    return likes.alike(size, possibleShown(size, limits.unit()), sendName({ name }), id)
  }

  /** Looks for the file's content on the service. Stores nothing more once `signal` has aborted. */
  async compare(row: TransferRow, signal: AbortSignal): Promise<Compared> {
    const { db, transfers, ports } = this.#options
    const files = await this.#candidates(row, signal)
    if (this.#isOver(row, signal)) return 'over'
    if (files.length === 0) return 'absent'
    if (row.size > COMPARE_MOST_BYTES)
      return this.#hold(row, `${count(files.length)} of this size may be this one, uploaded before; over 512 MiB is not compared.`)
    const sha256 = await this.#localHash(row, signal)
    if (this.#isOver(row, signal)) return 'over'
    if (typeof sha256 !== 'string' && this.#options.opens.isUnanswered(row)) return { again: ports.clock.now() + UNANSWERED_MS }
    if (typeof sha256 !== 'string') return (this.#tries.get(row.id) ?? 0) < LOCAL_TRIES ? this.#again(row) : { unread: sha256 }
    if (row.sha256 !== sha256) await db.soon(() => transfers.intentHash(row.id, sha256))
    let unread = 0
    let isLater = false
    for (const file of files) {
      const candidate = await this.#compareWith(row, file, sha256, signal)
      if (candidate === null || this.#isOver(row, signal)) return 'over'
      if (candidate === 'same') {
        if (!this.#hasRival(row, file, sha256)) return { found: file, sha256 }
        this.#rivalTries.set(row.id, (this.#rivalTries.get(row.id) ?? 0) + 1)
        return { again: this.#options.ports.clock.now() + RIVAL_MS }
      }
      if (candidate === 'other') continue
      unread++
      isLater ||= candidate === 'later'
    }
    if (unread === 0) return 'absent'
    if (isLater && (this.#tries.get(row.id) ?? 0) < TRIES) return this.#again(row)
    return this.#hold(row, `${count(unread)} on the service may be this one, and the bytes can't be compared.`)
  }

  /** Resets a transfer's counts of attempts. Call when its comparison is over. */
  forget(id: number): void {
    this.#tries.delete(id)
    this.#rivalTries.delete(id)
  }

  reset(): void {
    this.#tries.clear()
    this.#rivalTries.clear()
    this.#asked = new Map()
  }

  /** The remote files that may have this content, the likeliest names first. Requests details of those whose size or link is missing. */
  async #candidates(row: TransferRow, signal: AbortSignal): Promise<readonly RemoteEntry[]> {
    const { remote, sendName } = this.#options
    const out: RemoteEntry[] = []
    for (const id of this.alike(row)) {
      let file = remote.get(id)
      if (file === null || file.goneAt !== null) continue
      if (file.size === null || file.publicLink === null) {
        await this.#ask(id, signal)
        if (signal.aborted) return []
        file = remote.get(id)
      }
      if (file === null || file.goneAt !== null) continue
      out.push(file)
    }
    const name = sendName(row)
    return out
      .map((file) => ({ file, rank: NAME_RANK[nameMatch(name, file.filename)] }))
      .toSorted((a, b) => a.rank - b.rank || byNewestId(a.file.fileId, b.file.fileId))
      .map(({ file }) => file)
  }

  /** Requests the details of a remote file, unless the service has answered about it before, if only that it doesn't know its ID. */
  #ask(fileId: number, signal: AbortSignal): Promise<void> {
    const asked = this.#asked
    const known = asked.get(fileId)
    if (known !== undefined) return known
    let isAnswered = false
    const asking = this.#options.catalog
      .file(fileId, 'watched', signal)
      .then((got) => {
        isAnswered = got.ok || isNotFound(got.failure) || isAboutOther(got.failure)
      })
      .finally(() => {
        if (!isAnswered) asked.delete(fileId)
      })
    asked.set(fileId, asking)
    return asking
  }

  /** Compares the local file with one remote file. Returns null if the comparison is over; see `#isOver`. */
  async #compareWith(row: TransferRow, file: RemoteEntry, sha256: string, signal: AbortSignal): Promise<Candidate | null> {
    const got = await this.#options.bytes.read(file, row.size, signal)
    if (this.#isOver(row, signal)) return null
    if (typeof got === 'object') {
      if (got.sha256 !== sha256 || got.bytes !== row.size) return 'other'
      // The remote file may belong to another transfer, which may have adopted it during this comparison.
      return this.#options.transfers.isReceipt(file.fileId, row.id) ? 'other' : 'same'
    }
    if (!this.#couldBe(row, file)) return 'other'
    if (got === 'later') return 'later'
    return this.#isDead(file, signal)
  }

  async #localHash(row: TransferRow, signal: AbortSignal): Promise<string | Unread> {
    const { ports, opens } = this.#options
    try {
      const hashed = await hashFile(opens.diskOf(row, signal), ports.hashing, row.path, signal)
      if (hashed === null) return { changed: null }
      return sameVersion(hashed.entry, row) ? hashed.sha256 : { changed: hashed.entry }
    } catch (error) {
      if (error instanceof DiskError) return { failure: error.failure }
      if (signal.aborted) return { changed: null }
      throw error
    }
  }

  /**
   * Whether a remote file whose bytes can't be read may have this content. That is ruled out if its size differs, or if its name differs and
   * it was uploaded before this version was written.
   */
  #couldBe(row: TransferRow, file: RemoteEntry): boolean {
    const { limits } = this.#options
    if (file.size !== null && limits.sizesTell() && !sizeCouldBe(row.size, file.size, limits.unit())) return false
    if (nameMatch(this.#options.sendName(row), file.filename) !== 'no') return true
    const date = file.uploadDate === null ? null : readUploadDate(file.uploadDate)
    return date === null || date.at + DATE_SLACK_MS >= row.mtime
  }

  /**
   * Call only if the file's link can't be read. Returns `other` if the service doesn't know the file's ID either, because the file has been
   * deleted since the list was read. A 404 for the ID alone proves nothing: some services answer 404 to every request for a single file.
   */
  async #isDead(file: RemoteEntry, signal: AbortSignal): Promise<Candidate> {
    const { catalog } = this.#options
    if (file.publicLink === null) return 'unread'
    const got = await catalog.file(file.fileId, 'watched', signal)
    if (got.ok) return 'unread'
    return isGone(got.failure) ? 'other' : 'later'
  }

  /** Whether another pending file has the remote file's exact name and may have its content. If so, the link is left to that file. */
  #hasRival(row: TransferRow, file: RemoteEntry, sha256: string): boolean {
    const { transfers, likes, sendName, isOpen } = this.#options
    if (file.filename === null || sendName(row) === file.filename) return false
    if ((this.#rivalTries.get(row.id) ?? 0) >= RIVAL_TRIES) return false
    return likes.rivals(file.filename, row.size, sha256, row.id).some((id) => {
      const other = transfers.get(id)
      return other !== null && this.#need.isNeeded(other) && isOpen(other.folderId)
    })
  }

  #isOver(row: TransferRow, signal: AbortSignal): boolean {
    const { transfers } = this.#options
    if (signal.aborted) return true
    const now = transfers.get(row.id)
    return now === null || now.state !== 'queued' || now.cancel || versionKey(now) !== versionKey(row)
  }

  #again(row: TransferRow): Compared {
    const tries = (this.#tries.get(row.id) ?? 0) + 1
    this.#tries.set(row.id, tries)
    return { again: this.#options.ports.clock.now() + Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (tries - 1)) }
  }

  async #hold(row: TransferRow, message: string): Promise<Compared> {
    const { db, transfers } = this.#options
    await db.soon(() => transfers.transition(row.id, { kind: 'held', reason: 'ambiguous', message }))
    return 'over'
  }
}

function count(files: number): string {
  return files === 1 ? 'A file' : `${files} files`
}
