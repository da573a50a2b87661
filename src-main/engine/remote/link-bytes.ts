// Reads the bytes behind public links: whether a link leads to its file, and which bytes a file has. Such
// requests need no key and don't count towards the rate limit. Each one that the service may have counted is
// recorded, so that it can be subtracted from the file's download count.
import type { RemoteFile } from '../../api/types.ts'
import { callVerdict, mayComeBack } from '../budget/call-verdict.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import { sizeCouldBe } from '../budget/size-unit.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { Journal } from '../journal/journal.ts'
import type { RemoteBytes } from '../journal/match-queries.ts'
import type { Remote } from '../journal/remote-list.ts'
import type { Ports } from '../ports.ts'
import type { Missing } from '../presence/evidence.ts'

/** Maximum size of a file that is compared by content. For larger files, the user is asked. */
export const COMPARE_MOST_BYTES = 512 * 1024 * 1024
/**
 * Maximum number of bytes to read from a link to find out whether it leads to the file. A web page is rarely
 * longer.
 */
const LOOK_BYTES = 256 * 1024

/**
 * The length and hash of a file; `later` if its link can't be read now, and `never` if reading it would fail
 * again.
 */
export type Bytes = RemoteBytes | 'later' | 'never'

interface Linked {
  readonly fileId: number
  readonly publicLink: string
}

export interface LinksOptions {
  readonly identity: Pick<IdentityKeeper, 'api'>
  readonly hashing: Pick<Ports['hashing'], 'stream'>
  readonly journal: Pick<Journal, 'db' | 'likes'> & { readonly remote: Pick<Remote, 'noteLook' | 'undoLook'> }
  readonly limits: Pick<UploadLimits, 'unit' | 'sizesTell' | 'learnSize'>
}

export class Links {
  readonly #options: LinksOptions
  /** Downloads in progress, by file ID. */
  readonly #reads = new Map<number, Promise<Bytes>>()

  constructor(options: LinksOptions) {
    this.#options = options
  }

  /**
   * Whether the link leads to a file of `size` bytes. At most LOOK_BYTES are read. Many services answer links
   * of deleted files with a web page, so an answer of another length shows nothing; neither does any answer
   * if `size` is null.
   */
  async shows(file: Linked, size: number | null, signal: AbortSignal): Promise<Missing['link']> {
    let bytes = 0
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length
      if (bytes > Math.min(size ?? 0, LOOK_BYTES)) throw new Error('Enough of the file has arrived.')
    }
    const { got, isGone } = await this.#download(file, count, signal)
    const isFile =
      size !== null && (got === 'whole' ? bytes === size : bytes > LOOK_BYTES && size > LOOK_BYTES)
    return isFile ? 'lives' : isGone ? 'dead' : 'unread'
  }

  /**
   * Downloads the file behind the link and stores its length and hash. `isPlausible` returns whether the file
   * can have this length. If it can't, the link probably led to a web page instead, so nothing is stored and
   * `later` is returned. Returns `never` as soon as more than `COMPARE_MOST_BYTES` have arrived, because the
   * response may have no end.
   */
  async hash(file: Linked, isPlausible: (bytes: number) => boolean, signal: AbortSignal): Promise<Bytes> {
    const { hashing, journal } = this.#options
    const { db, likes } = journal
    const hasher = hashing.stream()
    let bytes = 0
    const add = (chunk: Uint8Array): void | Promise<void> => {
      bytes += chunk.length
      if (bytes > COMPARE_MOST_BYTES) throw new Error('The file is too large to be compared.')
      return hasher.update(chunk)
    }
    const { got } = await this.#download(file, add, signal)
    if (got !== 'whole' || !isPlausible(bytes)) {
      hasher.drop()
      return bytes > COMPARE_MOST_BYTES ? 'never' : got === 'whole' ? 'later' : got
    }
    const found = { bytes, sha256: await hasher.digest() }
    if (signal.aborted) return 'later'
    await db.soon(() => likes.setBytes(file.fileId, found))
    return found
  }

  /**
   * The bytes of a file that may be one of `size` bytes, read at most once. `never` also means that it has no
   * link, or is too large.
   */
  async bytes(
    { fileId, publicLink, size: shown }: RemoteFile & { readonly fileId: number },
    size: number,
    signal: AbortSignal,
  ): Promise<Bytes> {
    const { journal, limits } = this.#options
    const { likes } = journal
    const known = likes.bytesOf(fileId)
    if (known !== null) return known
    if (publicLink === null || size > COMPARE_MOST_BYTES) return 'never'
    let reading = this.#reads.get(fileId)
    if (reading === undefined) {
      reading = this.hash(
        { fileId, publicLink },
        (bytes) => this.isPlausible(bytes, shown, size),
        signal,
      ).finally(() => this.#reads.delete(fileId))
      this.#reads.set(fileId, reading)
    }
    const found = await reading
    if (typeof found === 'object' && shown !== null && !signal.aborted) limits.learnSize(found.bytes, shown)
    return found
  }

  /**
   * Whether `bytes` can be the length of a file that the service shows with the size `shown` and that may be
   * an upload of `size` bytes. If it can't, the link led to a web page instead.
   */
  isPlausible(bytes: number, shown: number | null, size: number): boolean {
    const { limits } = this.#options
    if (bytes === size || shown === null || !limits.sizesTell()) return true
    return sizeCouldBe(bytes, shown, limits.unit() ?? (shown === size ? 'bytes' : null))
  }

  /** `isGone`: whether the service answered that it doesn't have the file. */
  async #download(
    { fileId, publicLink }: Linked,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ): Promise<{ readonly got: 'whole' | 'later' | 'never'; readonly isGone: boolean }> {
    const { journal, identity } = this.#options
    const { db, remote } = journal
    const api = identity.api()
    if (api === null) return { got: 'later', isGone: false }
    db.tx(() => remote.noteLook(fileId))
    const answer = await api.download(publicLink, onChunk, signal)
    if (answer.ok) return { got: 'whole', isGone: false }
    const { failure } = answer
    const mayCount = failure.phase !== 'unsent' && failure.kind !== 'status' && failure.kind !== 'redirect'
    // Otherwise, downloads by other people would be subtracted in place of those that failed.
    if (!mayCount && !signal.aborted) db.tx(() => remote.undoLook(fileId))
    return { got: mayComeBack(failure) ? 'later' : 'never', isGone: callVerdict(failure) === 'gone' }
  }
}
