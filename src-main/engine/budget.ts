// What the rest of the engine needs of the pacer: room for one request, and what its answer taught. Keeps callers free of window arithmetic.
import type { AnswerMeta } from '../api/types.ts'
import type { Window } from '../../src-shared/model.ts'

export type RequestKind = 'upload' | 'list' | 'file' | 'stats' | 'delete'
export type Priority = 'person' | 'background'
export type BudgetReason = 'rate-minute' | 'rate-day' | 'server-pause'

export type Claim =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly until: number; readonly reason: BudgetReason }

export interface Budget {
  /** Room for one request, durably noted before it goes out; or when (this machine's clock) to ask again. */
  claim(kind: RequestKind, priority: Priority): Claim
  /** The answer came, or the request failed on its way. `meta` null: no answer. */
  settle(id: number, meta: AnswerMeta | null): void
  /** It was surely never sent. */
  cancel(id: number): void
  /** The service said 429: everything pauses. */
  rejected(id: number, meta: AnswerMeta): void
  /** The service's time, null while not known. */
  serverNow(): number | null
  setPlan(plan: string | null, limits: Readonly<Record<string, unknown>>): void
  setPersonPresent(present: boolean): void
  view(): { readonly minute: Window; readonly day: Window; readonly pausedUntil: number | null }
  /** Forgets everything learned: another account. */
  reset(): void
}
