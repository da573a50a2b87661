// Manages proxy logins (user name and password) in the main thread. They are read from the keychain when a
// proxy is used, and stored there when the user enters them. If the keychain fails, they are kept in memory.
// The window gets the name and state of a login, but never the password.

import type { ProxyLoginView } from '../../../src-shared/computer.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import type { ProxyLogin, ProxyLoginSource } from '../../api/types.ts'
import type { CallOutside } from '../../platform/account/keychain.ts'
import type { EngineLink } from './protocol.ts'

const NONE: ProxyLoginView = { proxy: null, name: null, kept: null, refused: false }
/** Timeout of a keychain call. Leaves the user time to unlock the keychain. */
const KEYCHAIN_MS = 10_000

interface KnownLogin {
  /** Null if no usable login is known for this proxy. */
  readonly login: ProxyLogin | null
  readonly kept: ProxyLoginView['kept']
}

interface ProxyLoginParts {
  readonly callKeychain: CallOutside
  readonly changed: (view: ProxyLoginView) => void
  /** Called when the user has entered or removed a login, so that the engines apply the change at once. */
  readonly entered: () => void
}

/**
 * The parts of the app that are notified. They don't exist yet when the logins are created, so read these
 * properties only when notifying.
 */
interface NotifiedApp {
  readonly server: { tell(event: WindowEvent): void }
  readonly accounts: { all(): readonly { readonly link: Pick<EngineLink, 'op'> }[] }
}

export function createProxyLogins(callKeychain: CallOutside, notified: NotifiedApp): ProxyLogins {
  return new ProxyLogins({
    callKeychain,
    changed: (proxyLogin) => notified.server.tell({ kind: 'proxy-login', proxyLogin }),
    entered: () => {
      for (const { link } of notified.accounts.all()) void link.op('proxyLogin', {})
    },
  })
}

export class ProxyLogins implements ProxyLoginSource {
  readonly #parts: ProxyLoginParts
  readonly #known = new Map<string, Promise<KnownLogin>>()
  #view = NONE

  constructor(parts: ProxyLoginParts) {
    this.#parts = parts
  }

  /**
   * Returns the state of one login for the window: that of the proxy whose login was last looked up, entered
   * or refused.
   */
  view(): ProxyLoginView {
    return this.#view
  }

  readonly find = async (proxy: string): Promise<ProxyLogin | null> => {
    const { login, kept } = await this.#load(proxy)
    const refused = this.#view.proxy === proxy && this.#view.refused
    this.#show({ proxy, name: login?.name ?? null, kept, refused })
    return login
  }

  readonly refused = (proxy: string, login: ProxyLogin | null): void => void this.#refuse(proxy, login)

  /**
   * Ignores the refusal if a different login is known by now: the request may have been sent before the user
   * entered that one.
   */
  async #refuse(proxy: string, login: ProxyLogin | null): Promise<void> {
    const current = (await this.#known.get(proxy))?.login ?? null
    if (current !== null && (current.name !== login?.name || current.password !== login.password)) return
    const view = this.#view.proxy === proxy ? this.#view : { ...NONE, proxy }
    this.#show({ ...view, refused: true })
  }

  /**
   * Stores the login, or removes it if name and password are empty. If the keychain fails, a new login is
   * kept in memory until the app quits. Returns null if a login in the keychain couldn't be removed; it then
   * remains in use.
   */
  async enter(proxy: string, login: ProxyLogin): Promise<ProxyLoginView | null> {
    const isRemoval = login.name === '' && login.password === ''
    const account = accountOf(proxy)
    const answer = await this.#parts.callKeychain(
      isRemoval ? { op: 'remove', account } : { op: 'set', account, secret: JSON.stringify(login) },
      KEYCHAIN_MS,
    )
    const isDone = answer !== null && answer.ok
    if (isRemoval && !isDone && (await this.#known.get(proxy))?.kept !== 'session') return null
    const known: KnownLogin = isRemoval
      ? { login: null, kept: null }
      : { login, kept: isDone ? 'keychain' : 'session' }
    this.#known.set(proxy, Promise.resolve(known))
    this.#show({ proxy, name: known.login?.name ?? null, kept: known.kept, refused: false })
    this.#parts.entered()
    return this.#view
  }

  #load(proxy: string): Promise<KnownLogin> {
    const known = this.#known.get(proxy)
    if (known !== undefined) return known
    const loading = this.#read(proxy)
    this.#known.set(proxy, loading)
    return loading
  }

  async #read(proxy: string): Promise<KnownLogin> {
    const answer = await this.#parts.callKeychain({ op: 'get', account: accountOf(proxy) }, KEYCHAIN_MS)
    if (answer === null || !answer.ok) {
      // The keychain may be unlocked later, so ask it again next time.
      this.#known.delete(proxy)
      return { login: null, kept: null }
    }
    const login = answer.secret === null ? null : readLogin(answer.secret)
    return { login, kept: login === null ? null : 'keychain' }
  }

  #show(view: ProxyLoginView): void {
    if (JSON.stringify(view) === JSON.stringify(this.#view)) return
    this.#view = view
    this.#parts.changed(view)
  }
}

/**
 * The entry's name in the keychain. It can't clash with the entry of an API key, which is named after its
 * host.
 */
function accountOf(proxy: string): string {
  return `proxy ${proxy}`
}

/** Parses a stored login. Returns null if the text is damaged or from another version. */
function readLogin(secret: string): ProxyLogin | null {
  try {
    const value: unknown = JSON.parse(secret)
    if (typeof value !== 'object' || value === null) return null
    const { name, password } = value as Readonly<Record<string, unknown>>
    return typeof name === 'string' && typeof password === 'string' ? { name, password } : null
  } catch {
    return null
  }
}
