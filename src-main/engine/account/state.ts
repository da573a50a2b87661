// Tracks the account's state as learned from responses: whether the key is valid, whether the plan includes the API, whether the service is
// reachable at this address, and what `/stats` says. Reports which problem, if any, blocks all uploads, and until when if that is known.
// Sends nothing.
import type { Account, Gate } from '../../../src-shared/model.ts'
import type { AnswerMeta, ApiFailure, Stats } from '../../api/types.ts'
import type { Budget } from '../limits/requests/budget.ts'
import type { Clock, Log, Random } from '../ports.ts'
import { callVerdict } from './call-verdict.ts'

/**
 * Delays between attempts to reach the service: short enough for a laptop that wakes up, long enough not to burden a service that is down.
 */
const OFFLINE_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000] as const
/** The delays vary by up to a quarter in both directions, so that clients don't all reconnect at once. */
const OFFLINE_SPREAD = 0.5
/** Delays after redirects. They are longer, because a wrong address is rarely corrected within seconds. */
const ADDRESS_MS = [5_000, 60_000, 300_000, 900_000] as const

export type Observed = { readonly ok: true; readonly meta: AnswerMeta } | { readonly ok: false; readonly failure: ApiFailure }

export interface AccountState {
  view(): Account
  /**
   * Whether only requests that test the key may be sent, because there is no key, the key was refused, or the plan doesn't include the API.
   */
  isBlocked(): boolean
  /** When the next attempt to reach the service is due (epoch milliseconds); null while it is reachable. */
  offlineUntil(): number | null
  /** When the current outage was first noticed (epoch milliseconds); null while the service is reachable. */
  offlineSince(): number | null
  /** Which condition of the account currently stops all uploads; null if none does. */
  gate(): Gate | null
  /**
   * Number of times that the account has become blocked so far. Read this right before a request. If the number has changed when the result
   * arrives, the account became blocked after the request was sent, so the result doesn't count as proof of the current state.
   */
  blocks(): number
  /**
   * Takes the result of every request, uploads included: settles the request's claim on the rate-limit budget, or cancels the claim if
   * nothing was sent, and updates the account's state. `isFormer`: the request used a key that has been replaced since, so its result says
   * nothing about the current one. `blocks`: the value of `blocks()` when the request was sent.
   */
  observe(claimId: number, result: Observed, isFormer: boolean, blocks: number): void
  /**
   * Call after each load of key and address. `identity`: null if there is no usable key. Clears the refusal, the outage and the redirects
   * of the previous key. `refused`: the last recorded refusal of this key (`onRefusal`). It is shown, but the key is tried again.
   */
  setIdentity(identity: { readonly baseUrl: string; readonly refused?: Refusal | null } | null): void
  /** Discards the `/stats` response. Call when the account has changed, before `setIdentity`: the new account's plan isn't known. */
  forgetStats(): void
  setStats(stats: Stats, at: number): void
  stats(): StatsRead | null
  /**
   * Call if `/stats` itself returned 403, which means that the plan doesn't include the API: blocks all requests that don't test the key.
   */
  setNoApi(message: string): void
  /**
   * Call when the user retries: lifts the block for a refused key or for a plan without API access, forgets redirects, and makes the next
   * attempt due now if there is an outage.
   */
  retry(): void
  /** For retries that the user didn't request. Like `retry`, except that a refused key keeps blocking. */
  reconnect(): void
  /** Shifts the times of the outage and of retries by `by` milliseconds after a clock rollback; `by` is negative. */
  clockRolledBack(by: number): void
}

export interface StatsRead {
  readonly stats: Stats
  readonly at: number
}

export type Refusal = 'key-refused' | 'no-api'

export interface AccountOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly budget: Pick<Budget, 'settle' | 'cancel' | 'setPlan'>
  readonly onChange: () => void
  /** Called with a refusal of the current key, and with null once a request with it has succeeded. */
  readonly onRefusal: (refusal: Refusal | null) => void
  readonly onNotice: (what: Refusal, title: string, hint: string) => void
}

export function createAccount(options: AccountOptions): AccountState {
  return new ObservedAccount(options)
}

/** A failure that is retried with increasing delays. `until`: when the next attempt is due, in epoch milliseconds. */
interface Retry {
  readonly tries: number
  readonly until: number
}

class ObservedAccount implements AccountState {
  readonly #options: AccountOptions
  #baseUrl: string | null = null
  #state: Account['state'] = 'none'
  /** The state before the current outage, or before the last one if there is no outage now. */
  #stateBefore: 'ok' | 'unproved' = 'unproved'
  #message: string | null = null
  /** The last refusal of the key, if no request has succeeded since. */
  #refused: Refusal | null = null
  #blocks = 0
  #stats: StatsRead | null = null
  #offline: (Retry & { readonly since: number }) | null = null
  /** Set while the address redirects elsewhere. */
  #address: (Retry & { readonly message: string }) | null = null

  constructor(options: AccountOptions) {
    this.#options = options
  }

  view(): Account {
    return {
      state: this.#state,
      baseUrl: this.#baseUrl,
      plan: this.#stats?.stats.plan ?? null,
      provedAt: this.#stats?.at ?? null,
      message: this.#message,
      ...(this.#refused === null || this.isBlocked() ? {} : { refused: this.#refused }),
    }
  }

  isBlocked(): boolean {
    return this.#state === 'none' || this.#state === 'key-refused' || this.#state === 'no-api'
  }

  offlineUntil(): number | null {
    return this.#offline?.until ?? null
  }

  offlineSince(): number | null {
    return this.#offline?.since ?? null
  }

  gate(): Gate | null {
    const now = this.#options.clock.now()
    if (this.#state === 'none') return { reason: 'account', until: null, message: 'No key yet.' }
    if (this.#state === 'key-refused')
      return { reason: 'account', until: null, message: 'The key was refused. Nothing is sent until you enter a new one.' }
    if (this.#state === 'no-api') return { reason: 'account', until: null, message: "This plan doesn't include API access." }
    if (this.#offline !== null && this.#offline.until > now)
      return { reason: 'offline', until: this.#offline.until, message: this.#message }
    if (this.#address !== null && this.#address.until > now)
      return { reason: 'redirected', until: this.#address.until, message: this.#address.message }
    return null
  }

  blocks(): number {
    return this.#blocks
  }

  observe(claimId: number, result: Observed, isFormer: boolean, blocks: number): void {
    const { budget } = this.#options
    // If the account became blocked after this request was sent, its result neither lifts that block nor causes another one.
    const isCurrent = blocks === this.#blocks
    if (result.ok) {
      budget.settle(claimId, isFormer ? null : result.meta)
      if (!isFormer) this.#reached(isCurrent)
      return
    }
    const { failure } = result
    if (failure.phase === 'unsent' && failure.kind !== 'status') budget.cancel(claimId)
    else budget.settle(claimId, 'meta' in failure && !isFormer ? failure.meta : null)
    if (isFormer) return
    switch (callVerdict(failure)) {
      case 'offline':
        this.#missed(failure.message)
        break
      case 'key-refused':
        this.#reached(false)
        if (isCurrent) this.#block('key-refused', failure.message)
        break
      case 'wrong-address':
        this.#redirected(failure.message)
        break
      case 'forbidden':
      case 'rate-limited':
      case 'gone':
      case 'refused':
        // Any of these responses proves that the service is reachable, but not that the key is valid.
        if (this.#offline !== null) this.#reached(false)
        break
      case 'retry':
      case 'aborted':
        break
    }
  }

  setIdentity(identity: { readonly baseUrl: string; readonly refused?: Refusal | null } | null): void {
    this.#baseUrl = identity?.baseUrl ?? null
    this.#refused = identity?.refused ?? null
    this.#state = identity === null ? 'none' : this.#stats === null ? 'unproved' : 'ok'
    this.#message = null
    this.#offline = null
    this.#address = null
    this.#options.onChange()
  }

  setStats(stats: Stats, at: number): void {
    this.#stats = { stats, at }
    if (this.#state !== 'none') this.#state = 'ok'
    this.#message = null
    this.#options.budget.setPlan(stats.plan, stats.limits)
    this.#options.onChange()
  }

  forgetStats(): void {
    this.#stats = null
  }

  stats(): StatsRead | null {
    return this.#stats
  }

  setNoApi(message: string): void {
    this.#block('no-api', message)
  }

  clockRolledBack(by: number): void {
    if (this.#offline !== null) this.#offline = { ...this.#offline, since: this.#offline.since + by, until: this.#offline.until + by }
    if (this.#address !== null) this.#address = { ...this.#address, until: this.#address.until + by }
  }

  retry(): void {
    if (this.#state === 'key-refused') this.#state = 'unproved'
    this.reconnect()
  }

  reconnect(): void {
    if (this.#state === 'no-api') this.#state = 'unproved'
    if (this.#state !== 'key-refused') this.#message = null
    if (this.#offline !== null) this.#offline = { ...this.#offline, until: this.#options.clock.now() }
    this.#address = null
    this.#options.onChange()
  }

  /** Records that the service answered. `provesKey`: the response has the requested content, which requires a valid key. */
  #reached(provesKey: boolean): void {
    if (provesKey && this.#refused !== null) this.#setRefused(null)
    const wasUnreached = this.#state === 'offline' || (provesKey && this.#state === 'unproved')
    const isChanged = this.#offline !== null || this.#address !== null || wasUnreached
    this.#offline = null
    this.#address = null
    if (wasUnreached) {
      this.#state = provesKey ? 'ok' : this.#stateBefore
      this.#message = null
    }
    if (isChanged) this.#options.onChange()
  }

  #missed(message: string): void {
    const { clock, log, random } = this.#options
    const now = clock.now()
    // Failures before the next attempt is due belong to the same failed attempt.
    if (this.#offline !== null && this.#offline.until > now) return
    const tries = this.#offline === null ? 0 : this.#offline.tries + 1
    const baseMs = step(OFFLINE_MS, tries)
    const waitMs = Math.floor(baseMs * (1 - OFFLINE_SPREAD / 2 + random() * OFFLINE_SPREAD))
    this.#offline = { since: this.#offline?.since ?? now, tries, until: now + waitMs }
    if (this.#state === 'ok' || this.#state === 'unproved') {
      this.#stateBefore = this.#state
      this.#state = 'offline'
    }
    this.#message = message
    log.warn('account.offline', { tries, why: message })
    this.#options.onChange()
  }

  #redirected(message: string): void {
    const now = this.#options.clock.now()
    if (this.#address !== null && this.#address.until > now) return
    const tries = this.#address === null ? 0 : this.#address.tries + 1
    this.#address = { tries, until: now + step(ADDRESS_MS, tries), message }
    this.#options.log.warn('account.address', { why: message })
    this.#options.onChange()
  }

  #setRefused(refusal: Refusal | null): void {
    this.#refused = refusal
    this.#options.onRefusal(refusal)
  }

  #block(state: Refusal, message: string): void {
    if (this.#state === state) {
      // If the service couldn't be reached in the meantime, the message still says so.
      if (this.#message === message) return
      this.#message = message
      this.#options.onChange()
      return
    }
    this.#blocks++
    this.#state = state
    this.#setRefused(state)
    this.#message = message
    this.#options.log.warn(`account.${state}`)
    const [title, hint] = NOTICES[state]
    this.#options.onNotice(state, title, hint)
    this.#options.onChange()
  }
}

const NOTICES = {
  'key-refused': [
    'The key was refused. Nothing is sent until you enter a new one.',
    'Enter a new key, or try again if the key was refused by mistake.',
  ],
  'no-api': [
    "This plan doesn't include API access. Nothing is sent.",
    'Pro, Business and Enterprise plans include it. After changing plans, try again.',
  ],
} as const

/** The delay in milliseconds after a failure that follows `tries` earlier ones. Once the ladder is exhausted, its last delay repeats. */
function step(ladder: readonly number[], tries: number): number {
  return ladder[Math.min(tries, ladder.length - 1)] ?? 0
}
