// Handlers that start and stop watching a folder. A command that continues its watch with this engine is refused if the user has ended the
// watch since, because the engine that carried out `unwatch` may be gone before the command hears of it.
import type { Handlers, Input } from '../../../src-shared/contract.ts'
import type { Services } from '../core.ts'
import type { FolderRegistry } from '../discovery/folder/folder-registry.ts'
import type { FolderRow } from '../journal/files.ts'
import { failed, ok } from './answers.ts'

const UNWATCHED = failed({ code: 'not-found', title: 'This folder is no longer watched.', hint: null, refusal: 'unwatched' })

export function createWatchHandlers(services: Services, registry: FolderRegistry): Pick<Handlers, 'watch' | 'unwatch'> {
  const { files, folders, scheduler, bus } = services
  /** The folder of a command that continues its watch; null if the command begins one, or if the folder isn't in the journal. */
  const continuedFolder = async ({ path, continued }: Input<'watch'>): Promise<FolderRow | null> => {
    const root = continued === true ? await registry.resolve(path) : null
    return root?.ok === true ? registry.known(root.value) : null
  }

  return {
    watch: async (request) => {
      const known = await continuedFolder(request)
      if (known !== null && known.withdrawnAt !== null) return UNWATCHED
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
