// The names in absolute paths reported by the engine, whichever separator the platform uses, and the watched
// folder that a path is in, or how else the file arrived.
// Pure text functions; they don't access the disk.
import { printable } from '../../src-shared/format.ts'
import type { Texts } from '../../src-shared/i18n/texts.ts'
import type { Folder, Transfer } from '../../src-shared/model.ts'

/** Returns the names in a path, outermost first, without separators. */
export function pathNames(path: string): string[] {
  // Only Windows has absolute paths that don't begin with a slash. Elsewhere, a backslash may be part of a
  // name.
  return path.split(path.startsWith('/') ? '/' : /[\\/]/).filter((name) => name !== '')
}

/**
 * Returns the last name of a path, made safe to display. For a path without names, such as `/`, returns the
 * path itself.
 */
export function folderName(path: string): string {
  return printable(pathNames(path).at(-1) ?? path)
}

/** Describes how a file that wasn't in a watched folder arrived: `Pasted` or `Dropped`. */
export function directOrigin(path: string, t: Texts): string {
  return pathNames(path).at(-2) === 'pasted' ? t.pasted : t.direct
}

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
