// Checks a key and an address with one `GET /stats` request before they are saved. Translates a failed check
// into a message for the user. Stores nothing.
import { KEY_LENGTH_MAX, type KeyFault, keyFault } from '../../../src-shared/api-key.ts'
import { assertNever } from '../../../src-shared/assert.ts'
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { ApiClient, ApiFailure, Stats } from '../../api/types.ts'
import type { Address } from './key-and-address.ts'

const FAULTS: Readonly<Record<KeyFault, string>> = {
  'too-long': `This isn't an API key: it is longer than ${KEY_LENGTH_MAX} characters.`,
  characters: "This isn't an API key: it contains spaces or other characters that can't be part of one.",
}

/**
 * Trims the entered text and returns it as a key. Fails if it is empty, too long or contains characters that
 * keys can't contain.
 */
export function readKey(entered: string): Result<string> {
  const key = entered.trim()
  if (key === '') return { ok: false, failure: { code: 'no-key', title: 'No key was given.', hint: null } }
  const fault = keyFault(key)
  if (fault !== null)
    return {
      ok: false,
      failure: {
        code: 'key-refused',
        title: FAULTS[fault],
        hint: 'Copy it again from the account settings.',
      },
    }
  return { ok: true, value: key }
}

export async function prove(options: {
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient<string>
  readonly address: Address
  readonly key: string
  readonly signal: AbortSignal
}): Promise<Result<Stats>> {
  const api = options.createApi(options.address.baseUrl, () => options.key)
  const proof = await api.stats(options.signal)
  await api.close()
  return proof.ok
    ? { ok: true, value: proof.value }
    : { ok: false, failure: proofFailure(proof.failure, options.address) }
}

function proofFailure(f: ApiFailure, address: Address): Failure {
  const checkAddress = `Check the address (${address.baseUrl}).`
  switch (f.kind) {
    case 'connect':
    case 'cut':
    case 'timeout':
      return {
        code: 'no-connection',
        title: `${address.host} couldn't be reached. ${f.message}`,
        hint: 'Check the address and the network, then try again.',
      }
    case 'status':
      if (f.status === 401)
        return {
          code: 'key-refused',
          title: 'The key was refused. Nothing was stored.',
          hint: 'Copy it again from the account settings, API section.',
        }
      if (f.status === 403)
        return {
          code: 'no-api',
          title: "This plan doesn't include API access. Nothing was stored.",
          hint: f.detail ?? 'Pro, Business and Enterprise plans include it.',
        }
      if (f.status === 429)
        return {
          code: 'waits',
          title: 'The service asked to wait. Nothing was stored.',
          hint: 'Try again in a minute.',
        }
      return {
        code: 'server',
        title: `The service answered ${f.status}. Nothing was stored.`,
        hint: f.status === 404 ? checkAddress : 'Try again later.',
        status: f.status,
      }
    case 'refused':
      return {
        code: 'server',
        title: `The service didn't accept it: ${f.message}`,
        hint: 'Nothing was stored.',
      }
    case 'garbage':
      return {
        code: 'server',
        title: "The server at this address isn't the service. Nothing was stored.",
        hint: checkAddress,
      }
    case 'redirect':
      return { code: 'server', title: f.message, hint: `${checkAddress} Nothing was stored.` }
    case 'aborted':
      return { code: 'closing', title: 'Interrupted.', hint: null }
    case 'source':
      return { code: 'defect', title: f.message, hint: null }
    default:
      return assertNever(f, 'failure')
  }
}
