// Whose key and which address: the environment for this process alone, else the keychain and the settings. The key is taken out of the
// environment as soon as it is read, so that nothing this process starts can inherit it. It is never printed.
import { createHmac } from 'node:crypto'
import type { Failure, Result } from '../../src-shared/contract.ts'
import { normaliseBaseUrl } from '../api/base-url.ts'
import type { Identity } from '../engine/account/identity.ts'
import type { Keychain } from '../engine/ports.ts'
import type { Settings } from './settings.ts'

export interface Environment {
  readonly apiKey: string | null
  /** As typed, not normalised yet. */
  readonly baseUrl: string | null
}

/** Takes the key out of `env`. */
export function takeEnvironment(env: Record<string, string | undefined>): Environment {
  const text = (name: string): string | null => {
    const value = env[name]?.trim() ?? ''
    return value === '' ? null : value
  }
  const taken = { apiKey: text('SLIPWAY_API_KEY'), baseUrl: text('SLIPWAY_BASE_URL') }
  delete env['SLIPWAY_API_KEY']
  return taken
}

export interface Address {
  readonly baseUrl: string
  readonly origin: string
  /** With its port: the account name in the keychain. */
  readonly host: string
}

const SET_ADDRESS = 'Set it with: slipway login --base-url URL, or in SLIPWAY_BASE_URL.'

/** `typed` wins over the environment, the environment over the settings. Null where none is known. */
export function addressOf(
  typed: { readonly url: string; readonly allowHttp: boolean } | null,
  env: Environment,
  settings: Settings,
): Result<Address | null> {
  const [text, allowPlainHttp] =
    typed !== null
      ? [typed.url, typed.allowHttp]
      : env.baseUrl !== null
        ? [env.baseUrl, false]
        : // What stands in the settings was agreed to at the login.
          [settings.baseUrl, true]
  if (text === null) return { ok: true, value: null }
  const url = normaliseBaseUrl(text, { allowPlainHttp })
  if (!url.ok) return { ok: false, failure: { code: 'usage', title: url.message, hint: SET_ADDRESS } }
  return { ok: true, value: { baseUrl: url.baseUrl, origin: url.origin, host: url.host } }
}

export const NO_ADDRESS: Failure = { code: 'no-key', title: 'The address of the service is not known yet.', hint: SET_ADDRESS }

/** For the engine. Asked again after every login and logout. */
export async function readIdentity(options: {
  readonly env: Environment
  readonly settings: Settings
  readonly keychain: Keychain
}): Promise<Result<Identity>> {
  const address = addressOf(null, options.env, options.settings)
  if (!address.ok) return address
  if (address.value === null) return { ok: false, failure: NO_ADDRESS }
  const { baseUrl, host } = address.value
  let key = options.env.apiKey
  if (key === null) {
    const stored = await options.keychain.get(host)
    if (!stored.ok) return { ok: false, failure: { code: 'keychain', title: stored.failure.message, hint: null } }
    key = stored.secret
  }
  if (key === null || key === '')
    return {
      ok: false,
      failure: {
        code: 'no-key',
        title: `There is no key for ${host} yet.`,
        hint: 'Store one with: slipway login, or set SLIPWAY_API_KEY.',
      },
    }
  return { ok: true, value: { baseUrl, key, account: accountMark(baseUrl, key) } }
}

/** The same for the same key and address, and of no use to find the key: kept in the journal to tell accounts apart. */
export function accountMark(baseUrl: string, key: string): string {
  return createHmac('sha256', key).update(`slipway account ${baseUrl}`).digest('hex').slice(0, 32)
}
