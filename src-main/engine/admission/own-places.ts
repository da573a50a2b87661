// Slipway's own places (journal, log, settings, sockets, window data, what was pasted): they are never watched, listed or sent, wherever they
// lie. A place is known by its real path and by its directory's identity, so that another spelling, a link or a second mount is no way round.

import { below } from '../discovery/rel-path.ts'
import type { Disk, Entry } from '../ports.ts'

export interface OwnPaths {
  /** Directories, absolute. One that is not there yet counts by its path. */
  readonly dirs: readonly string[]
  /** Below them: what was pasted, which goes out by the paste that made it and by nothing else. Null: nothing is ever pasted. */
  readonly pasted: string | null
}

export interface OwnPlaces {
  /** The directories by their real paths, for the watcher. */
  dirs(): readonly string[]
  /** At or below one of the places, by path alone. */
  holds(path: string): boolean
  /** This directory is one of the places, under whatever path it was found. */
  isPlace(dir: Pick<Entry, 'ino' | 'dev'>): boolean
  isPasted(path: string): boolean
  /** Looks again where the places really are: one may have been made, or moved to another disk, since. */
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
