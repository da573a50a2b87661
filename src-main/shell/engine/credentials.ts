// Manages the key and address that the engine thread uses: checks a key, finds out which account it belongs
// to, stores it in the keychain or in memory, and removes it. A key entered during this run takes precedence
// over the environment's, and the environment's over the keychain's.

import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { StatsView, Window } from '../../../src-shared/model.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'
import type { ApiClient, Stats } from '../../api/types.ts'
import { sizeLimit } from '../../engine/budget/plan-limits.ts'
import { effectivePlan, readRates } from '../../engine/budget/rate-limits.ts'
import { readQuota } from '../../engine/budget/stats-reader.ts'
import type { Keychain } from '../../engine/ports.ts'
import type { AccountDesk, ChosenAccount, Owner, ProvedKey } from '../../platform/account/account-finder.ts'
import type { AccountEntry } from '../../platform/account/accounts.ts'
import { type Address, addressOf, type Environment } from '../../platform/account/key-and-address.ts'
import { prove, readKey } from '../../platform/account/key-check.ts'
import type { Settings } from '../../platform/data/settings.ts'
import type { EngineThreadOps, HeldKey } from './protocol.ts'

const PROVE_MS = 30_000
const OWNER_MS = 30_000
/** Maximum number of checked keys that are kept until the user adopts one. The oldest are dropped. */
const PROOFS_MOST = 4

interface Proof {
  readonly address: Address
  readonly key: string
  /** The account that the key belongs to; null until it has been looked up. */
  owner: Owner | null
}

interface CredentialParts {
  readonly environment: Environment
  readonly keychain: Keychain
  readonly desk: () => Pick<AccountDesk, 'accounts' | 'pathsOf' | 'ownerOf' | 'prepare' | 'register'>
  /** The account that the engine works with; null until one has been chosen. */
  readonly chosen: () => ChosenAccount | null
  readonly settings: () => Settings
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient<string>
  /**
   * Called when a key is stored in memory, or with null when it is dropped. The main thread passes the key on
   * to the next engine thread.
   */
  readonly onHeld: (held: HeldKey | null) => void
}

/** The failure for a token whose key was used, or wasn't checked. */
export const EXPIRED_KEY: Failure = {
  code: 'usage',
  title: 'This key is no longer available.',
  hint: 'Connect again.',
}

function refuse(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

export class Credentials {
  readonly #parts: CredentialParts
  readonly #proofs = new Map<string, Proof>()
  #held: HeldKey | null
  /**
   * Whether the user has signed out since a key was last entered. If so, `connection` doesn't report a
   * missing keychain as an unread key.
   */
  #isSignedOut = false

  constructor(parts: CredentialParts, held: HeldKey | null) {
    this.#parts = parts
    this.#held = held
  }

  /** Returns the key and address held in memory; if there are none, those from the environment. */
  environment(): Environment {
    return this.#environmentOf(this.#held)
  }

  #environmentOf(held: HeldKey | null): Environment {
    return held === null
      ? this.#parts.environment
      : { apiKey: held.key, baseUrl: held.baseUrl, plainHttp: true }
  }

  /**
   * The list entry of the engine's account, which may have been renamed or added since the engine started.
   * Null if there is none.
   */
  entry(): AccountEntry | null {
    const chosen = this.#parts.chosen()
    if (chosen === null) return null
    const { accounts } = this.#parts.desk().accounts().accounts
    const isIt = (one: AccountEntry): boolean =>
      chosen.entry === null ? one.folder === '' : one.id === chosen.entry.id
    return accounts.find(isIt) ?? chosen.entry
  }

  connection(): Promise<Connection> {
    return this.#connectionOf(this.#held)
  }

  /** What `connection` returns if `held` is the key in memory. */
  async #connectionOf(held: HeldKey | null): Promise<Connection> {
    const { keychain } = this.#parts
    const account = this.#parts.chosen()
    const address =
      account === null
        ? addressOf(null, this.#environmentOf(held), this.#parts.settings())
        : account.address()
    const known = address.ok ? address.value : null
    const entry = this.entry()
    const where = {
      host: known?.host ?? null,
      baseUrl: known?.baseUrl ?? null,
      account: entry?.name ?? null,
      accountId: entry?.id ?? null,
    }
    if (known === null) return { ...where, key: null }
    if (held !== null) return { ...where, key: held.saved ? 'keychain' : 'session' }
    if (this.#parts.environment.apiKey !== null) return { ...where, key: 'environment' }
    const stored = await keychain.get(entry?.keychain ?? known.host)
    if (!stored.ok && stored.failure.code === 'missing' && this.#isSignedOut) return { ...where, key: null }
    if (!stored.ok)
      return { ...where, key: null, unread: stored.failure.code === 'missing' ? 'missing' : 'failed' }
    return { ...where, key: stored.secret !== null && stored.secret !== '' ? 'keychain' : null }
  }

  async connect({
    token,
    address,
    key,
    plainHttp,
  }: Parameters<EngineThreadOps['connect']>[0]): ReturnType<EngineThreadOps['connect']> {
    const { environment, createApi } = this.#parts
    const read = addressOf({ url: address, allowHttp: plainHttp }, environment, this.#parts.settings())
    if (!read.ok) return read
    if (read.value === null) return refuse({ code: 'usage', title: 'No address was given.', hint: null })
    const clean = readKey(key)
    if (!clean.ok) return clean
    const proved = await prove({
      createApi,
      address: read.value,
      key: clean.value,
      signal: AbortSignal.timeout(PROVE_MS),
    })
    if (!proved.ok) return proved
    this.#proofs.set(token, { address: read.value, key: clean.value, owner: null })
    for (const old of [...this.#proofs.keys()].slice(0, -PROOFS_MOST)) this.#proofs.delete(old)
    return {
      ok: true,
      value: { host: read.value.host, baseUrl: read.value.baseUrl, stats: provedStats(proved.value) },
    }
  }

  async owner({ token }: Parameters<EngineThreadOps['owner']>[0]): ReturnType<EngineThreadOps['owner']> {
    const proof = this.#proofs.get(token)
    if (proof === undefined) return refuse(EXPIRED_KEY)
    const owner = await this.#ownerOf(proof)
    if (!owner.ok) return owner
    const prepared = this.#parts.desk().prepare(provedOf(proof), owner.value, null)
    const id = owner.value.kind === 'new' ? null : owner.value.entry.id
    return { ok: true, value: { id, name: prepared.name, isOpen: this.#isOpen(prepared) } }
  }

  async keep({ token, save }: Parameters<EngineThreadOps['keep']>[0]): ReturnType<EngineThreadOps['keep']> {
    const { environment, keychain } = this.#parts
    const proof = this.#proofs.get(token)
    if (proof === undefined) return refuse(EXPIRED_KEY)
    const { key, address } = proof
    const desk = this.#parts.desk()
    const proved = provedOf(proof)
    const owner = await this.#ownerOf(proof)
    if (!owner.ok) return owner
    const place = desk.prepare(proved, owner.value, null)
    const stored = save ? await keychain.set(place.keychain, key) : null
    if (stored?.ok === false) return refuse({ code: 'keychain', title: stored.failure.message, hint: null })
    const entry = await desk.register(proved, owner.value, null)
    // If another account took the keychain name in the meantime, this account was given a different one.
    // Store the key under that name too.
    const again = save && entry.keychain !== place.keychain ? await keychain.set(entry.keychain, key) : null
    if (again?.ok === false) return refuse({ code: 'keychain', title: again.failure.message, hint: null })
    this.#proofs.delete(token)
    const kept = { account: entry.id, baseUrl: address.baseUrl, first: entry.folder === '' }
    const held = { baseUrl: address.baseUrl, key, saved: save }
    if (!this.#isOpen(entry))
      return { ok: true, value: { ...kept, engine: 'other', held: save ? null : held } }
    // A key that the user entered is used for this run, even if the environment has another one.
    this.#hold(save && environment.apiKey === null ? null : held)
    const now = this.#parts.chosen()?.entry ?? null
    // An engine that started without an account belongs to the first account that is added.
    return {
      ok: true,
      value: { ...kept, engine: now === null || now.id === entry.id ? 'this' : 'reopened', held: null },
    }
  }

  /**
   * Uses a key that the user entered for this account while the window showed another one. The other
   * account's engine thread has already checked the key. If `held` is null, the key is in the keychain.
   */
  use(held: HeldKey | null): void {
    this.#hold(held)
  }

  /**
   * Deletes the key from the keychain and drops it from memory. Fails and drops nothing if the key may still
   * be in the keychain, or if the only key is the environment's, which can't be removed.
   */
  async forget(): Promise<Result<void>> {
    const wasHeld = this.#held !== null
    const wasInMemory = this.#held !== null && !this.#held.saved
    this.#proofs.clear()
    const now = await this.#connectionOf(null)
    const name = this.entry()?.keychain ?? now.host
    let wasStored = false
    if (name !== null) {
      const removed = await this.#parts.keychain.remove(name)
      wasStored = removed.ok && removed.existed
      // A system without a keychain never held the key. A keychain that is locked or hangs may still hold it.
      if (!removed.ok && (now.key === 'keychain' || (!wasInMemory && removed.failure.code !== 'missing')))
        return refuse({ code: 'keychain', title: removed.failure.message, hint: null })
    }
    if (now.key === 'environment' && !wasStored && !wasHeld)
      return refuse({
        code: 'usage',
        title: "The key comes from this process's environment.",
        hint: 'Start Slipway without SLIPWAY_API_KEY.',
      })
    this.#hold(null)
    this.#isSignedOut = true
    return { ok: true, value: undefined }
  }

  /** Whether the running engine works in this account's folder. */
  #isOpen(entry: AccountEntry): boolean {
    return this.#parts.desk().pathsOf(entry).dir === this.#parts.chosen()?.paths.dir
  }

  async #ownerOf(proof: Proof): Promise<Result<Owner>> {
    if (proof.owner !== null) return { ok: true, value: proof.owner }
    const owner = await this.#parts.desk().ownerOf(provedOf(proof), null, AbortSignal.timeout(OWNER_MS))
    if (owner.ok) proof.owner = owner.value
    return owner
  }

  #hold(next: HeldKey | null): void {
    this.#held = next
    this.#isSignedOut = false
    this.#parts.onHeld(next)
  }
}

function provedOf({ address, key }: Proof): ProvedKey {
  return { baseUrl: address.baseUrl, key }
}

// Converts the `/stats` response for a key that has been checked but isn't in use yet to the contract's
// `StatsView`, so that the window can show the limits before an engine knows the account.
function provedStats(stats: Stats): StatsView {
  const quota = readQuota(stats)
  const { limits, known } = effectivePlan(stats.plan, readRates(stats.limits))
  const size = quota.maxFileSize
  const believed = sizeLimit(size, null)
  const window = (limit: number | null): Window => ({ limit, used: 0, nextAt: null })
  return {
    plan: stats.plan,
    totalFiles: quota.totalFiles,
    totalSize: quota.totalSize,
    stats: { ...stats.stats },
    limits: { ...stats.limits },
    maxFileSize:
      size.kind !== 'limited'
        ? { kind: size.kind, value: null, unit: 'bytes' }
        : believed.kind === 'limited'
          ? { kind: 'limited', value: believed.value, unit: 'bytes' }
          : // The unit isn't known until upload receipts reveal it (see learnUnit).
            { kind: 'limited', value: size.value, unit: 'unknown' },
    minute: window(known ? limits.perMinute : null),
    day: window(known ? limits.perDay : null),
    dailyUploads: {
      ...window(quota.dailyUploads.kind === 'limited' ? quota.dailyUploads.value : null),
      used: quota.uploadsToday ?? 0,
    },
  }
}
