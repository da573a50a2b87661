// Handlers that start and stop watching a folder.
import type { Handlers } from '../../../src-shared/contract.ts'
import type { Services } from '../core.ts'
import type { FolderRegistry } from '../discovery/folder/folder-registry.ts'
import { ok } from './answers.ts'

export function createWatchHandlers(services: Services, registry: FolderRegistry): Pick<Handlers, 'watch' | 'unwatch'> {
  const { files, folders, scheduler, bus } = services

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
  }
}
