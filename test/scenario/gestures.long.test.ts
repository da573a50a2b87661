// A hundred gesture runs for `npm run test:long`: two to four gestures in each, drawn from its seed, combined
// with faults of the service. gestures.test.ts has each gesture once.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { atOnce } from '../chaos/at-once.ts'
import { gestureRun, reasonOfGestures } from '../chaos/gesture-run.ts'

const RUNS = 100
/** A run takes 4 s of CPU, mostly for starts of the command line, and waits for the same time. */
const AT_ONCE = Math.min(8, 2 * availableParallelism())
/** Ten minutes on two cores. Processes start several times more slowly under Wine and on slow machines. */
const MOST_MS = 7_200_000

it('nothing is lost, doubled or published against a rule, no link breaks, and every statement is true', {
  timeout: MOST_MS,
}, async () => {
  const seeds = Array.from({ length: RUNS }, (_, n) => n + 1)
  const bad: string[] = []
  let done = 0
  await atOnce(AT_ONCE, seeds, async (seed) => {
    const report = await gestureRun(seed, { program: 'built' })
    done++
    if (report.findings.length > 0) bad.push(reasonOfGestures(report))
  })
  expect(bad).toEqual([])
  expect(done).toBe(RUNS)
})
