// Finds the API key and the address of the service. The environment takes precedence over the keychain and
// the settings. The key is removed from the environment once it is read, so that no child process inherits
// it.
import { createHmac } from 'node:crypto'
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import { normaliseBaseUrl } from '../../api/base-url.ts'
import { isSendableKey } from '../../api/key.ts'
import type { Identity } from '../../engine/budget/current-key.ts'
import type { Keychain } from '../../engine/ports.ts'
import { addressFault, type Policy, readPolicy } from '../data/policy.ts'
import type { Settings } from '../data/settings.ts'

export interface Environment {
  readonly apiKey: string | null
  /** The address as the user typed it, not normalized yet. Null if unset. */
  readonly baseUrl: string | null
  /** Whether the user has allowed plain http for addresses that aren't on this machine. */
  readonly plainHttp?: boolean
}

/** Reads the variables and deletes the key from `env`. */
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
  /** Host with port. By default, it is also the name of the key in the keychain. */
  readonly host: string
}

const SET_ADDRESS = 'Set it with: slipway login --base-url URL, or in SLIPWAY_BASE_URL.'

/**
 * Determines the address, in this order of precedence: `typed`, the environment, the settings. Null means
 * that there is none. Fails if the address is invalid or forbidden by the policy, or if the policy can't be
 * used.
 */
export function addressOf(
  typed: { readonly url: string; readonly allowHttp: boolean } | null,
  env: Environment,
  settings: Settings,
  policy: Policy = readPolicy(),
): Result<Address | null> {
  const [text, allowPlainHttp] =
    typed !== null
      ? [typed.url, typed.allowHttp]
      : env.baseUrl !== null
        ? [env.baseUrl, env.plainHttp === true]
        : // Plain http was confirmed at login, before the address was saved.
          [settings.baseUrl, true]
  if (text === null)
    return policy.fault === null ? { ok: true, value: null } : { ok: false, failure: policy.fault }
  const url = normaliseBaseUrl(text, { allowPlainHttp })
  if (!url.ok) return { ok: false, failure: { code: 'usage', title: url.message, hint: SET_ADDRESS } }
  const fault = addressFault(policy, url.baseUrl)
  if (fault !== null) return { ok: false, failure: fault }
  return { ok: true, value: { baseUrl: url.baseUrl, origin: url.origin, host: url.host } }
}

/**
 * Hint shown when a key from the environment is invalid or refused. Doesn't suggest `login`, because that
 * wouldn't replace the key.
 */
export const REFUSED_ENVIRONMENT_KEY =
  'The key comes from SLIPWAY_API_KEY. Set a valid one, or unset the variable to use the key in the keychain.'

/**
 * Returns a failure if the key contains characters that can't be sent in a request, otherwise null. `hint`
 * says how to set another key.
 */
export function keyFailure(key: string, hint: string): Failure | null {
  return isSendableKey(key)
    ? null
    : { code: 'key-refused', title: "The API key contains characters that can't be sent.", hint }
}

export const NO_ADDRESS: Failure = {
  code: 'no-key',
  title: "The service's address isn't known yet.",
  hint: SET_ADDRESS,
}

/**
 * Determines the address and reads the key. `entry` is the key's name in the keychain, by default the host.
 * `account` in the result is the key's own mark; account-finder.ts replaces it with the ID of the known
 * account.
 */
export async function readIdentity(options: {
  readonly env: Environment
  readonly settings: Settings
  readonly keychain: Keychain
  readonly entry?: string
  readonly policy?: Policy
}): Promise<Result<Identity>> {
  const address = addressOf(null, options.env, options.settings, options.policy)
  if (!address.ok) return address
  if (address.value === null) return { ok: false, failure: NO_ADDRESS }
  const { baseUrl, host } = address.value
  let key = options.env.apiKey
  if (key === null) {
    const stored = await options.keychain.get(options.entry ?? host)
    if (!stored.ok)
      return { ok: false, failure: { code: 'keychain', title: stored.failure.message, hint: null } }
    key = stored.secret
  }
  if (key === null || key === '')
    return {
      ok: false,
      failure: {
        code: 'no-key',
        title: `No API key for ${host} yet.`,
        hint: 'Log in with: slipway login, or set SLIPWAY_API_KEY.',
      },
    }
  const failure = keyFailure(
    key,
    options.env.apiKey === null ? 'Enter it again with: slipway login' : REFUSED_ENVIRONMENT_KEY,
  )
  if (failure !== null) return { ok: false, failure }
  const mark = accountMark(baseUrl, key)
  return { ok: true, value: { baseUrl, key, account: mark, marks: [mark] } }
}

/**
 * A value that identifies a key at an address, used to recognize known keys. The key can't be derived from
 * it.
 */
export function accountMark(baseUrl: string, key: string): string {
  return createHmac('sha256', key).update(`slipway account ${baseUrl}`).digest('hex').slice(0, 32)
}
