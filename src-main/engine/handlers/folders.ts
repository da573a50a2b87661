// Handlers about watched folders: begin and end watching, what they hold, whether all is done.
// They call services and decide nothing.
import type { Handlers } from '../../../src-shared/contract.ts'
import type { AuditSums } from '../../../src-shared/model.ts'
import type { Services } from '../core.ts'
import { FolderRegistry } from '../discovery/folder-registry.ts'
import { FolderSums } from '../discovery/folder-sums.ts'
import { absolute } from '../discovery/rel-path.ts'
import { folderIdle } from '../transfer/folder-idle.ts'
import { ok, refuse } from './answers.ts'

type Answered = 'watch' | 'unwatch' | 'rescan' | 'folderSums' | 'folderIdle' | 'audit' | 'auditPage'

const NOT_WATCHED = refuse('not-found', 'This folder is not watched.')

export function createFolderHandlers(services: Services): Pick<Handlers, Answered> {
  const { ports, db, transfers, files, remote, admission, folders, scheduler, gate, bus } = services
  const { clock, disk } = ports
  const registry = new FolderRegistry({ clock, disk, files, admission, folders })
  const sums = new FolderSums(clock, db, files)

  const sumsOf = (folderId: number): AuditSums => {
    const { uploading, queued } = transfers.counts(folderId)
    return sums.of(folderId, uploading > 0 || (queued > 0 && gate.view() === null))
  }

  return {
    watch: async (request) => {
      const registered = await registry.register(request)
      if (!registered.ok) return registered
      const { id, isKept, since, closing } = registered.value
      if (request.watcher !== undefined) folders.join(id, request.watcher)
      scheduler.startWorking()
      const view = folders.open(id).view()
      await closing
      return ok({ ...view, since: files.folder(id)?.since ?? since, ...(isKept ? { kept: true } : {}) })
    },
    unwatch: async ({ folderId, watcher }) => {
      if (watcher === undefined) await folders.end(folderId)
      else await folders.leave(folderId, watcher)
      bus.touched()
      return ok({})
    },
    rescan: async ({ folderId }) => {
      const session = folders.sessions().get(folderId)
      if (session === undefined) return NOT_WATCHED
      await session.rescan()
      return ok({})
    },
    folderSums: async ({ folderIds }) => ok(folderIds.map((folderId) => ({ folderId, sums: sumsOf(folderId) }))),
    folderIdle: async ({ folderId, confirm }) => {
      const session = folders.sessions().get(folderId)
      if (session === undefined) return NOT_WATCHED
      const { idle, waitsUntil, reason, isUnconfirmed } = folderIdle({
        counts: transfers.counts(folderId),
        isAway: session.isAway(),
        hasScanned: session.hasScanned(),
        isQuiet: session.isQuiet(),
        isSettling: session.settlesAt() !== null,
        gate: gate.view(),
        wait: { until: transfers.nextUntilOf(folderId), reason: transfers.waitReasonOf(folderId) },
        removalAt: remote.nextRemoval(false),
        now: clock.now(),
      })
      const answer = { idle, sums: sumsOf(folderId), waitsUntil, reason }
      if (isUnconfirmed === true && confirm === true) session.confirm()
      return ok(answer)
    },
    audit: async ({ path, rescan }) => {
      const root = await registry.resolve(path)
      if (!root.ok) return root
      const row = await registry.known(root.value)
      if (row === null) return refuse('not-found', `The folder ${root.value.real} was never watched.`, 'Watch it with `slipway watch`.')
      const session = folders.sessions().get(row.id)
      if (session !== undefined && rescan) await session.rescan()
      const view = session?.view() ?? {
        id: row.id,
        path: row.path,
        existing: row.existing,
        onChange: row.onChange,
        ignore: [...row.ignore],
        state: 'idle' as const,
        watching: 'off' as const,
        message: null,
        lastScanAt: row.lastScanAt,
      }
      return ok({ folder: view, sums: files.sums(row.id) })
    },
    auditPage: async ({ folderId, list, after, limit }) => {
      const row = files.folder(folderId)
      if (row === null) return refuse('not-found', 'This folder is not known.')
      const page = files.entries({ folderId, root: row.path, list, after, limit, join: absolute })
      // Without an engine at work, a time can pass and nothing happens.
      const now = clock.now()
      const entries = page.entries.map((entry) => (entry.until !== null && entry.until <= now ? { ...entry, until: null } : entry))
      return ok({ entries, next: page.next })
    },
  }
}
