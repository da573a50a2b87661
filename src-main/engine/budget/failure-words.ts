// Translates failed calls to the service into a message and a hint for the user. Pure. account-state.ts and
// send/upload-answers.ts decide what a failure means for uploads.
import { assertNever } from '../../../src-shared/assert.ts'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import { formatDuration } from '../../../src-shared/format.ts'
import type { Account } from '../../../src-shared/model.ts'
import type { ApiFailure } from '../../api/types.ts'
import type { BudgetReason } from './budget.ts'
import { foreignMessage } from './call-verdict.ts'

export type CallFailure =
  | { readonly kind: 'api'; readonly failure: ApiFailure }
  /** Nothing is sent: there is no usable key, the key was refused, or the plan doesn't include the API. */
  | { readonly kind: 'blocked' }
  /**
   * The request can't be sent within the time that the caller is willing to wait, because of the rate limit
   * or because the service can't be reached. `until`: when it can be sent, in epoch milliseconds.
   */
  | { readonly kind: 'waits'; readonly until: number; readonly reason: BudgetReason | 'offline' }
  /** Something else answers in place of the service, or perhaps does. */
  | { readonly kind: 'foreign'; readonly message: string }
  /** The service doesn't find a file, but that doesn't prove that the file is gone (presence/evidence.ts). */
  | { readonly kind: 'unproved' }
  /**
   * The journal switched to another account in the meantime. The request wasn't sent, or its response was
   * discarded.
   */
  | { readonly kind: 'switched' }
  | { readonly kind: 'aborted' }

const KEY_REFUSED: Failure = {
  code: 'key-refused',
  title: 'The key was refused.',
  hint: 'Enter a new key with `slipway login`.',
}
/** A refusal of a key that worked before, which perhaps isn't the service's own. */
const PERHAPS_REFUSED: Failure = {
  code: 'key-refused',
  title: 'The key was refused, although it worked before.',
  hint: 'Perhaps something else answered. Try again; if the key has been replaced, enter the new one with `slipway login`.',
}
const NO_KEY: Failure = {
  code: 'no-key',
  title: 'No API key yet.',
  hint: 'Log in with `slipway login`, or set SLIPWAY_API_KEY.',
}

/**
 * The failure returned for a request to the previous account if the request was still pending when the
 * account changed.
 */
export const ACCOUNT_CHANGED: Failure = {
  code: 'key-refused',
  title: 'The account was changed in the meantime.',
  hint: 'Nothing was done for the new one. Try again.',
}

/** `identity`: why there is no usable key (see `IdentityKeeper.failure`), or null. */
export function callFailure(
  failure: CallFailure,
  account: Pick<Account, 'state' | 'doubted'>,
  identity: Failure | null,
): Failure {
  const explained = explain(failure, account.state, identity)
  return explained === KEY_REFUSED && account.doubted === true ? PERHAPS_REFUSED : explained
}

function explain(failure: CallFailure, state: Account['state'], identity: Failure | null): Failure {
  switch (failure.kind) {
    case 'blocked':
      if (state === 'key-refused') return KEY_REFUSED
      if (state === 'no-api')
        return {
          code: 'no-api',
          title: "This plan doesn't include API access.",
          hint: 'Pro, Business and Enterprise plans include it.',
        }
      return identity ?? NO_KEY
    case 'waits':
      return {
        code: failure.reason === 'offline' ? 'no-connection' : 'waits',
        title:
          failure.reason === 'offline'
            ? "The service can't be reached."
            : "The plan's request limit is reached for now.",
        hint: `Try again after ${new Date(failure.until).toISOString()}.`,
      }
    case 'foreign':
      return {
        code: 'server',
        title: failure.message,
        hint: 'The app and `slipway watch` check from time to time whether the service answers again.',
      }
    case 'unproved':
      return {
        code: 'waits',
        title: "The service doesn't find the file, but it isn't proved that the file is gone.",
        hint: null,
      }
    case 'switched':
      return ACCOUNT_CHANGED
    case 'aborted':
      return { code: 'closing', title: 'Slipway is closing.', hint: null }
    case 'api':
      return answerFailure(failure.failure)
    default:
      return assertNever(failure, 'failure')
  }
}

/**
 * For requests that aren't about a single file: a failure with 404 means that the API isn't at this address.
 */
export function wrongAddressIfNotFound(failure: Failure): Failure {
  if (failure.code !== 'not-found') return failure
  return {
    code: 'server',
    title: "The service answered 404: its API isn't at this address.",
    hint: 'Check the address.',
  }
}

function answerFailure(answer: ApiFailure): Failure {
  if (answer.kind === 'status' && answer.isPage === true)
    return {
      code: 'server',
      title: foreignMessage(answer),
      hint: 'Check the address and the network, then try again.',
    }
  if (answer.kind === 'connect' && answer.cause === 'policy')
    return { code: 'no-api', title: answer.message, hint: null }
  if (answer.kind === 'connect')
    return {
      code: 'no-connection',
      title: answer.message,
      hint: 'Check the address and the network, then try again.',
    }
  if (answer.kind === 'status')
    switch (answer.status) {
      case 401:
        return KEY_REFUSED
      case 403:
        return {
          code: 'no-api',
          title: "Access denied: this plan doesn't include API access, or a limit is exceeded.",
          hint: answer.detail,
        }
      case 404:
        return { code: 'not-found', title: "The service doesn't have this.", hint: answer.detail }
      case 429:
        return {
          code: 'waits',
          title: 'The service asked to wait.',
          hint: `Try again in ${waitText(answer.meta.rate.retryAfterMs)}.`,
        }
    }
  return {
    code: 'server',
    title: answer.message,
    hint: 'Try again. If this keeps happening, check the address.',
  }
}

function waitText(ms: number | null): string {
  return ms === null || ms <= 0 ? 'a minute' : formatDuration(ms)
}
