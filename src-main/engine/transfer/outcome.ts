// What an answer means: pure tables from an API result to what becomes of a transfer, and when a failed try comes again.
// Decides only; the propagator carries it out.
import { assertNever } from '../../../src-shared/assert.ts'
import type { AnswerMeta, ApiFailure, ApiResult, RemoteFile } from '../../api/types.ts'
import type { Loss } from '../journal/transfers.ts'
import type { Random } from '../ports.ts'

export type UploadVerdict =
  | { readonly kind: 'done'; readonly file: RemoteFile }
  /** Sent, but what became of it is not known: the reconciler decides before anything is sent again. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** Surely not stored; tried again after a back-off of its own. */
  | { readonly kind: 'retry'; readonly why: string }
  /** Nobody was reached: the whole account waits, no attempt is charged. */
  | { readonly kind: 'offline'; readonly why: string }
  | { readonly kind: 'key-refused'; readonly why: string }
  /** 403 means several things; one `/stats` decides. */
  | { readonly kind: 'forbidden'; readonly why: string }
  | { readonly kind: 'too-big'; readonly why: string }
  | { readonly kind: 'rate-limited'; readonly meta: AnswerMeta }
  | { readonly kind: 'failed'; readonly reason: 'bad-request' | 'refused'; readonly why: string }
  /** The address leads elsewhere or is not the API's: the whole account waits. */
  | { readonly kind: 'wrong-address'; readonly why: string }
  /** The file could not be read to the end, or changed: it settles again. */
  | { readonly kind: 'source'; readonly cause: unknown }
  | { readonly kind: 'aborted' }

export function uploadVerdict(result: ApiResult<RemoteFile>): UploadVerdict {
  if (result.ok) {
    const { fileId, publicLink } = result.value
    // A receipt that names neither id nor link proves nothing.
    return fileId === null && publicLink === null
      ? { kind: 'unknown', why: 'the answer named neither file nor link' }
      : { kind: 'done', file: result.value }
  }
  const f = result.failure
  switch (f.kind) {
    case 'connect':
      return { kind: 'offline', why: f.message }
    case 'cut':
    case 'timeout':
      return f.phase === 'unsent' ? { kind: 'retry', why: f.message } : { kind: 'unknown', why: f.message }
    case 'garbage':
      return f.phase === 'unsent' ? { kind: 'retry', why: f.message } : { kind: 'unknown', why: f.message }
    case 'refused':
      return { kind: 'unknown', why: f.detail ?? f.message }
    case 'redirect':
      return { kind: 'wrong-address', why: f.message }
    case 'aborted':
      return f.phase === 'unsent' ? { kind: 'aborted' } : { kind: 'unknown', why: f.message }
    case 'source':
      return f.phase === 'sent' ? { kind: 'unknown', why: f.message } : { kind: 'source', cause: f.cause }
    case 'status':
      return statusVerdict(f)
    default:
      return assertNever(f, 'failure')
  }
}

function statusVerdict(f: Extract<ApiFailure, { kind: 'status' }>): UploadVerdict {
  const why = f.detail ?? f.message
  if (f.status === 400) return { kind: 'failed', reason: 'bad-request', why }
  if (f.status === 401) return { kind: 'key-refused', why }
  if (f.status === 403) return { kind: 'forbidden', why }
  if (f.status === 404 || f.status === 405) return { kind: 'wrong-address', why }
  if (f.status === 408) return { kind: 'retry', why }
  if (f.status === 413) return { kind: 'too-big', why }
  if (f.status === 421 || f.status === 425) return { kind: 'retry', why }
  if (f.status === 429) return { kind: 'rate-limited', meta: f.meta }
  // Before the last byte was out, the service can't have stored the whole of it.
  if (f.status >= 500) return f.phase === 'sent' ? { kind: 'unknown', why } : { kind: 'retry', why }
  if (f.status < 200 || (f.status >= 300 && f.status < 400)) return { kind: 'wrong-address', why }
  return { kind: 'failed', reason: 'refused', why }
}

/** What a failed GET or DELETE means for the account, apart from its own purpose. */
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

/** Whether the same question may be answered in a while, though it was not now. */
export function mayComeBack(f: ApiFailure): boolean {
  const verdict = callVerdict(f)
  return verdict === 'offline' || verdict === 'retry' || verdict === 'rate-limited' || verdict === 'aborted'
}

/** Full jitter up to these, while a hiccup is likely ... */
const QUICK_MS = [500, 1000, 2000, 4000, 8000, 16_000] as const
/** ... then minutes, up to an hour: whoever is down that long is not helped by haste. */
const LADDER_MS = [60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const

/** Milliseconds until the next try, after `attempts` (1 and more) that failed. */
export function backoffMs(attempts: number, random: Random): number {
  const quick = QUICK_MS[Math.max(0, attempts - 1)]
  // A floor of 100 ms, or a lucky draw hammers a server that is down.
  if (quick !== undefined) return 100 + Math.floor(random() * quick)
  const step = LADDER_MS[Math.min(attempts - QUICK_MS.length - 1, LADDER_MS.length - 1)] ?? 3_600_000
  return Math.floor(step * (0.75 + random() * 0.5))
}

/** How the answer to an upload was lost that became `unknown`. */
export function lossOf(result: ApiResult<RemoteFile>): Loss {
  if (result.ok) return 'cut'
  const f = result.failure
  if (f.phase === 'partly') return 'partly'
  // A gateway gave up, or we did, and the service behind may go on.
  return f.kind === 'timeout' || (f.kind === 'status' && f.status >= 502 && f.status <= 504) ? 'gateway' : 'cut'
}
