// Determines where a command's API key comes from. If the service refuses the key, the advice to the user
// depends on that: for example, `login` doesn't change a key in the environment. The engine doesn't know the
// source, so this module adds the hint.
import type { Failure } from '../../src-shared/engine-contract.ts'
import { REFUSED_ENVIRONMENT_KEY } from '../platform/account/key-and-address.ts'
import type { EngineSession } from '../platform/host/engine-session.ts'

/** `elsewhere` means that another process runs the engine and has read the key itself. */
export type KeySource = 'environment' | 'keychain' | 'elsewhere'

export function keySourceOf(hasEnvironmentKey: boolean, session: Pick<EngineSession, 'isOwner'>): KeySource {
  if (!session.isOwner()) return 'elsewhere'
  return hasEnvironmentKey ? 'environment' : 'keychain'
}

export function refusedKeyHint(source: KeySource): string {
  switch (source) {
    case 'environment':
      return REFUSED_ENVIRONMENT_KEY
    case 'keychain':
      return 'Enter a new key with: slipway login'
    case 'elsewhere':
      return 'Slipway runs in another process and uses its own key. Enter a new one with: slipway login. If SLIPWAY_API_KEY was set when it started, restart it with a valid one.'
    default:
      return source satisfies never
  }
}

/**
 * Wraps a session so that failures about a refused key say what to do, which depends on where the key came
 * from.
 */
export function withKeyHint(session: EngineSession, source: () => KeySource): EngineSession {
  const hinted = async (failure: Failure): Promise<Failure> => {
    // `key-refused` is also the code for a key of another account, which the service doesn't refuse.
    const snapshot = await session.call('snapshot', {})
    const isRefused = snapshot.ok && snapshot.value.account.state === 'key-refused'
    return isRefused ? { ...failure, hint: refusedKeyHint(source()) } : failure
  }
  return {
    ...session,
    call: async (procedure, input) => {
      const got = await session.call(procedure, input)
      return got.ok || got.failure.code !== 'key-refused'
        ? got
        : { ok: false, failure: await hinted(got.failure) }
    },
  }
}
