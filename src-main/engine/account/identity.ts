// Which key and address are in use, and the client that speaks for them. The key lives here, in memory, and nowhere else; a change of
// account is noticed by its hash. What has to be forgotten with the old account is the caller's to say.
import type { Failure, Result } from '../../../src-shared/contract.ts'
import type { ApiClient, Stats } from '../../api/types.ts'
import type { Facts } from '../journal/facts.ts'
import type { AccountState } from './state.ts'

export interface Identity {
  readonly baseUrl: string
  /** Lives in this process' memory only. */
  readonly key: string
  /** Distinguishes accounts without revealing the key: a keyed hash, made by the caller. */
  readonly account: string
}

export interface IdentityOptions {
  readonly facts: Facts
  readonly account: Pick<AccountState, 'setIdentity'>
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** Reads key and address; a failure says what a person can do. */
  readonly read: () => Promise<Result<Identity>>
  /** Another account than the one whose rows the journal holds: forgets what belongs to the old one. */
  readonly onOther: () => void
  /** What `/stats` said when it was last read, with this account. */
  readonly onStats: (stats: Stats, at: number) => void
  /** A key is in use now, perhaps another one than before. */
  readonly onLoaded: () => void
}

export class IdentityKeeper {
  readonly #options: IdentityOptions
  #api: ApiClient | null = null
  #key: string | null = null
  #failure: Failure | null = null

  constructor(options: IdentityOptions) {
    this.#options = options
  }

  /** null while there is no key. */
  api(): ApiClient | null {
    return this.#api
  }

  /** Why no key could be read the last time; null where one was. */
  failure(): Failure | null {
    return this.#failure
  }

  /** Reads key and address again and replaces the client. Gives the failure where there is none to be had. */
  async load(): Promise<Failure | null> {
    const { facts, account, createApi, onOther, onLoaded } = this.#options
    const got = await this.#options.read()
    const old = this.#api
    if (!got.ok) {
      this.#failure = got.failure
      this.#key = null
      this.#api = null
      account.setIdentity(null)
      await old?.close()
      return got.failure
    }
    this.#failure = null
    const known = facts.get('account')
    if (known !== null && known !== got.value.account) onOther()
    facts.set('account', got.value.account)
    this.#key = got.value.key
    this.#api = createApi(got.value.baseUrl, () => this.#key)
    this.#restoreStats(facts.get('stats'))
    account.setIdentity({ baseUrl: got.value.baseUrl })
    await old?.close()
    onLoaded()
    return null
  }

  async closeApi(): Promise<void> {
    await this.#api?.close()
  }

  forgetKey(): void {
    this.#key = null
  }

  #restoreStats(json: string | null): void {
    if (json === null) return
    const read = readStats(json)
    if (read === 'broken') this.#options.facts.set('stats', null)
    else if (read !== null) this.#options.onStats(read.stats, read.at)
  }
}

/** The answer of `/stats` as the journal keeps it; null where it has another form, `broken` where it is no JSON. */
function readStats(json: string): { readonly stats: Stats; readonly at: number } | 'broken' | null {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return 'broken'
  }
  if (typeof value !== 'object' || value === null) return null
  const at: unknown = Reflect.get(value, 'at')
  const stats: unknown = Reflect.get(value, 'stats')
  if (typeof at !== 'number' || typeof stats !== 'object' || stats === null) return null
  const plan: unknown = Reflect.get(stats, 'plan')
  const record = (name: string): Record<string, unknown> => {
    const inner: unknown = Reflect.get(stats, name)
    return typeof inner === 'object' && inner !== null ? { ...inner } : {}
  }
  return { stats: { plan: typeof plan === 'string' ? plan : null, stats: record('stats'), limits: record('limits') }, at }
}
