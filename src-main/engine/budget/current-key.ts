// Keeps the current key, and the API client that uses it. The key is held in memory only. If anything sent
// from the journal may be on the service, keys of other accounts are refused. Otherwise, the journal switches
// to the new account, and the old account's data is discarded.
import { createHash } from 'node:crypto'
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { ApiClient, LearnedOrigins, Stats } from '../../api/types.ts'
import type { Database } from '../journal/database.ts'
import { numberIds } from '../journal/file-ids.ts'
import type { Journal } from '../journal/journal.ts'
import type { Remote } from '../journal/remote-list.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { AccountState } from './account-state.ts'
import { type CallFailure, callFailure } from './failure-words.ts'
import type { UploadLimits } from './upload-limits.ts'

export interface Identity {
  readonly baseUrl: string
  /** Held in memory only. */
  readonly key: string
  /** ID of the account that the caller chose. The journal stores it. */
  readonly account: string
  /**
   * Hashes (`accountMark`) of the account's known keys. A journal that stores one of them as its account ID
   * also belongs to this account.
   */
  readonly marks?: readonly string[]
}

/** Where the key comes from, and the client that uses it. */
export interface AccountSource {
  createApi(baseUrl: string, key: () => string | null, learned: LearnedOrigins): ApiClient<string>
  /** Reads the API key and the service's address. A failure is worded for the user. */
  identity(): Promise<Result<Identity>>
}

export interface IdentityOptions {
  readonly source: AccountSource
  readonly journal: Pick<Journal, 'ids' | 'failed'> & {
    readonly db: Pick<Database, 'tx' | 'flush'>
    readonly remote: Pick<Remote, 'facts'>
    readonly transfers: Pick<Transfers, 'hasSent'>
  }
  readonly account: Pick<AccountState, 'setIdentity' | 'setStats' | 'view'>
  readonly limits: Pick<UploadLimits, 'setStats'>
  readonly origins: LearnedOrigins
}

const OTHER_ACCOUNT: Failure = {
  code: 'key-refused',
  title: 'The data stored here belongs to a different account than this key. Nothing is sent.',
  hint: 'To see the accounts: slipway accounts',
}

/**
 * Returns 16 bits of a hash of account and key, in hex: enough to distinguish two keys, too few to verify a
 * guessed key.
 */
function markOf({ account, key }: Identity): string {
  return createHash('sha256').update(`${account}\n${key}`).digest('hex').slice(0, 4)
}

function isOther(known: string | null, { account, marks }: Identity): boolean {
  return known !== null && known !== account && marks?.includes(known) !== true
}

export class IdentityKeeper {
  readonly #options: IdentityOptions
  #api: ApiClient | null = null
  /**
   * The key of `#api`. Each client has a separate object, so that no client ever sends a later key, which may
   * be for another address.
   */
  #key: { value: string | null } = { value: null }
  #mark = ''
  #failure: Failure | null = null
  #tenure = new AbortController()
  #loading: Promise<unknown> = Promise.resolve()
  readonly #listeners = { loaded: new Set<() => void>(), switched: new Set<() => void>() }

  constructor(options: IdentityOptions) {
    this.#options = options
  }

  /** Null while there is no usable key. */
  api(): ApiClient | null {
    return this.#api
  }

  /**
   * The short hash by which the journal distinguishes keys (`markOf`). Empty before the first successful
   * `load`.
   */
  mark(): string {
    return this.#mark
  }

  /**
   * Why there is no usable key: for example, none is stored, the keychain can't be read, or the key belongs
   * to an account other than the journal's. Null if there is a usable key, or before the first `load`.
   */
  failure(): Failure | null {
    return this.#failure
  }

  /**
   * Aborts when the journal switches to another account. Nothing that was requested before may be sent or
   * stored after that, because the same IDs then refer to other files.
   */
  tenure(): AbortSignal {
    return this.#tenure.signal
  }

  /**
   * Calls `listener` after each successful load (`loaded`), or when the journal switches to another account
   * (`switched`), inside the transaction that discards the old account's data. The rooms that hold such data
   * discard it themselves.
   */
  on(event: 'loaded' | 'switched', listener: () => void): void {
    this.#listeners[event].add(listener)
  }

  /** Translates a failed call into a message for the user. */
  explain(failure: CallFailure): Failure {
    return callFailure(failure, this.#options.account.view(), this.#failure)
  }

  /**
   * Reads key and address again and replaces the client. Returns why there is no usable key, or null if there
   * is one.
   */
  load(): Promise<Failure | null> {
    // Loads run one after another. Otherwise, the older of two keys could be adopted last.
    const loading = this.#loading.then(() => this.#load())
    this.#loading = loading.catch(() => undefined)
    return loading
  }

  async #load(): Promise<Failure | null> {
    const { source, journal, account, origins } = this.#options
    const { facts } = journal.remote
    const read = await source.identity()
    // Commit what is pending for the old account first: `#checked` finds out from the journal whether
    // anything was sent.
    journal.db.flush()
    const got = read.ok ? this.#checked(read.value) : read
    const [old, oldKey] = [this.#api, this.#key]
    const closeOld = async (): Promise<void> => {
      await old?.close()
      oldKey.value = null
    }
    if (!got.ok) {
      this.#failure = got.failure
      this.#api = null
      account.setIdentity(null)
      await closeOld()
      return got.failure
    }
    this.#failure = null
    if (isOther(facts.get('account'), got.value)) this.#switch()
    facts.set('account', got.value.account)
    const key = { value: got.value.key }
    this.#key = key
    this.#api = numberIds(
      source.createApi(got.value.baseUrl, () => key.value, origins),
      journal,
    )
    this.#restoreStats(facts.get('stats'))
    this.#mark = markOf(got.value)
    const refusal = facts.get('refusal')
    const worked = facts.get('worked-key') === this.#mark
    account.setIdentity({
      baseUrl: got.value.baseUrl,
      mark: this.#mark,
      refused: refusal?.mark === this.#mark ? refusal.state : null,
      worked,
    })
    await closeOld()
    for (const listener of this.#listeners.loaded) listener()
    return null
  }

  #switch(): void {
    this.#tenure.abort()
    this.#tenure = new AbortController()
    this.#options.journal.db.tx(() => {
      for (const listener of this.#listeners.switched) listener()
    })
  }

  /**
   * Refuses another account's key if anything that was sent from this journal is, or may be, on the service: the journal's links and file IDs are valid only for
   * the account they belong to.
   */
  #checked(identity: Identity): Result<Identity> {
    const { remote, transfers } = this.#options.journal
    return isOther(remote.facts.get('account'), identity) && transfers.hasSent()
      ? { ok: false, failure: OTHER_ACCOUNT }
      : { ok: true, value: identity }
  }

  /** The key in use, or null. Only for finding it in files that would be published. */
  key(): string | null {
    return this.#key.value
  }

  async closeApi(): Promise<void> {
    await this.#api?.close()
  }

  forgetKey(): void {
    this.#key.value = null
  }

  #restoreStats(json: string | null): void {
    if (json === null) return
    const read = readStats(json)
    const { journal, account, limits } = this.#options
    if (read === 'broken') journal.remote.facts.set('stats', null)
    if (read === 'broken' || read === null) return
    account.setStats(read.stats, read.at)
    limits.setStats(read.stats, read.at)
  }
}

/**
 * The `/stats` response saved in the journal; null if it isn't in the expected form, `broken` if it isn't
 * JSON.
 */
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
  return {
    stats: { plan: typeof plan === 'string' ? plan : null, stats: record('stats'), limits: record('limits') },
    at,
  }
}
