// The order of vitest's test files: the longest first, so that no process is left with one of them when the
// others have finished. A fresh clone knows no durations, and the size of a file says little about them: the
// two longest have one test each.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from './tree.ts'

/**
 * All files that take longer than ten seconds on two cores, the longest first. Most of them wait for
 * processes and limits.
 */
const LONGEST = [
  'test/scenario/chaos.test.ts',
  'test/scenario/gestures.test.ts',
  'test/packages/linux.test.ts',
  'test/scenario/account-switches.test.ts',
  'test/scenario/watch-once.test.ts',
  'test/scenario/accounts.test.ts',
  'test/scenario/cli-rm.test.ts',
  'test/scenario/cli-lines.test.ts',
  'test/scenario/cli-promises.test.ts',
  'test/scenario/interrupted-watch.test.ts',
  'test/scenario/data-folder.test.ts',
] as const

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(LONGEST.map((file, rank) => [join(ROOT, file), rank]))
    const missing = [...ranks.keys()].filter((file) => !existsSync(file))
    if (missing.length > 0)
      throw new Error(`These test files are said to be the longest, but don't exist: ${missing.join(', ')}`)
    const rank = (file: TestSpecification): number => ranks.get(join(file.moduleId)) ?? ranks.size
    // oxlint-disable-next-line no-array-sort -- it sorts a copy: this isn't the method of arrays
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
