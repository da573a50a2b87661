// The request pacer in the contract's terms: a claim for one request, or a reason and a time; and the windows as they are shown. Makes claims
// durable before their request goes out, except for uploads, whose claim is committed with the intent.
import type { Window } from '../../../src-shared/model.ts'
import type { AnswerMeta } from '../../api/types.ts'
import type { PacerStore, RequestKind } from '../journal/pacer-store.ts'
import type { Clock, Random } from '../ports.ts'
import type { Priority, WindowView } from './pacer-types.ts'
import { readRates } from './rate-limits.ts'
import { createPacer } from './request-pacer.ts'
import type { Release } from './sliding-window.ts'

export type { RequestKind } from '../journal/pacer-store.ts'
export type { Priority } from './pacer-types.ts'
export type BudgetReason = 'rate-minute' | 'rate-day' | 'server-pause'

export type Claim =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly until: number; readonly reason: BudgetReason }

/** Where it depends on an answer in flight, ask again after this; the answer itself triggers it sooner. */
const ASK_AGAIN_MS = 1000

export interface Budget {
  /** A place for one request, recorded before it goes out (an upload's with the journal's next commit); or when to ask again. */
  claim(kind: RequestKind, priority: Priority): Claim
  /** The answer came (any status), or the request failed on its way: `meta` null. */
  settle(id: number, meta: AnswerMeta | null): void
  /** Not one byte of it was sent. */
  cancel(id: number): void
  /** The service's time, null while not known. */
  serverNow(): number | null
  setPlan(plan: string | null, limits: Readonly<Record<string, unknown>>): void
  setPersonPresent(present: boolean): void
  view(): { readonly minute: Window; readonly day: Window }
  /** The pacer's time line minus the wall clock, in milliseconds. */
  offset(): number
  /** When places in the day window free up, grouped into quarters of an hour. */
  dayReleases(): readonly Release[]
  /** The user asked to try again now. */
  forgive(): void
  /** Once a minute and before an orderly shutdown: notices sleep, saves what is only in memory. */
  tick(): void
}

export interface BudgetOptions {
  readonly clock: Clock
  readonly random: Random
  readonly store: PacerStore
  readonly onCapacity: () => void
  /** A request was sent, whatever its outcome. */
  readonly onSpent: () => void
  /** Makes everything written to the store durable at once. */
  readonly flush: () => void
}

export function createBudget(options: BudgetOptions): Budget {
  const { clock } = options
  const pacer = createPacer(options)
  const view = (w: WindowView): Window => ({ limit: w.limit, used: w.used, nextAt: w.nextAt })
  return {
    claim: (kind, priority) => {
      const claim = pacer.claim({ kind, priority })
      // An upload's claim is committed together with its intent; any other request goes out next.
      if (claim.ok && kind !== 'upload') options.flush()
      if (claim.ok) return claim
      const until = claim.until ?? clock.now() + ASK_AGAIN_MS
      return {
        ok: false,
        until,
        reason: claim.reason === 'paused' ? 'server-pause' : claim.reason === 'probing' ? 'rate-minute' : claim.reason,
      }
    },
    settle: (id, meta) => {
      options.onSpent()
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
    offset: () => pacer.now() - clock.now(),
    dayReleases: () => pacer.dayReleases(15 * 60_000),
    forgive: () => pacer.forgive(),
    tick: () => pacer.tick(),
  }
}
