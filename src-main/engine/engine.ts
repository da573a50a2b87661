// The engine behind one door: opens the journal, composes the parts, and closes them in order. It runs the same in the app, on the command
// line and in a test; everything outside reaches it through ports. It decides nothing: what runs next is transfer/scheduler.ts.
import type { EngineEvent, Handlers } from '../../src-shared/contract.ts'
import { createOwnPlaces, type OwnPlaces } from './admission/own-places.ts'
import { type Bus, createBus } from './bus.ts'
import { composeErrands } from './compose/background.ts'
import { closeInOrder, every } from './compose/closing.ts'
import { composeFolders } from './compose/folders.ts'
import { openGaps, openJournal } from './compose/journal.ts'
import { composeService } from './compose/service.ts'
import { composeUploads } from './compose/uploads.ts'
import type { Core, EngineOptions } from './core.ts'
import { answerDurably } from './handlers/durable-answers.ts'
import { createHandlers } from './handlers/handlers.ts'
import type { SetAside } from './journal/open.ts'
import { SnapshotReader } from './snapshot.ts'

/** How often the budget is asked to notice that the machine slept, and to save what is only in memory. */
const BUDGET_TICK_MS = 60_000

export interface Engine {
  readonly handlers: Handlers
  onEvent(listener: (event: EngineEvent) => void): () => void
  /** Set where a journal could not be used and was put aside. */
  readonly setAside: SetAside | null
  /** Nothing happens for a while: gives back memory that only work needs. */
  rest(): void
  /** Ends in order: uploads under way get `graceMs` to finish, then are broken off and looked up at the next start. */
  close(graceMs: number): Promise<void>
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { clock, log } = options.ports
  const stop = new AbortController()
  const parts = compose(options, await createOwnPlaces(options.ports.disk, options.own), stop.signal)
  const { journal, bus, uploads, service, core } = parts
  openGaps(journal, log)
  // Whatever was on its way when the last process ended is unconfirmed now.
  journal.transfers.doubtUploading()
  await core.loadIdentity()
  announceSetAside(bus, journal.setAside)
  if (options.passive !== true) core.attend()
  const budgetTick = every(clock, BUDGET_TICK_MS, () => service.budget.tick())
  uploads.scheduler.wake()
  let isClosed = false
  return {
    handlers: answerDurably(createHandlers(core), () => journal.db.attemptDurable()),
    onEvent: (listener) => bus.on(listener),
    setAside: journal.setAside,
    rest: () => {
      if (!isClosed) journal.db.rest()
    },
    close: async (graceMs) => {
      if (isClosed) return
      isClosed = true
      budgetTick()
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
  const wake = (): void => uploads.scheduler.wake()
  const journal = openJournal(options, () => bus, wake)
  const { db, transfers, files, remote, claims, owners, past } = journal
  const service = composeService({
    options,
    journal,
    bus,
    wake,
    forget: () => {
      uploads.compare.reset()
      const gap = past.get()
      if (gap !== null) past.open(gap.cause, gap.at, 'whole')
    },
    onForgotten: () => errands.again(),
    stop,
  })
  const { budget, limits, account, identity, calls, catalog, stats } = service
  const { guard, admission, folders } = composeFolders({ options, journal, own, bus, scheduler: () => uploads.scheduler })
  const uploads = composeUploads({ options, journal, service, folders, admission, guard, bus, stop })
  const { scheduler, gate, compare, accounting, throttle } = uploads
  const snapshots = new SnapshotReader({
    version: options.version,
    clock,
    transfers,
    files,
    remote,
    setAside: journal.setAside,
    disk: journal.disk,
    identity,
    account,
    budget,
    limits,
    folders,
    stored: service.stored,
    compare,
    accounting,
    gate,
    bus,
  })
  const errands = composeErrands({ options, journal, service, folders, uploads, stop })
  const core: Core = {
    options,
    db,
    transfers,
    files,
    remote,
    claims,
    owners,
    budget,
    account,
    calls,
    catalog,
    limits,
    accounting,
    bus,
    stop,
    admission,
    guard,
    sessions: () => folders.sessions(),
    openSession: (folderId) => folders.open(folderId),
    closeSession: (folderId) => folders.close(folderId),
    join: (folderId, watcher) => folders.join(folderId, watcher),
    letGo: (folderId, watcher) => folders.leave(folderId, watcher),
    endWatching: (folderId) => folders.end(folderId),
    snapshot: () => snapshots.snapshot(),
    gate: () => gate.view(),
    view: (row) => snapshots.transfer(row),
    pump: () => scheduler.rowsChanged(),
    work: () => scheduler.startWorking(),
    attend: () => {
      scheduler.startWorking()
      folders.attend()
      errands.start()
    },
    isAttended: () => folders.isAttended(),
    configure: ({ concurrency, bytesPerSecond }) => {
      scheduler.setConcurrency(concurrency)
      throttle.setRate(bytesPerSecond)
    },
    setPaused: (paused) => {
      gate.setPaused(paused)
      scheduler.wake()
    },
    abort: (id) => scheduler.abort(id),
    breakOff: () => scheduler.breakOff(),
    isActive: (id) => scheduler.isActive(id),
    loadIdentity: async () => {
      const failure = await identity.load()
      if (failure === null) scheduler.wake()
      return failure
    },
    refreshStats: (priority, maxWaitMs) => stats.refresh(priority, maxWaitMs),
    callFailure: service.failureOf,
  }
  return { journal, bus, service, folders, uploads, errands, core }
}

function announceSetAside(bus: Bus, setAside: SetAside | null): void {
  if (setAside === null) return
  bus.emit({
    kind: 'notice',
    level: 'warning',
    title: `The journal could not be used (${setAside.why}). It was set aside and is rebuilt.`,
    hint: `The old one is ${setAside.file}.`,
    about: { what: 'journal', name: setAside.file, count: 1 },
  })
}
