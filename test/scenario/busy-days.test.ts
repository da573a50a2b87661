// A day of a folder that changes all the time, a small form of `npm run chaos -- --week`: every file is
// stored once, within the plan, and all requests but the uploads stay within the share for background jobs.
import { expect, it } from 'vitest'
import { SAMPLE_SHARE } from '../../src-main/engine/remote/background-jobs.ts'
import { busyWeek } from '../chaos/busy-week.ts'

it('a busy folder is uploaded completely, once and within the plan', { timeout: 600_000 }, async () => {
  const { days, lost, twice, audit } = await busyWeek({ days: 1, changesPerDay: 1500, files: 200, seed: 1 })
  expect({ lost, twice, audit }).toEqual({ lost: [], twice: [], audit: null })
  expect(days).toHaveLength(1)
  for (const { uploads, requests, refused } of days) {
    expect(refused).toBe(0)
    expect(uploads).toBeGreaterThan(500)
    expect(requests - uploads).toBeLessThan(SAMPLE_SHARE * 100_000)
  }
})
