// Handlers for the queue: upload, list transfers, pause, and actions on chosen transfers. `upload` registers its files in slices of
// AT_ONCE, so that a call with many files doesn't block the event loop.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { Handlers, UploadItem } from '../../../src-shared/contract.ts'
import type { Services } from '../core.ts'
import { NamedFiles } from '../find/named-files.ts'
import { expand, type RegisterOptions, register, uploadedVersion } from '../find/uploads.ts'
import { PersonActions } from '../queue/person-actions.ts'
import { ok, refuse } from './answers.ts'
import { UploadBatches } from './upload-batches.ts'

/** Number of files registered per turn of the event loop; registering that many takes a few milliseconds. */
const AT_ONCE = 200

type Answered =
  | 'upload'
  | 'batchPage'
  | 'transfers'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'cancel'
  | 'pauseFiles'
  | 'resumeFiles'
  | 'release'
  | 'sendNext'

const FORGOTTEN = refuse('not-found', 'This batch is no longer available.')

export function createQueueHandlers(services: Services): Pick<Handlers, Answered> {
  const {
    ports,
    db,
    transfers,
    remote,
    catalog,
    claims,
    admission,
    guard,
    folders,
    scheduler,
    limits,
    uploadPause,
    gate,
    snapshots,
    bus,
    stop,
  } = services
  const actions = new PersonActions(services)
  const batches = new UploadBatches(ports.clock, transfers, snapshots)
  const namedFiles = new NamedFiles({
    ports,
    db,
    transfers,
    queued: (ids) => {
      for (const id of ids) bus.changed(id)
      scheduler.rowsChanged()
    },
    stop,
  })
  const registering: RegisterOptions = {
    db,
    transfers,
    remote,
    claims,
    guard,
    view: (row) => snapshots.transfer(row),
    now: () => ports.clock.now(),
    changed: (id) => bus.changed(id),
    isOpen: (folderId) => folders.isOpen(folderId),
    hold: (id, path, entry) => namedFiles.hold(id, path, entry),
  }

  return {
    upload: async ({ paths, again, token, pasted, paused, later }) => {
      if (later !== true) scheduler.startWorking()
      const named = await expand(ports.disk, admission, paths, { pasted: pasted === true }, stop)
      const items: UploadItem[] = []
      if (!again) await catalog.confirm(named.slice(0, AT_ONCE).map((one) => uploadedVersion(transfers, one)))
      const files =
        pasted === true ? [] : named.flatMap(({ path, entry, outcome }) => (entry === null || outcome !== 'file' ? [] : { path, entry }))
      const unfinished = await namedFiles.unfinished(files)
      if (stop.aborted) return refuse('closing', 'Slipway is closing.')
      for (let i = 0; i < named.length; i += AT_ONCE) {
        items.push(...register(registering, named.slice(i, i + AT_ONCE), { again, token, isPaused: paused === true, unfinished }))
        // Let signals, other requests and network responses be handled.
        await yieldNow()
        if (stop.aborted) return refuse('closing', 'Slipway is closing.')
      }
      const batch = batches.add(items)
      uploadPause.named()
      limits.asked()
      scheduler.rowsChanged()
      const page = batches.page(batch, 0)
      return page === null ? FORGOTTEN : ok(page)
    },
    batchPage: async ({ batch, after }) => {
      const page = batches.page(batch, after)
      return page === null ? FORGOTTEN : ok(page)
    },
    transfers: async ({ mtimes, ...query }) => {
      const view = snapshots.viewer()
      return ok(
        transfers.page(query).map((row) => ({
          ...view(row),
          ...(mtimes === true || row.state === 'held' ? { mtime: row.mtime } : {}),
        })),
      )
    },
    pause: async ({ now }) => {
      gate.setPaused(true)
      scheduler.wake()
      if (now === true) await scheduler.breakOff()
      return ok(snapshots.snapshot())
    },
    resume: async () => {
      gate.setPaused(false)
      scheduler.wake()
      return ok(snapshots.snapshot())
    },
    retry: async ({ ids, automatic }) => ok({ count: await actions.retry(ids, automatic === true) }),
    cancel: async ({ ids, confirm }) => ok(confirm === true ? await actions.cancelAndConfirm(ids) : actions.cancel(ids)),
    pauseFiles: async ({ ids }) => ok({ count: await actions.pause(ids) }),
    resumeFiles: async ({ ids }) => ok({ count: actions.resume(ids) }),
    release: async ({ ids, shown }) => ok({ count: actions.release(ids, shown ?? null) }),
    sendNext: async ({ ids }) => ok({ count: actions.sendNext(ids) }),
  }
}
