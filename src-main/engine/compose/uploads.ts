// Composes what carries files out: scheduler, queue, gate, propagator, and the two ways to find out that a file is up already (comparison and
// reconciler). It only connects them; what they decide is in their own files.
import type { ApiClient } from '../../api/types.ts'
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
import { mayComeBack } from '../transfer/outcome.ts'
import { type Accounting, createAccounting } from '../transfer/progress.ts'
import { createPropagator, type Propagator } from '../transfer/propagator.ts'
import { createReconciler, type Reconciler } from '../transfer/reconciler.ts'
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
  const propagator: Propagator = composePropagator(parts, { isPaused: () => gate.isPaused(), accounting, throttle, wire })
  const compare = composeCompare(parts, propagator, () => {
    scheduler.queueChanged()
    bus.touched()
    scheduler.wake()
  })
  const reconciler = composeReconciler(parts, propagator)
  const gate = new UploadGate({
    clock,
    facts: remote.facts,
    disk,
    account,
    limits,
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
  return { scheduler, gate, compare, accounting, throttle }
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

function composeReconciler({ options, journal, service, folders, bus, stop }: UploadsOptions, propagator: Propagator): Reconciler {
  const { ports } = options
  const { db, transfers, remote, owners } = journal
  const { limits, catalog, calls, identity, stored } = service
  return createReconciler({
    ports,
    db,
    transfers,
    remote,
    calls,
    list: (page, limit, signal) => catalog.list(page, limit, 'background', signal),
    file: (id, signal) => catalog.file(id, 'background', signal),
    download: downloader(() => identity.api()),
    habits: () => catalog.habits(),
    setHabits: (habits) => catalog.setHabits(habits),
    unit: () => limits.unit(),
    zone: () => limits.zone(),
    learnDate: (id, shown) => limits.learnDate(id, shown),
    idsGrow: () => limits.idsGrow(),
    sentName: (row) => sentName(options, row),
    discard: (fileId) => void owners.discard(fileId, 'torn', 'new', ports.clock.now()),
    adopt: async (row, file, sha256) => {
      const whole = await catalog.complete(file, stop)
      await propagator.finish(row, whole, { sha256, adopted: true, sent: true, server: null })
      limits.uploaded()
      stored.uploaded(row.size)
      bus.touched()
      folders.ended(row, row.folderId)
    },
    changed: notify(bus),
  })
}
