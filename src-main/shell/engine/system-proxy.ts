// Chooses the engine's proxy and its login. A proxy from the settings comes first, then one from the
// environment, then the system's settings (including PAC scripts) as resolved by Chromium. The main thread's
// answers are cached, because every HTTP request needs them.
import { proxyOf } from '../../api/proxy.ts'
import type { ApiClientOptions, ProxyLogin, ProxyLoginSource } from '../../api/types.ts'
import { within } from '../../platform/time.ts'

type Proxies = NonNullable<ApiClientOptions['proxy']>
type AskSystem = (url: string) => Promise<string>

/** Maximum time until a change in the system's settings takes effect. */
const KEEP_MS = 15_000
/**
 * Timeout for an answer. Chromium may have to download a PAC script, and the keychain may have to be
 * unlocked.
 */
const ANSWER_MS = 10_000

/**
 * Returns a function that caches each answer of `ask` for `KEEP_MS`. The function rejects if the answer is
 * null or doesn't come within `ANSWER_MS`.
 */
export function createSystemProxy(
  ask: (url: string) => Promise<string | null>,
  now: () => number,
): AskSystem {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<string> }>()
  return (url) => {
    const last = known.get(url)
    const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.at
    // The age is negative after a clock rollback.
    if (last !== undefined && age >= 0 && age < KEEP_MS) return last.answer
    const answer = within(ANSWER_MS, ask(url)).then(definite)
    known.set(url, { at: now(), answer })
    answer.catch(() => known.delete(url))
    return answer
  }
}

/**
 * Caches proxy logins. Each login is requested once and then kept until `forget` is called or the proxy
 * refuses it. Without an answer within `ANSWER_MS`, `find` resolves to null, and the login is requested again
 * the next time.
 */
export class CachedLogins implements ProxyLoginSource {
  readonly #source: ProxyLoginSource
  readonly #known = new Map<string, Promise<ProxyLogin | null>>()

  constructor(source: ProxyLoginSource) {
    this.#source = source
  }

  readonly find = (proxy: string): Promise<ProxyLogin | null> => {
    const known = this.#known.get(proxy)
    if (known !== undefined) return known
    const found = this.#source.find(proxy).then((login) => ({ login }))
    const asked = within(ANSWER_MS, found)
      .catch(() => null)
      .then((answer) => {
        if (answer === null) this.#known.delete(proxy)
        return answer?.login ?? null
      })
    this.#known.set(proxy, asked)
    return asked
  }

  readonly refused = (proxy: string, login: ProxyLogin | null): void => {
    this.#known.delete(proxy)
    this.#source.refused(proxy, login)
  }

  forget(): void {
    this.#known.clear()
  }
}

function definite(answer: string | null): string {
  if (answer === null) throw new Error("the system's proxy can't be determined")
  return answer
}

/**
 * `chosen` is `system`, `none`, or the URL of a proxy for all hosts that NO_PROXY in the environment doesn't
 * exempt.
 */
export function proxyFor(
  chosen: string,
  env: Readonly<Record<string, string | undefined>>,
  { system, logins }: { readonly system: AskSystem; readonly logins: ProxyLoginSource },
): Proxies {
  const ofEnvironment = proxyOf(env)
  if (chosen === 'none') return { http: null, https: null, noProxy: null }
  if (chosen !== 'system') return { http: chosen, https: chosen, noProxy: ofEnvironment.noProxy, logins }
  return { ...ofEnvironment, system, logins }
}
