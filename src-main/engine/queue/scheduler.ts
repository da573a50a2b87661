// Decides what runs next and when: wakes rows whose time has come, starts uploads as account, plan and
// request budget allow, and runs the rounds that look up unconfirmed uploads and send deletions
// (`PeriodicRound`). Claims the place in the request budget for the next upload. One timer wakes it; every
// event that may make something due calls `wake`.
import type { Gate } from '../../../src-shared/model.ts'
import type { Budget, Claim, Place, Priority } from '../budget/budget.ts'
import type { BudgetRoom } from '../budget/compose.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { DiskTrouble } from '../journal/disk-trouble.ts'
import type { Journal } from '../journal/journal.ts'
import type { Standing } from '../journal/transfer-queue.ts'
import { PRIORITY } from '../journal/transfer-row.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { MAY_GO_OUT } from '../journal/transitions.ts'
import type { Clock, Log } from '../ports.ts'
import type { PresenceRoom } from '../presence/compose.ts'
import type { RemoteRoom } from '../remote/compose.ts'
import type { SendRoom } from '../send/propagator.ts'
import type { Bus, Due } from '../tell/bus.ts'
import { PlanProof } from './plan-proof.ts'
import type { UploadGate } from './upload-gate.ts'
import {
  type KnownFirst,
  LARGE_BYTES,
  type SchedulerLog,
  type UploadQueue,
  type Wait,
} from './upload-queue.ts'

/**
 * Eight concurrent small uploads keep a connection busy at any latency. More than three large ones would
 * starve the rest.
 */
const DEFAULT_CONCURRENCY: Concurrency = { all: 8, large: 3 }
/** How soon a policy that has been repaired lets uploads go on. */
const POLICY_MS = 3000
const MIN_REMOVAL_PAUSE_MS = 50
const MAX_UNCONFIRMED = 2000

// Emits speed and remaining time twice a second while files are being sent. In an idle engine, no timer runs.
// The figures come from progress.ts.
const EVERY_MS = 500

/** Delay after a round that threw. */
const DEFECT_RETRY_MS = 30_000

export interface Concurrency {
  /** Maximum number of concurrent uploads. */
  readonly all: number
  /** Maximum number of concurrent uploads of files larger than 16 MiB. */
  readonly large: number
}

export interface SchedulerOptions extends Journal, BudgetRoom, RemoteRoom, PresenceRoom, SendRoom {
  readonly clock: Clock
  readonly log: Log
  readonly debug: SchedulerLog
  readonly folders: WatchedFolders
  readonly queue: UploadQueue
  readonly gate: UploadGate
  readonly known: KnownFirst
  readonly bus: Bus
  readonly concurrency: Concurrency | undefined
  readonly stop: AbortSignal
}

/** `isInLine`: the next upload is waiting in line for the request budget. */
interface StepWait extends Wait {
  readonly isInLine?: boolean
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
  readonly #claim: UploadClaim
  readonly #plan: PlanProof
  readonly #log: SchedulerLog
  readonly #timer: WakeTimer
  #concurrency: Concurrency
  #cancelProgress: (() => void) | null = null
  #isWorking = false
  /** Number of calls to `lookUp` that haven't been ended yet. */
  #lookups = 0
  #isStepping = false
  #isClosed = false
  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#concurrency = options.concurrency ?? DEFAULT_CONCURRENCY
    const { clock, log, reconciler, catalog, wire, stop } = options
    wire.resize(this.#concurrency.all)
    this.#plan = new PlanProof(options)
    this.#log = options.debug
    this.#timer = new WakeTimer(clock, () => this.#run())
    // One listener for all uploads. Combining two signals for each upload would cost more than reading a
    // small file.
    stop.addEventListener('abort', () => void this.breakOff(), { once: true })
    this.#claim = new UploadClaim(options.budget, options.bus)
    this.#reconcile = new PeriodicRound({
      name: 'reconciler',
      clock,
      log,
      run: () => reconciler.run(stop),
      onEnd: () => this.#reconciled(),
    })
    this.#remove = new PeriodicRound({
      name: 'removals',
      clock,
      log,
      run: () => catalog.removals(stop),
      onEnd: (next) => this.#removed(next),
    })
  }

  /** Number of uploads in flight, including those that are being prepared. */
  activeCount(): number {
    return this.#active.size
  }

  isActive(id: number): boolean {
    return this.#active.has(id)
  }

  maxUploads(): number {
    return this.#concurrency.all
  }

  /** Whether a lookup of unconfirmed uploads or a round of deletions is running. */
  isRoundRunning(): boolean {
    return this.#reconcile.isRunning() || this.#remove.isRunning()
  }

  /**
   * Starts work. Before this call, no upload is sent; lookups and deletions run only while a user waits for
   * them (`lookUp`).
   */
  startWorking(): void {
    this.#isWorking = true
    this.wake()
  }

  /**
   * Looks up unconfirmed uploads and sends deletions even before `startWorking`, until the returned function
   * is called. Use this while a user waits for the outcome.
   */
  lookUp(): () => void {
    this.#lookups++
    this.#reconcile.dueAgain()
    this.#removalsChanged()
    this.wake()
    return () => {
      this.#lookups--
    }
  }

  setConcurrency(all: number): void {
    const large = Math.max(1, Math.round((all * DEFAULT_CONCURRENCY.large) / DEFAULT_CONCURRENCY.all))
    this.#concurrency = { all, large }
    this.#options.wire.resize(all)
    this.wake()
  }

  /**
   * Runs the scheduler as soon as possible. `due`: what may be due. `at`: when lookups of unconfirmed uploads
   * are, in epoch milliseconds; if absent, now, provided that there are any.
   */
  wake(due: Due = 'anything', at = 0): void {
    // A scan that was stuck on a network drive may end only after the journal was closed.
    if (this.#isClosed) return
    if (due !== 'anything') {
      this.#options.queue.invalidate()
      if (at > 0) this.#reconcile.dueBy(at)
      else if (this.#options.transfers.unknown(1).length > 0)
        this.#reconcile[due === 'lookups' ? 'dueNow' : 'dueIfIdle']()
      this.#removalsChanged()
    }
    this.#timer.after(0)
  }

  /**
   * Schedules the next round of deletions for the earliest deletion that is queued. A new one doesn't wait
   * for the retry of another.
   */
  #removalsChanged(): void {
    const next = this.#options.remote.nextRemoval()
    if (next !== null) this.#remove.dueBy(next)
  }

  abort(id: number): void {
    this.#active.get(id)?.abort.abort()
  }

  /** Aborts these uploads in flight, or all of them, and resolves once the outcome of each is recorded. */
  async breakOff(ids: Iterable<number> = this.#active.keys()): Promise<void> {
    const uploads = [...ids].flatMap((id) => this.#active.get(id) ?? [])
    for (const { abort } of uploads) abort.abort()
    await Promise.allSettled(uploads.map(({ done }) => done))
  }

  /**
   * Starts no further uploads or rounds. Those in progress continue until they end, or until `stop` aborts
   * them.
   */
  close(): void {
    this.#isClosed = true
    this.#claim.leave()
    this.#timer.close()
    this.#cancelProgress?.()
  }

  uploads(): readonly Promise<void>[] {
    return [...this.#active.values()].map((one) => one.done)
  }

  rounds(): readonly Promise<void>[] {
    return [this.#reconcile.settled(), this.#remove.settled()]
  }

  #run(): void {
    if (this.#isClosed || this.#isStepping) return
    this.#isStepping = true
    let isInLine = false
    try {
      const wait = this.#step()
      isInLine = wait.isInLine === true
      this.#log.waits(wait, this.#active.size)
    } catch (error) {
      if (!this.#options.disk.note(error)) throw error
    } finally {
      // If something other than the budget holds uploads back, their place in line must not hold up other
      // requests.
      if (!isInLine) this.#claim.leave()
      this.#isStepping = false
    }
    this.#options.gate.announce()
  }

  /** Does what is due. Returns why no further upload starts. */
  #step(): StepWait {
    const { clock, transfers, bus, account, identity, limits, disk } = this.#options
    const failing = disk.gate()
    // Recovery of the disk wakes the scheduler, so nothing is scheduled here.
    if (failing !== null) return { why: failing.reason, until: failing.until }
    if (this.#options.clockRollback()) this.#endWaits()
    const woken = [...transfers.wake(clock.now()), ...limits.takeFitting()]
    if (woken.length > 0) {
      this.#options.queue.invalidate()
      for (const id of woken) bus.changed(id)
    }
    this.#timer.at(transfers.nextUntil())
    if (!this.#isWorking && this.#lookups === 0) return { why: 'passive', until: null }
    if (identity.api() === null) return { why: 'no-key', until: null }

    const blocked = account.gate()
    const barred = this.#options.gate.policyGate()
    if (barred !== null) {
      this.#timer.after(POLICY_MS)
      return { why: barred.reason, until: null }
    }
    if (!this.#plan.prove(blocked?.reason === 'offline' || !account.isAnswered()))
      return { why: 'stats', until: null }
    if (blocked !== null) {
      if (!account.isAnswered()) this.#lookForService()
      return this.#waitFor(blocked)
    }
    this.#timer.at(this.#reconcile.runIfDue())
    this.#timer.at(this.#remove.runIfDue())
    if (!this.#isWorking) return { why: 'passive', until: null }
    const wait = this.#upload()
    // An upload in flight, or one in line for the rate limit, will show whether the service is reachable
    // again. Otherwise, test it here.
    if (this.#active.size === 0 && wait.isInLine !== true) this.#lookForService()
    return wait
  }

  /** Reads `/stats` if an attempt to reach the service is due. */
  #lookForService(): void {
    const { account, stats, clock } = this.#options
    const until = account.outageUntil()
    if (until === null || until > clock.now()) return
    this.#timer.after(stats.lookForConnection())
  }

  /**
   * Starts as many uploads as the account's state and limits allow. Returns why no more were started, and
   * until when, if known.
   */
  #upload(): StepWait {
    const { stats, gate, limits, known } = this.#options
    if (gate.isPaused()) return { why: 'paused', until: null }
    if (stats.isDiagnosing()) return { why: 'diagnosing', until: null }
    if (this.#active.size > 0) this.#plan.refresh()
    const limited = limits.gate(this.#active.size)
    if (limited === null) return this.#startUploads()
    if (this.#active.size === 0) this.#start(known.next(limited), null)
    this.#timer.after(this.#plan.recount(limited))
    return this.#waitFor(limited)
  }

  #waitFor({ reason: why, until }: Pick<Gate, 'reason' | 'until'>): StepWait {
    this.#timer.at(until)
    return { why, until }
  }

  #startUploads(): StepWait {
    const { transfers, account, limits, uploadPause, wire, queue, gate } = this.#options
    const pause = uploadPause.gate()
    if (pause !== null) return this.#waitFor(pause)
    const unconfirmed = new Set(transfers.unknown(MAX_UNCONFIRMED).map((row) => queue.keyOf(row)))
    const isProbe = uploadPause.isOn() || limits.isBeyondDay()
    const slots = account.outageUntil() !== null || isProbe ? 1 : this.#concurrency.all
    while (this.#active.size < slots + (slots === 1 ? 0 : Math.min(slots, wire.waiting()))) {
      const isFullOfLarge =
        [...this.#active.values()].filter(({ row }) => row.size > LARGE_BYTES).length >=
        this.#concurrency.large
      const next = queue.next({ isActive: (id) => this.#active.has(id), isFullOfLarge, unconfirmed, isProbe })
      if (next === null) return { why: 'nothing-due', until: this.#log.isOn() ? transfers.nextUntil() : null }
      const claim = this.#claim.claim(next.row)
      if (!claim.ok) {
        this.#options.queue.invalidate()
        gate.setRate({ reason: claim.reason, until: claim.until })
        return { ...this.#waitFor(claim), isInLine: true }
      }
      gate.setRate(null)
      this.#start(next.row, claim.id)
      this.#log.started(next.row, next.why, this.#active.size)
      const limited = limits.gate(this.#active.size)
      if (limited !== null) return { why: limited.reason, until: limited.until }
    }
    return { why: slots === 1 ? 'probing' : 'all-slots-used', until: null }
  }

  /** `claim`: the upload's claim on the request budget; null if nothing may be sent. */
  #start(row: TransferRow | null, claim: number | null): void {
    if (row === null) return
    const { queue, propagator, known, limits, stamp, stop } = this.#options
    if (claim !== null) {
      stamp?.touch()
      limits.started(row.id)
    }
    const abort = new AbortController()
    queue.hold(row)
    if (stop.aborted) abort.abort()
    const work = claim === null ? known.check(row, abort.signal) : propagator.carry(row, claim, abort.signal)
    const done = work.finally(() => this.#ended(row))
    this.#active.set(row.id, { row, abort, done })
    this.#options.gate.setActive(this.#active.size)
    this.#showProgress()
  }

  #ended(row: TransferRow): void {
    const { queue, remote, bus, folders, gate } = this.#options
    this.#active.delete(row.id)
    gate.setActive(this.#active.size)
    queue.letGo(row)
    const after = endCalledOff(this.#options, row.id)
    if (after?.state === 'unknown') this.#reconcile.dueBy(after.until ?? 0)
    if (after?.state === 'waiting') this.#timer.at(after.until)
    // A requeued row may lie before the position up to which the queue has been read, so the next step would
    // miss it.
    if (after?.state === 'queued') this.#options.queue.invalidate()
    if (remote.nextRemoval() !== null) this.#remove.dueNow()
    // The file may now belong to another folder.
    folders.ended(row, after?.folderId ?? null)
    folders.withdrawEnded()
    this.#run()
    if (this.#active.size === 0) bus.ended()
  }

  /** Emits the progress from time to time until no upload is active. */
  #showProgress(): void {
    const { clock, bus, accounting, transfers, folders } = this.#options
    this.#cancelProgress ??= clock.after(EVERY_MS, () => {
      this.#cancelProgress = null
      if (this.#active.size === 0 || this.#isClosed) return
      bus.emit({ kind: 'progress', progress: accounting.view(transfers.workIn(folders.sendingIds()).bytes) })
      this.#showProgress()
    })
  }

  #reconciled(): void {
    if (this.#isClosed) return
    this.#options.queue.invalidate()
    if (this.#options.remote.nextRemoval() !== null) this.#remove.dueNow()
    this.#options.folders.withdrawEnded()
    this.wake()
  }

  #removed(next: number | null): void {
    this.#options.bus.touched()
    this.#timer.after(next === null ? null : Math.max(MIN_REMOVAL_PAUSE_MS, next - this.#options.clock.now()))
  }

  /** Ends every wait after a clock rollback, because each would last longer by as much. */
  #endWaits(): void {
    const { log, account, limits, uploadPause, gate, bus } = this.#options
    log.warn('clock.back', {})
    account.reconnect()
    limits.retry()
    uploadPause.retry()
    gate.setRate(null)
    this.#reconcile.dueNow()
    this.#remove.dueNow()
    this.#options.queue.invalidate()
    bus.touched()
  }
}

// Ends a transfer that was cancelled while it was active, if its outcome leaves it in a state from which it
// would be sent later. Without this, a file that the user has cancelled could be uploaded after the account
// or the plan stops blocking it.
interface CalledOffParts {
  readonly transfers: Pick<Transfers, 'standing' | 'transition'>
  readonly bus: Pick<Bus, 'changed' | 'touched'>
  readonly disk: Pick<DiskTrouble, 'note'>
}

/**
 * Ends a transfer that was cancelled while it was active, if its state is one of `MAY_GO_OUT`. Does nothing
 * to other transfers. Returns its standing afterwards.
 */
function endCalledOff({ transfers, bus, disk }: CalledOffParts, id: number): Standing | null {
  const standing = transfers.standing(id)
  if (standing?.isCalledOff !== true || !MAY_GO_OUT.includes(standing.state)) return standing
  try {
    transfers.transition(id, { kind: 'cancelled' })
  } catch (error) {
    // If the disk fails here, the cancellation takes effect when the transfer is checked before it is sent
    // (propagator.ts).
    if (!disk.note(error)) throw error
  }
  bus.changed(id)
  bus.touched()
  return transfers.standing(id)
}

// Claims room in the request budget for the next upload, and keeps its place in line while there is none.
// Other reasons to wait are in upload-gate.ts.
class UploadClaim {
  readonly #budget: Pick<Budget, 'claim' | 'enter'>
  readonly #bus: Pick<Bus, 'wake'>
  #place: { readonly priority: Priority; readonly inLine: Place } | null = null

  constructor(budget: Pick<Budget, 'claim' | 'enter'>, bus: Pick<Bus, 'wake'>) {
    this.#budget = budget
    this.#bus = bus
  }

  /**
   * Claims room for this upload. If there is none, the upload stays in line until a later claim succeeds or
   * `leave` is called.
   */
  claim(row: { readonly priority: number }): Claim {
    const priority = row.priority >= PRIORITY.named ? 'person' : 'watched'
    if (this.#place?.priority !== priority) this.leave()
    const claim = this.#budget.claim('upload', priority, this.#place?.inLine)
    if (claim.ok) this.leave()
    else this.#place ??= { priority, inLine: this.#budget.enter(priority, () => this.#bus.wake(), true) }
    return claim
  }

  /**
   * Gives up the place in line, so that other requests may go first. Call when nothing is uploaded, or
   * something else holds uploads back.
   */
  leave(): void {
    const place = this.#place
    this.#place = null
    place?.inLine.leave()
  }
}

// The scheduler's only timer. It runs the next step at the earliest of the requested times.
class WakeTimer {
  readonly #clock: Clock
  readonly #run: () => void
  #set: { readonly at: number; readonly cancel: () => void } | null = null
  #isClosed = false

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock
    this.#run = run
  }

  /** Requests a step in `ms` milliseconds. Null requests none. */
  after(ms: number | null): void {
    if (this.#isClosed || ms === null) return
    const at = this.#clock.mono() + ms
    if (this.#set !== null && this.#set.at <= at) return
    this.#set?.cancel()
    const cancel = this.#clock.after(ms, () => {
      this.#set = null
      this.#run()
    })
    this.#set = { at, cancel }
  }

  /** Requests a step at `time` (epoch milliseconds), or at once if that has passed. Null requests none. */
  at(time: number | null): void {
    if (time !== null) this.after(Math.max(1, time - this.#clock.now()))
  }

  close(): void {
    this.#isClosed = true
    this.#set?.cancel()
  }
}

// Runs a recurring job, such as looking up unconfirmed uploads or sending deletions, one round at a time.
// Keeps the time of the next round; the scheduler checks at every step whether it is due. The result of a
// round sets the time of the next one, and overrides requests made while the round was running, except those
// of `dueAgain`.

interface PeriodicRoundOptions {
  /** Names the round in the log, as in `<name>.defect`. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  /**
   * Resolves to the time of the next round in epoch milliseconds, or to null if none is due until one is
   * requested.
   */
  readonly run: () => Promise<number | null>
  /** Called after each round, once the time of the next one is set. */
  readonly onEnd: (next: number | null) => void
}

export class PeriodicRound {
  readonly #options: PeriodicRoundOptions
  #dueAt: number | null = 0
  #running: Promise<void> | null = null
  #isAgain = false

  constructor(options: PeriodicRoundOptions) {
    this.#options = options
  }

  isRunning(): boolean {
    return this.#running !== null
  }

  /**
   * Starts the round if it is due. Returns when to check again (epoch milliseconds); null if a round is
   * running or none is scheduled.
   */
  runIfDue(): number | null {
    if (this.#running !== null || this.#dueAt === null) return null
    if (this.#dueAt > this.#options.clock.now()) return this.#dueAt
    this.#running = this.#round()
    return null
  }

  /**
   * Schedules the next round for this time (epoch milliseconds), unless it is already scheduled for an
   * earlier time.
   */
  dueBy(time: number): void {
    this.#dueAt = Math.min(this.#dueAt ?? time, time)
  }

  /** Schedules the next round for now. */
  dueNow(): void {
    this.#dueAt = 0
  }

  /**
   * Like `dueNow`. If a round is running, it may have begun too early for the caller, so another one follows
   * it.
   */
  dueAgain(): void {
    this.#dueAt = 0
    this.#isAgain = this.#running !== null
  }

  /** Like `dueNow`, unless a round is already scheduled. */
  dueIfIdle(): void {
    this.#dueAt ??= 0
  }

  async settled(): Promise<void> {
    await this.#running
  }

  async #round(): Promise<void> {
    const { name, clock, log, run, onEnd } = this.#options
    let next: number | null
    try {
      next = await run()
    } catch (error) {
      log.error(`${name}.defect`, {
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
      next = clock.now() + DEFECT_RETRY_MS
    }
    this.#running = null
    this.#dueAt = this.#isAgain ? 0 : next
    this.#isAgain = false
    onEnd(this.#dueAt)
  }
}
