// Places from which nothing is sent: Slipway's own directories, except for pasted data, and folders that a
// policy forbids. A place is recognized by its real path and by its directory's device and inode, so that
// another spelling, a link or a second mount makes no difference. Other data folders of Slipway are
// recognized by their files (data-folder.ts).

import { absolute, below } from '../disk/rel-path.ts'
import type { DirectoryId, Disk, Listing } from '../ports.ts'

/** How many levels of Slipway's own directories are searched for a file. Its files are at most this deep. */
const OWN_DEPTH = 4
/** The columns of a listing (ports.ts). */
const [INO, DEV, COLUMNS] = [3, 4, 5]

export interface OwnPaths {
  /** Absolute directories. A directory that doesn't exist yet is recognized by its path alone. */
  readonly dirs: readonly string[]
  /**
   * The directory for pasted data, inside one of `dirs`; only a paste may send files from it. Null where
   * nothing can be pasted.
   */
  readonly pasted: string | null
}

/**
 * Why nothing is sent from a place: it belongs to Slipway, or a policy forbids it. If both apply, it counts
 * as forbidden.
 */
export type PlaceKind = 'own' | 'forbidden'

export interface OwnPlaces {
  /**
   * The paths of all places, including forbidden ones: as configured and, for places that exist, also the
   * real path.
   */
  dirs(): readonly string[]
  /**
   * The kind of place that contains the path or is the path itself; null if there is none. Compares paths
   * only.
   */
  kindOf(path: string): PlaceKind | null
  /**
   * The kind of place that this directory itself is, by device and inode; null if it isn't a place. Doesn't
   * check its parents.
   */
  kindAt(dir: DirectoryId): PlaceKind | null
  /**
   * Whether this file is one of Slipway's own under another name (a hard link). Lists Slipway's directories.
   */
  owns(file: DirectoryId): Promise<boolean>
  /** Whether the path is inside the directory for pasted data. Compares paths only. */
  isPasted(path: string): boolean
  /** Resolves the places again, because a place may have been created or moved to another disk. */
  refresh(): Promise<void>
  /**
   * Resolves the places again if the list of forbidden folders has changed. Otherwise, doesn't access the
   * disk, so it can be called before every upload.
   */
  follow(): Promise<void>
}

/**
 * `listForbidden`: returns the absolute directories that a policy forbids now. Must return the same array
 * until they change.
 */
export async function createOwnPlaces(
  disk: Disk,
  paths: OwnPaths,
  listForbidden: () => readonly string[],
): Promise<OwnPlaces> {
  /** What `listForbidden` returned last. */
  let listed = listForbidden()
  let real: readonly string[] = [...paths.dirs, ...listed]
  let forbidden = listed
  let resolving = Promise.resolve()
  let pasted = paths.pasted
  let places: ReadonlyMap<string, PlaceKind> = new Map()
  const keyOf = (dir: DirectoryId): string => `${dir.dev} ${dir.ino}`

  const resolve = async (): Promise<void> => {
    const now = listForbidden()
    // Until the real paths are known, forbid the paths as listed, and keep those that were forbidden before.
    if (now !== listed) forbidden = [...now, ...forbidden]
    listed = now
    const all = [...paths.dirs, ...now]
    const found = await Promise.all(all.map((dir) => disk.resolve(dir)))
    const at = paths.pasted === null ? null : await disk.resolve(paths.pasted)
    const realOf = (from: readonly (typeof found)[number][]): string[] =>
      from.flatMap((one) => ('code' in one ? [] : [one.real]))
    // If the list has changed in the meantime, a later call is already resolving the newer one.
    if (now !== listed) return
    real = [...new Set([...all, ...realOf(found)])]
    forbidden = [...now, ...realOf(found.slice(paths.dirs.length))]
    // Forbidden places come last, so they override Slipway's own.
    places = new Map(
      found.flatMap((one, i): [string, PlaceKind][] =>
        'code' in one || one.entry.ino === 0
          ? []
          : [[keyOf(one.entry), i < paths.dirs.length ? 'own' : 'forbidden']],
      ),
    )
    if (at !== null && !('code' in at)) pasted = at.real
  }
  const refresh = (): Promise<void> => {
    resolving = resolve()
    return resolving
  }
  await refresh()
  const isIn = (dirs: readonly string[], path: string): boolean =>
    dirs.some((dir) => below(dir, path) !== null)

  return {
    dirs: () => real,
    kindOf: (path) => (isIn(forbidden, path) ? 'forbidden' : isIn(real, path) ? 'own' : null),
    kindAt: (dir) => places.get(keyOf(dir)) ?? null,
    owns: async (file) => {
      let dirs = paths.dirs
      for (let depth = 0; depth < OWN_DEPTH && dirs.length > 0; depth++) {
        const lists = await disk.list(dirs)
        if (lists.some((list) => contains(list, file))) return true
        dirs = lists.flatMap(directoriesIn)
      }
      return false
    },
    isPasted: (path) => pasted !== null && (below(pasted, path) ?? '') !== '',
    refresh,
    // If another call is already resolving the current list, wait for that.
    follow: () => (listForbidden() === listed ? resolving : refresh()),
  }
}

function contains({ kinds, stats }: Listing, file: DirectoryId): boolean {
  return [...kinds].some(
    (kind, i) =>
      kind === 'f' && stats[i * COLUMNS + INO] === file.ino && stats[i * COLUMNS + DEV] === file.dev,
  )
}

function directoriesIn({ dir, names, kinds }: Listing): string[] {
  return names.split('/').flatMap((name, i) => (kinds[i] === 'd' ? [absolute(dir, '', name)] : []))
}
