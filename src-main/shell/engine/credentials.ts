// The key and the address that the engine's thread works with: checks a key, keeps it in the keychain or in memory, and forgets it.
// A key given in this run goes before the environment's, and that before the keychain's.
import type { Connection } from '../../../src-shared/app.ts'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import type { ApiClient } from '../../api/types.ts'
import type { Identity } from '../../engine/account/identity.ts'
import type { Keychain } from '../../engine/ports.ts'
import { type Address, accountMark, addressOf, type Environment, readIdentity } from '../../platform/identity.ts'
import { prove, readKey } from '../../platform/proof.ts'
import type { Settings } from '../../platform/settings.ts'
import type { EngineThreadOps, HeldKey } from './protocol.ts'
import { provedStats } from './proved-stats.ts'

const PROVE_MS = 30_000
/** Checked keys that were not adopted are forgotten; so many are kept. */
const PROOFS_MOST = 4

interface Proof {
  readonly address: Address
  readonly key: string
}

interface CredentialParts {
  readonly environment: Environment
  readonly keychain: Keychain
  readonly settings: () => Settings
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** A key that is held in memory now; the main thread keeps it for the next thread. */
  readonly onHeld: (held: HeldKey | null) => void
}

function refuse(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

export class Credentials {
  readonly #parts: CredentialParts
  readonly #proofs = new Map<string, Proof>()
  #held: HeldKey | null

  constructor(parts: CredentialParts, held: HeldKey | null) {
    this.#parts = parts
    this.#held = held
  }

  /** For the engine, whenever it reads its key anew. */
  async identity(): Promise<Result<Identity>> {
    const { environment, keychain } = this.#parts
    const settings = this.#parts.settings()
    const address = addressOf(null, environment, settings)
    const held = this.#held
    if (held !== null && address.ok && address.value?.baseUrl === held.baseUrl)
      return { ok: true, value: { baseUrl: held.baseUrl, key: held.key, account: accountMark(held.baseUrl, held.key) } }
    return readIdentity({ env: environment, settings, keychain })
  }

  async connection(): Promise<Connection> {
    const { environment, keychain } = this.#parts
    const address = addressOf(null, environment, this.#parts.settings())
    const known = address.ok ? address.value : null
    const where = { host: known?.host ?? null, baseUrl: known?.baseUrl ?? null }
    if (known === null) return { ...where, key: null }
    if (this.#held !== null && this.#held.baseUrl === known.baseUrl) return { ...where, key: this.#held.saved ? 'keychain' : 'session' }
    if (environment.apiKey !== null) return { ...where, key: 'environment' }
    const stored = await keychain.get(known.host)
    return { ...where, key: stored.ok && stored.secret !== null && stored.secret !== '' ? 'keychain' : null }
  }

  async connect({ token, address, key, plainHttp }: Parameters<EngineThreadOps['connect']>[0]): ReturnType<EngineThreadOps['connect']> {
    const { environment, createApi } = this.#parts
    const read = addressOf({ url: address, allowHttp: plainHttp }, environment, this.#parts.settings())
    if (!read.ok) return read
    if (read.value === null) return refuse({ code: 'usage', title: 'No address was given.', hint: null })
    const clean = readKey(key)
    if (!clean.ok) return clean
    const proved = await prove({ createApi, address: read.value, key: clean.value, signal: AbortSignal.timeout(PROVE_MS) })
    if (!proved.ok) return proved
    this.#proofs.set(token, { address: read.value, key: clean.value })
    for (const old of [...this.#proofs.keys()].slice(0, -PROOFS_MOST)) this.#proofs.delete(old)
    return { ok: true, value: { host: read.value.host, baseUrl: read.value.baseUrl, stats: provedStats(proved.value) } }
  }

  async keep({ token, save }: Parameters<EngineThreadOps['keep']>[0]): ReturnType<EngineThreadOps['keep']> {
    const { environment, keychain } = this.#parts
    const proof = this.#proofs.get(token)
    if (proof === undefined) return refuse({ code: 'usage', title: 'This key is not known any more.', hint: 'Connect again.' })
    const { key, address } = proof
    if (save) {
      const stored = await keychain.set(address.host, key)
      if (!stored.ok) return refuse({ code: 'keychain', title: stored.failure.message, hint: null })
    }
    // A key that a person enters counts in this run, even if the environment has another one.
    this.#hold(save && environment.apiKey === null ? null : { baseUrl: address.baseUrl, key, saved: save })
    this.#proofs.delete(token)
    return { ok: true, value: { baseUrl: address.baseUrl } }
  }

  /** Forgets every key that this process can forget. */
  async forget(): Promise<Result<void>> {
    this.#hold(null)
    this.#proofs.clear()
    const now = await this.connection()
    if (now.key === 'environment')
      return refuse({ code: 'usage', title: 'The key was given by the environment of this process.', hint: 'Start Slipway without it.' })
    if (now.host !== null) {
      const removed = await this.#parts.keychain.remove(now.host)
      if (!removed.ok && now.key === 'keychain') return refuse({ code: 'keychain', title: removed.failure.message, hint: null })
    }
    return { ok: true, value: undefined }
  }

  #hold(next: HeldKey | null): void {
    this.#held = next
    this.#parts.onHeld(next)
  }
}
