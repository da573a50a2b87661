// Maps the result of an upload request to a verdict on its transfer. Pure. upload-answers.ts applies the verdict.
import { assertNever } from '../../../src-shared/assert.ts'
import type { AnswerMeta, ApiFailure, ApiResult, RemoteFile } from '../../api/types.ts'
import type { Loss } from '../journal/transfers.ts'

export type UploadVerdict =
  | { readonly kind: 'done'; readonly file: RemoteFile }
  /** Sent, at least in part, but the outcome is unknown: the reconciler decides before anything is sent again. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** Certainly not stored; this transfer is retried with back-off. `isAnswer`: the service, or something in front of it, answered. */
  | { readonly kind: 'retry'; readonly why: string; readonly isAnswer: boolean }
  /**
   * Certainly not stored, and a retry helps only if the cause isn't the file. `fails`: the reason why the transfer fails if nothing shows
   * another cause; null if it is retried less and less often.
   */
  | { readonly kind: 'refused'; readonly why: string; readonly fails: 'bad-request' | 'refused' | null }
  /** The service wasn't reached: the whole account waits, and no attempt is counted. */
  | { readonly kind: 'offline'; readonly why: string }
  | { readonly kind: 'key-refused'; readonly why: string }
  /** A 403 has several causes; `/stats` may show which one applies. `detail`: the message in its body; null if there is none. */
  | { readonly kind: 'forbidden'; readonly detail: string | null }
  | { readonly kind: 'too-big'; readonly why: string }
  | { readonly kind: 'rate-limited'; readonly meta: AnswerMeta }
  /** The address redirects elsewhere: the whole account waits. */
  | { readonly kind: 'wrong-address'; readonly why: string }
  /** The file changed or couldn't be read to its end; `cause` shows which. */
  | { readonly kind: 'source'; readonly cause: unknown }
  | { readonly kind: 'aborted' }

export function uploadVerdict(result: ApiResult<RemoteFile>): UploadVerdict {
  if (result.ok) {
    const { fileId, publicLink } = result.value
    // A receipt with neither ID nor link proves nothing.
    return fileId === null && publicLink === null
      ? { kind: 'unknown', why: 'the response contained neither a file ID nor a link' }
      : { kind: 'done', file: result.value }
  }
  const f = result.failure
  switch (f.kind) {
    case 'connect':
      return { kind: 'offline', why: f.message }
    case 'cut':
    case 'timeout':
      return f.phase === 'unsent' ? { kind: 'retry', why: f.message, isAnswer: false } : { kind: 'unknown', why: f.message }
    case 'garbage':
      return f.phase === 'unsent' ? { kind: 'retry', why: f.message, isAnswer: true } : { kind: 'unknown', why: f.message }
    case 'refused':
      return { kind: 'unknown', why: f.detail ?? f.message }
    case 'redirect':
      // 303 is the answer to a request that was carried out (RFC 9110, section 15.4.4), so the file may be stored.
      return f.meta?.status === 303 && f.phase === 'sent' ? { kind: 'unknown', why: f.message } : { kind: 'wrong-address', why: f.message }
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
  if (f.status === 400) return { kind: 'refused', why, fails: 'bad-request' }
  if (f.status === 401) return { kind: 'key-refused', why }
  if (f.status === 403) return { kind: 'forbidden', detail: f.detail }
  // A gateway may lack this route, temporarily or for good. None of these says anything about the file.
  if ([404, 405, 410, 421, 425].includes(f.status)) return { kind: 'refused', why, fails: null }
  if (f.status === 413) return { kind: 'too-big', why }
  if (f.status === 429) return { kind: 'rate-limited', meta: f.meta }
  // Before the last byte was sent, the service can't have stored the whole file. A proxy may send 408 after the service has stored it.
  if (f.status >= 500 || f.status === 408) return f.phase === 'sent' ? { kind: 'unknown', why } : { kind: 'retry', why, isAnswer: true }
  return { kind: 'refused', why, fails: f.status < 400 ? null : 'refused' }
}

/** How the response to an upload was lost. */
export function lossOf(result: ApiResult<RemoteFile>): Loss {
  if (result.ok) return 'cut'
  const f = result.failure
  if (f.phase === 'partly') return 'partly'
  // The gateway or this client gave up, but the service may still be working on the request.
  return f.kind === 'timeout' || (f.kind === 'status' && [408, 502, 503, 504].includes(f.status)) ? 'gateway' : 'cut'
}
