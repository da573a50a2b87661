// Finds out where a transfer's file came from: the watched folder and the folders below it, or nothing for
// files uploaded directly. Pure: it only compares names and doesn't access the disk.
import type { Folder, Transfer } from '../../../src-shared/model.ts'
import { pathNames } from '../../lib/path-names.ts'

/**
 * Returns the names of the watched folder and of the folders below it, outermost first, or null if the file
 * wasn't in a watched folder.
 */
export function originOf(
  transfer: Pick<Transfer, 'path' | 'folderId'>,
  folders: readonly Pick<Folder, 'id' | 'path'>[],
): readonly string[] | null {
  if (transfer.folderId === null) return null
  const parts = pathNames(transfer.path).slice(0, -1)
  const folder = folders.find((one) => one.id === transfer.folderId)
  const above = folder === undefined ? null : pathNames(folder.path)
  // The folder is no longer watched or was moved, so return only the directory that directly contained the
  // file.
  if (above === null || above.some((name, at) => parts[at] !== name)) return parts.slice(-1)
  return parts.slice(Math.max(0, above.length - 1))
}
