// Slipway's own places (journal, log, settings, sockets, window data, what was pasted): they are never watched, listed or sent, wherever they
// are. A place is known by its real path and by its directory's inode, so that another spelling, a link or a second mount makes no difference.

import { below } from '../discovery/rel-path.ts'
import type { Disk, Entry } from '../ports.ts'

export interface OwnPaths {
  /** Directories, absolute. One that does not exist yet is known by its path alone. */
  readonly dirs: readonly string[]
  /** The directory, below one of them, for pasted data, which only the paste itself may send. Null: nothing is ever pasted. */
  readonly pasted: string | null
}

export interface OwnPlaces {
  /** The directories by their given and their real paths. */
  dirs(): readonly string[]
  /** At or below one of the places, by path alone. */
  holds(path: string): boolean
  /** This directory is one of the places, by its inode. */
  isPlace(dir: Pick<Entry, 'ino' | 'dev'>): boolean
  /** In the directory for pasted data, by path alone. */
  isPasted(path: string): boolean
  /** Resolves the places again: one may have been created, or moved to another disk, since. */
  refresh(): Promise<void>
}

export async function createOwnPlaces(disk: Disk, paths: OwnPaths): Promise<OwnPlaces> {
  let real: readonly string[] = paths.dirs
  let pasted = paths.pasted
  let places = new Set<string>()
  const keyOf = (dir: Pick<Entry, 'ino' | 'dev'>): string => `${dir.dev} ${dir.ino}`

  const refresh = async (): Promise<void> => {
    const found = await Promise.all(paths.dirs.map((dir) => disk.resolve(dir)))
    const at = paths.pasted === null ? null : await disk.resolve(paths.pasted)
    real = [...new Set([...paths.dirs, ...found.flatMap((one) => ('code' in one ? [] : [one.real]))])]
    places = new Set(found.flatMap((one) => ('code' in one || one.entry.ino === 0 ? [] : [keyOf(one.entry)])))
    if (at !== null && !('code' in at)) pasted = at.real
  }
  await refresh()

  return {
    dirs: () => real,
    holds: (path) => real.some((dir) => below(dir, path) !== null),
    isPlace: (dir) => places.has(keyOf(dir)),
    isPasted: (path) => pasted !== null && (below(pasted, path) ?? '') !== '',
    refresh,
  }
}
