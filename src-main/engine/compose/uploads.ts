// Composes what carries files out: scheduler, queue, gate, propagator, and the two ways to find out that a file is up already (comparison and
// reconciler). It only connects them; what they decide is in their own files.
import type { ApiClient, RemoteFile } from '../../api/types.ts'
import type { Admission } from '../admission/facts.ts'
import type { Guard } from '../admission/guard.ts'
import type { Bus } from '../bus.ts'
import type { EngineOptions } from '../core.ts'
import type { WatchedFolders } from '../discovery/watched-folders.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import { createThrottle } from '../limits/bandwidth.ts'
import { type Compare, createCompare } from '../transfer/comparison.ts'
import { settleForbidden } from '../transfer/forbidden-upload.ts'
import { ServiceHabits } from '../transfer/habits.ts'
import { LostAnswers } from '../transfer/lost-answer-pause.ts'
import { mayComeBack } from '../transfer/outcome.ts'
import { type Accounting, createAccounting } from '../transfer/progress.ts'
import { createPropagator, type Propagator } from '../transfer/propagator.ts'
import { Reconciler } from '../transfer/reconciler.ts'
import { Scheduler } from '../transfer/scheduler.ts'
import { UploadGate } from '../transfer/upload-gate.ts'
import { UploadQueue } from '../transfer/upload-queue.ts'
import { createWire, type Wire } from '../transfer/wire.ts'
import type { Journal } from './journal.ts'
import type { Service } from './service.ts'

/** Between an upload and its date on the service, and for clocks that were set: how much of the list is read again. */
const NEWEST_SLACK_MS = 3_600_000
/** How long the question when a file was stored may wait for room in the request budget. */
const UPLOADED_AT_WAIT_MS = 5000
/** How long `/stats` may wait for room where its count is to prove that a file is not there. */
const COUNT_WAIT_MS = 1000
/** From an upload that was confirmed to the look at what it proves. */
const LOOK_AFTER_PROOF_MS = 1000

export interface UploadsOptions {
  readonly options: EngineOptions
  readonly journal: Journal
  readonly service: Service
  readonly folders: WatchedFolders
  readonly admission: Admission
  readonly guard: Guard
  readonly bus: Bus
  readonly stop: AbortSignal
}

export type Uploads = ReturnType<typeof composeUploads>

export function composeUploads(parts: UploadsOptions) {
  const { options, journal, service, folders, bus, stop } = parts
  const { clock, log } = options.ports
  const { db, transfers, remote, disk } = journal
  const { budget, account, limits, calls, stats, identity, catalog } = service
  const accounting = createAccounting(clock)
  const throttle = createThrottle(clock)
  const wire = createWire({ places: () => Math.max(1, scheduler.maxUploads()), onWaiting: () => scheduler.wake() })
  const habits = new ServiceHabits(remote.facts)
  const lostAnswers = new LostAnswers(clock)
  const proved = (): void => {
    if (reconciler.hurry()) scheduler.lookBy(clock.now() + LOOK_AFTER_PROOF_MS)
    if (!lostAnswers.proved()) return
    bus.touched()
    scheduler.wake()
  }
  const propagator: Propagator = composePropagator(parts, {
    isPaused: () => gate.isPaused(),
    accounting,
    throttle,
    wire,
    answerLost: () => {
      lostAnswers.lost()
      bus.touched()
    },
    confirmed: (row, file) => {
      habits.learnName(options.wireName(row.name), file.filename)
      proved()
    },
  })
  const compare = composeCompare(parts, propagator, () => {
    scheduler.queueChanged()
    bus.touched()
    scheduler.wake()
  })
  const reconciler = composeReconciler(parts, { propagator, habits, proved })
  const gate = new UploadGate({
    clock,
    facts: remote.facts,
    disk,
    account,
    limits,
    lostAnswers,
    compare,
    calls,
    budget,
    bus,
    active: () => scheduler.activeCount(),
  })
  const queue = new UploadQueue({
    transfers,
    compare,
    folders: () => folders.ids(),
    isOpen: (folderId) => folders.isOpen(folderId),
    sendName: (row) => options.wireName(row.name),
    sentName: (row) => sentName(options, row),
  })
  const scheduler = new Scheduler({
    clock,
    log,
    db,
    transfers,
    remote,
    disk,
    budget,
    account,
    limits,
    lostAnswers,
    calls,
    stats,
    accounting,
    wire,
    queue,
    gate,
    propagator,
    bus,
    reconcile: () => reconciler.run(stop),
    remove: () => catalog.removals(stop),
    clockRollback: journal.clockRollback,
    folders: () => folders.ids(),
    ended: (row, folderId) => folders.ended(row, folderId),
    withdrawEnded: () => folders.withdrawEnded(),
    onStart: () => journal.stamp?.touch(),
    hasIdentity: () => identity.api() !== null,
    concurrency: options.concurrency,
    stop,
  })
  return { scheduler, gate, compare, reconciler, lostAnswers, accounting, throttle }
}

/** Of a request whose answer was lost: a file that was renamed since was stored under its earlier name. */
function sentName(options: EngineOptions, row: TransferRow): string {
  return options.wireName(row.sentName ?? row.name)
}

function notify(bus: Bus): (id: number) => void {
  return (id) => {
    bus.changed(id)
    bus.touched()
  }
}

/** Reads the bytes behind a public link. `later`: it may work another time. */
function downloader(api: () => ApiClient | null) {
  return async (
    link: string,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ): Promise<'whole' | 'later' | 'never'> => {
    const client = api()
    if (client === null) return 'later'
    const got = await client.download(link, onChunk, signal)
    return got.ok ? 'whole' : mayComeBack(got.failure) ? 'later' : 'never'
  }
}

function composePropagator(
  { options, journal, service, folders, admission, guard, bus, stop }: UploadsOptions,
  own: {
    readonly isPaused: () => boolean
    readonly accounting: Accounting
    readonly throttle: ReturnType<typeof createThrottle>
    readonly wire: Wire
    readonly answerLost: () => void
    /** The service answered with a receipt. */
    readonly confirmed: (row: TransferRow, file: RemoteFile) => void
  },
): Propagator {
  const { ports } = options
  const { db, transfers, files, remote, owners, claims } = journal
  const { budget, account, limits, identity, catalog, linkCheck, stats, stored } = service
  const changed = notify(bus)
  return createPropagator({
    ports,
    db,
    transfers,
    remote,
    budget,
    account,
    ...own,
    owners,
    claims,
    uploadedAt: async (fileId) => {
      const got = await catalog.file(fileId, 'background', stop, UPLOADED_AT_WAIT_MS)
      const date = got.ok && got.value.uploadDate !== null ? readUploadDate(got.value.uploadDate) : null
      return date === null ? null : { at: date.at, zone: date.zoned ? 0 : limits.zone() }
    },
    api: () => identity.api(),
    sendName: (row) => options.wireName(row.name),
    guard,
    judge: (row) => admission.judge(row),
    ruledOut: (row, rule) => {
      const file = files.byTransfer(row.id)
      if (file !== null) files.put({ ...file, class: 'ignored', rule, transferId: null })
    },
    tooBig: (size) => limits.tooBig(size),
    folderAway: (row) => folders.isAway(row),
    versionChanged: (row, entry) => folders.versionChanged(row, entry),
    vanished: (row) => {
      const file = files.byTransfer(row.id)
      // Forgotten, so that whatever turns up in its place, or elsewhere, is looked at as new.
      if (file !== null) files.drop(file.folderId, file.dir, file.name)
    },
    forbidden: (row, why) =>
      settleForbidden(row, why, { log: ports.log, db, transfers, account, limits, stats, changed: (id) => bus.changed(id) }),
    refusedSize: (row) => limits.refusedSize(row.size),
    complete: (file) => catalog.complete(file, stop),
    confirmLink: (row) => linkCheck.confirm([row]),
    learned: (row, file, serverDate) => {
      own.confirmed(row, file)
      limits.learn(row, file, serverDate)
      limits.uploaded()
      stored.uploaded(row.size)
      bus.touched()
    },
    journalFailed: journal.failed,
    stop,
    changed,
  })
}

function composeCompare(
  { options, journal, service, folders, bus, stop }: UploadsOptions,
  propagator: Propagator,
  moved: () => void,
): Compare {
  const { db, transfers, remote, likes, past, claims } = journal
  const { limits, catalog, stats, identity } = service
  return createCompare({
    ports: options.ports,
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
    download: downloader(() => identity.api()),
    unit: () => limits.unit(),
    totalFiles: () => (stats.isRead() ? limits.quota().totalFiles : null),
    sendName: (row) => options.wireName(row.name),
    isDue: (row) => folders.isOpen(row.folderId),
    adopt: async (row, entry, sha256) => {
      const whole = await catalog.complete(entry, stop)
      // It is not known who else was given this link: it is deleted when a person asks, never because a newer version came.
      await db.soon(() => claims.setBorrowed(row.id))
      await propagator.finish(row, whole, { sha256, adopted: true, sent: false, server: null })
      folders.ended(row, row.folderId)
    },
    changed: notify(bus),
    moved,
    stop,
  })
}

function composeReconciler(
  { options, journal, service, folders, bus, stop }: UploadsOptions,
  own: { readonly propagator: Propagator; readonly habits: ServiceHabits; readonly proved: () => void },
): Reconciler {
  const { ports } = options
  const { db, transfers, doubts, remote, likes, owners } = journal
  const { limits, catalog, identity, stats, stored } = service
  return new Reconciler({
    ports,
    db,
    transfers,
    doubts,
    remote,
    likes,
    habits: own.habits,
    list: (page, limit, signal) => catalog.list(page, limit, 'background', signal),
    file: (id, signal) => catalog.file(id, 'background', signal),
    download: downloader(() => identity.api()),
    countFiles: async () => ((await stats.refresh('background', COUNT_WAIT_MS)) === null ? limits.quota().totalFiles : null),
    listHabits: () => catalog.habits(),
    setListHabits: (habits) => catalog.setHabits(habits),
    unit: () => limits.unit(),
    zone: () => limits.zone(),
    learnDate: (id, shown) => limits.learnDate(id, shown),
    idsGrow: () => limits.idsGrow(),
    sentName: (row) => sentName(options, row),
    // On a service that deduplicates, a second copy may be the first one's file.
    discard: (fileId, why) => owners.discard(fileId, why, why === 'torn' ? 'new' : 'unknown', ports.clock.now()),
    proved: own.proved,
    adopt: async (row, file, sha256) => {
      const whole = await catalog.complete(file, stop)
      const state = transfers.standing(row.id)?.state
      // It was sent again, or called off, while the rest of the receipt was asked for.
      if (state === 'uploading' || state === 'done' || state === 'cancelled') return
      await own.propagator.finish(row, whole, { sha256, adopted: true, sent: true, server: null })
      limits.uploaded()
      stored.uploaded(row.size)
      bus.touched()
      folders.ended(row, row.folderId)
    },
    changed: notify(bus),
  })
}
