// Entries of the disk: reads them from a listing one at a time, without creating an object for each, builds
// the rows of the table `files` from them, and detects symbolic links among the directories above a path.

import { parentsOf } from '../disk/rel-path.ts'
import type { FileRow } from '../journal/files.ts'
import type { Disk, DiskFailure, Entry, EntryKind, Listing } from '../ports.ts'
import { isDataFolder } from '../rules/data-folder.ts'
import { isRulesFile, RULES_FILE } from '../rules/ignore-rules.ts'
import { isUnanswered } from '../sleep.ts'

/** Number of values in `stats` per entry. */
const COLUMNS = 5
/** Memory that a listing takes in addition to its entries: objects, a buffer, and string headers. */
const LISTING_BYTES = 500

const KINDS: Readonly<Record<string, EntryKind>> = { f: 'file', d: 'dir', l: 'link', u: 'unreadable' }

export function* entriesOf(list: Listing): Generator<Entry> {
  const names = list.names.split('/')
  for (let i = 0; i < list.kinds.length; i++) {
    const at = i * COLUMNS
    yield {
      name: names[i] ?? '',
      kind: KINDS[list.kinds[i] ?? ''] ?? 'other',
      size: list.stats[at] ?? 0,
      mtime: list.stats[at + 1] ?? 0,
      ctime: list.stats[at + 2] ?? 0,
      ino: list.stats[at + 3] ?? 0,
      dev: list.stats[at + 4] ?? 0,
    }
  }
}

export function namesOf({ names }: Pick<Listing, 'names'>): string[] {
  return names.split('/').slice(0, -1)
}

/** The entry with this name, or null. */
function entryIn(list: Listing, name: string): Entry | null {
  // Fast path: most directories don't contain the name.
  if (!list.names.includes(`${name}/`)) return null
  for (const entry of entriesOf(list)) if (entry.name === name) return entry
  return null
}

/** The directory's rules file, or null. `ignoresCase`: whether its disk finds names in any letter case. */
export function rulesFileIn(list: Listing, ignoresCase: boolean): Entry | null {
  if (!(ignoresCase ? list.names.toLowerCase() : list.names).includes(`${RULES_FILE}/`)) return null
  for (const entry of entriesOf(list)) if (isRulesFile(entry.name, ignoresCase)) return entry
  return null
}

/** Whether a listed directory is a data folder of Slipway. */
export function isListedDataFolder(disk: Disk, list: Listing): Promise<boolean> {
  return isDataFolder(disk, list.dir, (name) => entryIn(list, name))
}

/** Approximate memory use of a listing, in bytes. */
export function bytesOf({ names, kinds, stats }: Listing): number {
  return LISTING_BYTES + names.length + kinds.length + stats.byteLength
}

/**
 * Frees the memory of a listing's `stats` at once; the listing must not be read afterwards. That memory is
 * outside V8's heap, and the garbage collector would let many megabytes of it pile up.
 */
export function release({ stats }: Listing): void {
  if (stats.buffer instanceof ArrayBuffer) stats.buffer.transfer(0)
}

export function failedListing(dir: string, failure: DiskFailure): Listing {
  return { dir, failure, names: '', kinds: '', stats: new Float64Array(0) }
}

// Builds rows of the files table from what the disk reports. All new rows are built by these two functions,
// so that no column is forgotten. Pure.

/** The row of one file. By default it is tracked and has no transfer; `over` overrides columns. */
export function fileRow(
  folderId: number,
  dir: string,
  name: string,
  entry: Pick<Entry, 'size' | 'mtime' | 'ino' | 'dev' | 'ctime'>,
  over: Partial<Omit<FileRow, 'folderId' | 'dir' | 'name'>> = {},
): FileRow {
  const { size, mtime, ino, dev, ctime } = entry
  return {
    folderId,
    dir,
    name,
    class: 'tracked',
    size,
    mtime,
    ino,
    dev,
    ctime,
    count: 1,
    rule: null,
    transferId: null,
    ...over,
  }
}

/** The row that represents a whole directory with `count` files in it. */
export function directoryRow(
  folderId: number,
  dir: string,
  cls: 'ignored' | 'unreadable',
  count: number,
  rule: string,
): FileRow {
  return {
    folderId,
    dir,
    name: '',
    class: cls,
    size: 0,
    mtime: 0,
    ino: 0,
    dev: 0,
    ctime: null,
    count,
    rule,
    transferId: null,
  }
}

// Detects symbolic links among the directories above a path. If a link has replaced one of them, the system
// follows it, and the path may lead to any file, even one outside the watched folder.

/**
 * Like `disk.stat`, but returns null for a path below a link, because such a file doesn't belong to the
 * folder. If the disk didn't answer for a directory above a path, returns that failure for the path. `root`:
 * absolute path of a directory that isn't a link. For a path outside `root`, the directories up to the root
 * of the file system are checked. Resolves to an empty array if the disk's answer was incomplete.
 */
export async function statInside(
  disk: Pick<Disk, 'stat'>,
  root: string,
  paths: readonly string[],
): Promise<readonly (Entry | DiskFailure | null)[]> {
  const above = new Set<string>()
  for (const path of paths) for (const dir of parentsOf(path, root)) above.add(dir)
  const dirs = [...above]
  const stats = await disk.stat([...paths, ...dirs])
  if (stats.length < paths.length + dirs.length) return []
  /**
   * Directories that decide the result for all paths below them: mapped to null for a link, or to the failure
   * if the disk didn't answer.
   */
  const barred = new Map<string, DiskFailure | null>()
  for (const [i, dir] of dirs.entries()) {
    const stat = stats[paths.length + i] ?? null
    if (stat === null) continue
    if ('code' in stat) {
      if (isUnanswered(stat)) barred.set(dir, stat)
    } else if (stat.kind === 'link') barred.set(dir, null)
  }
  return paths.map((path, i) => {
    if (barred.size > 0)
      for (const dir of parentsOf(path, root)) if (barred.has(dir)) return barred.get(dir) ?? null
    return stats[i] ?? null
  })
}

/**
 * Whether the path itself or a directory above it is a link. `real`: the real path, as returned by
 * `disk.resolve`.
 */
export async function leadsThroughLink(
  disk: Pick<Disk, 'stat'>,
  path: string,
  real: string,
): Promise<boolean> {
  if (path === real) return false
  // The real path may differ without a link, for example in letter case.
  const stats = await disk.stat([path, ...parentsOf(path)])
  return stats.some((stat) => stat !== null && !('code' in stat) && stat.kind === 'link')
}
