// Sixty chaos runs in every test run, as a regression test for what thousands of them have shown. `npm run chaos` runs more, including
// faults that need root. Uses the built program if it is up to date, because it starts faster. Each run can be repeated by its seed.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { atOnce } from '../chaos/at-once.ts'
import { isLong } from '../chaos/kinds.ts'
import { isBuiltFresh } from '../chaos/process.ts'
import { chaosRun, failed, reasonOf } from '../chaos/run.ts'

const RUNS = 60
/**
 * The runs mostly wait: each takes 2 s of CPU in 8 s, or in 70 s if it waits for the limit per minute, and has a process of about 100 MB.
 */
const AT_ONCE = Math.min(12, 2 + 4 * availableParallelism())

it('nothing is lost or stored twice, bytes are right, the audit adds up, and the key doesn’t leak', { timeout: 1_800_000 }, async () => {
  // Runs that wait for a minute or more are left to test/chaos/main.ts.
  const seeds = Array.from({ length: 2 * RUNS }, (_, n) => n + 1)
    .filter((seed) => !isLong(seed))
    .slice(0, RUNS)
  const program = isBuiltFresh() ? 'built' : 'source'
  const bad: string[] = []
  let done = 0
  await atOnce(AT_ONCE, seeds, async (seed) => {
    const report = await chaosRun(seed, { program })
    done++
    if (failed(report)) bad.push(reasonOf(report))
  })
  expect(bad).toEqual([])
  expect(done).toBe(RUNS)
})
