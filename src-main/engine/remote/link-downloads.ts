// Downloads the bytes behind public links. Such requests need no key and are not part of the rate limit; how often a link is read is the
// caller's responsibility.
import { mayComeBack } from '../account/call-verdict.ts'
import type { IdentityKeeper } from '../account/identity.ts'

export class LinkDownloads {
  readonly #identity: Pick<IdentityKeeper, 'api'>

  constructor(identity: Pick<IdentityKeeper, 'api'>) {
    this.#identity = identity
  }

  /** Passes the bytes on as they arrive. `later`: the download failed, but may succeed another time; `never`: it would fail again. */
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
