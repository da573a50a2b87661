// Downloads the bytes behind public links. Such requests need no key and don't count against the rate limit. The caller decides whether
// and when a link is read again.
import { callVerdict, mayComeBack } from '../account/call-verdict.ts'
import type { IdentityKeeper } from '../account/identity.ts'
import type { Missing } from './evidence.ts'

/**
 * `got`: `whole` if all bytes have arrived, `later` if the download may succeed at another time, and `never` if it would fail again.
 * `mayCount`: whether the service may have counted the download. False if it wasn't reached, or didn't deliver the file.
 */
export interface LinkDownload {
  readonly got: 'whole' | 'later' | 'never'
  readonly mayCount: boolean
  /** Set if the service answered that it doesn't have the file. */
  readonly isGone?: boolean
}

export class LinkDownloads {
  readonly #identity: Pick<IdentityKeeper, 'api'>

  constructor(identity: Pick<IdentityKeeper, 'api'>) {
    this.#identity = identity
  }

  /** Downloads the file behind `link` and passes its bytes to `onChunk` as they arrive. */
  async read(link: string, onChunk: (chunk: Uint8Array) => void | Promise<void>, signal: AbortSignal): Promise<LinkDownload> {
    const api = this.#identity.api()
    if (api === null) return { got: 'later', mayCount: false }
    const answer = await api.download(link, onChunk, signal)
    if (answer.ok) return { got: 'whole', mayCount: true }
    const { failure } = answer
    const mayCount = failure.phase !== 'unsent' && failure.kind !== 'status' && failure.kind !== 'redirect'
    return { got: mayComeBack(failure) ? 'later' : 'never', mayCount, isGone: callVerdict(failure) === 'gone' }
  }

  /**
   * Whether the link leads to a file of `size` bytes. At most LOOK_BYTES are read. Many services answer links of deleted files with a web
   * page, so an answer of another length shows nothing; neither does any answer if `size` is null.
   */
  async shows(
    link: string,
    size: number | null,
    signal: AbortSignal,
  ): Promise<{ readonly link: Missing['link']; readonly mayCount: boolean }> {
    let bytes = 0
    const { got, mayCount, isGone } = await this.read(
      link,
      (chunk) => {
        bytes += chunk.length
        if (bytes > Math.min(size ?? 0, LOOK_BYTES)) throw new Error('Enough of the file has arrived.')
      },
      signal,
    )
    const isFile = size !== null && (got === 'whole' ? bytes === size : bytes > LOOK_BYTES && size > LOOK_BYTES)
    return { link: isFile ? 'lives' : isGone === true ? 'dead' : 'unread', mayCount }
  }
}

/** Maximum number of bytes to read from a link to find out whether it leads to the file. A web page is rarely longer. */
const LOOK_BYTES = 256 * 1024
