// A seeded matrix of services that the API document allows, with pages in front of them, lost answers and
// kills: people upload, delete and edit, hours pass, and the service's ledger is the judge. `npm run chaos --
// --worlds` has as many seeds as one likes.
import { expect, it } from 'vitest'
import { worldReason } from '../chaos/world-main.ts'
import { worldRun } from '../chaos/world-run.ts'
import { share } from '../tools/share.ts'

/** The seeds from 1 on; can be raised with WORLD_SEEDS. */
const SEEDS = Number(process.env['WORLD_SEEDS'] ?? share(6, 200))

it('nothing is lost, stored twice, or said of a file that isn’t so', { timeout: 1_800_000 }, async () => {
  const bad: string[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = await worldRun(seed)
    if (report.findings.length > 0) bad.push(`${worldReason(report)}\n${report.story.join('\n')}`)
  }
  expect(bad.join('\n\n')).toBe('')
})
