// Finds the files that a program is downloading under their final name, by the control file that it keeps next to each.
import { basename, dirname, join } from 'node:path'
import type { Disk } from '../ports.ts'
import { controlsOf } from '../rules/unfinished.ts'

/** The subset of `paths` (absolute) that have a control file. A control file that can't be examined doesn't count. */
export async function withControls(disk: Pick<Disk, 'stat'>, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const controls = paths.flatMap((path) => controlsOf(basename(path)).map((name) => ({ path, control: join(dirname(path), name) })))
  const stats = controls.length === 0 ? [] : await disk.stat(controls.map(({ control }) => control))
  return new Set(controls.flatMap(({ path }, i) => (isThere(stats[i]) ? [path] : [])))
}

function isThere(stat: Awaited<ReturnType<Disk['stat']>>[number] | undefined): boolean {
  return stat != null && !('code' in stat)
}
