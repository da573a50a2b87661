// `describe` and `it` for tests that need more than Node, npm and git: where the system lacks it, they are skipped under a title that names
// what they lack, which `npm test` counts (tally.ts).
import { describe, it } from 'vitest'
import { lacking, lacks, type Need } from './needs.ts'

export function describeNeeding(needs: Need | readonly Need[], title: string, tests: () => void): void {
  const missing = lacking([needs].flat())
  describe.skipIf(missing.length > 0)(missing.length > 0 ? `${title} (${lacks(missing)})` : title, tests)
}

export function itNeeding(needs: Need | readonly Need[], title: string, test: () => void | Promise<void>): void {
  const missing = lacking([needs].flat())
  // oxlint-disable-next-line vitest/expect-expect -- the assertions are in the test that is passed in
  it.skipIf(missing.length > 0)(missing.length > 0 ? `${title} (${lacks(missing)})` : title, test)
}
