// Handlers of what a person hands over: picked, dropped and pasted files, and watched folders. A page holds tokens of what was picked,
// never a path.

import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AppHandlers, Picked } from '../../../src-shared/app.ts'
import type { Folder } from '../../../src-shared/model.ts'
import { withoutAsar } from '../../platform/asar.ts'
import { toNative } from '../../platform/path-codec.ts'
import type { HandlerParts } from './handler-parts.ts'
import { fail, NOTHING, ok } from './handler-results.ts'
import { Tokens } from './tokens.ts'

type UploadNames = 'chooseFolder' | 'watchPicked' | 'uploadChosen' | 'uploadClipboard' | 'drop' | 'uploadPicked'

export function uploadHandlers(parts: HandlerParts): Pick<AppHandlers, UploadNames> {
  const { link, drops, desk } = parts
  const picks = new Tokens<readonly string[]>()
  const pick = async (paths: readonly string[]): Promise<Picked> => {
    const token = picks.add(paths)
    const plan = await link.call('plan', { paths: [...paths] })
    return { token, name: basename(paths[0] ?? ''), paths: paths.length, forecast: plan.ok ? plan.value : null }
  }
  return {
    chooseFolder: async () => {
      const path = await desk.chooseFolder()
      return ok(path === null ? null : await pick([path]))
    },
    watchPicked: async ({ token, existing, onChange, ignore }) => {
      const path = picks.get(token)?.[0]
      if (path === undefined) return fail('usage', 'This folder is not known any more.', 'Choose it again.')
      return link.call('watch', { path, existing, onChange, ignore, keep: true, changeRules: true })
    },
    uploadChosen: async ({ folders }) => {
      const paths = await desk.chooseFiles(folders)
      return paths.length === 0 ? ok(null) : drops.upload(paths, { again: false })
    },
    uploadClipboard: async () => {
      const { paths, pasted } = await desk.clipboardFiles()
      return paths.length === 0 ? ok(null) : drops.upload(paths, { again: false, pasted })
    },
    drop: async ({ paths }) => ok(await pick(paths)),
    uploadPicked: async ({ token, again }) => {
      const paths = picks.take(token)
      if (paths === undefined) return fail('usage', 'This drop is not known any more.', 'Drop the files again.')
      return drops.upload(paths, { again })
    },
  }
}

export function folderHandlers(parts: HandlerParts): Pick<AppHandlers, 'changeFolder' | 'openFolder'> {
  const { link, store, desk } = parts
  const folderOf = (folderId: number): Folder | undefined => store.snapshot()?.folders.find((folder) => folder.id === folderId)
  return {
    changeFolder: async ({ folderId, onChange, ignore }) => {
      const folder = folderOf(folderId)
      if (folder === undefined) return fail('not-found', 'This folder is not watched.')
      return link.call('watch', { path: folder.path, existing: folder.existing, onChange, ignore, keep: true, changeRules: true })
    },
    openFolder: async ({ folderId }) => {
      const folder = folderOf(folderId)
      if (folder === undefined) return fail('not-found', 'This folder is not watched.')
      // Opening a file would start the program that it belongs to, or the file itself.
      const there = await withoutAsar(() => stat(toNative(folder.path))).catch(() => null)
      if (there !== null && !there.isDirectory())
        return fail('not-found', 'This folder does not exist any more.', 'Something else is in its place.')
      const problem = await desk.openPath(folder.path)
      return problem === '' ? NOTHING : fail('disk', problem)
    },
  }
}
