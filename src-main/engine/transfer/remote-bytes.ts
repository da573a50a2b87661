// Reads the bytes behind public links, each file's at most once. Links are not part of the request budget. An own look is noted, so that it is
// taken off the file's download count.

import type { RemoteBytes as Bytes } from '../journal/likes.ts'
import type { Listed, ReconcilerOptions } from './lost-upload.ts'

/** Files up to this size are compared byte by byte; beyond it a person is asked. */
export const COMPARE_MOST_BYTES = 512 * 1024 * 1024

type LinkOptions = Pick<ReconcilerOptions, 'db' | 'ports' | 'remote' | 'likes' | 'download'>
type Options = LinkOptions & Pick<ReconcilerOptions, 'unit'>

/**
 * Reads a public link once, and remembers what it gave. `isPlausible`: whether so many bytes can be the file; a page in its place isn't remembered
 * and counts as `later`.
 */
export async function hashLink(
  { db, ports, remote, likes, download }: LinkOptions,
  { fileId, publicLink }: { readonly fileId: number; readonly publicLink: string },
  isPlausible: (bytes: number) => boolean,
  signal: AbortSignal,
): Promise<Bytes | 'later' | 'never'> {
  const hasher = ports.hashing.stream()
  let bytes = 0
  db.tx(() => remote.noteLook(fileId))
  const got = await download(
    publicLink,
    (chunk) => {
      bytes += chunk.length
      return hasher.update(chunk)
    },
    signal,
  )
  if (got !== 'whole' || !isPlausible(bytes)) {
    hasher.drop()
    return got === 'whole' ? 'later' : got
  }
  const found = { bytes, sha256: await hasher.digest() }
  await db.soon(() => likes.setBytes(fileId, found))
  return found
}

export class RemoteBytes {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** What the link of a file gives that should have `size` bytes. `later`: not now, but perhaps in a while. */
  async read(file: Listed, size: number, signal: AbortSignal): Promise<Bytes | 'later' | 'never'> {
    const known = this.#options.likes.bytesOf(file.fileId)
    if (known !== null) return known
    const { fileId, publicLink } = file
    if (publicLink === null || size > COMPARE_MOST_BYTES) return 'never'
    // A page instead of the file: its length gives it away where the list says the file's in bytes.
    const isPage = (bytes: number): boolean => this.#options.unit() === 'bytes' && file.size === size && bytes !== size
    return hashLink(this.#options, { fileId, publicLink }, (bytes) => !isPage(bytes), signal)
  }
}
