// Sixty runs of gestures in every test run: what people do to files and commands, drawn with faults of the service, and every promise held
// against the service and the disk. `npm run chaos -- --gestures` runs more. The built program where it is fresh, since it starts sooner.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { gestureRun, reasonOfGestures } from '../chaos/gesture-run.ts'
import { isBuiltFresh } from '../chaos/process.ts'

const RUNS = 60
/** A run is 4 s of a core, most of it starts of the command line, and as long again of waiting. */
const AT_ONCE = Math.min(8, 2 * availableParallelism())

it('nothing is lost, doubled or published against a rule, no link breaks, and what is said is so', { timeout: 1_200_000 }, async () => {
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
