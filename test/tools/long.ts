// What `npm run test:long` runs: the tests and desktop specs that do more there than in `npm test`, found by
// what they import.
import { posix } from 'node:path'
import { readTree, treeFiles } from './tree.ts'

const SHARE = 'test/tools/share.ts'

export interface LongFiles {
  readonly tests: readonly string[]
  readonly specs: readonly string[]
}

/** `files` with the functions of `tree.ts` replaced in tests. */
export function longFiles(
  files: readonly string[] = treeFiles(),
  read: (file: string) => string = readTree,
): LongFiles {
  const below = files.filter((file) => file.startsWith('test/') && file.endsWith('.ts'))
  const importers = new Map<string, string[]>()
  for (const file of below)
    for (const [, path = ''] of read(file).matchAll(/^(?:import|export) [^'"]*?from '(\.[^']+)'/gm)) {
      const to = posix.join(posix.dirname(file), path)
      importers.set(to, [...(importers.get(to) ?? []), file])
    }
  // A helper that takes its counts from there gives its users a long share as well.
  const found = new Set(below.filter((file) => /\.long\.(?:test|spec)\.ts$/.test(file)))
  const queue = [...(importers.get(SHARE) ?? [])]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue
    found.add(file)
    queue.push(...(importers.get(file) ?? []))
  }
  const named = (ending: string): readonly string[] =>
    [...found].filter((file) => file.endsWith(ending)).toSorted()
  return { tests: named('.test.ts'), specs: named('.spec.ts') }
}
