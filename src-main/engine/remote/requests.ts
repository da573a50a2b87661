// Sends every request except uploads: waits for the request budget, sends, and passes the answer to the account.
// It never retries; the caller knows whether a second try makes sense.
import type { ApiClient, ApiResult } from '../../api/types.ts'
import type { CallFailure } from '../account/failures.ts'
import type { AccountState } from '../account/state.ts'
import type { Budget, BudgetReason, Priority, RequestKind } from '../limits/budget.ts'
import type { Clock } from '../ports.ts'
import { callVerdict } from '../transfer/outcome.ts'

export type { CallFailure }

export type CallResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: CallFailure }

export interface CallOptions {
  readonly kind: Exclude<RequestKind, 'upload'>
  readonly priority: Priority
  /** Longest wait for capacity, in milliseconds. */
  readonly maxWaitMs: number
  readonly signal: AbortSignal
  /** Sent although the account is blocked or offline, to find out whether it still is. */
  readonly proof?: boolean
}

export interface Calls {
  run<T>(options: CallOptions, call: (api: ApiClient, signal: AbortSignal) => Promise<ApiResult<T>>): Promise<CallResult<T>>
  /** A request waits for capacity: uploads let it go first. */
  hasWaiting(): boolean
}

export interface CallsOptions {
  readonly clock: Clock
  readonly budget: Budget
  readonly account: AccountState
  readonly api: () => ApiClient | null
}

export function createCalls(options: CallsOptions): Calls {
  const { clock, budget, account } = options
  let waiting = 0

  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const cancel = clock.after(ms, end)
      signal.addEventListener('abort', end, { once: true })
    })

  return {
    hasWaiting: () => waiting > 0,
    run: async (o, call) => {
      const deadline = clock.mono() + o.maxWaitMs
      for (;;) {
        if (o.signal.aborted) return { ok: false, failure: { kind: 'aborted' } }
        const api = options.api()
        if (api === null || (account.isBlocked() && o.proof !== true)) return { ok: false, failure: { kind: 'blocked' } }
        const offline = o.proof === true || o.priority === 'person' ? null : account.offlineUntil()
        let wait: { until: number; reason: BudgetReason | 'offline' }
        if (offline !== null && offline > clock.now()) wait = { until: offline, reason: 'offline' }
        else {
          const claim = budget.claim(o.kind, o.priority)
          if (claim.ok) {
            const result = await call(api, o.signal)
            account.observe(claim.id, result.ok ? { ok: true, meta: result.meta } : { ok: false, failure: result.failure })
            return result.ok ? { ok: true, value: result.value } : { ok: false, failure: { kind: 'api', failure: result.failure } }
          }
          wait = { until: claim.until, reason: claim.reason }
        }
        const ms = Math.max(1, wait.until - clock.now())
        if (clock.mono() + ms > deadline) return { ok: false, failure: { kind: 'waits', ...wait } }
        waiting++
        await sleep(ms, o.signal)
        waiting--
      }
    },
  }
}

/** The service can't be reached. */
export function isUnreached(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'offline'
}

/** The service says that the file isn't there. */
export function isGone(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'gone'
}
