// Entry point of the engine: opens the journal, composes the parts and closes them in order. The engine runs
// the same way in the app, on the command line and in tests, because it reaches the outside world only
// through ports and the API client. queue/scheduler.ts decides what runs next.
import type { Handlers } from '../../src-shared/contract.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import type { IdentityKeeper } from './budget/identity.ts'
import { type Journal, openGaps, openJournal } from './compose/journal.ts'
import { composeService, type Service } from './compose/service.ts'
import { composeUploads, type Uploads } from './compose/uploads.ts'
import type { EngineOptions, EnginePolicy, Services } from './core.ts'
import { WatchedFolders } from './find/watched-folders.ts'
import { type OldKind, type OldRows, type Position, START } from './journal/old-rows.ts'
import type { SetAside } from './journal/open.ts'
import type { Clock, Log } from './ports.ts'
import type { Scheduler } from './queue/scheduler.ts'
import { type BackgroundRunner, createBackgroundRunner } from './remote/background-runner.ts'
import { createAdmission } from './rules/facts.ts'
import { createGuard, NO_GUARD_RULES } from './rules/guard.ts'
import { createOwnPlaces, type OwnPlaces } from './rules/own-places.ts'
import { createAccountHandlers } from './tell/account-handlers.ts'
import { answerDurably } from './tell/answers.ts'
import { type Bus, createBus } from './tell/bus.ts'
import { createCatalogHandlers } from './tell/catalog-handlers.ts'
import { createFolderHandlers } from './tell/folder-handlers.ts'
import { createQueueHandlers } from './tell/queue-handlers.ts'
import { SnapshotReader } from './tell/snapshot.ts'

/**
 * Interval at which the engine checks whether the computer has slept, saves the request budget, applies
 * policy changes, and forgets a part of what is old.
 */
const TICK_MS = 60_000
const NO_ENGINE_POLICY: EnginePolicy = { forbidden: [], address: '' }

// Decides when the journal forgets versions and remote files that no longer exist (journal/old-rows.ts): a
// small part each minute, so that nothing else is delayed.
const DAY_MS = 86_400_000

/** How long a replaced or vanished version remains in the history. */
const KEPT_MS = 30 * DAY_MS

/**
 * Nothing is forgotten until the clocks have agreed for this long: if the wall clock was set forward by
 * mistake, a file may appear old that was deleted a moment ago, and a list that lags may still contain it.
 */
const SETTLED_MS = 3_600_000

/** How far the wall clock may drift from the monotonic clock between two calls of `tick`. */
const DRIFT_MS = 60_000

/** Rows examined at a time. At one part a minute, this is enough for more than 250,000 changes a day. */
const PART = 200

/** A remote file is kept as long as a transfer refers to it, and an ID as long as anything does. */
const KINDS: readonly OldKind[] = ['replaced', 'vanished', 'remote', 'id']

/**
 * Time limit, during shutdown, for each of three waits: for the watched folders, for the journal's disk, and
 * for other aborted work.
 */
const LAST_REQUESTS_MS = 2000

/**
 * Maximum time for aborted uploads to settle. Longer than LAST_REQUESTS_MS, because an upload that waits for
 * the journal's disk doesn't settle until that wait is given up.
 */
const LAST_UPLOADS_MS = 2 * LAST_REQUESTS_MS

export interface Engine {
  readonly handlers: Handlers
  onEvent(listener: (event: EngineEvent) => void): () => void
  /**
   * Where an unusable journal was moved when the engine opened, and why. Null if the journal could be used.
   */
  readonly setAside: SetAside | null
  /** Whether a watched folder is being scanned, for the first time or again. */
  isScanning(): boolean
  /** Frees memory that the journal needs only while there is work. Call when the engine is idle. */
  rest(): void
  /**
   * Closes the engine. Uploads in progress get `graceMs` milliseconds to finish; the rest are aborted, and
   * looked up at the next start.
   */
  close(graceMs: number): Promise<void>
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { clock, log } = options.ports
  const stop = new AbortController()
  const policy = options.policy ?? (() => NO_ENGINE_POLICY)
  const own = await createOwnPlaces(options.ports.disk, options.own, () => policy().forbidden)
  const parts = compose(options, own, stop.signal)
  const { journal, bus, folders, uploads, background, service, services } = parts
  openGaps(journal, log)
  // Uploads that were in flight when the last process ended are unconfirmed now.
  journal.transfers.markUploadingUnknown()
  await service.identity.load()
  announceSetAside(bus, journal.setAside)
  if (options.passive !== true) {
    uploads.scheduler.startWorking()
    folders.attend()
    background.start()
  }
  const policyChanges = new PolicyChanges({ policy, identity: service.identity, own, folders, log })
  const retention = new Retention({
    clock,
    rows: journal.oldRows,
    statsAt: () => service.account.stats()?.at ?? null,
    soon: (work) => void journal.db.soon(work).catch(journal.failed),
  })
  const endTicks = every(clock, TICK_MS, () => {
    service.budget.tick()
    void policyChanges.follow()
    if (options.passive !== true) retention.tick()
  })
  uploads.scheduler.wake()
  let isClosed = false
  return {
    handlers: answerDurably(createHandlers(services), () => journal.db.attemptDurable()),
    onEvent: (listener) => bus.on(listener),
    setAside: journal.setAside,
    isScanning: () => folders.views().some(({ state }) => state === 'scanning'),
    rest: () => {
      if (!isClosed) journal.db.rest()
    },
    close: async (graceMs) => {
      if (isClosed) return
      isClosed = true
      endTicks()
      await closeInOrder({ ...parts, clock, stop }, graceMs)
    },
  }
}

function compose(options: EngineOptions, own: OwnPlaces, stop: AbortSignal) {
  const { ports } = options
  const { clock, log } = ports
  const bus: Bus = createBus({
    clock,
    log,
    readTransfers: (ids) => snapshots.transfers(ids),
    readSnapshot: () => snapshots.snapshot(),
    durable: () => journal.db.durable(),
  })
  // `wake` may be called before the scheduler exists, for example because a write to the journal has failed.
  let woken: { wake(): void; rowsChanged(): void } | null = null
  const wake = (): void => woken?.wake()
  const journal = openJournal(options, () => bus, wake)
  const { db, ids, transfers, files, remote, claims, doubts, owners, past } = journal
  const service = composeService({
    options,
    journal,
    bus,
    wake,
    rowsChanged: () => woken?.rowsChanged(),
    forget: () => {
      uploads.compare.reset()
      uploads.reconciler.reset()
      uploads.uploadPause.accepted()
      transfers.forgetAttempts()
      // The new account may already have some of the files, so they are compared before they are sent.
      past.open(past.get()?.cause ?? 'fresh', clock.now(), 'whole')
    },
    onForgotten: () => background.again(),
    stop,
  })
  const { budget, limits, account, identity } = service
  const { guard, admission, folders } = composeFolders({
    options,
    journal,
    own,
    bus,
    scheduler: () => uploads.scheduler,
  })
  const uploads = composeUploads({ options, journal, service, folders, admission, guard, bus, stop })
  const { scheduler, gate, known, queue, compare, opens, accounting, throttle, reconciler, uploadPause } =
    uploads
  woken = scheduler
  const snapshots = new SnapshotReader({
    version: options.version,
    clock,
    ids,
    transfers,
    files,
    remote,
    owners: journal.owners,
    doubts: journal.doubts,
    setAside: journal.setAside,
    disk: journal.disk,
    identity,
    account,
    budget,
    limits,
    folders,
    stored: service.stored,
    catalog: service.catalog,
    calls: service.calls,
    compare,
    opens,
    accounting,
    gate,
    known,
    queue,
    scheduler,
    bus,
  })
  const background = composeBackground({ options, journal, service, folders, uploads, stop })
  const services: Services = {
    ports,
    compare,
    wireName: options.wireName,
    db,
    ids,
    transfers,
    files,
    remote,
    claims,
    doubts,
    owners,
    ...service,
    admission,
    guard,
    folders,
    scheduler,
    opens,
    reconciler,
    uploadPause,
    gate,
    throttle,
    backgroundJobs: background,
    snapshots,
    bus,
    stop,
  }
  return { journal, bus, service, folders, uploads, background, services }
}

function announceSetAside(bus: Bus, setAside: SetAside | null): void {
  if (setAside === null) return
  bus.emit({
    kind: 'notice',
    level: 'warning',
    title: `The journal couldn't be used (${setAside.why}). It was set aside and is rebuilt.`,
    hint: `The old one is ${setAside.file}.`,
    about: { what: 'journal', name: setAside.file, count: 1 },
  })
}

/**
 * Composes the background jobs, which use spare request budget to read from the service while nothing else is
 * due. Which job runs next is decided in remote/background-runner.ts.
 */
function composeBackground({
  options,
  journal,
  service,
  folders,
  uploads,
  stop,
}: {
  readonly options: EngineOptions
  readonly journal: Journal
  readonly service: Service
  readonly folders: WatchedFolders
  readonly uploads: Uploads
  readonly stop: AbortSignal
}) {
  const { clock, log } = options.ports
  const { db, remote, transfers } = journal
  const { budget, limits, account, calls, catalog, stats } = service
  const { scheduler, gate } = uploads
  return createBackgroundRunner({
    clock,
    log,
    db,
    remote,
    catalog,
    signal: stop,
    idle: () => {
      if (stop.aborted || gate.isPaused() || account.view().state !== 'ok' || calls.hasWaiting()) return false
      if (scheduler.activeCount() > 0 || scheduler.isRoundRunning()) return false
      const work = transfers.workIn(folders.ids())
      return work.count + work.moving === 0 && gate.view() === null
    },
    budget: () => {
      const { minute, day } = budget.view()
      return {
        minute: { limit: minute.limit ?? 1, used: minute.used },
        day: { limit: day.limit ?? 1, used: day.used },
      }
    },
    statsAt: () => account.stats()?.at ?? null,
    refreshStats: async () => (await stats.refresh('spare', 0)) === null,
    zone: () => limits.zone(),
  })
}

interface FoldersOptions {
  readonly options: EngineOptions
  readonly journal: Journal
  readonly own: OwnPlaces
  readonly bus: Bus
  readonly scheduler: () => Scheduler
}

/**
 * Composes the parts that find files and decide which may be uploaded: the guard for secrets, admission and
 * the watched folders.
 */
function composeFolders({ options, journal, own, bus, scheduler }: FoldersOptions) {
  const { ports } = options
  const { db, files, transfers, claims } = journal
  const guard = createGuard({
    rules: options.guardRules ?? (() => NO_GUARD_RULES),
    inspection: ports.inspection,
  })
  const admission = createAdmission({
    disk: ports.disk,
    guard,
    clock: ports.clock,
    own,
    watched: () => folders.roots(),
    isOpen: (folderId) => folders.isOpen(folderId),
  })
  const folders = new WatchedFolders({
    ports,
    db,
    files,
    transfers,
    claims,
    admission,
    guard,
    bus,
    journalFailed: journal.failed,
    onQueueChanged: () => scheduler().queueChanged(),
    onFound: () => scheduler().found(),
  })
  return { guard, admission, folders }
}

interface PolicyChangesOptions {
  readonly policy: () => EnginePolicy
  readonly identity: Pick<IdentityKeeper, 'load'>
  readonly own: Pick<OwnPlaces, 'follow'>
  readonly folders: Pick<WatchedFolders, 'sessions'>
  readonly log: Log
}

/**
 * Applies policy changes while the engine runs: reloads key and address if the restrictions on the address
 * have changed, and restarts and rescans the watched folders, because some directories may no longer be
 * forbidden. Independently of this, forbidden folders and addresses are checked before every upload and
 * request.
 */
class PolicyChanges {
  readonly #options: PolicyChangesOptions
  #applied: EnginePolicy

  constructor(options: PolicyChangesOptions) {
    this.#options = options
    this.#applied = options.policy()
  }

  /** Applies the policy if it has changed since the last call. Never rejects. */
  async follow(): Promise<void> {
    const { policy, identity, own, folders, log } = this.#options
    const [before, now] = [this.#applied, policy()]
    if (now === before) return
    this.#applied = now
    log.info('policy.changed')
    try {
      if (now.address !== before.address) await identity.load()
      await own.follow()
      await Promise.all([...folders.sessions().values()].map((session) => session.start()))
    } catch (error) {
      log.error('policy.failed', { message: error instanceof Error ? error.message : String(error) })
    }
  }
}

/**
 * Assembles the handlers, one for each procedure of the contract; a missing one is a compile error. Failures
 * are returned as values.
 */
function createHandlers(services: Services): Handlers {
  return {
    ...createQueueHandlers(services),
    ...createFolderHandlers(services),
    ...createCatalogHandlers(services),
    ...createAccountHandlers(services),
  }
}

interface RetentionOptions {
  readonly clock: Clock
  readonly rows: OldRows
  /**
   * When `/stats` was last read, in epoch milliseconds; null if it never was. Its count is compared with what
   * has changed since.
   */
  readonly statsAt: () => number | null
  /** Runs `work` in a transaction, soon. */
  readonly soon: (work: () => void) => void
}

export class Retention {
  readonly #options: RetentionOptions
  readonly #queue: { readonly kind: OldKind; readonly from: Position }[] = []
  #settledFrom: number
  /**
   * The wall clock minus the monotonic clock at the last call of `tick`; before the first one, at
   * construction.
   */
  #offset: number
  /** When the next pass begins, by the monotonic clock. */
  #nextPass = 0

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#offset = options.clock.now() - options.clock.mono()
    this.#settledFrom = options.clock.mono()
  }

  /** Forgets the next part if one is due. Call about once a minute. */
  tick(): void {
    const { clock, rows, statsAt, soon } = this.#options
    const mono = clock.mono()
    const offset = clock.now() - mono
    if (Math.abs(offset - this.#offset) > DRIFT_MS) this.#settledFrom = mono
    this.#offset = offset
    const read = statsAt()
    if (mono - this.#settledFrom < SETTLED_MS || read === null) return
    if (this.#queue.length === 0 && mono >= this.#nextPass) {
      this.#nextPass = mono + DAY_MS
      this.#queue.push(...KINDS.map((kind) => ({ kind, from: START })))
    }
    const next = this.#queue.shift()
    if (next === undefined) return
    const before = Math.min(clock.now() - KEPT_MS, read)
    soon(() => {
      const from = rows.drop(next.kind, before, next.from, PART)
      if (from !== null) this.#queue.unshift({ kind: next.kind, from })
    })
  }
}

// Shuts the engine down: nothing new starts, uploads in progress get a grace period and are then aborted, and
// the journal is closed last. Every wait for a disk or for uploads has a time limit, because a network drive
// or the service may never answer.

/** Calls `call` every `ms` milliseconds until the returned function is called. */
function every(clock: Clock, ms: number, call: () => void): () => void {
  let isEnded = false
  let cancel: () => void = () => undefined
  const again = (): void => {
    cancel = clock.after(ms, () => {
      call()
      if (!isEnded) again()
    })
  }
  again()
  return () => {
    isEnded = true
    cancel()
  }
}

interface ClosingParts {
  readonly clock: Clock
  readonly journal: Journal
  readonly bus: Bus
  readonly service: Service
  readonly folders: WatchedFolders
  readonly uploads: Uploads
  readonly background: BackgroundRunner
  /** Aborts every request. */
  readonly stop: AbortController
}

/**
 * Shuts the engine down. Uploads in progress get `graceMs` milliseconds to finish. Resolves once the journal
 * is closed.
 */
async function closeInOrder(parts: ClosingParts, graceMs: number): Promise<void> {
  const { clock, journal, bus, service, folders, uploads, background, stop } = parts
  const { scheduler, compare } = uploads
  scheduler.close()
  folders.stop()
  background.close()
  journal.disk.close()
  // It is safe to continue while a scan is stuck in a listing: the scan has been aborted, so it writes
  // nothing when the listing ends.
  await atMost(clock, LAST_REQUESTS_MS, [folders.closeAll()])
  if (scheduler.activeCount() > 0 && graceMs > 0) await atMost(clock, graceMs, scheduler.uploads())
  stop.abort()
  // A failing disk must not block shutdown. An upload whose result couldn't be saved is looked up at the next
  // start.
  const cancelGiveUp = clock.after(LAST_REQUESTS_MS, () => journal.db.giveUpWaiting())
  await atMost(clock, LAST_UPLOADS_MS, scheduler.uploads())
  await journal.db.attemptDurable()
  cancelGiveUp()
  bus.close()
  await service.identity.closeApi()
  await atMost(clock, LAST_REQUESTS_MS, [...scheduler.rounds(), compare.settled()])
  service.budget.tick()
  service.identity.forgetKey()
  journal.db.close()
}

/** Resolves once all of `work` has settled, or after `ms`. */
async function atMost(clock: Clock, ms: number, work: readonly Promise<void>[]): Promise<void> {
  let cancel: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  await Promise.race([over, Promise.allSettled(work)])
  cancel()
}
