// Downloads the bytes behind public links. Such requests need no key and don't count against the rate limit. The caller decides whether
// and when a link is read again.
import { mayComeBack } from '../account/call-verdict.ts'
import type { IdentityKeeper } from '../account/identity.ts'

/**
 * `got`: `whole` if all bytes have arrived, `later` if the download may succeed at another time, and `never` if it would fail again.
 * `mayCount`: whether the service may have counted the download. False if it wasn't reached, or didn't deliver the file.
 */
export interface LinkDownload {
  readonly got: 'whole' | 'later' | 'never'
  readonly mayCount: boolean
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
    return { got: mayComeBack(failure) ? 'later' : 'never', mayCount }
  }
}
