// Entry point of the engine: opens the journal, composes the parts and closes them in order. The engine runs the same way in the app, on
// the command line and in tests, because it reaches the outside world only through ports and the API client. transfer/scheduler.ts decides
// what runs next.
import type { Handlers } from '../../src-shared/contract.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import { createOwnPlaces, type OwnPlaces } from './admission/own-places.ts'
import { type Bus, createBus } from './bus.ts'
import { composeBackground } from './compose/background.ts'
import { closeInOrder, every } from './compose/closing.ts'
import { composeFolders } from './compose/folders.ts'
import { openGaps, openJournal } from './compose/journal.ts'
import { NO_ENGINE_POLICY, PolicyChanges } from './compose/policy.ts'
import { Retention } from './compose/retention.ts'
import { composeService } from './compose/service.ts'
import { composeUploads } from './compose/uploads.ts'
import type { EngineOptions, Services } from './core.ts'
import { answerDurably } from './handlers/durable-answers.ts'
import { createHandlers } from './handlers/handlers.ts'
import type { SetAside } from './journal/open.ts'
import { SnapshotReader } from './snapshot.ts'

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
  let woken: { wake(): void } | null = null
  const wake = (): void => woken?.wake()
  const journal = openJournal(options, () => bus, wake)
  const { db, ids, transfers, files, remote, claims, doubts, owners, past } = journal
  const service = composeService({
    options,
    journal,
    bus,
    wake,
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
