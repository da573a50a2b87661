// Hashes the files behind public links and caches the hashes. These downloads don't count against the rate limit. Each one is recorded, so
// that it can be subtracted from the file's download count.

import type { RemoteBytes as Bytes, Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { UploadLimits } from '../limits/plan/upload-limits.ts'
import type { Ports } from '../ports.ts'
import type { LinkDownloads } from './link-downloads.ts'
import type { Listed } from './lost-upload.ts'

/** Maximum size of a file that is compared by content. For larger files, the user is asked. */
export const COMPARE_MOST_BYTES = 512 * 1024 * 1024

export interface LinkOptions {
  readonly ports: Pick<Ports, 'hashing'>
  readonly db: Database
  readonly remote: Pick<Remote, 'noteLook' | 'undoLook'>
  readonly likes: Likes
  readonly downloads: LinkDownloads
}

interface Options extends LinkOptions {
  readonly limits: Pick<UploadLimits, 'unit' | 'learnSize'>
}

/**
 * Downloads the file behind a public link and stores its length and hash. `isPlausible` returns whether the file can have this length. If
 * it can't, the link probably led to a web page instead, so nothing is stored and `later` is returned. Returns `never` as soon as more than
 * `COMPARE_MOST_BYTES` have arrived, because the response may have no end.
 */
export async function hashLink(
  { db, ports, remote, likes, downloads }: LinkOptions,
  { fileId, publicLink }: { readonly fileId: number; readonly publicLink: string },
  isPlausible: (bytes: number) => boolean,
  signal: AbortSignal,
): Promise<Bytes | 'later' | 'never'> {
  const hasher = ports.hashing.stream()
  let bytes = 0
  db.tx(() => remote.noteLook(fileId))
  const { got, mayCount } = await downloads.read(
    publicLink,
    (chunk) => {
      bytes += chunk.length
      if (bytes > COMPARE_MOST_BYTES) throw new Error('The file is too large to be compared.')
      return hasher.update(chunk)
    },
    signal,
  )
  // Otherwise, downloads by other people would be subtracted in place of those that failed.
  if (!mayCount && !signal.aborted) db.tx(() => remote.undoLook(fileId))
  if (bytes > COMPARE_MOST_BYTES) {
    hasher.drop()
    return 'never'
  }
  if (got !== 'whole' || !isPlausible(bytes)) {
    hasher.drop()
    return got === 'whole' ? 'later' : got
  }
  const found = { bytes, sha256: await hasher.digest() }
  if (signal.aborted) return 'later'
  await db.soon(() => likes.setBytes(fileId, found))
  return found
}

export class RemoteBytes {
  readonly #options: Options
  /** Downloads in progress, by file ID. */
  readonly #reads = new Map<number, Promise<Bytes | 'later' | 'never'>>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Returns the length and hash of a file that may be one of `size` bytes. `later` means that the file can't be read now. `never` means that
   * it has no link, is too large to be compared, or can't be read at all.
   */
  async read(
    { fileId, publicLink, size: shown }: Pick<Listed, 'fileId' | 'publicLink' | 'size'>,
    size: number,
    signal: AbortSignal,
  ): Promise<Bytes | 'later' | 'never'> {
    const { likes, limits } = this.#options
    const known = likes.bytesOf(fileId)
    if (known !== null) return known
    if (publicLink === null || size > COMPARE_MOST_BYTES) return 'never'
    // If sizes are shown in bytes, a web page in place of the file is detected by its length.
    const isPage = (bytes: number): boolean => limits.unit() === 'bytes' && shown === size && bytes !== size
    let reading = this.#reads.get(fileId)
    if (reading === undefined) {
      reading = hashLink(this.#options, { fileId, publicLink }, (bytes) => !isPage(bytes), signal).finally(() => this.#reads.delete(fileId))
      this.#reads.set(fileId, reading)
    }
    const found = await reading
    if (typeof found === 'object' && shown !== null && !signal.aborted) limits.learnSize(found.bytes, shown)
    return found
  }
}
