// What runs next, and when: wakes rows whose time has come, starts uploads as account, plan and request budget allow, and the rounds that
// look up unconfirmed uploads and send deletions. One timer wakes it; every event that may make something due calls `wake`.
import type { AccountState } from '../account/state.ts'
import type { Bus } from '../bus.ts'
import type { DiskTrouble } from '../journal/disk-trouble.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Budget } from '../limits/budget.ts'
import type { UploadLimits } from '../limits/upload-limits.ts'
import type { Clock, Log } from '../ports.ts'
import type { Calls } from '../remote/requests.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'
import type { LostAnswers } from './lost-answer-pause.ts'
import { PeriodicRound } from './periodic-round.ts'
import type { Accounting } from './progress.ts'
import { ProgressEvents } from './progress-events.ts'
import type { Propagator } from './propagator.ts'
import type { UploadGate } from './upload-gate.ts'
import { LARGE_BYTES, type UploadQueue } from './upload-queue.ts'
import type { Wire } from './wire.ts'

/** Uploads at once: eight small ones keep a connection of any latency busy; of large ones three, or they starve the rest. */
const DEFAULT_CONCURRENCY: Concurrency = { all: 8, large: 3 }
const STATS_EVERY_MS = 15 * 60_000
/** Between two tries to read `/stats` while nothing is known of the plan. */
const PROOF_EVERY_MS = 15_000
/** Between two counts of the day's uploads by the service, where ours may be too high. */
const RECOUNT_MS = 5000
/** Before a wait for the next day, a count that is older than this is worth a request. */
const RECOUNT_AGE_MS = 600_000
/** How long `/stats` may wait for room in the request budget. */
const PROOF_WAIT_MS = 65_000
const REFRESH_WAIT_MS = 1000
/** A limit that ends this soon is waited out without asking the service about it. */
const SOON_MS = 1000
const MIN_REMOVAL_PAUSE_MS = 50
const MAX_UNCONFIRMED = 2000

export interface Concurrency {
  /** Uploads at once. */
  readonly all: number
  /** Of these, files above 16 MiB. */
  readonly large: number
}

export interface SchedulerOptions {
  readonly clock: Clock
  readonly log: Log
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Remote
  readonly disk: Pick<DiskTrouble, 'gate' | 'note'>
  readonly budget: Budget
  readonly account: AccountState
  readonly limits: UploadLimits
  readonly lostAnswers: Pick<LostAnswers, 'gate' | 'isProbing' | 'setBack'>
  readonly calls: Calls
  readonly stats: StatsRefresh
  readonly accounting: Accounting
  readonly wire: Wire
  readonly queue: UploadQueue
  readonly gate: UploadGate
  readonly propagator: Pick<Propagator, 'carry'>
  readonly bus: Bus
  /** Looks up unconfirmed uploads; gives the time of the next look. */
  readonly reconcile: () => Promise<number | null>
  /** Sends deletions; gives the time of the next one. */
  readonly remove: () => Promise<number | null>
  /** By how many milliseconds the clock was set back since it was asked last: 0, or less. */
  readonly clockRollback: () => number
  /** Folders that are watched now. */
  readonly folders: () => Iterable<number>
  readonly ended: (row: TransferRow, folderId: number | null) => void
  readonly withdrawEnded: () => void
  readonly onStart: () => void
  readonly hasIdentity: () => boolean
  readonly concurrency: Concurrency | undefined
  readonly stop: AbortSignal
}

interface ActiveUpload {
  readonly row: TransferRow
  readonly abort: AbortController
  readonly done: Promise<void>
}

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #active = new Map<number, ActiveUpload>()
  readonly #reconcile: PeriodicRound
  readonly #remove: PeriodicRound
  readonly #progress: ProgressEvents
  #concurrency: Concurrency
  #timer: { readonly at: number; readonly cancel: () => void } | null = null
  #isWorking = false
  #isStepping = false
  #isClosed = false
  /** By how much the journal's times are still to be moved: on a full disk the first try may fail. */
  #owedRollbackMs = 0

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#concurrency = options.concurrency ?? DEFAULT_CONCURRENCY
    const { clock, log, bus, reconcile, remove } = options
    this.#reconcile = new PeriodicRound({ name: 'reconciler', clock, log, run: reconcile, onEnd: () => this.#reconciled() })
    this.#remove = new PeriodicRound({ name: 'removals', clock, log, run: remove, onEnd: (next) => this.#removed(next) })
    this.#progress = new ProgressEvents({
      clock,
      isActive: () => this.#active.size > 0 && !this.#isClosed,
      emit: () => bus.emit({ kind: 'progress', progress: options.accounting.view(options.transfers.workIn(options.folders()).bytes) }),
    })
  }

  /** Uploads on their way. */
  activeCount(): number {
    return this.#active.size
  }

  isActive(id: number): boolean {
    return this.#active.has(id)
  }

  maxUploads(): number {
    return this.#concurrency.all
  }

  /** Unconfirmed uploads are looked up, or deletions sent, right now. */
  isRoundRunning(): boolean {
    return this.#reconcile.isRunning() || this.#remove.isRunning()
  }

  /** From now on what is due goes out; before, only deletions and lookups wait for it too. */
  startWorking(): void {
    this.#isWorking = true
    this.wake()
  }

  setConcurrency(all: number): void {
    const large = Math.max(1, Math.round((all * DEFAULT_CONCURRENCY.large) / DEFAULT_CONCURRENCY.all))
    this.#concurrency = { all, large }
    this.wake()
  }

  /** Something may be due now. */
  wake(): void {
    this.#schedule(0)
  }

  /** The queue is not as it was: rows came, went, or have another priority. */
  queueChanged(): void {
    this.#options.queue.invalidate()
  }

  /** A handler changed rows: everything that was idle is looked at again. */
  rowsChanged(): void {
    const { transfers, remote } = this.#options
    this.queueChanged()
    if (transfers.unknown(1).length > 0) this.#reconcile.dueIfIdle()
    if (remote.nextRemoval() !== null) this.#remove.dueIfIdle()
    this.wake()
  }

  /** A folder found something, or one of its rows has to be looked up. */
  found(): void {
    this.queueChanged()
    if (this.#options.transfers.unknown(1).length > 0) this.#reconcile.dueNow()
    this.wake()
  }

  /** Unconfirmed uploads are looked up at this time (epoch milliseconds) at the latest. */
  lookBy(time: number): void {
    this.#reconcile.dueBy(time)
    this.wake()
  }

  abort(id: number): void {
    this.#active.get(id)?.abort.abort()
  }

  /** Ends every upload under way as if its connection were cut, and resolves once each has its state: queued, or unknown. */
  async breakOff(): Promise<void> {
    const uploads = [...this.#active.values()]
    for (const one of uploads) one.abort.abort()
    await Promise.allSettled(uploads.map((one) => one.done))
  }

  /** Nothing starts any more; what is under way goes on. */
  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#progress.close()
  }

  uploads(): readonly Promise<void>[] {
    return [...this.#active.values()].map((one) => one.done)
  }

  rounds(): readonly Promise<void>[] {
    return [this.#reconcile.settled(), this.#remove.settled()]
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return
    const { clock } = this.#options
    const at = clock.mono() + ms
    if (this.#timer !== null && this.#timer.at <= at) return
    this.#timer?.cancel()
    const cancel = clock.after(ms, () => {
      this.#timer = null
      this.#run()
    })
    this.#timer = { at, cancel }
  }

  #scheduleAt(time: number | null): void {
    if (time !== null) this.#schedule(Math.max(1, time - this.#options.clock.now()))
  }

  #run(): void {
    if (this.#isClosed || this.#isStepping) return
    this.#isStepping = true
    try {
      this.#step()
    } catch (error) {
      if (!this.#options.disk.note(error)) throw error
    } finally {
      this.#isStepping = false
    }
    this.#options.gate.announce()
  }

  #step(): void {
    const { clock, transfers, bus, account, calls, stats, disk, gate, hasIdentity } = this.#options
    // Looked at again when the disk can be written to.
    if (disk.gate() !== null) return
    this.#followClock()
    const woken = transfers.wake(clock.now())
    if (woken.length > 0) {
      this.queueChanged()
      for (const id of woken) bus.changed(id)
    }
    this.#scheduleAt(transfers.nextUntil())
    if (!hasIdentity() || !this.#isWorking) return

    const blocked = account.gate()
    if (!this.#provePlan(blocked?.reason === 'offline')) return
    if (blocked !== null) {
      this.#scheduleAt(blocked.until)
      return
    }
    this.#scheduleAt(this.#reconcile.runIfDue())
    this.#scheduleAt(this.#remove.runIfDue())
    if (gate.isPaused() || stats.isDiagnosing() || calls.hasWaiting()) return
    this.#refreshStats()
    if (this.#isLimited()) return
    this.#startUploads()
  }

  /**
   * Without `/stats` the plan is not known; a service that can't answer it is served carefully after one try. False: its answer is waited for.
   */
  #provePlan(isOffline: boolean): boolean {
    const { clock, account, transfers, stats, folders } = this.#options
    const read = account.stats()
    // Figures of long ago say nothing of what was sent since, perhaps by another copy of this journal.
    const isStale =
      read !== null && !stats.isRead() && clock.now() - read.at > STATS_EVERY_MS && transfers.due(1, null, folders()).length > 0
    if ((read !== null && !isStale) || account.isBlocked()) return true
    if (!stats.isRunning() && stats.sinceTried() > PROOF_EVERY_MS && !isOffline) void stats.refresh('person', PROOF_WAIT_MS)
    return !stats.isRunning()
  }

  #refreshStats(): void {
    const { clock, account, stats } = this.#options
    const read = account.stats()
    if (read === null || stats.isRunning() || this.#active.size === 0) return
    if (clock.now() - read.at > STATS_EVERY_MS && stats.sinceTried() > STATS_EVERY_MS) void stats.refresh('background', REFRESH_WAIT_MS)
  }

  /** True: the plan lets nothing out now. */
  #isLimited(): boolean {
    const { clock, account, limits, stats } = this.#options
    const limited = limits.gate(this.#active.size)
    if (limited === null) return false
    const now = clock.now()
    this.#scheduleAt(limited.until)
    if (limited.until !== null && limited.until <= now + SOON_MS) return true
    const read = account.stats()
    if (limited.reason !== 'daily-uploads' || read === null || limits.quota().uploadsToday === null || stats.isRunning()) return true
    // An upload that was under way while `/stats` was read may be counted twice: before a wait of hours that is worth a request.
    const isGuessed = limits.isGuessed()
    if (now - read.at > RECOUNT_AGE_MS || (isGuessed && stats.sinceTried() > RECOUNT_MS)) void stats.refresh('background', REFRESH_WAIT_MS)
    else if (isGuessed) this.#schedule(RECOUNT_MS)
    return true
  }

  #startUploads(): void {
    const { transfers, account, budget, limits, lostAnswers, wire, queue, gate } = this.#options
    const lost = lostAnswers.gate()
    if (lost !== null) {
      this.#scheduleAt(lost.until)
      return
    }
    const unconfirmed = new Set(transfers.unknown(MAX_UNCONFIRMED).map((row) => queue.keyOf(row)))
    // After a failed connection, or where answer after answer was lost, one goes first and shows whether the service is back.
    const slots = account.offlineUntil() === null && !lostAnswers.isProbing() ? this.#concurrency.all : 1
    while (this.#active.size < slots + (slots === 1 ? 0 : Math.min(slots, wire.waiting()))) {
      const row = queue.next({ isActive: (id) => this.#active.has(id), isFullOfLarge: this.#isFullOfLarge(), unconfirmed })
      if (row === null) return
      const claim = budget.claim('upload', row.priority > 0 ? 'person' : 'background')
      if (!claim.ok) {
        this.queueChanged()
        gate.setRate({ reason: claim.reason, until: claim.until })
        this.#scheduleAt(claim.until)
        return
      }
      gate.setRate(null)
      this.#start(row, claim.id)
      if (limits.gate(this.#active.size) !== null) return
    }
  }

  #isFullOfLarge(): boolean {
    let large = 0
    for (const one of this.#active.values()) if (one.row.size > LARGE_BYTES) large++
    return large >= this.#concurrency.large
  }

  #start(row: TransferRow, claim: number): void {
    const { queue, propagator, stop, onStart } = this.#options
    onStart()
    const abort = new AbortController()
    queue.hold(row)
    const done = propagator.carry(row, claim, AbortSignal.any([abort.signal, stop])).finally(() => this.#ended(row))
    this.#active.set(row.id, { row, abort, done })
    this.#progress.start()
  }

  #ended(row: TransferRow): void {
    const { queue, transfers, remote, bus, ended, withdrawEnded } = this.#options
    this.#active.delete(row.id)
    queue.letGo(row)
    const after = transfers.standing(row.id)
    if (after?.state === 'unknown') this.#reconcile.dueBy(after.until ?? 0)
    if (after?.state === 'waiting') this.#scheduleAt(after.until)
    // Back in the queue, it is before the place that was read up to, and the next step would pass it over with nothing to wake it again.
    if (after?.state === 'queued') this.queueChanged()
    if (remote.nextRemoval() !== null) this.#remove.dueNow()
    // By now another folder may govern it.
    ended(row, after?.folderId ?? null)
    withdrawEnded()
    this.#run()
    if (this.#active.size === 0) bus.ended()
  }

  #reconciled(): void {
    if (this.#isClosed) return
    this.queueChanged()
    if (this.#options.remote.nextRemoval() !== null) this.#remove.dueNow()
    this.#options.withdrawEnded()
    this.wake()
  }

  #removed(next: number | null): void {
    this.#options.bus.touched()
    if (next !== null) this.#schedule(Math.max(MIN_REMOVAL_PAUSE_MS, next - this.#options.clock.now()))
  }

  /** Waits move with a clock that was set back, or they would come hours late. */
  #followClock(): void {
    const { log, db, transfers, remote, account, limits, lostAnswers, gate, bus, clockRollback } = this.#options
    const by = clockRollback()
    if (by !== 0) {
      log.warn('clock.back', { by: Math.round(by) })
      this.#owedRollbackMs += by
      account.clockRolledBack(by)
      limits.clockRolledBack(by)
      lostAnswers.setBack(by)
      gate.moveClock(by)
      this.#reconcile.moveClock(by)
      this.#remove.moveClock(by)
    }
    if (this.#owedRollbackMs === 0) return
    db.tx(() => {
      transfers.clockRolledBack(this.#owedRollbackMs)
      remote.shiftRemovals(this.#owedRollbackMs)
    })
    this.#owedRollbackMs = 0
    this.queueChanged()
    bus.touched()
  }
}
