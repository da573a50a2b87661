// `describe` and `it` for tests that need more than Node, npm and git: where the system lacks it, they are
// skipped under a title that names what they lack, which `npm test` counts (tally.ts).
import { describe, it } from 'vitest'
import { lacking, lacks, type Need } from './needs.ts'

/** On Windows titles stay as they are, because test/windows/known.txt lists them. */
function titled(title: string, missing: readonly Need[]): string {
  return missing.length === 0 || process.platform === 'win32' ? title : `${title} (${lacks(missing)})`
}

export function describeNeeding(needs: Need | readonly Need[], title: string, tests: () => void): void {
  const missing = lacking([needs].flat())
  describe.skipIf(missing.length > 0)(titled(title, missing), tests)
}

export function itNeeding(
  needs: Need | readonly Need[],
  title: string,
  test: () => void | Promise<void>,
): void {
  const missing = lacking([needs].flat())
  // oxlint-disable-next-line vitest/expect-expect -- the assertions are in the test that is passed in
  it.skipIf(missing.length > 0)(titled(title, missing), test)
}
