// Detects symbolic links among the directories above a path. If a link has replaced one of them, the system
// follows it, and the path may lead to any file, even one outside the watched folder.
import type { Disk, DiskFailure, Entry } from '../ports.ts'
import { isUnanswered } from '../sleep.ts'
import { parentsOf } from './rel-path.ts'

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
