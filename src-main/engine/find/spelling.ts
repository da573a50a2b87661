// Finds paths that the disk resolves but spells differently. On a disk that ignores letter case or the composition of accents, the old
// path still resolves after a rename that changes only these. Only a listing shows the current spelling.
import { absolute, split } from '../disk/rel-path.ts'
import type { Disk } from '../ports.ts'
import { namesOf } from './entries.ts'
import type { Stop } from './scan-run.ts'

export type Spelling = { readonly misspelled: ReadonlySet<string> } | { readonly stop: Exclude<Stop, null> }

/**
 * Returns those of `rels` (paths below `root`, with '/') that the disk doesn't list under exactly this spelling, because it lists another
 * one or the entry has vanished; or why that can't be determined.
 */
export async function findMisspelled(disk: Disk, root: string, rels: readonly string[]): Promise<Spelling> {
  const steps = rels.map((rel) => [rel, stepsTo(rel)] as const)
  const dirs = [...new Set(steps.flatMap(([, path]) => path.map(({ dir }) => dir)))]
  const names = new Map<string, ReadonlySet<string>>()
  const lists = await disk.list(dirs.map((dir) => absolute(root, dir, '')))
  if (lists.length < dirs.length) return { stop: { reason: 'failed', failure: null } }
  for (const [i, list] of lists.entries()) {
    const isAway = list.failure?.code === 'gone' || list.failure?.code === 'not-a-directory'
    if (list.failure !== null && !isAway) return { stop: { reason: 'failed', failure: list.failure } }
    names.set(dirs[i] ?? '', new Set(namesOf(list)))
  }
  return {
    misspelled: new Set(steps.filter(([, path]) => path.some(({ dir, name }) => names.get(dir)?.has(name) === false)).map(([rel]) => rel)),
  }
}

/** All names along a relative path, each with its directory. */
function stepsTo(rel: string): readonly { readonly dir: string; readonly name: string }[] {
  const step = split(rel)
  return step.dir === '' ? [step] : [...stepsTo(step.dir), step]
}
