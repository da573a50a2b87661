// Creates the engine thread's API clients, which use the configured proxy and that proxy's login. Both can change while the engine runs. A
// new proxy applies only to clients created after the change.
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
      refused: (proxy, login) => void mainThread.ask('proxyLoginRefused', { proxy, login }),
    })
  }

  readonly createApi: ReturnType<typeof apiFactory> = (baseUrl, key, learned) => {
    const proxy = proxyFor(this.#proxy, this.#env, { system: this.#system, logins: this.#logins })
    return apiFactory(proxy)(baseUrl, key, learned)
  }

  /** Sets the proxy for clients created from now on. Existing clients keep theirs. Returns false if the proxy hasn't changed. */
  setProxy(proxy: string): boolean {
    const isOther = proxy !== this.#proxy
    this.#proxy = proxy
    return isOther
  }

  forgetLogins(): void {
    this.#logins.forget()
  }
}
