// Sends the engine's requests that count against the rate limit, except uploads: waits for room, sends, and
// passes the response to the account. Repeats a failed request only if the key was replaced in the meantime.
import { formatDuration } from '../../../src-shared/format.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import type { ApiClient, ApiFailure, ApiResult, ListPage } from '../../api/types.ts'
import type { AccountState } from '../budget/account-state.ts'
import type { Budget, BudgetReason, Place, Priority, RequestKind } from '../budget/budget.ts'
import { answerOf, callVerdict } from '../budget/call-verdict.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import type { CallFailure } from '../budget/failure-words.ts'
import { PRIORITIES, rank } from '../budget/request-line.ts'
import type { Clock } from '../ports.ts'
import { sleep } from '../sleep.ts'

/** Requests that need nothing but the key, so that each failure says something about the service. */
const PLAIN = ['stats', 'list'] as const

/** A request that hasn't been answered for this long is reported as trouble. */
const SLOW_MS = 3000

/**
 * Maximum time that a request waits for room in the budget, unless the caller specifies a different limit.
 */
export const CAPACITY_WAIT_MS = 65_000

/** The result of a request if the account has changed. */
export const SWITCHED: { readonly ok: false; readonly failure: CallFailure } = {
  ok: false,
  failure: { kind: 'switched' },
}

/** The result of a request that was answered with another file than the one that is known. */
export const ABOUT_OTHER: { readonly ok: false; readonly failure: CallFailure } = {
  ok: false,
  failure: {
    kind: 'api',
    failure: {
      kind: 'garbage',
      phase: 'sent',
      meta: null,
      message: 'The service shows another file under this ID.',
      isOther: true,
    },
  },
}

export type { CallFailure }

export type CallResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: CallFailure }

export interface CallOptions {
  readonly kind: Exclude<RequestKind, 'upload'>
  readonly priority: Priority
  /** Maximum wait for room in the budget, in milliseconds. */
  readonly maxWaitMs: number
  readonly signal: AbortSignal
  /** Whether a 404 may mean that the list has ended. Any other 404 for the list is suspect (`isSuspect`). */
  readonly mayEnd?: boolean
  /**
   * Whether the request is sent even if the account is blocked or offline, to find out whether it still is.
   */
  readonly proof?: boolean
}

export interface Calls {
  run<T>(
    options: CallOptions,
    call: (api: ApiClient, signal: AbortSignal) => Promise<ApiResult<T>>,
  ): Promise<CallResult<T>>
  /**
   * Whether a request at least this urgent (by default, any request) is waiting for room in the budget or for
   * the connection.
   */
  hasWaiting(atLeast?: Priority): boolean
  /**
   * What is wrong with the service's answers, as a sentence: what the last request for `/stats` or for the
   * list got instead of a usable response, or that one hasn't been answered for a while. Null if nothing is
   * wrong.
   */
  trouble(): string | null
  /** Since when no request has got a usable answer; null if the last one did. */
  unanswered(): Snapshot['unanswered'] | null
  /**
   * Takes the result of an upload into account for `trouble` and `unanswered`. `movedAt`: when the last byte of
   * the upload was sent, in monotonic milliseconds.
   */
  noteUpload(result: ApiResult<unknown>, movedAt: number): void
  /**
   * See `IdentityKeeper.tenure`. Get it before a request; once it has aborted, neither store the response nor
   * send another request.
   */
  tenure(): AbortSignal
}

export interface CallsOptions {
  readonly clock: Clock
  readonly budget: Budget
  readonly account: AccountState
  readonly identity: Pick<IdentityKeeper, 'api' | 'tenure'>
  /** Reads `/stats`, because nothing else shows whose answer was received (`AccountState.observe`). */
  readonly control: () => Promise<void>
}

export function createCalls(options: CallsOptions): Calls {
  const { clock, budget, account, identity } = options
  const waiting: Record<Priority, number> = { person: 0, watched: 0, list: 0, spare: 0 }
  const troubles = new Troubles(clock)

  return {
    hasWaiting: (atLeast = 'spare') =>
      PRIORITIES.some((one) => waiting[one] > 0 && rank(one) <= rank(atLeast)),
    trouble: () => troubles.text(),
    unanswered: () => troubles.unanswered(),
    noteUpload: (result, movedAt) => troubles.noteAnswer(result, movedAt),
    tenure: () => identity.tenure(),
    run: async (o, call) => {
      const tenure = identity.tenure()
      const signal = AbortSignal.any([o.signal, tenure])
      const deadline = clock.mono() + o.maxWaitMs
      let wake = (): void => undefined
      let place: Place | null = null
      try {
        for (;;) {
          if (tenure.aborted) return SWITCHED
          if (signal.aborted) return { ok: false, failure: { kind: 'aborted' } }
          const api = identity.api()
          if (api === null || (account.isBlocked() && o.proof !== true))
            return { ok: false, failure: { kind: 'blocked' } }
          const offline = o.proof === true || o.priority === 'person' ? null : account.outageUntil()
          let wait: { until: number; reason: BudgetReason | 'offline' }
          if (offline !== null && offline > clock.now()) {
            // While the service is considered unreachable, the request keeps no place in the queue for the
            // budget.
            place?.leave()
            place = null
            wait = { until: offline, reason: 'offline' }
          } else {
            const claim = budget.claim(o.kind, o.priority, place)
            if (claim.ok) {
              place?.leave()
              place = null
              const blocks = account.blocks()
              const result = await troubles.watch(o.kind, call(api, signal)).catch((error: unknown) => {
                // The API client never rejects, so this error occurred before the request was sent, for
                // example in the journal. A claim that is never released would use up room permanently.
                budget.cancel(claim.id)
                throw error
              })
              const isFormer = identity.api() !== api
              const observed = result.ok
                ? { ok: true as const, meta: result.meta }
                : { ok: false as const, failure: result.failure }
              const isLost =
                o.kind === 'list' && o.mayEnd !== true && !result.ok && callVerdict(result.failure) === 'gone'
              const isSuspect = account.observe(claim.id, o.kind, observed, isFormer, blocks) || isLost
              if (isSuspect) await options.control()
              if (tenure.aborted) return SWITCHED
              const stopped = isSuspect ? stoppedBy(account) : null
              if (stopped !== null) return { ok: false, failure: stopped }
              // Replacing a key aborts the requests sent with the old one, so this one is repeated with the
              // account's new key.
              if (isFormer && !result.ok) continue
              return result.ok
                ? { ok: true, value: result.value }
                : { ok: false, failure: { kind: 'api', failure: result.failure } }
            }
            wait = { until: claim.until, reason: claim.reason }
          }
          const ms = Math.max(1, wait.until - clock.now())
          if (clock.mono() + ms > deadline) {
            const stopped = wait.reason === 'offline' ? stoppedBy(account) : null
            if (stopped !== null) return { ok: false, failure: stopped }
            // If the service asked to wait because it can't answer, that answer is the better explanation.
            const cause = budget.heldUntil() === null ? null : troubles.last()
            return {
              ok: false,
              failure: cause === null ? { kind: 'waits', ...wait } : { kind: 'api', failure: cause },
            }
          }
          if (wait.reason !== 'offline') place ??= budget.enter(o.priority, () => wake())
          waiting[o.priority]++
          await sleep(clock, ms, signal, (end) => {
            wake = end
          })
          waiting[o.priority]--
        }
      } finally {
        place?.leave()
      }
    },
  }
}

/** Requests one page of the list without storing it. */
export function readPage(
  calls: Pick<Calls, 'run'>,
  page: number,
  limit: number,
  priority: Priority,
  signal: AbortSignal,
  maxWaitMs = CAPACITY_WAIT_MS,
): Promise<CallResult<ListPage>> {
  return calls.run({ kind: 'list', priority, maxWaitMs, signal, mayEnd: page !== 1 }, (api, s) =>
    api.list({ page, limit, signal: s }),
  )
}

/**
 * The failure of a request if what answers isn't the service, or refuses the account; null if nothing
 * suggests that.
 */
function stoppedBy(account: AccountState): CallFailure | null {
  if (account.isBlocked()) return { kind: 'blocked' }
  return account.isAnswered()
    ? null
    : { kind: 'foreign', message: account.gate()?.message ?? 'Something else answers.' }
}

/** Remembers what is wrong with the answers to plain requests, and since when nothing was answered. */
class Troubles {
  readonly #clock: Pick<Clock, 'mono' | 'now'>
  /** The failure of the last request of each kind, if it failed. */
  readonly #failed = new Map<RequestKind, ApiFailure>()
  /** When the plain requests in flight were sent, in monotonic milliseconds. */
  readonly #running = new Set<{ readonly sentAt: number }>()
  /** When the last usable answer arrived, in monotonic milliseconds. */
  #usableAt = Number.NEGATIVE_INFINITY
  /** The requests since then that got none: when the first was sent, and when and how the last one failed. */
  #lost: { readonly since: number; readonly until: number; readonly failure: ApiFailure } | null = null

  constructor(clock: Pick<Clock, 'mono' | 'now'>) {
    this.#clock = clock
  }

  async watch<T>(kind: RequestKind, answer: Promise<ApiResult<T>>): Promise<ApiResult<T>> {
    const request = { sentAt: this.#clock.mono() }
    const isPlain = PLAIN.some((one) => one === kind)
    if (isPlain) this.#running.add(request)
    try {
      const result = await answer
      this.noteAnswer(result, request.sentAt)
      if (!isPlain) return result
      if (result.ok) this.#failed.delete(kind)
      else if (result.failure.kind !== 'aborted' && callVerdict(result.failure) !== 'rate-limited')
        this.#failed.set(kind, result.failure)
      return result
    } finally {
      this.#running.delete(request)
    }
  }

  /** A request other than a plain one may be refused for a reason of its own, so only a missing answer counts. */
  noteAnswer(result: ApiResult<unknown>, sentAt: number): void {
    const answer = result.ok ? 'usable' : answerOf(result.failure)
    const now = this.#clock.mono()
    if (answer === 'usable') {
      this.#usableAt = now
      this.#lost = null
    } else if (answer === 'none' && !result.ok) {
      const since = Math.max(this.#usableAt, Math.min(this.#lost?.since ?? sentAt, sentAt))
      this.#lost = { since, until: now, failure: result.failure }
    }
  }

  last(): ApiFailure | null {
    const plain = PLAIN.map((kind) => this.#failed.get(kind)).find((one) => one !== undefined)
    return plain ?? this.#lost?.failure ?? null
  }

  text(): string | null {
    const failure = this.last()
    if (failure !== null) return failure.message
    const waitedMs = this.#waitedMs()
    return waitedMs < SLOW_MS
      ? null
      : `The service hasn't answered a request for ${formatDuration(waitedMs)}.`
  }

  unanswered(): Snapshot['unanswered'] | null {
    const now = this.#clock.mono()
    const waitedMs = this.#waitedMs()
    const slow = waitedMs < SLOW_MS ? null : { since: Math.max(this.#usableAt, now - waitedMs), until: now }
    const lost = this.#lost ?? slow
    if (lost === null) return null
    const wall = this.#clock.now() - now
    return { since: wall + Math.min(lost.since, slow?.since ?? now), until: wall + (slow ?? lost).until }
  }

  /** How long the oldest plain request in flight has been waiting. */
  #waitedMs(): number {
    return Math.max(0, ...[...this.#running].map(({ sentAt }) => this.#clock.mono() - sentAt))
  }
}

/** Whether the service could not be reached. */
export function isUnreached(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'offline'
}

/**
 * Whether the service answered 404 or 410. That alone doesn't prove that the file is gone; see
 * presence/evidence.ts.
 */
export function isGone(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'gone'
}

/** Whether the service doesn't find the file, whether or not that proves that the file is gone. */
export function isNotFound(failure: CallFailure): boolean {
  return failure.kind === 'unproved' || isGone(failure)
}

/** Whether the service, or something in front of it, refuses such requests. */
export function isRefused(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'refused'
}

/** Whether the service refused the request because of its parameters. */
export function isBadRequest(failure: CallFailure): boolean {
  return (
    failure.kind === 'api' &&
    failure.failure.kind === 'status' &&
    (failure.failure.status === 400 || failure.failure.status === 422)
  )
}

/**
 * Whether the response describes a file other than the requested one. Retrying soon would have the same
 * result.
 */
export function isAboutOther(failure: CallFailure): boolean {
  return failure.kind === 'api' && failure.failure.kind === 'garbage' && failure.failure.isOther === true
}
