// `describe` and `it` for tests that need more than Node, npm and git: where the system lacks it, they are skipped under a title that names
// what they lack, which `npm test` counts (tally.ts).
import { describe, it } from 'vitest'
import { lacking, lacks, type Need } from './needs.ts'

export function describeNeeding(needs: Need | readonly Need[], title: string, tests: () => void): void {
  const missing = lacking([needs].flat())
  if (missing.length === 0) describe(title, tests)
  else describe.skip(`${title} (${lacks(missing)})`, tests)
}

export function itNeeding(needs: Need | readonly Need[], title: string, test: () => void | Promise<void>): void {
  const missing = lacking([needs].flat())
  if (missing.length === 0) it(title, test)
  else it.skip(`${title} (${lacks(missing)})`, test)
}
