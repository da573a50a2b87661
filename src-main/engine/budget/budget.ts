// The engine's interface to the request pacer: grants a claim (the right to send one request), or returns the
// reason for refusing it and when to retry, and reports the windows for display. Commits a claim before its
// request goes out, except for uploads, whose claim is committed with the intent.
import type { Window } from '../../../src-shared/model.ts'
import type { AnswerMeta } from '../../api/types.ts'
import type { Database } from '../journal/database.ts'
import type { Journal } from '../journal/journal.ts'
import type { PacerStore, RequestKind } from '../journal/pacer-store.ts'
import type { Remote } from '../journal/remote-list.ts'
import { localDay } from '../journal/usage.ts'
import type { Clock, Random } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import type { Priority } from './pacer-types.ts'
import { readRates } from './rate-limits.ts'
import { type Place, RequestLine } from './request-line.ts'
import { createPacer } from './request-pacer.ts'
import type { Release, WindowView } from './window-budget.ts'

export type { RequestKind } from '../journal/pacer-store.ts'
export type { Priority } from './pacer-types.ts'
export type { Place } from './request-line.ts'
export type BudgetReason = 'rate-minute' | 'rate-day' | 'server-pause'

export type Claim =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly until: number; readonly reason: BudgetReason }

/**
 * Delay before asking again if room depends on a response or on another request in line. Callers in line are
 * usually woken sooner.
 */
const ASK_AGAIN_MS = 1000

/**
 * Factor for the interval between the requests of a long series. It spreads a minute's allowance over
 * slightly more than a minute, which leaves capacity for other requests.
 */
const SPREAD = 1.12

export interface Budget {
  /**
   * Claims room for one request. The claim is committed at once, or for an upload together with its intent.
   * If there is no room, returns when to ask again; a caller that wants to wait in line calls `enter`.
   * `place`: the caller's place in line; null if it isn't in line.
   */
  claim(kind: RequestKind, priority: Priority, place?: Place | null): Claim
  /** See `RequestLine.enter`. */
  enter(priority: Priority, wake: () => void, isPatient?: boolean): Place
  /** The interval, in milliseconds, that spreads the requests of a long series over the minute. */
  spacing(): number
  /**
   * Ends the claim of a request that was sent, and learns from its response (any status). `meta` is null if
   * there was no response.
   */
  settle(id: number, meta: AnswerMeta | null): void
  /** Releases a claim. Call only if no byte of the request was sent. */
  cancel(id: number): void
  /** The service's time in epoch milliseconds; null if unknown. */
  serverNow(): number | null
  setPlan(plan: string | null, limits: Readonly<Record<string, unknown>>): void
  setPersonPresent(present: boolean): void
  view(): { readonly minute: Window; readonly day: Window }
  /**
   * Until when a service that can't answer has asked to wait (epoch milliseconds); null if it hasn't. Nothing
   * is sent until then.
   */
  heldUntil(): number | null
  /** Until when nothing is sent, after a 429 or as in `heldUntil` (epoch milliseconds); null if it may be. */
  pausedUntil(): number | null
  /** The pacer's timeline minus the wall clock, in milliseconds. */
  offset(): number
  /** When requests leave the day window, grouped into quarters of an hour. */
  dayReleases(): readonly Release[]
  /**
   * Ends the back-off pause, and discards learned limits and the counted requests of other clients. Call when
   * the user retries everything.
   */
  forgive(): void
  /** Call once a minute and before an orderly shutdown: detects sleep, and saves what is only in memory. */
  tick(): void
}

export interface BudgetOptions {
  readonly clock: Clock
  readonly random: Random
  readonly store: PacerStore
  readonly journal: Pick<Journal, 'soon'> & {
    readonly db: Pick<Database, 'flush'>
    readonly remote: Pick<Remote, 'addUsage'>
  }
  readonly bus: Pick<Bus, 'wake'>
}

export function createBudget(options: BudgetOptions): Budget {
  const { clock, journal, bus } = options
  const { db, remote } = journal
  const line = new RequestLine(clock)
  const pacer = createPacer({
    ...options,
    onCapacity: () => {
      bus.wake()
      line.wakeNext()
    },
  })
  const view = (w: WindowView): Window => ({ limit: w.limit, used: w.used, nextAt: w.nextAt })
  return {
    claim: (kind, priority, place = null) => {
      const as = place?.priority() ?? priority
      if (line.isPreceded(as, place)) {
        // `until` is only a fallback, because a request that leaves the line wakes the next one.
        return {
          ok: false,
          until: Math.max(clock.now() + ASK_AGAIN_MS, pacer.nextAt(as) ?? 0),
          reason: 'rate-minute',
        }
      }
      const claim = pacer.claim({ kind, priority: as })
      // An upload's claim is committed together with its intent. Any other request is sent right after this,
      // so its claim is committed now. The commit isn't synced, so a power cut can lose the newest claims,
      // and the day window then counts too few requests. Preventing that isn't worth the delay of a sync
      // before each request.
      if (claim.ok && kind !== 'upload') db.flush()
      if (claim.ok) return claim
      const until = claim.until ?? clock.now() + ASK_AGAIN_MS
      return {
        ok: false,
        until,
        reason:
          claim.reason === 'paused'
            ? 'server-pause'
            : claim.reason === 'probing'
              ? 'rate-minute'
              : claim.reason,
      }
    },
    enter: (priority, wake, isPatient) => line.enter(priority, wake, isPatient),
    spacing: () => (60_000 / Math.max(1, pacer.snapshot().minute.limit)) * SPREAD,
    settle: (id, meta) => {
      journal.soon(() => remote.addUsage(localDay(clock.now()), { requests: 1 }))
      pacer.settle(id, { meta })
    },
    cancel: (id) => pacer.cancel(id),
    serverNow: () => pacer.serverNow()?.now ?? null,
    setPlan: (plan, limits) => pacer.setPlan(plan, readRates(limits)),
    setPersonPresent: (present) => pacer.setPersonPresent(present),
    view: () => {
      const snapshot = pacer.snapshot()
      return { minute: view(snapshot.minute), day: view(snapshot.day) }
    },
    heldUntil: () => pacer.heldUntil(),
    pausedUntil: () => pacer.pausedUntil(),
    offset: () => pacer.now() - clock.now(),
    dayReleases: () => pacer.dayReleases(15 * 60_000),
    forgive: () => pacer.forgive(),
    tick: () => pacer.tick(),
  }
}
