// Composes the uploads: scheduler, queue, gate, propagator, and the two ways to find out that a file is
// already stored (comparison and reconciler). Contains only wiring.

import { createThrottle } from '../budget/bandwidth.ts'
import { UploadPause, type UploadStreak } from '../budget/upload-pause.ts'
import type { EngineOptions } from '../core.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Clock } from '../ports.ts'
import { Comparison } from '../presence/comparison.ts'
import { ServiceHabits } from '../presence/naming.ts'
import { ReceiptCheck } from '../presence/receipt-check.ts'
import { Reconciler } from '../presence/reconciler.ts'
import type { Room } from '../presence/room.ts'
import { KnownFirst } from '../queue/known-first.ts'
import { Scheduler } from '../queue/scheduler.ts'
import { UploadGate } from '../queue/upload-gate.ts'
import { SchedulerLog, UploadQueue } from '../queue/upload-queue.ts'
import type { Admission } from '../rules/facts.ts'
import type { Guard } from '../rules/guard.ts'
import { FileOpens } from '../send/file-opens.ts'
import { createAccounting } from '../send/progress.ts'
import { createWire, Propagator, type PropagatorOptions } from '../send/propagator.ts'
import type { UploadObserver } from '../send/upload-answers.ts'
import type { Bus } from '../tell/bus.ts'
import type { Journal } from './journal.ts'
import type { Service } from './service.ts'

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
  const { budget, account, limits, calls, stats, stored, identity, catalog } = service
  const accounting = createAccounting(clock)
  const throttle = createThrottle(clock)
  const wire = createWire({
    places: () => Math.max(1, scheduler.maxUploads()),
    onWaiting: () => scheduler.wake(),
  })
  const moved = (): void => {
    scheduler.queueChanged()
    bus.touched()
    scheduler.wake()
  }
  const opens = new FileOpens({
    clock,
    disk: options.ports.disk,
    onChange: (folderId) => {
      // A slow drive may answer after shutdown, when the journal is closed and can't be read.
      if (stop.aborted) return
      for (const id of transfers.queuedIds(folderId)) bus.changed(id)
      moved()
    },
  })
  const habits = new ServiceHabits(remote.facts)
  const uploadPause = createPause(clock, journal, bus)
  const proved = (isAccepted = false): void => {
    const lookAt = reconciler.hurry()
    if (lookAt !== null) scheduler.lookBy(lookAt)
    if (!(isAccepted ? uploadPause.accepted() : uploadPause.proved())) return
    bus.touched()
    scheduler.wake()
  }
  const observer: UploadObserver = {
    answerLost: () => uploadPause.lost(),
    refused: (row, said, mayBeFile) => uploadPause.refused(row.id, said, mayBeFile),
    confirmed: (row, file, { serverDate, origin }) => {
      habits.learnName(options.wireName(row.name), file.filename)
      proved(true)
      limits.learn(row, file, serverDate)
      limits.uploaded()
      if (origin !== 'older') stored.uploaded(row.size)
      bus.touched()
    },
  }
  const room = composeRoom(parts, { habits, opens, propagator: () => propagator })
  const propagator = composePropagator(parts, {
    receiptCheck: new ReceiptCheck(room),
    isPaused: () => gate.isPaused(),
    accounting,
    throttle,
    wire,
    opens,
    observer,
    onSearched: moved,
  })
  const compare = composeComparison(parts, room, propagator, moved)
  const reconciler = composeReconciler(parts, room, proved)
  const gate = new UploadGate({
    clock,
    facts: remote.facts,
    disk,
    account,
    limits,
    uploadPause,
    compare,
    calls,
    budget,
    bus,
    active: () => scheduler.activeCount(),
  })
  const debug = new SchedulerLog(log)
  const answering = () => [...folders.ids()].filter((id) => !opens.isFolderUnanswered(id))
  const known = new KnownFirst({
    transfers,
    folders: answering,
    changed: (id) => bus.changed(id),
    propagator,
  })
  const queue = new UploadQueue({
    transfers,
    compare,
    debug,
    opens,
    folders: answering,
    isOpen: (folderId) => folders.isOpen(folderId),
    isSearching: (id) => propagator.isSearching(id),
    sendName: (row) => options.wireName(row.name),
    sentName: room.sentName,
    changed: (id) => bus.changed(id),
  })
  const scheduler = new Scheduler({
    clock,
    log,
    debug,
    db,
    transfers,
    remote,
    doubts: journal.doubts,
    disk,
    budget,
    account,
    limits,
    uploadPause,
    stats,
    accounting,
    wire,
    queue,
    gate,
    propagator,
    known,
    bus,
    reconcile: () => reconciler.run(stop),
    remove: () => catalog.removals(stop),
    clockRollback: journal.clockRollback,
    folders: () => folders.ids(),
    ended: (row, folderId) => folders.ended(row, folderId),
    withdrawEnded: () => folders.withdrawEnded(),
    onStart: ({ id }) => {
      journal.stamp?.touch()
      limits.started(id)
    },
    hasIdentity: () => identity.api() !== null,
    concurrency: options.concurrency,
    stop,
  })
  return { scheduler, queue, gate, known, compare, opens, reconciler, uploadPause, accounting, throttle }
}

function createPause(clock: Clock, { db, remote, failed }: Journal, bus: Bus): UploadPause {
  const save = (streak: UploadStreak | null): void => {
    bus.touched()
    void db.soon(() => remote.facts.set('upload-pause', streak)).catch(failed)
  }
  return new UploadPause(clock, remote.facts.get('upload-pause'), save)
}

function composePropagator(
  { options, journal, service, folders, admission, guard, bus, stop }: UploadsOptions,
  own: Pick<
    PropagatorOptions,
    'accounting' | 'throttle' | 'wire' | 'opens' | 'isPaused' | 'observer' | 'onSearched' | 'receiptCheck'
  >,
): Propagator {
  const { db, transfers, files, remote, owners, claims } = journal
  const { budget, account, calls, limits, identity, catalog, stats } = service
  return new Propagator({
    ports: options.ports,
    db,
    transfers,
    files,
    remote,
    owners,
    claims,
    budget,
    account,
    calls,
    limits,
    identity,
    catalog,
    stats,
    admission,
    guard,
    folders,
    bus,
    sendName: (row) => options.wireName(row.name),
    journalFailed: journal.failed,
    stop,
    ...own,
  })
}

function composeRoom(
  { options, journal, service, folders, bus }: UploadsOptions,
  own: Pick<Room, 'habits' | 'opens'> & { readonly propagator: () => Propagator },
): Room {
  const { db, transfers, doubts, remote, likes } = journal
  const { links, catalog, stats, limits, stored } = service
  return {
    ports: options.ports,
    db,
    transfers,
    doubts,
    remote,
    likes,
    links,
    catalog,
    stats,
    limits,
    folders,
    habits: own.habits,
    opens: own.opens,
    changed: (id) => {
      bus.changed(id)
      bus.touched()
    },
    sendName: (row) => options.wireName(row.name),
    // A file renamed since may be stored under its earlier name.
    sentName: (row) => options.wireName(row.sentName ?? row.name),
    adopt: async (row, file, { sha256, sent, isOlder }, signal) => {
      const whole = await catalog.complete(file, signal)
      if (signal.aborted) return
      const now = transfers.get(row.id)
      // If the transfer was sent again or cancelled while the rest of the receipt was being fetched, don't
      // adopt the file.
      if (now === null || now.state === 'uploading' || now.state === 'done' || now.state === 'cancelled')
        return
      if (now.state === 'unknown' && now.intentMark !== row.intentMark) return
      await own.propagator().finish(row, whole, { sha256, adopted: true, sent, isOlder, server: null })
      if (sent) limits.uploaded()
      if (sent && !isOlder) stored.uploaded(row.size)
      bus.touched()
      folders.ended(row, row.folderId)
    },
  }
}

function composeComparison(
  { journal, service, stop }: UploadsOptions,
  room: Room,
  propagator: Propagator,
  moved: () => void,
): Comparison {
  const tenure = (): AbortSignal => service.identity.tenure()
  const unread = propagator.unread.bind(propagator)
  return new Comparison({
    ...room,
    past: journal.past,
    unread,
    moved,
    journalFailed: journal.failed,
    tenure,
    stop,
  })
}

function composeReconciler(
  { options, journal, service }: UploadsOptions,
  room: Room,
  proved: () => void,
): Reconciler {
  return new Reconciler({
    ...room,
    // `torn`: the file changed while it was being sent. The service can't have had such a mixture of versions
    // before, so the stored file is new. For any other reason, the service may have returned an existing file
    // with the same bytes.
    discard: (fileId, why, at) => {
      const isDiscarded = journal.owners.discard(
        fileId,
        why,
        why === 'torn' ? 'new' : 'unknown',
        options.ports.clock.now(),
      )
      if (isDiscarded) service.limits.takenBack(at)
      return isDiscarded
    },
    proved,
  })
}
