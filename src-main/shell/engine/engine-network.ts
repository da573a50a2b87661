// How the engine thread reaches the service: creates its API clients, with the proxy of the settings and the proxy's login. Both can change
// while the engine runs; new requests use the new ones.
import { apiFactory } from '../../platform/host/engine-host.ts'
import type { MainThread } from './main-thread.ts'
import type { EngineThreadStart } from './protocol.ts'
import { CachedLogins, createSystemProxy, proxyFor } from './system-proxy.ts'

export class EngineNetwork {
  readonly #env: EngineThreadStart['env']
  readonly #system: (url: string) => Promise<string>
  readonly #logins: CachedLogins
  #proxy: string

  constructor(start: Pick<EngineThreadStart, 'env' | 'proxy'>, mainThread: MainThread, now: () => number) {
    this.#env = start.env
    this.#proxy = start.proxy
    this.#system = createSystemProxy((url) => mainThread.ask('systemProxy', { url }), now)
    this.#logins = new CachedLogins({
      find: (proxy) => mainThread.ask('findProxyLogin', { proxy }),
      refused: (proxy) => void mainThread.ask('proxyLoginRefused', { proxy }),
    })
  }

  readonly createApi: ReturnType<typeof apiFactory> = (baseUrl, key) => {
    const proxy = proxyFor(this.#proxy, this.#env, { system: this.#system, logins: this.#logins })
    return apiFactory(proxy)(baseUrl, key)
  }

  /** Returns false if this was the proxy already. Clients that exist keep theirs. */
  setProxy(proxy: string): boolean {
    const isOther = proxy !== this.#proxy
    this.#proxy = proxy
    return isOther
  }

  forgetLogins(): void {
    this.#logins.forget()
  }
}
