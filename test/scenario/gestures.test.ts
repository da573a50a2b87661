// Sixty gesture runs in every test run: what users do to files and commands, combined with faults of the service. Every promise is checked
// against the service and the disk. `npm run chaos -- --gestures` runs more. Uses the built program if it is up to date, because it starts
// faster.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { gestureRun, reasonOfGestures } from '../chaos/gesture-run.ts'
import { isBuiltFresh } from '../chaos/process.ts'

const RUNS = 60
/** A run takes 4 s of CPU, mostly for starts of the command line, and waits for the same time. */
const AT_ONCE = Math.min(8, 2 * availableParallelism())
/** Six minutes on two cores. Processes start several times more slowly under Wine and on slow machines. */
const MOST_MS = 3_000_000

it('nothing is lost, doubled or published against a rule, no link breaks, and every statement is true', { timeout: MOST_MS }, async () => {
  const seeds = Array.from({ length: RUNS }, (_, n) => n + 1)
  const program = isBuiltFresh() ? 'built' : 'source'
  const bad: string[] = []
  let done = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const report = await gestureRun(seed, { program })
        done++
        if (report.findings.length > 0) bad.push(reasonOfGestures(report))
      }
    }),
  )
  expect(bad).toEqual([])
  expect(done).toBe(RUNS)
})
