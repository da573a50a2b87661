// What the user can do with transfers that aren't done: retry, cancel, pause, resume, release, send first. Decides which rows an action
// applies to, and which waits it ends.
import type { HeldFile } from '../../../src-shared/contract.ts'
import type { AccountState } from '../account/state.ts'
import type { Bus } from '../bus.ts'
import { PERSON_PRIORITY } from '../discovery/uploads.ts'
import type { Database } from '../journal/open.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { UploadLimits } from '../limits/plan/upload-limits.ts'
import type { Budget } from '../limits/requests/budget.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'
import type { LostAnswers } from '../unconfirmed/lost-answer-pause.ts'
import type { Reconciler } from '../unconfirmed/reconciler.ts'
import { Cancellation, type CancellationOptions, type OpenUploads } from './cancel.ts'
import type { Scheduler } from './scheduler.ts'
import type { UploadGate } from './upload-gate.ts'

/** How long a retry waits for room in the rate limit to read `/stats`. After that, it continues without reading them. */
const STATS_WAIT_MS = 10_000
/** Waits caused by the plan's limits. The user may have changed the plan before the retry. */
const PLAN_REASONS: ReadonlySet<string> = new Set(['daily-uploads', 'limit', 'storage-full'])

export interface PersonActionsOptions extends CancellationOptions {
  readonly db: Database
  readonly transfers: Transfers
  readonly account: AccountState
  readonly limits: UploadLimits
  readonly budget: Budget
  readonly gate: UploadGate
  readonly stats: StatsRefresh
  readonly scheduler: Scheduler
  readonly reconciler: Pick<Reconciler, 'sendNow'>
  readonly lostAnswers: Pick<LostAnswers, 'retry'>
  readonly bus: Bus
}

/** Every action except `confirm` returns how many rows it changed (`cancel`: as `count`). */
export class PersonActions {
  readonly #options: PersonActionsOptions
  readonly #cancellation: Cancellation

  constructor(options: PersonActionsOptions) {
    this.#options = options
    this.#cancellation = new Cancellation(options)
  }

  /**
   * Requeues failed and waiting rows (null: all of them, except those paused individually), and ends the waits of account, plan and lost
   * answers; with null, also that of the rate limit. A row that is named explicitly is sent even if its last upload is unconfirmed.
   * `isAutomatic`: no user asked, so a key that the service refused isn't sent again.
   */
  async retry(ids: readonly number[] | null, isAutomatic = false): Promise<number> {
    const { transfers, account, limits, budget, gate, stats, scheduler, reconciler, lostAnswers, bus } = this.#options
    const reason = gate.view()?.reason ?? null
    if (isAutomatic) account.reconnect()
    else account.retry()
    limits.retry()
    lostAnswers.retry()
    if (ids === null) budget.forgive()
    const isByPlan = reason !== null && PLAN_REASONS.has(reason)
    const { state } = account.view()
    const isUnproved = account.stats() === null || state === 'unproved' || state === 'offline'
    if (!account.isBlocked() && (isByPlan || isUnproved)) await stats.refresh('person', STATS_WAIT_MS)
    const changed = transfers.retry(ids)
    for (const id of changed) bus.changed(id)
    const sent = (ids ?? []).filter((id) => reconciler.sendNow(id)).length
    scheduler.rowsChanged()
    return changed.length + sent
  }

  /** `count`: how many were cancelled. `stored`: those of `ids` that may be on the service; pass them to `confirm`. */
  cancel(ids: readonly number[]): { readonly count: number; readonly stored: readonly number[] } {
    const stored = ids.filter((id) => this.#cancellation.mayBeStored(id))
    let count = 0
    for (const id of ids) if (this.#cancellation.cancel(id)) count++
    this.#options.scheduler.rowsChanged()
    return { count, stored }
  }

  /** See `Cancellation.confirm`. */
  confirm(ids: readonly number[]): Promise<OpenUploads | null> {
    return this.#cancellation.confirm(ids)
  }

  /** Pauses only these transfers. Aborts those in flight, and resolves once their uploads have ended. */
  async pause(ids: readonly number[]): Promise<number> {
    const { scheduler } = this.#options
    const changed = this.#setPaused(ids, true)
    await scheduler.breakOff(changed)
    return changed.length
  }

  resume(ids: readonly number[]): number {
    return this.#setPaused(ids, false).length
  }

  #setPaused(ids: readonly number[], isPaused: boolean): readonly number[] {
    const { transfers } = this.#options
    return this.#each(ids, (row) => transfers.setPaused([row.id], isPaused).length > 0)
  }

  /**
   * Releases held rows. They aren't held for the same reason again until the file's content or name changes. `shown`: what the user saw;
   * rows that differ from it, or that it lacks, stay held. Null: release them as they are.
   */
  release(ids: readonly number[], shown: readonly HeldFile[] | null): number {
    const { transfers } = this.#options
    const seen = shown === null ? null : new Map(shown.map((one) => [one.id, one]))
    return this.#each(ids, (row) => {
      if (row.state !== 'held' || row.reason === null) return false
      if (seen !== null && !isAsShown(row, seen.get(row.id))) return false
      transfers.setReleased(row.id, [...new Set([...(row.released?.split(',') ?? []), row.reason])].join(','))
      transfers.transition(row.id, { kind: 'released' })
      return true
    }).length
  }

  /**
   * Sends these before all others. Resumes paused ones, and ends a wait after a failure. A row that waits for something else goes first
   * once that wait is over.
   */
  sendNext(ids: readonly number[]): number {
    const { transfers } = this.#options
    return this.#each(ids, (row) => {
      if (row.state !== 'queued' && row.state !== 'waiting') return false
      transfers.setPriority(row.id, PERSON_PRIORITY * 2)
      transfers.setPaused([row.id], false)
      if (row.state === 'waiting' && row.reason === 'backoff') transfers.transition(row.id, { kind: 'requeued' })
      return true
    }).length
  }

  /** Runs `act` on the rows in one transaction; `act` returns whether it changed the row. Returns the IDs of the changed rows. */
  #each(ids: readonly number[], act: (row: TransferRow) => boolean): readonly number[] {
    const { db, transfers, scheduler, bus } = this.#options
    const changed = db.tx(() =>
      ids.filter((id) => {
        const row = transfers.get(id)
        return row !== null && act(row)
      }),
    )
    for (const id of changed) bus.changed(id)
    scheduler.rowsChanged()
    return changed
  }
}

/** Compares with the current row: the file may have been renamed or changed while the user was being asked. */
function isAsShown(row: TransferRow, shown: HeldFile | undefined): boolean {
  if (shown === undefined) return false
  const { path, size, mtime, reason, message } = shown
  return row.path === path && row.size === size && row.mtime === mtime && row.reason === reason && row.message === message
}
