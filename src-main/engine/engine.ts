// Entry point of the engine: opens the journal, composes the parts and closes them in order. The engine runs the same way in the app, on
// the command line and in tests, because it reaches the outside world only through ports and the API client. queue/scheduler.ts decides
// what runs next.
import type { Handlers } from '../../src-shared/contract.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import type { IdentityKeeper } from './budget/identity.ts'
import { closeInOrder, every } from './compose/closing.ts'
import { type Journal, openGaps, openJournal } from './compose/journal.ts'
import { Retention } from './compose/retention.ts'
import { composeService, type Service } from './compose/service.ts'
import { composeUploads, type Uploads } from './compose/uploads.ts'
import type { EngineOptions, EnginePolicy, Services } from './core.ts'
import { WatchedFolders } from './find/watched-folders.ts'
import type { SetAside } from './journal/open.ts'
import type { Log } from './ports.ts'
import type { Scheduler } from './queue/scheduler.ts'
import { createBackgroundRunner } from './remote/background-runner.ts'
import { createAdmission } from './rules/facts.ts'
import { createGuard, NO_GUARD_RULES } from './rules/guard.ts'
import { createOwnPlaces, type OwnPlaces } from './rules/own-places.ts'
import { createAccountHandlers } from './tell/account-handlers.ts'
import { type Bus, createBus } from './tell/bus.ts'
import { createCatalogHandlers } from './tell/catalog-handlers.ts'
import { answerDurably } from './tell/durable-answers.ts'
import { createFolderHandlers } from './tell/folder-handlers.ts'
import { createQueueHandlers } from './tell/queue-handlers.ts'
import { SnapshotReader } from './tell/snapshot.ts'

/**
 * Interval at which the engine checks whether the computer has slept, saves the request budget, applies policy changes, and forgets a part of
 * what is old.
 */
const TICK_MS = 60_000

export interface Engine {
  readonly handlers: Handlers
  onEvent(listener: (event: EngineEvent) => void): () => void
  /** Where an unusable journal was moved when the engine opened, and why. Null if the journal could be used. */
  readonly setAside: SetAside | null
  /** Whether a watched folder is being scanned, for the first time or again. */
  isScanning(): boolean
  /** Frees memory that the journal needs only while there is work. Call when the engine is idle. */
  rest(): void
  /** Closes the engine. Uploads in progress get `graceMs` milliseconds to finish; the rest are aborted, and looked up at the next start. */
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
  const { guard, admission, folders } = composeFolders({ options, journal, own, bus, scheduler: () => uploads.scheduler })
  const uploads = composeUploads({ options, journal, service, folders, admission, guard, bus, stop })
  const { scheduler, gate, known, queue, compare, opens, accounting, throttle, reconciler, uploadPause } = uploads
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
 * Composes the background jobs, which use spare request budget to read from the service while nothing else is due. Which job runs next is
 * decided in remote/background-jobs.ts.
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
      return { minute: { limit: minute.limit ?? 1, used: minute.used }, day: { limit: day.limit ?? 1, used: day.used } }
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

/** Composes the parts that find files and decide which may be uploaded: the guard for secrets, admission and the watched folders. */
function composeFolders({ options, journal, own, bus, scheduler }: FoldersOptions) {
  const { ports } = options
  const { db, files, transfers, claims } = journal
  const guard = createGuard({ rules: options.guardRules ?? (() => NO_GUARD_RULES), inspection: ports.inspection })
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

const NO_ENGINE_POLICY: EnginePolicy = { forbidden: [], address: '' }

interface PolicyChangesOptions {
  readonly policy: () => EnginePolicy
  readonly identity: Pick<IdentityKeeper, 'load'>
  readonly own: Pick<OwnPlaces, 'follow'>
  readonly folders: Pick<WatchedFolders, 'sessions'>
  readonly log: Log
}

/**
 * Applies policy changes while the engine runs: reloads key and address if the restrictions on the address have changed, and restarts and
 * rescans the watched folders, because some directories may no longer be forbidden. Independently of this, forbidden folders and addresses
 * are checked before every upload and request.
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

/** Assembles the handlers, one for each procedure of the contract; a missing one is a compile error. Failures are returned as values. */
function createHandlers(services: Services): Handlers {
  return {
    ...createQueueHandlers(services),
    ...createFolderHandlers(services),
    ...createCatalogHandlers(services),
    ...createAccountHandlers(services),
  }
}
