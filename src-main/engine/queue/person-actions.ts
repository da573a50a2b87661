// What the user can do with transfers that aren't done: retry, cancel, pause, resume, release, send first.
// Decides which rows an action applies to, and which waits it ends.
import type { HeldFile, Output } from '../../../src-shared/engine-contract.ts'
import type { AccountState } from '../budget/account-state.ts'
import type { Budget } from '../budget/budget.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { UploadPause } from '../budget/upload-pause.ts'
import { graceOf } from '../find/enqueue.ts'
import type { Database } from '../journal/database.ts'
import type { Files } from '../journal/files.ts'
import { PRIORITY } from '../journal/transfer-row.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Reconciler } from '../presence/reconciler.ts'
import { endedUnproved, mayHaveArrived } from '../remote/delete-request.ts'
import { HELD_UNCONFIRMED } from '../remote/removed-items.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'
import type { Bus } from '../tell/bus.ts'
import { isLeftPublic, leftMessage } from '../tell/views.ts'
import { Cancellation, type CancellationOptions } from './cancel.ts'
import type { Scheduler } from './scheduler.ts'
import type { UploadGate } from './upload-gate.ts'

/**
 * How long a retry waits for the rate limit to allow a read of `/stats`. If that takes longer, the retry
 * continues without one.
 */
const STATS_WAIT_MS = 10_000
/** Waits caused by the plan's limits. The user may have changed the plan before the retry. */
const PLAN_REASONS: ReadonlySet<string> = new Set(['daily-uploads', 'uploads-refused', 'storage-full'])

export interface PersonActionsOptions extends CancellationOptions {
  readonly db: Database
  readonly files: Pick<Files, 'folder'>
  readonly transfers: Transfers
  readonly account: AccountState
  readonly limits: UploadLimits
  readonly budget: Budget
  readonly gate: UploadGate
  readonly stats: StatsRefresh
  readonly scheduler: Scheduler
  readonly reconciler: Pick<Reconciler, 'sendNow'>
  readonly uploadPause: Pick<UploadPause, 'retry'>
  readonly bus: Bus
}

const ENDED_BY_SENDING: ReadonlySet<string> = new Set(['backoff', 'changing', 'grace'])

/** Every action returns how many rows it changed (`cancel` and `cancelAndConfirm`: as `count`). */
export class PersonActions {
  readonly #options: PersonActionsOptions
  readonly #cancellation: Cancellation
  /** The transfers that were held when they were cancelled. */
  readonly #held = new Set<number>()

  constructor(options: PersonActionsOptions) {
    this.#options = options
    this.#cancellation = new Cancellation(options)
  }

  /**
   * Requeues these failed and waiting rows, and those held as too big that may fit now or because they
   * couldn't be compared, and ends the waits for the account, the plan and lost answers. If `ids` is null,
   * requeues all such rows except those paused individually, and also ends the wait for the rate limit. A row
   * in `ids` is sent even if its last upload is unconfirmed. `isAutomatic`: the user didn't request this
   * retry, so a key that the service refused isn't sent again.
   */
  async retry(ids: readonly number[] | null, isAutomatic = false): Promise<number> {
    const { ports, transfers, account, limits, budget, gate, stats, reconciler, uploadPause, bus } =
      this.#options
    // Nothing can be recorded until then.
    if (!gate.retryDisk()) return 0
    const reason = gate.view()?.reason ?? null
    // An upload that is lost only while this waits for /stats wasn't unconfirmed when the user asked, so it
    // has to be looked up first.
    const unconfirmed = (ids ?? [])
      .flatMap((id) => transfers.get(id) ?? [])
      .filter((row) => row.state === 'unknown')
    if (isAutomatic) account.reconnect()
    else account.retry()
    limits.retry()
    if (!isAutomatic) limits.asked()
    uploadPause.retry()
    if (!isAutomatic) stats.forgetFailures()
    if (ids === null) budget.forgive()
    const isByPlan = reason !== null && PLAN_REASONS.has(reason)
    const { state } = account.view()
    const isUnproved = account.stats() === null || state === 'unproved' || state === 'offline'
    const isHeld = !isAutomatic && limits.isAnyTooBig(ids)
    if (!account.isBlocked() && (isByPlan || isUnproved || isHeld))
      await stats.refresh('person', STATS_WAIT_MS)
    const compared = isAutomatic ? [] : transfers.compareAgain(ids, ports.clock.now())
    const changed = [...transfers.retry(ids), ...(isHeld ? limits.retryTooBig(ids) : []), ...compared]
    for (const id of changed) bus.changed(id)
    const isStillLost = ({ id, attempts, intentMark }: TransferRow): boolean => {
      const now = transfers.get(id)
      return now !== null && now.attempts === attempts && now.intentMark === intentMark
    }
    const sent = unconfirmed.filter((row) => isStillLost(row) && reconciler.sendNow(row.id)).length
    bus.wake('queue')
    return changed.length + sent
  }

  /**
   * Returns how many transfers were cancelled (`count`), and how many had already been uploaded (`uploaded`;
   * left out if 0).
   */
  cancel(ids: readonly number[]): Pick<Output<'cancel'>, 'count' | 'uploaded'> {
    const { transfers, bus } = this.#options
    let uploaded = 0
    let count = 0
    for (const id of ids) {
      const state = transfers.get(id)?.state
      if (state === 'done') uploaded++
      if (state === 'held') this.#held.add(id)
      if (this.#cancellation.cancel(id)) count++
    }
    bus.wake('queue')
    return { count, ...(uploaded === 0 ? {} : { uploaded }) }
  }

  /**
   * Cancels these transfers, waits for the outcome of those that may be on the service, and returns which may
   * still be there.
   */
  async cancelAndConfirm(ids: readonly number[]): Promise<Output<'cancel'>> {
    const { transfers } = this.#options
    const stored = ids.filter((id) => this.#cancellation.mayBeStored(id))
    // These uploads are held because their lookups were inconclusive. Cancelling ends them at once.
    const held = new Set(
      stored.filter((id) => {
        const row = transfers.get(id)
        return row?.state === 'held' && mayHaveArrived(row)
      }),
    )
    const cancelled = this.cancel(ids)
    const open = await this.#cancellation.confirm(stored)
    const rows = stored.flatMap((id) => transfers.get(id) ?? [])
    const unproved = rows
      .filter((row) => held.has(row.id) || (endedUnproved(row) && !isLeftPublic(row)))
      .map((row) => row.id)
    const published = rows.flatMap((row) => {
      const message = leftMessage(row)
      return message === null ? [] : [{ id: row.id, message }]
    })
    return {
      ...cancelled,
      ...(open === null ? {} : { unconfirmed: { ids: [...open.ids], failure: open.failure } }),
      ...(unproved.length === 0 ? {} : { unproved: { ids: unproved, failure: HELD_UNCONFIRMED.failure } }),
      ...(published.length === 0 ? {} : { published }),
    }
  }

  /**
   * Takes back the cancellation of these transfers, unless their files are in newer transfers or may have been
   * published. What could still be cancelled before its upload gets that time again, and what was held is held again.
   */
  restore(ids: readonly number[]): number {
    const { ports, files, transfers } = this.#options
    return this.#each(ids, (row) => {
      const isPublic = row.ended !== null || row.reason === 'ambiguous' || isLeftPublic(row)
      const isEnded = row.state === 'done' || row.state === 'gone'
      if (!row.cancel || isPublic || isEnded || transfers.newestOfPath(row.path)?.id !== row.id) return false
      transfers.setCancel(row.id, false)
      if (row.state !== 'cancelled') return true
      const folder = row.folderId === null ? null : files.folder(row.folderId)
      const isHeld = this.#held.delete(row.id)
      const wait = folder === null || isHeld ? null : graceOf(folder, row, ports.clock.now())
      transfers.transition(row.id, wait ?? { kind: 'requeued' })
      return true
    }).length
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
   * Releases held rows. They aren't held for the same reason again until the file's content or name changes.
   * `shown`: the rows as the user saw them. Rows that have changed since, or weren't shown, stay held. If
   * `shown` is null, releases all of them. `replaces`: changed files replace their previous versions.
   */
  release(ids: readonly number[], shown: readonly HeldFile[] | null, replaces = false): number {
    const { ports, transfers, bus } = this.#options
    const seen = shown === null ? null : new Map(shown.map((one) => [one.id, one]))
    return this.#each(ids, (row) => {
      if (row.state !== 'held' || row.reason === null) return false
      if (seen !== null && !isAsShown(row, seen.get(row.id))) return false
      // The row holds the only link to a file that is left published. A receipt would overwrite it, so a new
      // row is released instead.
      const id = isLeftPublic(row) ? transfers.replaceHeld(row.id, ports.clock.now()) : row.id
      transfers.setReleased(id, [...new Set([...(row.released?.split(',') ?? []), row.reason])].join(','))
      if (row.reason === 'changed' && !replaces) transfers.keepReplaced(id)
      transfers.transition(id, { kind: 'released' })
      if (id !== row.id) bus.changed(id)
      return true
    }).length
  }

  /**
   * Sends these rows before all others. Resumes paused rows, and ends waits for back-off, for a changing file
   * or for a chance to cancel. A row that waits for something else is sent first once that wait is over.
   */
  sendNext(ids: readonly number[]): number {
    const { transfers } = this.#options
    return this.#each(ids, (row) => {
      if (row.state !== 'queued' && row.state !== 'waiting') return false
      transfers.setPriority(row.id, PRIORITY.next)
      transfers.setPaused([row.id], false)
      if (row.state === 'waiting' && row.reason !== null && ENDED_BY_SENDING.has(row.reason))
        transfers.transition(row.id, { kind: 'requeued' })
      return true
    }).length
  }

  /**
   * Runs `act` on the rows in one transaction; `act` returns whether it changed the row. Returns the IDs of
   * the changed rows.
   */
  #each(ids: readonly number[], act: (row: TransferRow) => boolean): readonly number[] {
    const { db, transfers, bus } = this.#options
    const changed = db.tx(() =>
      ids.filter((id) => {
        const row = transfers.get(id)
        return row !== null && act(row)
      }),
    )
    for (const id of changed) bus.changed(id)
    bus.wake('queue')
    return changed
  }
}

/**
 * Whether the row is still as the user saw it. The file may have been renamed or changed while the user was
 * being asked.
 */
function isAsShown(row: TransferRow, shown: HeldFile | undefined): boolean {
  if (shown === undefined) return false
  const { path, size, mtime, reason, message } = shown
  return (
    row.path === path &&
    row.size === size &&
    row.mtime === mtime &&
    row.reason === reason &&
    row.message === message
  )
}
