// Entry point of the engine: opens the journal, composes the rooms and closes them in order. Also decides
// when the journal forgets old rows. The engine runs the same way in the app, on the command line and in
// tests: it reaches the outside world only through ports and the API client. queue/scheduler.ts decides what
// runs next.
import type { Handlers } from '../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import { createBudgetRoom } from './budget/compose.ts'
import type { AccountSource, IdentityKeeper } from './budget/current-key.ts'
import { type LimitFigures, NearLimits } from './budget/near-limits.ts'
import { WatchedFolders } from './find/watched-folders.ts'
import type { SetAside } from './journal/database.ts'
import { type JournalOptions, openJournal } from './journal/journal.ts'
import { Retention } from './journal/old-rows.ts'
import type { Clock, EnginePolicy, Log, Ports } from './ports.ts'
import { createPresenceRoom } from './presence/compose.ts'
import { createQueueRoom } from './queue/compose.ts'
import type { Concurrency } from './queue/scheduler.ts'
import { createBackgroundRunner } from './remote/background-runner.ts'
import { createRemoteRoom } from './remote/compose.ts'
import { type GuardRules, NO_GUARD_RULES } from './rules/guard.ts'
import { createOwnPlaces, type OwnPaths, type OwnPlaces } from './rules/own-places.ts'
import { createRulesRoom } from './rules/path-facts.ts'
import { createSendRoom } from './send/propagator.ts'
import { createAccountHandlers } from './tell/account-handlers.ts'
import { answerDurably } from './tell/answers.ts'
import { type Bus, createBus } from './tell/bus.ts'
import { createFolderHandlers } from './tell/folder-handlers.ts'
import { PathParts } from './tell/path-parts.ts'
import { createQueueHandlers } from './tell/queue-handlers.ts'
import { createCatalogHandlers } from './tell/remote-handlers.ts'
import { type Rooms, type Services, SnapshotReader } from './tell/snapshot.ts'

/**
 * Interval at which the engine checks whether the computer has slept, saves the request budget, applies
 * policy changes, and forgets a part of what is old.
 */
const TICK_MS = 60_000
const NO_ENGINE_POLICY: EnginePolicy = { forbidden: [], address: '' }

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

export interface EngineOptions extends JournalOptions, AccountSource {
  readonly ports: Ports
  readonly version: string
  /** Returns the name to send for a name that may contain bytes that aren't valid UTF-8. */
  readonly wireName: (name: string) => string
  /** Slipway's own folders. Only pasted data is uploaded from them. */
  readonly own: OwnPaths
  /**
   * Returns the administrators' current policy; the same object until the policy changes. Called before every
   * upload.
   */
  readonly policy?: () => EnginePolicy
  readonly concurrency?: Concurrency
  /**
   * Returns the user's rules about what to hold or allow, in addition to the built-in rules for secrets.
   * Called often, so it must return the same object until the rules change.
   */
  readonly guardRules?: () => GuardRules
  /**
   * If true, no upload, deletion, or lookup of an unconfirmed upload starts until `upload`, `watch` or `work`
   * is called. A command that only shows something must not send files that an earlier command left in the
   * queue. There is one exception: while a command that cancels or deletes an upload waits to learn whether
   * the upload was stored, lookups and deletions are sent.
   */
  readonly passive?: boolean
}

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
  const services = compose(options, own, policy, stop.signal)
  const { db, setAside, transfers, account, identity, bus, folders, scheduler, backgroundJobs } = services
  // Uploads that were in flight when the last process ended are unconfirmed now.
  transfers.markUploadingUnknown()
  await identity.load()
  announceSetAside(bus, setAside)
  if (options.passive !== true) {
    scheduler.startWorking()
    folders.attend()
    backgroundJobs.start()
    services.putAway.wake()
  }
  const policyChanges = new PolicyChanges({ policy, identity, own, folders, log })
  const retention = new Retention(clock, services, account)
  const figures = (): LimitFigures => services.snapshots.figures()
  const near = new NearLimits({ db, facts: services.remote.facts, bus, figures })
  const endTicks = every(clock, TICK_MS, () => {
    services.budget.tick()
    void policyChanges.follow()
    if (options.passive === true) return
    retention.tick()
    near.tick()
  })
  scheduler.wake()
  let isClosed = false
  return {
    handlers: answerDurably(createHandlers(services), () => db.attemptDurable()),
    onEvent: (listener) => bus.on(listener),
    setAside,
    isScanning: () => folders.views().some(({ state }) => state === 'scanning'),
    rest: () => {
      if (!isClosed) db.rest()
    },
    close: async (graceMs) => {
      if (isClosed) return
      isClosed = true
      endTicks()
      await closeInOrder(services, stop, graceMs)
    },
  }
}

/** Composes the rooms, each of those that it asks. Whatever goes upward goes through the bus. */
function compose(
  options: EngineOptions,
  own: OwnPlaces,
  policy: () => EnginePolicy,
  stop: AbortSignal,
): Services {
  const { ports, concurrency } = options
  const bus = createBus(ports)
  const journal = openJournal(options, ports, bus)
  const budget = createBudgetRoom(options, ports, journal, bus)
  const remote = createRemoteRoom(ports, journal, budget, bus, stop)
  const guardRules = options.guardRules ?? (() => NO_GUARD_RULES)
  const rules = createRulesRoom(ports, journal, own, guardRules, () => budget.identity.key())
  const folders = new WatchedFolders({ ...journal, ...rules, ports, bus })
  const below = { ...journal, ...budget, ...remote, ...rules, ports, folders, bus, stop }
  const presence = createPresenceRoom(below, options.wireName)
  const send = createSendRoom({ ...below, ...presence })
  presence.attach(send.propagator)
  const queue = createQueueRoom({ ...below, ...presence, ...send, policy, concurrency })
  const rooms: Rooms = { ...below, ...presence, ...send, ...queue }
  const snapshots = new SnapshotReader(rooms, options.version)
  const backgroundJobs = createBackgroundRunner({
    ...rooms,
    ...ports,
    journal,
    idle: () => isIdle(rooms),
  })
  bus.attach({ db: journal.db, snapshots, scheduler: queue.scheduler })
  return { ...rooms, snapshots, backgroundJobs }
}

/** Whether the account works and nothing is paused, queued, in flight or waiting. */
function isIdle({ stop, gate, account, calls, scheduler, transfers, folders }: Rooms): boolean {
  if (stop.aborted || gate.isPaused() || account.view().state !== 'ok' || calls.hasWaiting()) return false
  if (scheduler.activeCount() > 0 || scheduler.isRoundRunning()) return false
  const work = transfers.workIn(folders.sendingIds())
  return work.count + work.moving === 0 && gate.view() === null
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
  const pathParts = new PathParts()
  return {
    ...createQueueHandlers(services, pathParts),
    ...createFolderHandlers(services),
    ...createCatalogHandlers(services),
    ...createAccountHandlers(services, pathParts),
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

/**
 * Shuts the engine down. Uploads in progress get `graceMs` milliseconds to finish. `stop` aborts every
 * request. Resolves once the journal is closed.
 */
async function closeInOrder(services: Services, stop: AbortController, graceMs: number): Promise<void> {
  const { ports, db, disk, bus, budget, identity, folders, scheduler, compare, backgroundJobs, putAway } =
    services
  const { clock } = ports
  scheduler.close()
  folders.stop()
  backgroundJobs.close()
  disk.close()
  // It is safe to continue while a scan is stuck in a listing: the scan has been aborted, so it writes
  // nothing when the listing ends.
  await atMost(clock, LAST_REQUESTS_MS, [folders.closeAll()])
  if (scheduler.activeCount() > 0 && graceMs > 0) await atMost(clock, graceMs, scheduler.uploads())
  stop.abort()
  // A failing disk must not block shutdown. An upload whose result couldn't be saved is looked up at the next
  // start.
  const cancelGiveUp = clock.after(LAST_REQUESTS_MS, () => db.giveUpWaiting())
  await atMost(clock, LAST_UPLOADS_MS, scheduler.uploads())
  await bus.close()
  cancelGiveUp()
  await identity.closeApi()
  await atMost(clock, LAST_REQUESTS_MS, [...scheduler.rounds(), compare.settled(), putAway.ended()])
  budget.tick()
  identity.forgetKey()
  db.close()
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
