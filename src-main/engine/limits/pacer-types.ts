// The request pacer as its callers see it: claims, refusals, and views of the two windows.
// Types only; request-pacer.ts implements them.
import type { AnswerMeta } from '../../api/types.ts'
import type { PacerStore, RequestKind } from '../journal/pacer-store.ts'
import type { Clock, Random } from '../ports.ts'
import type { StatedRates } from './rate-limits.ts'
import type { Release } from './sliding-window.ts'

/**
 * From the most to the least urgent. `person`: what the user just did, and may use the reserve. `watched`: files of watched folders, and all
 * that belongs to an upload. `list`: fills the list of remote files. `spare`: only what nobody waits for.
 */
export type Priority = 'person' | 'watched' | 'list' | 'spare'

export type RefusedReason =
  | 'rate-minute'
  | 'rate-day'
  /** The service answered 429 or asked to wait. */
  | 'paused'
  /** A single request is sent ahead to find out whether the service accepts requests again. */
  | 'probing'

export interface Refused {
  readonly ok: false
  readonly reason: RefusedReason
  /** Wall time when the next try can succeed; null: it depends on an answer still in flight (`onCapacity` is called then). */
  readonly until: number | null
  /** The same as milliseconds from now, for a timer. */
  readonly waitMs: number | null
}
export type Claim = { readonly ok: true; readonly id: number } | Refused

export interface WindowView {
  readonly limit: number
  /** Requests counted against the limit, including other clients' and those in flight. */
  readonly used: number
  readonly free: number
  /** Wall time when the next place frees up if none is free; null if one is free, or if it depends on an answer. */
  readonly nextAt: number | null
  /** Wall time when everything counted now has left the window; null if it is empty. */
  readonly resetsAt: number | null
  /** The limit learned from the service where it is below the plan's, else null. */
  readonly learned: number | null
  /** The plan's own limit. */
  readonly planned: number
}

export interface PacerSnapshot {
  readonly minute: WindowView
  readonly day: WindowView
  readonly pausedUntil: number | null
  /** Consecutive pauses without an accepted request in between; from 2 on a day limit is likely. */
  readonly refusals: number
  readonly probing: boolean
  /** Any `Date` header from the service would settle an open question about elapsed time. */
  readonly wantsDate: boolean
  readonly inFlight: number
  readonly plan: string | null
  readonly planKnown: boolean
}

export interface Pacer {
  claim(request: { readonly kind: RequestKind; readonly priority: Priority }): Claim
  /** The answer came (any status), or the request failed and the service may have counted it (`meta` null). */
  settle(id: number, outcome: { readonly meta: AnswerMeta | null }): void
  /** Not one byte of it was sent: its place is free again. */
  cancel(id: number): void
  /** Wall time when a claim can succeed: now if there is capacity, null if it depends on an answer. */
  nextAt(priority: Priority): number | null
  snapshot(): PacerSnapshot
  /** When places in the day window free up, in wall time, grouped into steps of `grain` milliseconds. */
  dayReleases(grain: number): readonly Release[]
  /** Applies what `/stats` says. A change discards what was learned under the old plan. */
  setPlan(plan: string | null, stated: StatedRates): void
  /** Whether a window or a client is connected: a small reserve is kept for its requests. */
  setPersonPresent(present: boolean): void
  /** A Date of the service from outside the budget (a request without key, say), sent at `sentAt` of `now()`. */
  observeDate(seen: { readonly sentAt: number; readonly serverDate: number }): void
  /** The user asked to try again now: ends the pause and discards learned limits. */
  forgive(): void
  /** The time line, for timestamps that must survive changes of the wall clock. */
  now(): number
  /** The service's clock, null while not known. */
  serverNow(): { readonly now: number; readonly errorMs: number } | null
  /** Notices sleep and clock changes, and writes what is only in memory: about once a minute, and before an orderly shutdown. */
  tick(): void
}

export interface PacerOptions {
  readonly clock: Clock
  readonly store: PacerStore
  readonly random: Random
  /** A claim may succeed sooner than the last `until` said. Called synchronously; never from within `claim`. */
  readonly onCapacity?: () => void
}
