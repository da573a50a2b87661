// Where a file came from, in a few words: the watched folder and the way below it, or nothing for what was dropped. Pure.
// It looks at names only and never at the disk.
import type { Folder, Transfer } from '../../../src-shared/model.ts'

/** Names of the watched folder and of the folders below it, outermost first. Null: it was not in a watched folder. */
export function originOf(
  transfer: Pick<Transfer, 'path' | 'folderId'>,
  folders: readonly Pick<Folder, 'id' | 'path'>[],
): readonly string[] | null {
  if (transfer.folderId === null) return null
  const parts = split(transfer.path).slice(0, -1)
  const folder = folders.find((one) => one.id === transfer.folderId)
  const above = folder === undefined ? null : split(folder.path)
  // A folder that is not watched any more, or moved: the last name still says most.
  if (above === null || above.some((name, at) => parts[at] !== name)) return parts.slice(-1)
  return parts.slice(Math.max(0, above.length - 1))
}

function split(path: string): string[] {
  return path.split(/[\\/]/).filter((name) => name !== '')
}
