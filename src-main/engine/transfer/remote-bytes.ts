// Reads the bytes behind public links, each file's at most once. Links are not part of the request budget. An own look is noted, so that it is
// taken off the file's download count.

import type { RemoteBytes as Bytes } from '../journal/likes.ts'
import type { Listed, ReconcilerOptions } from './lost-upload.ts'

/** Files up to this size are compared byte by byte; beyond it a person is asked. */
const COMPARE_MOST_BYTES = 512 * 1024 * 1024

type Options = Pick<ReconcilerOptions, 'db' | 'ports' | 'remote' | 'likes' | 'download' | 'unit'>

export class RemoteBytes {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** What the link of a file gives that should have `size` bytes. `later`: not now, but perhaps in a while. */
  async read(file: Listed, size: number, signal: AbortSignal): Promise<Bytes | 'later' | 'never'> {
    const { likes, remote, db, ports, download, unit } = this.#options
    const known = likes.bytesOf(file.fileId)
    if (known !== null) return known
    if (file.publicLink === null || size > COMPARE_MOST_BYTES) return 'never'
    const hasher = ports.hashing.stream()
    let bytes = 0
    db.tx(() => remote.noteLook(file.fileId))
    const got = await download(
      file.publicLink,
      (chunk) => {
        bytes += chunk.length
        return hasher.update(chunk)
      },
      signal,
    )
    // A page instead of the file: its length gives it away where the list says the file's in bytes.
    const isPage = unit() === 'bytes' && file.size === size && bytes !== size
    if (got !== 'whole' || isPage) {
      hasher.drop()
      return got === 'whole' ? 'later' : got
    }
    const found = { bytes, sha256: await hasher.digest() }
    await db.soon(() => likes.setBytes(file.fileId, found))
    return found
  }
}
