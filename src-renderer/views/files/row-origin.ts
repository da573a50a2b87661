// Describes where a remote file came from, for the list and the details. It only compares paths and doesn't
// access the disk.
import { printable } from '../../../src-shared/format.ts'
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import type { Folder, RemoteRow } from '../../../src-shared/model.ts'
import { directOrigin, pathNames } from '../../lib/path-names.ts'

/**
 * Returns the origin as the window shows it, such as `Share / offers`, `Dropped`, `Pasted` or `Other
 * device`.
 */
export function originOf(
  row: Pick<RemoteRow, 'localPath' | 'source'>,
  folders: readonly Pick<Folder, 'path'>[],
  t: Texts,
): string {
  const { localPath, source } = row
  if (localPath === null) return t.filesView.elsewhere
  const path = pathNames(localPath)
  let home: string[] | null = null
  for (const folder of folders) {
    const at = pathNames(folder.path)
    const inside = at.length < path.length && at.every((part, i) => part === path[i])
    if (inside && (home === null || at.length > home.length)) home = at
  }
  if (home !== null && source !== 'upload')
    return printable([home.at(-1) ?? '', ...path.slice(home.length, -1)].join(' / '))
  if (source === 'upload') return directOrigin(localPath, t)
  // The file isn't in a folder that is watched now, so show the name of its directory.
  return printable(path.at(-2) ?? t.direct)
}
