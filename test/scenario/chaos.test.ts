// A few chaos runs in every test run, so that what two hundred of them proved stays so. `node test/chaos/main.ts` runs more.
// Each is repeatable by its seed.
import { describe, expect, it } from 'vitest'
import { chaosRun } from '../chaos/run.ts'

describe('chaos', () => {
  it.concurrent.each([1, 2, 3, 4, 5, 6])(
    'seed %d: nothing lost, nothing twice, the right bytes, an audit that adds up',
    { timeout: 180_000 },
    async (seed) => {
      const { lost, twice, wrong, audit, code } = await chaosRun(seed)
      expect({ lost, twice, wrong, audit, code }).toEqual({ lost: [], twice: [], wrong: [], audit: null, code: 0 })
    },
  )
})
