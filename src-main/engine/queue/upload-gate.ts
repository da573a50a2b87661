// Determines what currently holds back all uploads, and announces changes. Of several reasons, the first in
// this order is reported: a pause by the user, the policy, the disk, the account, the plan, lost answers, the rate limit,
// the comparison with the service, and other requests that wait for the rate limit.
import type { Gate } from '../../../src-shared/model.ts'
import type { AccountState } from '../budget/account-state.ts'
import type { Budget, BudgetReason } from '../budget/budget.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { UploadPause } from '../budget/upload-pause.ts'
import type { DiskTrouble } from '../journal/disk-trouble.ts'
import type { Facts } from '../journal/single-values.ts'
import type { Clock, EnginePolicy } from '../ports.ts'
import type { Comparison } from '../presence/comparison.ts'
import type { Calls } from '../remote/requests.ts'
import type { Bus } from '../tell/bus.ts'

/** A wait that ends sooner than this isn't announced. */
const SHORT_PAUSE_MS = 1500
/**
 * The end of a wait is rounded to this before it is compared with the last one announced, so that most small
 * shifts aren't announced.
 */
const SAME_END_MS = 2000

export interface UploadGateOptions {
  readonly clock: Clock
  readonly remote: { readonly facts: Facts }
  readonly policy: () => EnginePolicy
  readonly disk: Pick<DiskTrouble, 'gate' | 'retry'>
  readonly account: Pick<AccountState, 'gate'>
  readonly limits: Pick<UploadLimits, 'gate'>
  readonly uploadPause: Pick<UploadPause, 'gate'>
  readonly compare: Pick<Comparison, 'gate'>
  readonly calls: Pick<Calls, 'hasWaiting' | 'trouble'>
  readonly budget: Pick<Budget, 'view' | 'pausedUntil'>
  readonly bus: Pick<Bus, 'emit' | 'touched'>
}

export class UploadGate {
  readonly #options: UploadGateOptions
  /** Number of uploads in flight. */
  #active = 0
  #isPaused: boolean
  /** Why and until when the rate limit delays the next upload; null if it doesn't. */
  #rate: { readonly reason: BudgetReason; readonly until: number } | null = null
  /** The state that was last announced. */
  #announced = ''

  constructor(options: UploadGateOptions) {
    this.#options = options
    this.#isPaused = options.remote.facts.get('paused') === true
  }

  isPaused(): boolean {
    return this.#isPaused
  }

  /** Pauses or resumes all uploads. The setting persists across restarts. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#options.remote.facts.set('paused', isPaused ? true : null)
    this.#options.bus.touched()
  }

  setActive(active: number): void {
    this.#active = active
  }

  setRate(rate: { readonly reason: BudgetReason; readonly until: number } | null): void {
    this.#rate = rate
  }

  /** Nothing is sent while the administrators' policy can't be used, because what it forbids isn't known. */
  policyGate(): Gate | null {
    const { fault } = this.#options.policy()
    return fault === undefined ? null : { reason: 'policy', until: null, message: fault }
  }

  /** Writes to the disk again if that failed before. Returns whether it can be written to. */
  retryDisk(): boolean {
    return this.#options.disk.retry()
  }

  view(): Gate | null {
    const { clock, disk, account, limits, uploadPause, compare, calls, budget } = this.#options
    if (this.#isPaused) return { reason: 'paused', until: null, message: 'Paused.' }
    const held =
      this.policyGate() ?? disk.gate() ?? account.gate() ?? limits.gate(this.#active) ?? uploadPause.gate()
    if (held !== null) return held
    const asked = budget.pausedUntil()
    if (asked !== null) return { reason: 'server-pause', until: asked, message: calls.trouble() }
    if (this.#rate !== null && this.#rate.until > clock.now()) return { ...this.#rate, message: null }
    const comparing = compare.gate()
    if (comparing !== null) return comparing
    if (!calls.hasWaiting('watched')) return null
    // Another request waits for the rate limit, which holds back uploads as well.
    const { minute, day } = budget.view()
    if (day.nextAt !== null) return { reason: 'rate-day', until: day.nextAt, message: null }
    return minute.nextAt === null ? null : { reason: 'rate-minute', until: minute.nextAt, message: null }
  }

  /** Notifies listeners if the reason, its end, or the progress of reading the list has changed. */
  announce(): void {
    const { clock, bus } = this.#options
    const now = this.view()
    const shown = now !== null && now.until !== null && now.until - clock.now() < SHORT_PAUSE_MS ? null : now
    const print =
      shown === null
        ? ''
        : `${shown.reason} ${Math.round((shown.until ?? 0) / SAME_END_MS)} ${shown.reason === 'comparing' ? shown.message : ''}`
    if (print === this.#announced) return
    this.#announced = print
    bus.emit({ kind: 'gate', gate: shown })
    bus.touched()
  }
}
