// Classifies a failed request: whether the account is affected, and whether a retry can help. Pure.
// send/upload-answers.ts decides what a failed upload means for its transfer.
import { assertNever } from '../../../src-shared/assert.ts'
import type { ApiFailure } from '../../api/types.ts'
import type { RequestKind } from './budget.ts'

export type CallVerdict =
  | 'offline'
  | 'key-refused'
  | 'forbidden'
  | 'rate-limited'
  | 'gone'
  | 'retry'
  | 'wrong-address'
  | 'aborted'
  | 'refused'

export function callVerdict(f: ApiFailure): CallVerdict {
  switch (f.kind) {
    case 'connect':
      return 'offline'
    case 'cut':
    case 'timeout':
    case 'garbage':
      return 'retry'
    case 'refused':
      return 'refused'
    case 'redirect':
      return 'wrong-address'
    case 'aborted':
      return 'aborted'
    case 'source':
      return 'retry'
    case 'status':
      if (f.status === 401) return 'key-refused'
      if (f.status === 403) return 'forbidden'
      if (f.status === 404 || f.status === 410) return 'gone'
      if (f.status === 429) return 'rate-limited'
      if (f.status >= 500 || f.status === 408 || f.status === 425) return 'retry'
      return 'refused'
    default:
      return assertNever(f, 'failure')
  }
}

/**
 * Whether an answer to `/stats` may be that of a proxy, a portal or another program rather than of the
 * service: a request that needs nothing but the key was refused, or answered with something else.
 */
export function isForeign(f: ApiFailure): boolean {
  if (f.kind === 'garbage' || f.kind === 'refused') return true
  return f.kind === 'status' && f.status >= 400 && f.status < 500 && f.status !== 408 && f.status !== 429
}

/** Whether the service, or something in front of it, says that it can't answer for now. */
export function isUnavailable(f: ApiFailure): boolean {
  return f.kind === 'status' && f.status === 503
}

/**
 * Whether `/stats` must show whose answer this was, because the form of the service's own errors isn't
 * documented. Pages beyond the end of the list are refused in many ways, so these refusals aren't suspect.
 */
export function isSuspect(kind: RequestKind, f: ApiFailure): boolean {
  if (f.kind === 'garbage') return f.isOther !== true && f.meta !== null
  if (f.kind !== 'status' || f.status === 400 || f.status === 422) return false
  return isForeign(f) && !(kind === 'list' && (f.status === 404 || f.status === 416))
}

/** Says in its own words what answers instead of the service. */
export function foreignMessage(f: ApiFailure): string {
  if (f.kind !== 'status') return `Something between here and the service answers. ${f.message}`
  const who =
    f.isPage === true || f.status === 404
      ? 'Something between here and the service'
      : 'The service, or something before it,'
  const why = f.status === 403 ? ' Perhaps the plan no longer includes the API.' : ''
  return `${who} answers ${f.status}${f.detail === null ? '.' : `: “${f.detail}”.`}${why}`
}

/**
 * What a failure says about the service as a whole: `usable` if the answer is the service's, `none` if there
 * was no answer or one that can't be the service's, null if it says nothing. A 503 that says when to ask
 * again is usable.
 */
export function answerOf(f: ApiFailure): 'usable' | 'none' | null {
  if (f.kind === 'aborted' || f.kind === 'source' || (f.kind === 'connect' && f.cause === 'policy'))
    return null
  if (f.kind === 'refused') return 'usable'
  if (f.kind === 'garbage') return f.isOther === true ? 'usable' : 'none'
  if (f.kind !== 'status') return 'none'
  if (isUnavailable(f) && (f.meta.rate.retryAfterMs ?? 0) > 0) return 'usable'
  return f.isPage === true || callVerdict(f) === 'retry' ? 'none' : 'usable'
}

/** Whether the same request may succeed later. */
export function mayComeBack(f: ApiFailure): boolean {
  const verdict = callVerdict(f)
  return verdict === 'offline' || verdict === 'retry' || verdict === 'rate-limited' || verdict === 'aborted'
}
