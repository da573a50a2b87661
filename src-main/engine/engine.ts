// The engine behind one door: opens the journal, puts the rooms together, decides what goes out next, and answers the contract's procedures
// (handlers.ts). It runs the same in the app, in the command line and in a test; everything outside reaches it through ports.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { assertNever } from '../../src-shared/assert.ts'
import type { EngineEvent, Failure, Handlers, Result } from '../../src-shared/contract.ts'
import type { Counts, Folder, Gate, Health, Snapshot, Transfer } from '../../src-shared/model.ts'
import type { ApiClient } from '../api/types.ts'
import { type AccountRoom, createAccount } from './account/state.ts'
import { type Admission, createAdmission, type WatchedRoot } from './admission/facts.ts'
import { createGuard, type Guard, type GuardRules, NO_GUARD_RULES } from './admission/guard.ts'
import { createOwnPlaces, type OwnPaths } from './admission/own-places.ts'
import { type Bus, createBus } from './bus.ts'
import { createFolderSession, type FolderSession } from './discovery/folder.ts'
import { below } from './discovery/rel-path.ts'
import { answerDurably } from './handlers/durable-answers.ts'
import { createHandlers } from './handlers/handlers.ts'
import type { FileSync } from './journal/barrier.ts'
import { type Claims, createClaims } from './journal/claims.ts'
import { localDay } from './journal/days.ts'
import { createDiskTrouble } from './journal/disk-trouble.ts'
import { createFiles, type Files } from './journal/files.ts'
import { createLikes } from './journal/likes.ts'
import { type Database, type FileMoves, openDatabase, type Seal, type SetAside } from './journal/open.ts'
import { createPacerStore } from './journal/pacer-store.ts'
import { createRemote, type Remote } from './journal/remote.ts'
import { createStamp, type StampFile } from './journal/stamp.ts'
import { createTransfers, type TransferRow, type Transfers } from './journal/transfers.ts'
import { readUploadDate } from './journal/upload-date.ts'
import { createThrottle } from './limits/bandwidth.ts'
import { type Budget, createBudget } from './limits/budget.ts'
import { createSetBack } from './limits/clock-rollback.ts'
import { unitBytes } from './limits/size-unit.ts'
import { createUploadLimits, type UploadLimits } from './limits/upload-limits.ts'
import type { Ports } from './ports.ts'
import { createErrands } from './remote/background-runner.ts'
import { type Catalog, createCatalog } from './remote/catalog.ts'
import { createOwners, type Owners } from './remote/owners.ts'
import { type Calls, createCalls } from './remote/requests.ts'
import { createCompare } from './transfer/comparison.ts'
import { doubtKey } from './transfer/match.ts'
import { mayComeBack } from './transfer/outcome.ts'
import { createPast, hasUnknownFiles } from './transfer/past.ts'
import { type Accounting, createAccounting } from './transfer/progress.ts'
import { createPropagator } from './transfer/propagator.ts'
import { createReconciler } from './transfer/reconciler.ts'
import { createWire } from './transfer/wire.ts'
import { transferView } from './views.ts'

export interface Identity {
  readonly baseUrl: string
  /** Lives in this process' memory only. */
  readonly key: string
  /** Tells accounts apart without telling the key: a keyed hash, made by the caller. */
  readonly account: string
}

export interface EngineOptions {
  readonly ports: Ports
  /** Path of the journal's file, or `:memory:`. */
  readonly journal: string
  readonly files: FileMoves
  readonly seal: Seal | null
  /** Syncs the journal's log; absent where nothing has to survive a power cut. */
  readonly sync?: FileSync
  /** Tells an older journal from the one that was here last; absent where nobody could have put one in its place. */
  readonly stamp?: StampFile
  readonly version: string
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** Reads key and address anew; a failure says what a person can do. */
  readonly identity: () => Promise<Result<Identity>>
  /** What the wire gets for a name that holds bytes of no character. */
  readonly wireName: (name: string) => string
  /** Where Slipway keeps its own things: nothing there is ever sent. */
  readonly own: OwnPaths
  readonly concurrency?: { readonly all: number; readonly large: number }
  /** What a person holds back or lets pass beside the rules for secrets. Asked often; the same object as long as nothing changed. */
  readonly guardRules?: () => GuardRules
  /**
   * true: nothing goes out by itself until an upload or a folder is asked for. A command that only looks must not start to send what an
   * earlier one left behind.
   */
  readonly passive?: boolean
}

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

/** Uploads at once: eight small ones keep a line of any latency busy; of large ones three, or they starve the rest. */
const CONCURRENCY = { all: 8, large: 3 } as const
const LARGE = 16 * 1024 * 1024
const STATS_EVERY_MS = 15 * 60_000
const PROGRESS_MS = 500
/** Between two counts of the day's uploads by the service, where ours may be too high. */
const RECOUNT_MS = 5000
/** Between an upload and its date on the service, and for clocks that were set: how much of the list is read again. */
const NEWEST_SLACK_MS = 3_600_000
/** At the end, for looks at the service that are under way: they are broken off, but a disk that does not answer holds up nobody. */
const LAST_WORDS_MS = 2000

/** Everything that handlers may use. */
export interface Core {
  readonly options: EngineOptions
  readonly db: Database
  readonly transfers: Transfers
  readonly files: Files
  readonly remote: Remote
  readonly claims: Claims
  readonly owners: Owners
  readonly budget: Budget
  readonly account: AccountRoom
  readonly calls: Calls
  readonly catalog: Catalog
  readonly limits: UploadLimits
  readonly accounting: Accounting
  readonly bus: Bus
  readonly stop: AbortSignal
  readonly admission: Admission
  readonly guard: Guard
  sessions(): ReadonlyMap<number, FolderSession>
  openSession(folderId: number): FolderSession
  closeSession(folderId: number): Promise<void>
  /** A command takes part in watching a folder; the folder stays open until the last one lets go, and for good where the app keeps it. */
  join(folderId: number, watcher: string): void
  letGo(folderId: number, watcher: string): Promise<void>
  /** A person ends watching: nothing new starts, and what waits in the folder is taken back. */
  endWatching(folderId: number): Promise<void>
  snapshot(): Snapshot
  gate(): Gate | null
  view(row: TransferRow): Transfer
  /** Something may be due now. */
  pump(): void
  /** From now on what is due goes out. */
  work(): void
  /** The app is here: what is due goes out, every kept folder is watched, and spare budget keeps the catalog fresh. */
  attend(): void
  isAttended(): boolean
  /** How hard to work: uploads at once, and a cap in bytes a second over all of them. */
  configure(options: { readonly concurrency: number; readonly bytesPerSecond: number | null }): void
  setPaused(paused: boolean): void
  abort(id: number): void
  /** Ends every upload under way as if its connection were cut, and resolves once each has its state: queued, or unknown until looked up. */
  breakOff(): Promise<void>
  isActive(id: number): boolean
  loadIdentity(): Promise<Failure | null>
  /** Reads `/stats` now. */
  refreshStats(priority: 'person' | 'background', maxWaitMs: number): Promise<Failure | null>
  callFailure(failure: Extract<Awaited<ReturnType<Calls['run']>>, { ok: false }>['failure']): Failure
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { ports } = options
  const { clock, log, random } = ports
  let concurrency = options.concurrency ?? CONCURRENCY
  const { sync } = options
  const { db, setAside, fresh } = openDatabase({
    file: options.journal,
    files: options.files,
    seal: options.seal,
    now: clock.now(),
    ...(sync === undefined
      ? {}
      : { durability: { sync, after: (ms, call) => void clock.after(ms, call), onTrouble: (error) => noteSync(error) } }),
  })
  const transfers = createTransfers(db)
  const setBack = createSetBack(clock, transfers.newestMoment())
  /** By how much the journal's moments are still to be moved: on a full disk the first try may fail. */
  let owedBack = 0
  const files = createFiles(db)
  const remote = createRemote(
    db,
    () => bus.remoteChanged(1),
    (ids) => {
      for (const id of ids) bus.changed(id)
    },
  )
  const claims = createClaims(db)
  const owners = createOwners(claims, remote)
  const stop = new AbortController()
  const own = await createOwnPlaces(ports.disk, options.own)
  let api: ApiClient | null = null
  let key: string | null = null
  let identityFailure: Failure | null = null
  let paused = remote.facts.get('paused') === true
  const sessions = new Map<number, FolderSession>()
  const watchers = new Map<number, Set<string>>()
  const active = new Map<number, { readonly row: TransferRow; readonly abort: AbortController; readonly done: Promise<void> }>()
  /** Names and sizes that are on their way or in doubt: a second one of the same could not be told apart. */
  const doubts = new Map<string, number>()
  let rateGate: Gate | null = null
  let lastGate = ''
  let cancelTimer: (() => void) | null = null
  let timerAt = Number.POSITIVE_INFINITY
  let reconciling = false
  let reconcileAt: number | null = 0
  let removing = false
  let removeAt: number | null = 0
  let proving: Promise<Failure | null> | null = null
  let statsTriedAt = Number.NEGATIVE_INFINITY
  let diagnosing: Promise<boolean> | null = null
  /** Looks and deletions under way that no upload waits for. The journal is closed after them. */
  const rounds = new Set<Promise<void>>()
  let closed = false
  let pumping = false
  let working = options.passive !== true

  const openedAt = clock.now()
  const past = createPast(remote.facts)
  const stamp =
    options.stamp === undefined
      ? null
      : createStamp({
          facts: remote.facts,
          file: options.stamp,
          random,
          mono: () => clock.mono(),
          durable: () => db.durable(),
          soon: (work) =>
            db.soon(work).then(
              () => true,
              () => false,
            ),
        })
  // What is found from now on may be up already; it is compared before anything is sent.
  if (setAside !== null) {
    log.error('journal.set-aside', { why: setAside.why, file: setAside.file })
    past.open('set-aside', openedAt, 'whole')
  } else if (fresh && options.journal !== ':memory:') past.open('fresh', openedAt, 'whole')
  else if (stamp?.verdict === 'older') {
    log.warn('journal.older')
    past.open('older', openedAt, remote.facts.get('catalog-held') === null ? 'whole' : 'newest')
  }
  if (remote.facts.get('rebuilding') !== null) {
    past.open('set-aside', openedAt, 'whole')
    remote.facts.set('rebuilding', null)
  }
  stamp?.touch()

  const diskTrouble = createDiskTrouble({
    clock,
    journal: options.journal,
    // A page of its own, so that no free space within the file is taken for room on the disk.
    probe: () => db.tx(() => remote.facts.set('probe', `${clock.now()} ${'.'.repeat(8192)}`)),
    onChange: () => {
      bus.touched()
      schedulePump(0)
    },
    onNotice: (title, hint) => bus.emit({ kind: 'notice', level: 'problem', title, hint, about: { what: 'disk', name: '', count: 1 } }),
  })
  const noteSync = (error: Error | null): void => {
    if (error === null) log.info('journal.synced')
    else {
      log.error('journal.sync', { message: error.message })
      diskTrouble.note(error)
    }
  }
  const sendName = (row: TransferRow): string => options.wireName(row.name)
  /** Of a request whose answer was lost: a file that was renamed since was stored under its earlier name. */
  const sentName = (row: TransferRow): string => options.wireName(row.sentName ?? row.name)
  const journalFailed = (error: unknown): void => {
    log.error('journal.write', { message: error instanceof Error ? error.message : String(error) })
    diskTrouble.note(error)
  }

  const budget = createBudget({
    clock,
    random,
    store: createPacerStore(db, journalFailed),
    onRoom: () => schedulePump(0),
    onSpent: () => void db.soon(() => remote.addUsage(localDay(clock.now()), { requests: 1 })).catch(journalFailed),
    flush: () => db.flush(),
  })
  const accounting = createAccounting(clock)
  const throttle = createThrottle(clock)
  const wire = createWire({ places: () => Math.max(1, concurrency.all), onWaiting: () => schedulePump(0) })
  const limits = createUploadLimits({ clock, log, transfers, facts: remote.facts })

  const isOpen = (folderId: number | null): boolean => folderId === null || sessions.has(folderId)
  const view = (row: TransferRow): Transfer => {
    const checking: Gate | null = compare.isPending(row.id) ? { reason: 'checking', until: null, message: compare.message() } : null
    return transferView(row, checking ?? gate(), accounting.sent(row.id), isOpen(row.folderId))
  }

  let roots: readonly WatchedRoot[] | null = null
  /** The folders that are watched here, and those that the app keeps watched when it runs. */
  const watchedRoots = (): readonly WatchedRoot[] => {
    roots ??= files
      .folders()
      .filter((folder) => folder.keep || sessions.has(folder.id))
      .map(({ id, path, ignore, rootIno: ino, rootDev: dev }) => ({ id, path, ignore, ino, dev }))
    return roots
  }
  const guard = createGuard({ rules: options.guardRules ?? (() => NO_GUARD_RULES), inspection: ports.inspection })
  const admission = createAdmission({ disk: ports.disk, guard, mono: () => clock.mono(), own, watched: watchedRoots, isOpen })
  const bus: Bus = createBus({
    clock,
    log,
    readTransfers: (ids) =>
      ids
        .map((id) => transfers.get(id))
        .filter((row) => row !== null)
        .map(view),
    readSnapshot: () => snapshot(),
    durable: () => db.durable(),
  })

  const account = createAccount({
    clock,
    random,
    log,
    budget,
    onChange: () => {
      bus.touched()
      schedulePump(0)
    },
    onNotice: (what, title, hint) => bus.emit({ kind: 'notice', level: 'problem', title, hint, about: { what, name: '', count: 1 } }),
  })

  const calls = createCalls({ clock, budget, account, api: () => api })
  let drift: { readonly files: number; readonly bytes: number } = { files: 0, bytes: 0 }
  const moved = (count: number, bytes: number): void => {
    drift = { files: drift.files + count, bytes: drift.bytes + bytes }
    bus.touched()
  }
  const catalog = createCatalog({
    clock,
    log,
    db,
    remote,
    calls,
    learnDate: (id, shown) => limits.learnDate(id, shown),
    listed: () => {
      drift = { files: 0, bytes: 0 }
      bus.remoteChanged(0)
      bus.touched()
    },
    removed: (size) => {
      const unit = limits.unit()
      moved(-1, size === null || unit === null ? 0 : -size * unitBytes[unit])
    },
    isFree: (fileId) => owners.isFree(fileId),
    orphaned: (fileId) => {
      for (const id of claims.lose(fileId)) bus.changed(id)
      schedulePump(0)
    },
    firstDownloads: (list) => {
      const name = list[0]?.filename ?? 'a file'
      // A list that was not read for long may tell of many at once.
      const title = list.length === 1 ? `First download of ${name}` : `First downloads of ${name} and ${list.length - 1} more`
      bus.emit({ kind: 'notice', level: 'info', title, hint: null, about: { what: 'first-download', name, count: list.length } })
    },
  })

  /** What holds back every upload, by its weight: a person first, then the account, the plan, the rate. */
  const gate = (): Gate | null => {
    if (paused) return { reason: 'paused', until: null, message: 'Paused.' }
    const full = diskTrouble.gate()
    if (full !== null) return full
    const blocked = account.gate()
    if (blocked !== null) return blocked
    const limited = limits.gate(active.size)
    if (limited !== null) return limited
    if (rateGate !== null && (rateGate.until ?? 0) > clock.now()) return rateGate
    const comparing = compare.gate()
    if (comparing !== null) return comparing
    if (!calls.hasWaiting()) return null
    // Somebody waits to ask the service something: the same budget holds the uploads back.
    const { minute, day } = budget.view()
    if (day.nextAt !== null) return { reason: 'rate-day', until: day.nextAt, message: null }
    return minute.nextAt === null ? null : { reason: 'rate-minute', until: minute.nextAt, message: null }
  }

  const tellGate = (): void => {
    const now = gate()
    // Short breaths between two requests are no news.
    const shown = now !== null && now.until !== null && now.until - clock.now() < 1500 ? null : now
    const print =
      shown === null ? '' : `${shown.reason} ${Math.round((shown.until ?? 0) / 2000)} ${shown.reason === 'checking' ? shown.message : ''}`
    if (print === lastGate) return
    lastGate = print
    bus.emit({ kind: 'gate', gate: shown })
    bus.touched()
  }

  const download = async (
    link: string,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ): Promise<'whole' | 'later' | 'never'> => {
    if (api === null) return 'later'
    const got = await api.download(link, onChunk, signal)
    return got.ok ? 'whole' : mayComeBack(got.failure) ? 'later' : 'never'
  }
  const likes = createLikes(db)
  /** `/stats` was read by this process; what an earlier one read may be of another time. */
  let statsRead = false
  const compare = createCompare({
    ports,
    db,
    transfers,
    remote,
    likes,
    past,
    readList: (walk, onPage, signal) => {
      const newest = walk === 'newest' ? likes.newestAt() : null
      const newerThan = newest === null ? null : newest - NEWEST_SLACK_MS
      return catalog.readForComparison({ newerThan, priority: transfers.hasUrgent() ? 'person' : 'background' }, onPage, signal)
    },
    fill: (fileId, signal) => catalog.file(fileId, 'background', signal),
    download,
    unit: () => limits.unit(),
    totalFiles: () => (statsRead ? limits.quota().totalFiles : null),
    sendName,
    isDue: (row) => isOpen(row.folderId),
    adopt: async (row, entry, sha256) => {
      const whole = await catalog.complete(entry, stop.signal)
      // Nobody here knows who else was given this link: it is deleted when a person asks, never because a newer version came.
      await db.soon(() => claims.setBorrowed(row.id))
      await propagator.finish(row, whole, { sha256, adopted: true, sent: false, server: null })
      if (row.folderId !== null) sessions.get(row.folderId)?.ended(row)
    },
    changed: (id) => {
      bus.changed(id)
      bus.touched()
    },
    moved: () => {
      upcomingStale = true
      bus.touched()
      schedulePump(0)
    },
    stop: stop.signal,
  })

  const reconciler = createReconciler({
    ports,
    db,
    transfers,
    remote,
    calls,
    list: (page, limit, signal) => catalog.list(page, limit, 'background', signal),
    file: (id, signal) => catalog.file(id, 'background', signal),
    download,
    habits: () => catalog.habits(),
    setHabits: (habits) => catalog.setHabits(habits),
    unit: () => limits.unit(),
    zone: () => limits.zone(),
    learnDate: (id, shown) => limits.learnDate(id, shown),
    idsGrow: () => limits.idsGrow(),
    sentName,
    discard: (fileId) => void owners.discard(fileId, 'torn', 'new', clock.now()),
    adopt: async (row, file, sha256) => {
      const whole = await catalog.complete(file, stop.signal)
      await propagator.finish(row, whole, { sha256, adopted: true, sent: true, server: null })
      limits.uploaded()
      moved(1, row.size)
      if (row.folderId !== null) sessions.get(row.folderId)?.ended(row)
    },
    changed: (id) => {
      bus.changed(id)
      bus.touched()
    },
  })

  const refreshStats: Core['refreshStats'] = (priority, maxWaitMs) => {
    proving ??= (async () => {
      statsTriedAt = clock.mono()
      const got = await calls.run({ kind: 'stats', priority, maxWaitMs, signal: stop.signal, proof: true }, (client, signal) =>
        client.stats(signal),
      )
      if (got.ok) {
        const at = clock.now()
        const before = { at: account.stats()?.at ?? null, files: limits.quota().totalFiles }
        account.setStats(got.value, at)
        limits.setStats(got.value, at)
        if (
          !statsRead &&
          before.at !== null &&
          hasUnknownFiles(before.files, limits.quota().totalFiles, transfers.uploadsSince(before.at), likes.goneSince(before.at))
        )
          past.open('more-files', openedAt, remote.facts.get('catalog-held') === null ? 'whole' : 'newest')
        statsRead = true
        drift = { files: 0, bytes: 0 }
        db.tx(() => {
          remote.facts.set('stats', JSON.stringify({ at, stats: got.value }))
          remote.setStored(localDay(at), limits.quota().totalFiles, limits.quota().totalSize)
        })
        return null
      }
      if (got.failure.kind === 'api' && got.failure.failure.kind === 'status' && got.failure.failure.status === 403)
        account.setNoApi(got.failure.failure.message)
      return callFailure(got.failure)
    })().finally(() => {
      proving = null
      schedulePump(0)
    })
    return proving
  }

  /** When the service says that it stored this file, by its own clock; null where it can't be asked or does not say. */
  const uploadedAt = async (fileId: number): Promise<{ readonly at: number; readonly zone: number | null } | null> => {
    const got = await catalog.file(fileId, 'background', stop.signal, 5000)
    const date = got.ok && got.value.uploadDate !== null ? readUploadDate(got.value.uploadDate) : null
    return date === null ? null : { at: date.at, zone: date.zoned ? 0 : limits.zone() }
  }

  const propagator = createPropagator({
    ports,
    db,
    transfers,
    isPaused: () => paused,
    remote,
    budget,
    account,
    accounting,
    throttle,
    owners,
    claims,
    uploadedAt: (fileId) => uploadedAt(fileId),
    wire,
    api: () => api,
    sendName,
    guard,
    judge: (row) => admission.judge(row),
    ruledOut: (row, rule) => {
      const file = files.byTransfer(row.id)
      if (file !== null) files.put({ ...file, class: 'ignored', rule, transferId: null })
    },
    tooBig: (size) => limits.tooBig(size),
    folderAway: async (row) => {
      if (row.folderId === null) return false
      const session = sessions.get(row.folderId)
      if (session?.isAway() === true) return true
      const folder = files.folder(row.folderId)
      if (folder === null) return false
      const root = await ports.disk.resolve(folder.path)
      return 'code' in root || (folder.rootIno !== null && (root.entry.ino !== folder.rootIno || root.entry.dev !== folder.rootDev))
    },
    versionChanged: (row, entry) => {
      if (row.folderId !== null) sessions.get(row.folderId)?.versionChanged(row, entry)
    },
    vanished: (row) => {
      const file = files.byTransfer(row.id)
      // Forgotten, so that whatever turns up in its place, or elsewhere, is looked at anew.
      if (file !== null) files.drop(file.folderId, file.dir, file.name)
    },
    forbidden: async (row, why) => {
      // One question a burst: all that were refused together share the answer.
      diagnosing ??= refreshStats('person', 65_000)
        .then((failure) => failure === null)
        .finally(() => {
          diagnosing = null
        })
      const known = await diagnosing
      if (account.isBlocked()) return
      const found = limits.diagnose(row, why, known)
      log.warn('transfer.forbidden', { id: row.id, verdict: found.verdict, asked: known })
      await db.soon(() => {
        if (found.verdict === 'too-big') transfers.setState(row.id, 'held', { reason: 'too-big', message: found.evidence })
        else if (found.verdict === 'undetermined')
          transfers.setState(row.id, 'waiting', { reason: 'limit', message: found.evidence, until: found.until })
        else transfers.setState(row.id, 'queued')
      })
      bus.changed(row.id)
    },
    refusedSize: (row) => limits.refusedSize(row.size),
    complete: (file) => catalog.complete(file, stop.signal),
    learned: (row, file, serverDate) => {
      limits.learn(row, file, serverDate)
      limits.uploaded()
      moved(1, row.size)
    },
    journalFailed,
    stop: stop.signal,
    changed: (id) => {
      bus.changed(id)
      bus.touched()
    },
  })

  const schedulePump = (ms: number): void => {
    if (closed) return
    const at = clock.mono() + ms
    if (cancelTimer !== null && timerAt <= at) return
    cancelTimer?.()
    timerAt = at
    cancelTimer = clock.after(ms, () => {
      cancelTimer = null
      timerAt = Number.POSITIVE_INFINITY
      pump()
    })
  }

  const at = (time: number | null): void => {
    if (time !== null) schedulePump(Math.max(1, time - clock.now()))
  }

  const keys = new Map<number, string>()
  const keyOf = (row: TransferRow): string => {
    let found = keys.get(row.id)
    if (found === undefined) {
      if (keys.size > 5000) keys.clear()
      found = doubtKey(row.state === 'unknown' ? sentName(row) : sendName(row), row.size)
      keys.set(row.id, found)
    }
    return found
  }

  const hold = (row: TransferRow): void => {
    const name = keyOf(row)
    doubts.set(name, (doubts.get(name) ?? 0) + 1)
  }
  const letGo = (row: TransferRow): void => {
    const name = keyOf(row)
    const left = (doubts.get(name) ?? 1) - 1
    if (left <= 0) doubts.delete(name)
    else doubts.set(name, left)
  }

  let upcoming: TransferRow[] = []
  let upcomingAfter: { priority: number; id: number } | null = null
  let upcomingStale = true

  /** The next row that may go: the most urgent, oldest first, whose like is not on its way. */
  const nextRow = (inDoubt: ReadonlySet<string>): TransferRow | null => {
    if (upcomingStale) {
      upcoming = []
      upcomingAfter = null
      upcomingStale = false
    }
    let large = 0
    for (const item of active.values()) if (item.row.size > LARGE) large++
    const isHeldUp = (row: TransferRow): boolean => {
      if (active.has(row.id)) return true
      const name = keyOf(row)
      if (doubts.has(name) || inDoubt.has(name)) return true
      // It may be a file that is on its way under its old name.
      if (row.hashFirst && row.folderId !== null && transfers.hasAwayUnderWay(row.size)) return true
      return row.size > LARGE && large >= concurrency.large
    }
    let comparing = false
    for (let pages = 0; pages < 5; pages++) {
      for (const [i, row] of upcoming.entries()) {
        if (isHeldUp(row)) continue
        if (!compare.mayGo(row)) {
          comparing = true
          continue
        }
        upcoming.splice(i, 1)
        const now = transfers.get(row.id)
        if (now === null || now.state !== 'queued') return nextRow(inDoubt)
        keys.delete(now.id)
        return now
      }
      const page = transfers.due(64, upcomingAfter, sessions.keys())
      const last = page.at(-1)
      if (last === undefined) {
        // Passed over rows are looked at again with the next pump.
        upcomingStale = true
        return null
      }
      upcomingAfter = { priority: last.priority, id: last.id }
      upcoming.push(...page)
    }
    if (!comparing) return null
    // Many old files that have to be compared first must not hold up those that were written since.
    const row = transfers.newestQueued(64).find((one) => isOpen(one.folderId) && !isHeldUp(one) && !compare.isNeeded(one))
    if (row !== undefined) keys.delete(row.id)
    return row ?? null
  }

  let cancelProgress: (() => void) | null = null
  /** Speed and time left, twice a second, and only while something moves: an idle engine has no timer for it. */
  const tellProgress = (): void => {
    cancelProgress ??= clock.after(PROGRESS_MS, () => {
      cancelProgress = null
      if (active.size === 0 || closed) return
      bus.emit({ kind: 'progress', progress: accounting.view(transfers.workIn(sessions.keys()).bytes) })
      tellProgress()
    })
  }

  const start = (row: TransferRow, claim: number): void => {
    stamp?.touch()
    const abort = new AbortController()
    hold(row)
    const done = propagator.carry(row, claim, AbortSignal.any([abort.signal, stop.signal])).finally(() => {
      active.delete(row.id)
      letGo(row)
      const after = transfers.standing(row.id)
      if (after?.state === 'unknown') reconcileAt = Math.min(reconcileAt ?? Number.POSITIVE_INFINITY, after.until ?? 0)
      if (after?.state === 'waiting') at(after.until)
      // Put back, it stands before the place that was read up to, and the next pump would pass it over with nothing to wake it again.
      if (after?.state === 'queued') upcomingStale = true
      if (remote.nextRemoval() !== null) removeAt = 0
      // By now another folder may govern it.
      const folderId = after?.folderId ?? null
      if (folderId !== null) sessions.get(folderId)?.ended(row)
      withdrawEnded()
      pump()
      if (active.size === 0) bus.ended()
    })
    active.set(row.id, { row, abort, done })
    tellProgress()
  }

  const withdraw = async (folderId: number): Promise<void> => {
    // Watched again while the old session closed: what is observed now is the new one's.
    if (sessions.has(folderId)) return
    files.dropSettling(folderId)
    for (let after: number | null = 0; after !== null && !closed && !sessions.has(folderId); ) {
      const step = transfers.withdraw(folderId, after)
      for (const id of step.ids) bus.changed(id)
      after = step.next
      if (after !== null) await yieldNow()
    }
    bus.touched()
  }

  /** What was on its way when a person ended watching its folder, and came back into the queue since. */
  const withdrawEnded = (): void => {
    if (closed) return
    for (const folderId of transfers.toWithdraw())
      if (!sessions.has(folderId)) withdraw(folderId).catch((error: unknown) => log.error('withdraw.failed', { message: String(error) }))
  }

  const pump = (): void => {
    if (closed || pumping) return
    pumping = true
    try {
      step()
    } catch (error) {
      if (!diskTrouble.note(error)) throw error
    } finally {
      pumping = false
    }
    tellGate()
  }

  /** Waits move with a clock that was set back, or they would come hours late. */
  const followClock = (): void => {
    const by = setBack()
    if (by !== 0) {
      log.warn('clock.back', { by: Math.round(by) })
      owedBack += by
      account.setBack(by)
      limits.setBack(by)
      if (rateGate !== null && rateGate.until !== null) rateGate = { ...rateGate, until: rateGate.until + by }
      if (reconcileAt !== null) reconcileAt += by
      if (removeAt !== null) removeAt += by
    }
    if (owedBack === 0) return
    db.tx(() => {
      transfers.setBack(owedBack)
      remote.setBackRemovals(owedBack)
    })
    owedBack = 0
    upcomingStale = true
    bus.touched()
  }

  const step = (): void => {
    // Looked at again when the disk can be written to.
    if (diskTrouble.gate() !== null) return
    followClock()
    const now = clock.now()
    const woken = transfers.wake(now)
    if (woken.length > 0) {
      upcomingStale = true
      for (const id of woken) bus.changed(id)
    }
    at(transfers.nextUntil())
    if (api === null || !working) return

    const blocked = account.gate()
    // Without `/stats` nobody knows the plan; a service that can't tell is served carefully after one try.
    const told = account.stats()
    // Figures of long ago say nothing of what was sent since, perhaps by another copy of this journal.
    const stale = told !== null && !statsRead && now - told.at > STATS_EVERY_MS && transfers.due(1, null, sessions.keys()).length > 0
    const unproved = (told === null || stale) && !account.isBlocked()
    if (unproved && proving === null && clock.mono() - statsTriedAt > 15_000 && (blocked === null || blocked.reason !== 'offline'))
      void refreshStats('person', 65_000)
    if (unproved && proving !== null) return
    if (blocked !== null) {
      at(blocked.until)
      return
    }
    reconcile()
    remove()
    if (paused || diagnosing !== null || calls.hasWaiting()) return
    const stats = account.stats()
    if (
      stats !== null &&
      proving === null &&
      active.size > 0 &&
      now - stats.at > STATS_EVERY_MS &&
      clock.mono() - statsTriedAt > STATS_EVERY_MS
    )
      void refreshStats('background', 1000)

    const limited = limits.gate(active.size)
    if (limited !== null) {
      at(limited.until)
      if (limited.until !== null && limited.until <= now + 1000) return
      if (limited.reason === 'daily-uploads' && stats !== null && limits.quota().uploadsToday !== null && proving === null) {
        // An upload that was under way while `/stats` was read may be counted twice: before a wait of hours that is worth a request.
        const guessed = limits.isGuessed()
        if (now - stats.at > 600_000 || (guessed && clock.mono() - statsTriedAt > RECOUNT_MS)) void refreshStats('background', 1000)
        else if (guessed) schedulePump(RECOUNT_MS)
      }
      return
    }
    const unknown = new Set(transfers.unknown(2000).map(keyOf))
    // After a failed connection one goes first and tells.
    const slots = account.offlineUntil() === null ? concurrency.all : 1
    while (active.size < slots + (slots === 1 ? 0 : Math.min(slots, wire.waiting()))) {
      const row = nextRow(unknown)
      if (row === null) break
      const claim = budget.claim('upload', row.priority > 0 ? 'person' : 'background')
      if (!claim.ok) {
        upcomingStale = true
        rateGate = { reason: claim.reason, until: claim.until, message: null }
        at(claim.until)
        return
      }
      rateGate = null
      start(row, claim.id)
      const left = limits.gate(active.size)
      if (left !== null) return
    }
  }

  const reconcile = (): void => {
    if (reconciling || reconcileAt === null) return
    if (reconcileAt > clock.now()) {
      at(reconcileAt)
      return
    }
    reconciling = true
    const round = reconciler
      .run(stop.signal)
      .catch((error: unknown) => {
        log.error('reconciler.defect', { message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
        return clock.now() + 30_000
      })
      .then((next) => {
        reconciling = false
        rounds.delete(round)
        if (closed) return
        reconcileAt = next
        upcomingStale = true
        if (remote.nextRemoval() !== null) removeAt = 0
        withdrawEnded()
        schedulePump(0)
      })
    rounds.add(round)
  }

  const remove = (): void => {
    if (removing || removeAt === null) return
    if (removeAt > clock.now()) {
      at(removeAt)
      return
    }
    removing = true
    const round = catalog
      .removals(stop.signal)
      .catch((error: unknown) => {
        log.error('removals.defect', { message: error instanceof Error ? error.message : String(error) })
        return clock.now() + 30_000
      })
      .then((next) => {
        removing = false
        rounds.delete(round)
        removeAt = next
        bus.touched()
        if (next !== null) schedulePump(Math.max(50, next - clock.now()))
      })
    rounds.add(round)
  }

  const counts = (): Counts => {
    let settling = 0
    for (const id of sessions.keys()) settling += files.settlingCount(id)
    return { ...transfers.counts(null), settling }
  }

  const health = (): Health[] => {
    const list: Health[] = [...diskTrouble.health()]
    for (const session of sessions.values()) {
      const folder = session.view()
      if (folder.message !== null) list.push({ what: folder.path, message: folder.message })
      if (folder.watching === 'rescans')
        list.push({ what: folder.path, message: 'Changes are found by reading the folder again every 20 seconds.' })
    }
    const view2 = account.view()
    if (view2.message !== null) list.push({ what: 'account', message: view2.message })
    if (setAside !== null)
      list.push({
        what: 'journal',
        message: `The journal could not be used (${setAside.why}) and was set aside as ${setAside.file}. It is rebuilt from the folder and the service.`,
      })
    if (identityFailure !== null) list.push({ what: 'key', message: identityFailure.title })
    return list
  }

  /** By `/stats` or by the last whole list, whichever is newer, and what this engine sent or deleted since. */
  const stored = (): Snapshot['stored'] => {
    const unit = limits.unit()
    const bytes = (size: number | null): number | null => (size === null || unit === null ? null : size * unitBytes[unit])
    const told = account.stats()
    const listed = catalog.held()
    const { totalFiles, totalSize } = limits.quota()
    if (listed !== null && (told === null || totalFiles === null || listed.at > told.at)) return withDrift(listed.files, bytes(listed.size))
    return withDrift(totalFiles, bytes(totalSize))
  }

  const withDrift = (count: number | null, bytes: number | null): Snapshot['stored'] => ({
    files: count === null ? null : Math.max(0, count + drift.files),
    bytes: bytes === null ? null : Math.max(0, bytes + drift.bytes),
  })

  const snapshot = (): Snapshot => {
    const { minute, day } = budget.view()
    const daily = limits.daily()
    return {
      seq: bus.seq(),
      version: options.version,
      account: account.view(),
      paused,
      gate: gate(),
      minute,
      day,
      dailyUploads: daily,
      counts: counts(),
      folders: [...sessions.values()].map((s): Folder => s.view()),
      progress: accounting.view(transfers.workIn(sessions.keys()).bytes),
      health: health(),
      stored: stored(),
      ...deletions(),
    }
  }

  const deletions = (): Pick<Snapshot, 'deleting'> => {
    const { files: list, total } = remote.asked(1000)
    if (total === 0) return {}
    const next = remote.nextRemoval()
    return {
      deleting: {
        count: total,
        fileIds: list.map((one) => one.fileId),
        names: list.slice(0, 5).map((one) => one.name ?? String(one.fileId)),
        until: next === null || next <= clock.now() ? null : next,
      },
    }
  }

  const callFailure: Core['callFailure'] = (f): Failure => {
    switch (f.kind) {
      case 'blocked': {
        const state = account.view().state
        if (state === 'key-refused')
          return { code: 'key-refused', title: 'The key was refused.', hint: 'Enter a new key with `slipway login`.' }
        if (state === 'no-api')
          return { code: 'no-api', title: 'This plan has no API.', hint: 'The API needs the Pro plan or a higher one.' }
        return (
          identityFailure ?? { code: 'no-key', title: 'There is no key yet.', hint: 'Log in with `slipway login`, or set SLIPWAY_API_KEY.' }
        )
      }
      case 'waits':
        return {
          code: 'waits',
          title: f.reason === 'offline' ? 'The service can not be reached.' : 'The request budget of the plan is used up for now.',
          hint: `There is room again at ${new Date(f.until).toISOString()}.`,
        }
      case 'aborted':
        return { code: 'closing', title: 'Slipway is closing.', hint: null }
      case 'api': {
        const a = f.failure
        if (a.kind === 'connect')
          return { code: 'no-connection', title: a.message, hint: 'Check the address and the network, then try again.' }
        if (a.kind === 'status' && a.status === 401)
          return { code: 'key-refused', title: 'The key was refused.', hint: 'Enter a new key with `slipway login`.' }
        if (a.kind === 'status' && a.status === 403)
          return { code: 'no-api', title: 'Access was denied: this plan has no API, or a limit is exceeded.', hint: a.detail }
        if (a.kind === 'status' && a.status === 404) return { code: 'not-found', title: 'The service does not know this.', hint: a.detail }
        if (a.kind === 'status' && a.status === 429)
          return { code: 'waits', title: 'The service asks to wait.', hint: 'Try again in a minute.' }
        return { code: 'server', title: a.message, hint: 'Try again. If it stays so, check the address.' }
      }
      default:
        return assertNever(f, 'failure')
    }
  }

  const loadIdentity: Core['loadIdentity'] = async () => {
    const got = await options.identity()
    if (!got.ok) {
      identityFailure = got.failure
      key = null
      const old = api
      api = null
      account.setIdentity(null)
      await old?.close()
      return got.failure
    }
    identityFailure = null
    const changed = remote.facts.get('account') !== null && remote.facts.get('account') !== got.value.account
    if (changed) {
      log.info('account.changed')
      db.tx(() => {
        remote.facts.set('stats', null)
        catalog.reset()
        limits.reset()
        compare.reset()
        const gap = past.get()
        if (gap !== null) past.open(gap.cause, gap.at, 'whole')
      })
      errands.again()
    }
    remote.facts.set('account', got.value.account)
    key = got.value.key
    const old = api
    api = options.createApi(got.value.baseUrl, () => key)
    const cached = remote.facts.get('stats')
    if (cached !== null) restoreStats(cached)
    account.setIdentity({ baseUrl: got.value.baseUrl })
    statsTriedAt = Number.NEGATIVE_INFINITY
    await old?.close()
    schedulePump(0)
    return null
  }

  const restoreStats = (json: string): void => {
    try {
      const value: unknown = JSON.parse(json)
      if (typeof value !== 'object' || value === null) return
      const at2: unknown = Reflect.get(value, 'at')
      const stats: unknown = Reflect.get(value, 'stats')
      if (typeof at2 !== 'number' || typeof stats !== 'object' || stats === null) return
      const plan: unknown = Reflect.get(stats, 'plan')
      const record = (name: string): Record<string, unknown> => {
        const inner: unknown = Reflect.get(stats, name)
        return typeof inner === 'object' && inner !== null ? { ...inner } : {}
      }
      const read = { plan: typeof plan === 'string' ? plan : null, stats: record('stats'), limits: record('limits') }
      account.setStats(read, at2)
      limits.setStats(read, at2)
    } catch {
      remote.facts.set('stats', null)
    }
  }

  const errands = createErrands({
    clock,
    log,
    db,
    remote,
    catalog,
    signal: stop.signal,
    idle: () => {
      if (closed || paused || account.view().state !== 'ok' || calls.hasWaiting() || active.size > 0 || reconciling || removing)
        return false
      const work = transfers.workIn(sessions.keys())
      return work.count + work.moving === 0 && gate() === null
    },
    budget: () => {
      const { minute, day } = budget.view()
      return { minute: { limit: minute.limit ?? 1, used: minute.used }, day: { limit: day.limit ?? 1, used: day.used } }
    },
    statsAt: () => account.stats()?.at ?? null,
    refreshStats: () => refreshStats('background', 0),
    zone: () => limits.zone(),
  })

  let attended = false
  const attend = (): void => {
    attended = true
    working = true
    for (const folder of files.folders()) if (folder.keep) core.openSession(folder.id)
    errands.start()
    schedulePump(0)
  }

  /** Folders around this one govern its files from now on, or leave them alone. */
  const rescanAround = (folderId: number): void => {
    const path = files.folder(folderId)?.path ?? null
    if (path === null) return
    for (const [id, session] of sessions) if (id !== folderId && below(session.view().path, path) !== null) void session.rescan()
  }

  const closeSession: Core['closeSession'] = async (folderId) => {
    const session = sessions.get(folderId)
    if (session === undefined) return
    sessions.delete(folderId)
    roots = null
    upcomingStale = true
    await session.close()
    rescanAround(folderId)
    bus.touched()
  }

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
    stop: stop.signal,
    admission,
    guard,
    sessions: () => sessions,
    openSession: (folderId) => {
      const had = sessions.get(folderId)
      if (had !== undefined) return had
      const session = createFolderSession({
        ports,
        db,
        files,
        transfers,
        claims,
        folderId,
        admission,
        guard,
        journalFailed,
        changed: (id) => bus.changed(id),
        folderChanged: () => {
          roots = null
          const now = sessions.get(folderId)
          if (now !== undefined) bus.emit({ kind: 'folder', folder: now.view() })
          bus.touched()
        },
        queueChanged: () => {
          upcomingStale = true
          if (transfers.unknown(1).length > 0) reconcileAt = Math.min(reconcileAt ?? 0, 0)
          schedulePump(0)
        },
        notice: (what, title, hint) => bus.emit({ kind: 'notice', level: 'warning', title, hint, about: { what, name: '', count: 1 } }),
      })
      sessions.set(folderId, session)
      roots = null
      upcomingStale = true
      for (const id of transfers.reclaim(
        folderId,
        watchedRoots().map((root) => root.id),
      ))
        bus.changed(id)
      rescanAround(folderId)
      return session
    },
    closeSession,
    join: (folderId, watcher) => {
      const all = watchers.get(folderId) ?? new Set()
      watchers.set(folderId, all.add(watcher))
    },
    letGo: async (folderId, watcher) => {
      const all = watchers.get(folderId)
      if (all?.delete(watcher) !== true || all.size > 0) return
      watchers.delete(folderId)
      if (attended && files.folder(folderId)?.keep === true) return
      await closeSession(folderId)
    },
    endWatching: async (folderId) => {
      files.setWithdrawn(folderId, clock.now())
      watchers.delete(folderId)
      await closeSession(folderId)
      roots = null
      await withdraw(folderId)
    },
    snapshot,
    gate,
    view,
    pump: () => {
      upcomingStale = true
      if (reconcileAt === null && transfers.unknown(1).length > 0) reconcileAt = 0
      if (removeAt === null && remote.nextRemoval() !== null) removeAt = 0
      schedulePump(0)
    },
    work: () => {
      working = true
      schedulePump(0)
    },
    attend,
    isAttended: () => attended,
    configure: ({ concurrency: all, bytesPerSecond }) => {
      concurrency = { all, large: Math.max(1, Math.round((all * CONCURRENCY.large) / CONCURRENCY.all)) }
      throttle.setRate(bytesPerSecond)
      schedulePump(0)
    },
    setPaused: (next) => {
      paused = next
      remote.facts.set('paused', next ? true : null)
      bus.touched()
      schedulePump(0)
    },
    abort: (id) => active.get(id)?.abort.abort(),
    breakOff: async () => {
      const under = [...active.values()]
      for (const one of under) one.abort.abort()
      await Promise.allSettled(under.map((one) => one.done))
    },
    isActive: (id) => active.has(id),
    loadIdentity,
    refreshStats,
    callFailure,
  }

  // Whatever was on its way when the last process ended is in doubt now.
  transfers.doubtUploading()
  await loadIdentity()
  if (setAside !== null)
    bus.emit({
      kind: 'notice',
      level: 'warning',
      title: `The journal could not be used (${setAside.why}). It was set aside and is rebuilt.`,
      hint: `The old one is ${setAside.file}.`,
      about: { what: 'journal', name: setAside.file, count: 1 },
    })
  if (working) attend()
  let cancelTick: (() => void) | null = null
  const tick = (): void => {
    cancelTick = clock.after(60_000, () => {
      budget.tick()
      if (!closed) tick()
    })
  }
  tick()
  schedulePump(0)

  return {
    handlers: answerDurably(createHandlers(core), () => db.attemptDurable()),
    onEvent: (listener) => bus.on(listener),
    setAside,
    rest: () => {
      if (!closed) db.rest()
    },
    close: async (graceMs) => {
      if (closed) return
      closed = true
      cancelTimer?.()
      cancelProgress?.()
      cancelTick?.()
      errands.close()
      diskTrouble.close()
      await Promise.all([...sessions.values()].map((s) => s.close()))
      const atMost = async (ms: number, work: readonly Promise<void>[]): Promise<void> => {
        let cancel: () => void = () => undefined
        const over = new Promise<void>((resolve) => {
          cancel = clock.after(ms, resolve)
        })
        await Promise.race([over, Promise.allSettled(work)])
        cancel()
      }
      const uploads = (): readonly Promise<void>[] => [...active.values()].map((a) => a.done)
      if (active.size > 0 && graceMs > 0) await atMost(graceMs, uploads())
      stop.abort()
      // A disk that takes nothing holds up nobody either: what it did not take is in doubt at the next start, and looked up.
      const cancelGiveUp = clock.after(LAST_WORDS_MS, () => db.giveUpWaiting())
      await Promise.allSettled(uploads())
      await db.attemptDurable()
      cancelGiveUp()
      bus.close()
      await api?.close()
      await atMost(LAST_WORDS_MS, [...rounds, compare.settled()])
      budget.tick()
      key = null
      db.close()
    },
  }
}
