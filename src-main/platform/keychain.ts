// The operating system's keychain through the `keytar` dependency. On Linux the Secret Service and nothing else: the kernel's key ring would
// take the key too and lose it at the next start. Every call has a time limit, since a half-started keychain never answers.
import type { Keychain, KeychainFailure } from '../engine/ports.ts'

/** What a person sees in the keychain's own program. */
export const SERVICE = 'Slipway'
const TIMEOUT_MS = 10_000

type Module = typeof import('keytar')

export interface KeychainOptions {
  readonly timeoutMs?: number
  /** Stands in for the native module in tests of its absence. */
  readonly load?: () => Promise<Module>
}

class TimeoutError extends Error {}

export function createKeychain(options: KeychainOptions = {}): Keychain {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const load = options.load ?? (() => import('keytar'))

  const call = async <T>(
    work: (entry: InstanceType<Module['AsyncEntry']>, signal: AbortSignal) => Promise<T>,
    account: string,
  ): Promise<{ ok: true; value: T } | { ok: false; failure: KeychainFailure }> => {
    let timer: NodeJS.Timeout | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new TimeoutError()), timeoutMs)
      })
      const run = async (): Promise<T> => {
        const { AsyncEntry } = await load()
        const entry =
          process.platform === 'linux'
            ? new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } })
            : new AsyncEntry(SERVICE, account)
        return work(entry, AbortSignal.timeout(timeoutMs))
      }
      return { ok: true, value: await Promise.race([run(), late]) }
    } catch (error) {
      return { ok: false, failure: keychainFailure(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    get: async (account) => {
      const got = await call((entry, signal) => entry.getPassword(signal), account)
      if (got.ok) return { ok: true, secret: got.value ?? null }
      return noEntry(got.failure) ? { ok: true, secret: null } : got
    },
    set: async (account, secret) => {
      const got = await call((entry, signal) => entry.setPassword(secret, signal), account)
      return got.ok ? { ok: true } : got
    },
    remove: async (account) => {
      const got = await call((entry, signal) => entry.deletePassword(signal), account)
      if (got.ok) return { ok: true, existed: got.value }
      return noEntry(got.failure) ? { ok: true, existed: false } : got
    },
  }
}

const NO_ENTRY = 'no entry'

function noEntry(failure: KeychainFailure): boolean {
  return failure.message === NO_ENTRY
}

/** The library's errors share one code, so their words decide. */
function keychainFailure(error: unknown): KeychainFailure {
  if (error instanceof TimeoutError || (error instanceof Error && error.name === 'AbortError'))
    return {
      code: 'timeout',
      message: 'The keychain did not answer. Unlock it or restart it, then try again; or set SLIPWAY_API_KEY for this session.',
    }
  const text = error instanceof Error ? error.message : String(error)
  if (/no matching entry|not found in secure storage|NoEntry/i.test(text)) return { code: 'other', message: NO_ENTRY }
  if (/dismissed|locked|IsLocked|denied/i.test(text))
    return { code: 'locked', message: 'The keychain is locked. Unlock it, then try again; or set SLIPWAY_API_KEY for this session.' }
  if (/D-?Bus|zbus|no result found|secret.?service|Cannot find|ERR_MODULE_NOT_FOUND|ServiceUnknown|autolaunch|not supported/i.test(text))
    return {
      code: 'missing',
      message:
        process.platform === 'linux'
          ? 'There is no keychain on this system (no Secret Service, such as GNOME Keyring or KWallet, answers). The key is kept nowhere else; set SLIPWAY_API_KEY for this session.'
          : 'The keychain of this system can not be used. The key is kept nowhere else; set SLIPWAY_API_KEY for this session.',
    }
  return { code: 'other', message: `The keychain refused: ${text.slice(0, 200)}` }
}
