// What every spec of the app starts with: `slipway` starts apps that end with their test, each with a folder and a service of its own; `expect`
// waits as long as a busy machine needs. A page that threw or logged an error fails its test. It drives nothing itself.
import { test as base, expect as baseExpect } from '@playwright/test'
import { type Slipway, type Start, startSlipway } from './slipway.ts'

/** Two cores are shared by two apps, their browsers and whatever else runs; a condition that holds is met much sooner. */
export const expect = baseExpect.configure({ timeout: 20_000 })
const TEST_MS = 120_000

export const test = base.extend<{ readonly slipway: (start?: Start) => Promise<Slipway> }>({
  // It needs none of the test tool's own, but the tool insists on a pattern to read names from.
  slipway: async ({ browserName: _none }, use, info) => {
    info.setTimeout(TEST_MS)
    const started: Slipway[] = []
    await use(async (start) => {
      const slipway = await startSlipway(start)
      started.push(slipway)
      return slipway
    })
    const faults = started.flatMap((one) => one.faults)
    for (const one of started) await one.close()
    expect(faults, 'errors of the page').toEqual([])
  },
})
