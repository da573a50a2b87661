// Classifies a failed request: whether the account is affected, and whether a retry can help. Pure. transfer/outcome.ts decides what a
// failed upload means for its transfer.
import { assertNever } from '../../../src-shared/assert.ts'
import type { ApiFailure } from '../../api/types.ts'

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

/** Whether the same request may succeed later. */
export function mayComeBack(f: ApiFailure): boolean {
  const verdict = callVerdict(f)
  return verdict === 'offline' || verdict === 'retry' || verdict === 'rate-limited' || verdict === 'aborted'
}
