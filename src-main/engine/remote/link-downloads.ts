// Downloads the bytes behind public links. Such requests need no key and don't count against the rate limit. The caller decides whether
// and when a link is read again.
import { mayComeBack } from '../account/call-verdict.ts'
import type { IdentityKeeper } from '../account/identity.ts'

export class LinkDownloads {
  readonly #identity: Pick<IdentityKeeper, 'api'>

  constructor(identity: Pick<IdentityKeeper, 'api'>) {
    this.#identity = identity
  }

  /**
   * Downloads the file behind `link` and passes its bytes to `onChunk` as they arrive. Returns `whole` if all bytes have arrived, `later`
   * if the download may succeed at another time, and `never` if it would fail again.
   */
  async read(
    link: string,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ): Promise<'whole' | 'later' | 'never'> {
    const api = this.#identity.api()
    if (api === null) return 'later'
    const got = await api.download(link, onChunk, signal)
    if (got.ok) return 'whole'
    return mayComeBack(got.failure) ? 'later' : 'never'
  }
}
