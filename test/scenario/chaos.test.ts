// Sixty chaos runs in every test run, so that what thousands of them proved stays so: `npm run chaos` runs more, from the built program and
// with the faults that need root. Each is repeatable by its seed.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { isLong } from '../chaos/kinds.ts'
import { chaosRun, faultsOf, NO_FAULTS } from '../chaos/run.ts'

const RUNS = 60
/** They wait more than they work; each holds one process of about 100 MB. */
const AT_ONCE = Math.min(6, 2 + 2 * availableParallelism())

it('nothing is lost, nothing is up twice, the bytes are right, the audit adds up, and the key stays', { timeout: 600_000 }, async () => {
  // Runs that wait for a minute and more are left to the long list.
  const seeds = Array.from({ length: 2 * RUNS }, (_, n) => n + 1)
    .filter((seed) => !isLong(seed))
    .slice(0, RUNS)
  const found: Record<string, unknown> = {}
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
        found[`seed ${seed}`] = faultsOf(await chaosRun(seed, { program: 'source' }))
    }),
  )
  expect(Object.keys(found)).toHaveLength(RUNS)
  for (const [name, faults] of Object.entries(found)) expect({ name, ...(faults as object) }).toEqual({ name, ...NO_FAULTS })
})
