// Tracks the account's state as learned from responses: whether the key is valid, whether the plan includes
// the API, whether the service is reachable at this address, and what `/stats` says. Reports which problem,
// if any, blocks all uploads, and until when if that is known. Sends nothing.
import type { Account, Gate } from '../../../src-shared/model.ts'
import type { AnswerMeta, ApiFailure, Stats } from '../../api/types.ts'
import type { Journal } from '../journal/journal.ts'
import type { Facts, FactValue } from '../journal/single-values.ts'
import type { Clock, Log, Random } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import type { Budget, RequestKind } from './budget.ts'
import { callVerdict, foreignMessage, isForeign, isSuspect, isUnavailable } from './call-verdict.ts'
import { LONGEST_HOLD_MS } from './pause-after-429.ts'

/**
 * Delays between attempts to reach the service. An attempt that fails is only a connection, which burdens
 * neither the service nor the rate limit, so that uploads go on within five seconds of the outage's end.
 */
const UNREACHED_MS = [500, 1000, 2000, 4000] as const
/**
 * Delays between attempts while something answers, but perhaps not the service: pages of proxies and portals
 * stay for minutes.
 */
const FOREIGN_MS = [10_000, 20_000, 40_000, 80_000, 120_000] as const
/**
 * The same while the service answers that it is unavailable. Each attempt counts against the rate limit, so
 * the attempts become rare once the outage has lasted for about five minutes.
 */
const UNAVAILABLE_MS = [...UNREACHED_MS, ...Array.from({ length: 75 }, () => 4000), 60_000] as const
/** The delays vary by up to a quarter in both directions, so that clients don't all reconnect at once. */
const SPREAD = 0.5

export type Observed =
  | { readonly ok: true; readonly meta: AnswerMeta }
  | { readonly ok: false; readonly failure: ApiFailure }

/** A key that was loaded with its address. */
interface LoadedIdentity {
  readonly baseUrl: string
  /** See `IdentityKeeper.mark`. */
  readonly mark: string
  /** The last recorded refusal of this key. It is shown, but the key is tried again. */
  readonly refused?: Refusal | null
  /** Whether a request with this key has ever succeeded. */
  readonly worked?: boolean
}

export interface AccountState {
  view(): Account
  /**
   * Whether only requests that test the key may be sent, because there is no key, the key was refused, or the
   * plan doesn't include the API.
   */
  isBlocked(): boolean
  /** Whether nothing suggests that what answers isn't the service, or that it refuses the account. */
  isAnswered(): boolean
  /**
   * When the next attempt to reach the service is due (epoch milliseconds); null while the service answers.
   */
  outageUntil(): number | null
  /** Which condition of the account currently stops all uploads; null if none does. */
  gate(): Gate | null
  /**
   * Number of times that the account has become blocked so far. Read this right before a request. If the
   * number has changed when the result arrives, the account became blocked after the request was sent, so the
   * result doesn't count as proof of the current state.
   */
  blocks(): number
  /**
   * Takes the result of every request, uploads included: settles the request's claim on the rate-limit
   * budget, or cancels the claim if nothing was sent, and updates the account's state. `isFormer`: the
   * request used a key that has been replaced since, so its result says nothing about the current one.
   * `blocks`: the value of `blocks()` when the request was sent. Returns whether `/stats` must show whose
   * answer this was (`isSuspect`).
   */
  observe(claimId: number, kind: RequestKind, result: Observed, isFormer: boolean, blocks: number): boolean
  /**
   * Call after each load of key and address. `identity`: null if there is no usable key. Clears the refusal,
   * the outage and the redirects of the previous key.
   */
  setIdentity(identity: LoadedIdentity | null): void
  /**
   * Discards the `/stats` response. Call when the account has changed, before `setIdentity`: the new
   * account's plan isn't known.
   */
  forgetStats(): void
  setStats(stats: Stats, at: number): void
  stats(): StatsRead | null
  /**
   * Call when the user retries: lifts the block for a refused key or for a plan without API access, forgets
   * redirects, and makes the next attempt due now if there is an outage.
   */
  retry(): void
  /** For retries that the user didn't request. Like `retry`, except that a refused key keeps blocking. */
  reconnect(): void
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
  readonly journal: Pick<Journal, 'soon'> & { readonly remote: { readonly facts: Facts } }
  readonly bus: Pick<Bus, 'touched' | 'wake' | 'emit'>
}

export function createAccount(options: AccountOptions): AccountState {
  return new ObservedAccount(options)
}

/**
 * Why the service isn't reached. `unreached`: no connection. `unavailable`: it answers that it can't answer,
 * as during maintenance. `foreign`: something else answers, or a refusal
 * that may not be the service's is in force (`#state` then says which). `redirected`: the address redirects
 * elsewhere. `until`: when the next attempt is due, in epoch milliseconds.
 */
interface Outage {
  readonly kind: 'unreached' | 'unavailable' | 'foreign' | 'redirected'
  readonly tries: number
  readonly until: number
  readonly message: string
}

const LADDERS: Readonly<Record<Outage['kind'], readonly number[]>> = {
  unreached: UNREACHED_MS,
  unavailable: UNAVAILABLE_MS,
  foreign: FOREIGN_MS,
  redirected: FOREIGN_MS,
}

class ObservedAccount implements AccountState {
  readonly #options: AccountOptions
  #baseUrl: string | null = null
  #state: Exclude<Account['state'], 'offline'> = 'none'
  /** Details of the refusal in force; null if there is none. */
  #message: string | null = null
  /**
   * Whether something speaks against the refusal in force, so that the key is tried again from time to time.
   */
  #isDoubted = false
  /** The last refusal of the key, if no request has succeeded since. */
  #refused: Refusal | null = null
  /** Whether a request with this key has ever succeeded. */
  #hasWorked = false
  /** Identifies the current key in the journal (`IdentityKeeper.mark`). */
  #mark = ''
  #blocks = 0
  #stats: StatsRead | null = null
  #outage: Outage | null = null
  /** The kinds of requests that were answered with 503 since the last one that succeeded. */
  readonly #unavailable = new Set<RequestKind>()

  constructor(options: AccountOptions) {
    this.#options = options
  }

  view(): Account {
    const unreached = this.#outage?.kind === 'unreached' ? this.#outage.message : null
    return {
      state: unreached !== null && !this.isBlocked() ? 'offline' : this.#state,
      baseUrl: this.#baseUrl,
      plan: this.#stats?.stats.plan ?? null,
      provedAt: this.#stats?.at ?? null,
      message: unreached ?? this.#message ?? this.#outage?.message ?? null,
      ...(this.#refused === null || this.isBlocked() ? {} : { refused: this.#refused }),
      ...(this.#isTriedAgain() ? { doubted: true } : {}),
    }
  }

  isBlocked(): boolean {
    return this.#state === 'none' || this.#state === 'key-refused' || this.#state === 'no-api'
  }

  isAnswered(): boolean {
    return !this.isBlocked() && this.#outage?.kind !== 'foreign' && this.#outage?.kind !== 'unavailable'
  }

  outageUntil(): number | null {
    return this.#outage?.until ?? null
  }

  gate(): Gate | null {
    const outage = this.#outage
    const rest = outage !== null && outage.until > this.#options.clock.now() ? outage.until : null
    if (this.#state === 'none') return { reason: 'account', until: null, message: 'No key yet.' }
    if (this.#isTriedAgain())
      return {
        reason: 'account',
        until: rest,
        message:
          `${this.#state === 'no-api' ? PERHAPS_NO_API : PERHAPS_REFUSED} ${this.#message ?? ''}`.trim(),
      }
    if (this.#state === 'key-refused')
      return { reason: 'account', until: null, message: NOTICES['key-refused'][0] }
    if (this.#state === 'no-api')
      return {
        reason: 'account',
        until: null,
        message: `This plan doesn't include API access. ${this.#message ?? ''}`.trim(),
      }
    if (outage === null) return null
    // While something else answers, or the service can't, no upload is a probe: `/stats` shows when the
    // service itself answers again.
    if (outage.kind === 'foreign' || outage.kind === 'unavailable')
      return { reason: outage.kind, until: rest, message: outage.message }
    return rest === null
      ? null
      : {
          reason: outage.kind === 'unreached' ? 'offline' : 'redirected',
          until: rest,
          message: outage.message,
        }
  }

  blocks(): number {
    return this.#blocks
  }

  observe(claimId: number, kind: RequestKind, result: Observed, isFormer: boolean, blocks: number): boolean {
    const { budget } = this.#options
    // If the account became blocked after this request was sent, its result neither lifts that block nor
    // causes another one.
    const isCurrent = blocks === this.#blocks
    if (result.ok) {
      budget.settle(claimId, isFormer ? null : result.meta)
      if (!isFormer) this.#reached(isCurrent)
      return false
    }
    const { failure } = result
    if (failure.phase === 'unsent' && failure.kind !== 'status') budget.cancel(claimId)
    else budget.settle(claimId, 'meta' in failure && !isFormer ? failure.meta : null)
    if (isFormer) return false
    const verdict = callVerdict(failure)
    // The gate says why the policy lets nothing out; the service has nothing to do with it.
    if (failure.kind === 'connect' && failure.cause === 'policy') return false
    if (verdict === 'offline') this.#failed('unreached', failure.message)
    else if (verdict === 'wrong-address') this.#failed('redirected', failure.message)
    else if (isUnavailable(failure)) return this.#notAvailable(kind, failure)
    else if (kind === 'stats') this.#controlled(failure, isCurrent)
    else if (verdict === 'key-refused' && !this.#isKeyTrusted(failure)) {
      if (isCurrent) this.#block('key-refused', failure.message, false)
    } else {
      if (verdict !== 'retry' && verdict !== 'aborted') this.#connected()
      return isSuspect(kind, failure)
    }
    return false
  }

  setIdentity(identity: LoadedIdentity | null): void {
    this.#baseUrl = identity?.baseUrl ?? null
    this.#refused = identity?.refused ?? null
    this.#hasWorked = identity?.worked ?? false
    if (identity !== null) this.#mark = identity.mark
    this.#state = identity === null ? 'none' : this.#stats === null ? 'unproved' : 'ok'
    this.#message = null
    this.#isDoubted = false
    this.#outage = null
    this.#changed()
  }

  setStats(stats: Stats, at: number): void {
    this.#stats = { stats, at }
    if (this.#state !== 'none') this.#state = 'ok'
    this.#message = null
    this.#options.budget.setPlan(stats.plan, stats.limits)
    this.#changed()
  }

  forgetStats(): void {
    this.#stats = null
  }

  stats(): StatsRead | null {
    return this.#stats
  }

  retry(): void {
    if (this.#state === 'key-refused') this.#state = 'unproved'
    this.reconnect()
  }

  reconnect(): void {
    if (this.#state === 'no-api') this.#state = 'unproved'
    if (this.#state !== 'key-refused') this.#message = null
    if (this.#outage?.kind === 'redirected') this.#outage = null
    if (this.#outage !== null) this.#outage = { ...this.#outage, until: this.#options.clock.now() }
    this.#changed()
  }

  /**
   * Whether something speaks against a refusal: the key or the plan worked before, or the answer isn't an
   * API's.
   */
  #isKeyTrusted(failure: ApiFailure): boolean {
    return this.#hasWorked || isPage(failure)
  }

  /**
   * Evaluates a failed read of `/stats`, which shows whether the service itself answers, and whether it
   * accepts the key.
   */
  #controlled(failure: ApiFailure, isCurrent: boolean): void {
    const verdict = callVerdict(failure)
    const isKnown = this.#stats !== null || this.#isKeyTrusted(failure)
    if (verdict === 'key-refused' && !isPage(failure)) {
      if (isCurrent) this.#block('key-refused', failure.message, this.#hasWorked)
    } else if (verdict === 'forbidden' && (!isKnown || isExplained(failure))) {
      if (isCurrent) this.#block('no-api', failure.message, isKnown)
    } else if (isForeign(failure) && isKnown) this.#failed('foreign', foreignMessage(failure))
    else if (verdict === 'rate-limited') this.#connected()
    // A gateway error, for example, doesn't show that what answered before has gone.
    else if (verdict !== 'aborted' && this.#outage?.kind === 'foreign')
      this.#failed('foreign', this.#outage.message)
    else if (isForeign(failure)) this.#connected()
  }

  /**
   * Takes a 503 into account. A single one may be about that request, so `/stats` must be answered with it as
   * well, unless the service says when to ask again. Returns whether to read `/stats` for that.
   */
  #notAvailable(kind: RequestKind, failure: ApiFailure): boolean {
    this.#unavailable.add(kind)
    const outage = this.#outage
    const askedMs = 'meta' in failure ? (failure.meta?.rate.retryAfterMs ?? 0) : 0
    const isProved = askedMs > 0 || (this.#unavailable.has('stats') && this.#unavailable.size > 1)
    if (outage?.kind === 'foreign') {
      if (kind === 'stats') this.#failed('foreign', outage.message)
    } else if (outage?.kind === 'unavailable' || (isProved && outage?.kind !== 'unreached'))
      this.#failed('unavailable', failure.message, Math.min(askedMs, LONGEST_HOLD_MS))
    return this.#outage === null && (kind === 'list' || kind === 'upload')
  }

  /** Records that the service answered with the requested content, which requires a valid key. */
  #reached(provesKey: boolean): void {
    this.#unavailable.clear()
    if (provesKey && this.#refused !== null) this.#setRefused(null)
    if (provesKey && !this.#hasWorked) {
      this.#hasWorked = true
      this.#keep('worked-key', this.#mark)
    }
    const isProof = provesKey && this.#state === 'unproved'
    // An answer to a request that was sent before a refusal doesn't lift it, so the key is still tried again.
    const isOver = this.#outage !== null && (provesKey || !this.#isTriedAgain())
    const isChanged = isOver || isProof
    if (isOver) this.#outage = null
    if (isProof) this.#state = 'ok'
    if (isChanged) this.#changed()
  }

  /**
   * Records that something was reached that may be the service. That ends an outage of the connection, but
   * proves nothing else.
   */
  #connected(): void {
    if (this.#outage?.kind !== 'unreached') return
    this.#outage = this.#isTriedAgain() ? { ...this.#outage, kind: 'foreign' } : null
    this.#changed()
  }

  /** Whether a refusal is in force, and the key is tried again when `#outage` says. */
  #isTriedAgain(): boolean {
    return this.isBlocked() && this.#isDoubted
  }

  /**
   * Begins an outage, or lengthens it. Failures before the next attempt is due belong to the same failed
   * attempt. `leastMs`: how long the service asked to wait.
   */
  #failed(kind: Outage['kind'], message: string, leastMs = 0): void {
    const { clock, log, random } = this.#options
    const now = clock.now()
    const same = this.#outage?.kind === kind ? this.#outage : null
    if (same !== null && same.until > now) return
    const tries = same === null ? 0 : same.tries + 1
    const baseMs = step(LADDERS[kind], tries)
    this.#outage = {
      kind,
      tries,
      until: now + Math.max(leastMs, Math.floor(baseMs * (1 - SPREAD / 2 + random() * SPREAD))),
      message,
    }
    // The later attempts of a long outage, all alike, would displace what else is in the log.
    if (tries < FOREIGN_MS.length) log.warn(`account.${kind}`, { tries, why: message })
    this.#changed()
  }

  #setRefused(refusal: Refusal | null): void {
    this.#refused = refusal
    this.#keep('refusal', refusal === null ? null : { state: refusal, mark: this.#mark })
  }

  #keep<K extends 'worked-key' | 'refusal'>(key: K, value: FactValue<K> | null): void {
    const { journal } = this.#options
    journal.soon(() => journal.remote.facts.set(key, value))
  }

  #changed(): void {
    this.#options.bus.touched()
    this.#options.bus.wake()
  }

  #block(state: Refusal, message: string, isDoubted: boolean): void {
    if (isDoubted) this.#failed('foreign', message)
    else this.#outage = null
    this.#isDoubted = isDoubted
    if (this.#state === state) {
      // If the service couldn't be reached in the meantime, the message still says so.
      if (this.#message === message) return
      this.#message = message
      this.#changed()
      return
    }
    this.#blocks++
    this.#state = state
    this.#setRefused(state)
    this.#message = message
    this.#options.log.warn(`account.${state}`)
    const [title, hint] = isDoubted
      ? [state === 'no-api' ? PERHAPS_NO_API : PERHAPS_REFUSED, message]
      : NOTICES[state]
    const about = { what: state, name: '', count: 1 }
    this.#options.bus.emit({ kind: 'notice', level: 'problem', title, hint, about })
    this.#changed()
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

/** What is said of a refused key that worked before. */
const PERHAPS_REFUSED = 'The key was refused, although it worked before. It is tried again from time to time.'

/** What is said of a plan that included the API before. */
const PERHAPS_NO_API =
  'The service no longer gives access to its API, although it did before. It is tried again from time to time.'

/** What an API's form of answer says if something on the way to the service denies access. */
const ON_THE_WAY = /\bips?\b|\baddress|network|firewall|proxy|vpn|region|country|location|certificate/i

/** Whether a refusal has the form of an API's, and says why, so that it is about the account. */
function isExplained(failure: ApiFailure): boolean {
  return (
    failure.kind === 'status' &&
    failure.detail !== null &&
    !isPage(failure) &&
    !ON_THE_WAY.test(failure.detail)
  )
}

/** Whether the answer is meant for a browser, so that it is probably not the service's. */
function isPage(failure: ApiFailure): boolean {
  return failure.kind === 'status' && failure.isPage === true
}

/**
 * The delay in milliseconds after a failure that follows `tries` earlier ones. Once the ladder is exhausted,
 * its last delay repeats.
 */
function step(ladder: readonly number[], tries: number): number {
  return ladder[Math.min(tries, ladder.length - 1)] ?? 0
}
