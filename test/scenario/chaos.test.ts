// Sixty chaos runs in every test run, so that what thousands of them proved stays so: `npm run chaos` runs more, with the faults that need
// root. The built program where it is fresh, as `npm test` leaves it, since it starts sooner. Each run is repeatable by its seed.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { isLong } from '../chaos/kinds.ts'
import { isBuiltFresh } from '../chaos/process.ts'
import { chaosRun, failed, reasonOf } from '../chaos/run.ts'

const RUNS = 60
/** They wait more than they work: a run is 2 s of a core in 8 s or, with a minute's limit to wait for, 70. Each holds a process of about 100 MB. */
const AT_ONCE = Math.min(12, 2 + 4 * availableParallelism())

it('nothing is lost, nothing is up twice, the bytes are right, the audit adds up, and the key stays', { timeout: 600_000 }, async () => {
  // Runs that wait for a minute and more are left to the long list.
  const seeds = Array.from({ length: 2 * RUNS }, (_, n) => n + 1)
    .filter((seed) => !isLong(seed))
    .slice(0, RUNS)
  const program = isBuiltFresh() ? 'built' : 'source'
  const bad: string[] = []
  let done = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const report = await chaosRun(seed, { program })
        done++
        if (failed(report)) bad.push(reasonOf(report))
      }
    }),
  )
  expect(bad).toEqual([])
  expect(done).toBe(RUNS)
})
