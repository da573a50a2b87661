// Declares the request pacer's interface: claims, refusals, and views of the two windows. Contains only
// types; request-pacer.ts implements `Pacer`.
import type { AnswerMeta } from '../../api/types.ts'
import type { PacerStore, RequestKind } from '../journal/pacer-store.ts'
import type { Clock, Random } from '../ports.ts'
import type { StatedRates } from './rate-limits.ts'
import type { Release, WindowView } from './window-budget.ts'

/**
 * From most to least urgent. `person`: the user's latest actions, which may use the reserve. `watched`: files
 * in watched folders, and other requests that uploads need. `list`: requests that fill the list of remote
 * files. `spare`: work that nothing is waiting for.
 */
export type Priority = 'person' | 'watched' | 'list' | 'spare'

export type RefusedReason =
  | 'rate-minute'
  | 'rate-day'
  /** The service answered 429 or asked to wait. */
  | 'paused'
  /**
   * After a refusal, only one or a few requests are sent at a time, and this one waits for their responses.
   * Also the reason while the length of a shutdown has yet to be determined.
   */
  | 'probing'

export interface Refused {
  readonly ok: false
  readonly reason: RefusedReason
  /**
   * Wall time when the next attempt can succeed. Null if that depends on a pending response, after which
   * `onCapacity` is called.
   */
  readonly until: number | null
  /** `until` as milliseconds from now, for a timer. */
  readonly waitMs: number | null
}
export type Claim = { readonly ok: true; readonly id: number } | Refused

export interface PacerSnapshot {
  readonly minute: WindowView
  readonly day: WindowView
  readonly pausedUntil: number | null
  /** Number of consecutive pauses without an accepted request in between. */
  readonly refusals: number
  readonly probing: boolean
  readonly inFlight: number
  readonly plan: string | null
  readonly planKnown: boolean
}

export interface Pacer {
  claim(request: { readonly kind: RequestKind; readonly priority: Priority }): Claim
  /**
   * Ends the claim of a request that was sent, and learns from its response (any status). `meta` is null if
   * there was no response.
   */
  settle(id: number, outcome: { readonly meta: AnswerMeta | null }): void
  /** Releases the claim of a request of which no byte was sent. */
  cancel(id: number): void
  /** Wall time when a claim can succeed: now if there is room, null if that depends on a pending response. */
  nextAt(priority: Priority): number | null
  snapshot(): PacerSnapshot
  /** Wall time until which nothing is sent, after a 429 or as the service has asked; null if it may be. */
  pausedUntil(): number | null
  /** Wall time until which a service that can't answer has asked to wait; null if it hasn't. */
  heldUntil(): number | null
  /** When requests leave the day window, in wall time, grouped into steps of `grain` milliseconds. */
  dayReleases(grain: number): readonly Release[]
  /**
   * Applies the plan and the rates that `/stats` states. If they differ from those in force, also ends the
   * current pause and discards what was learned under the old plan.
   */
  setPlan(plan: string | null, stated: StatedRates): void
  /**
   * Sets whether the app's own window is visible. While it is, a small reserve is kept for the user's
   * requests.
   */
  setPersonPresent(present: boolean): void
  /**
   * Ends the pause, and discards learned limits and the counted requests of other clients. Call when the user
   * retries.
   */
  forgive(): void
  /** The current time on the pacer's timeline, for timestamps that must survive changes of the wall clock. */
  now(): number
  /** The service's time in epoch milliseconds, accurate to `errorMs`; null if unknown. */
  serverNow(): { readonly now: number; readonly errorMs: number } | null
  /**
   * Call about once a minute and before an orderly shutdown: detects sleep, and saves what
   * is only in memory.
   */
  tick(): void
}

export interface PacerOptions {
  readonly clock: Clock
  readonly store: PacerStore
  readonly random: Random
  /**
   * Called synchronously when a claim may succeed before the last returned `until`, but never from within
   * `claim`.
   */
  readonly onCapacity?: () => void
}
