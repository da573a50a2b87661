// The base of all specs of the app: `slipway` starts apps that end with their test, each with its own folder
// and service, and `expect` waits long enough for a busy machine. A page that throws or logs an error fails
// its test.
import { test as base, expect as baseExpect } from '@playwright/test'
import { NO_KEYCHAIN, type Slipway, type Start, startSlipway } from './slipway.ts'

/**
 * Long, because two apps, their browsers and everything else may share two cores. Usually the condition is
 * met much sooner.
 */
export const expect = baseExpect.configure({ timeout: 20_000 })
const TEST_MS = 120_000

const SESSION_BUS = 'DBUS_SESSION_BUS_ADDRESS'

export const test = base.extend<{ readonly slipway: (start?: Start) => Promise<Slipway> }>({
  // This fixture uses no other fixture, but Playwright requires a destructuring pattern as the first
  // parameter.
  slipway: async ({ browserName: _none }, use, info) => {
    info.setTimeout(TEST_MS)
    const started: Slipway[] = []
    await use(async (start) => {
      // Elsewhere, the keys of these tests would end up in the keychain of whoever runs them.
      info.skip(
        process.platform !== 'linux' && start?.env?.[SESSION_BUS] === NO_KEYCHAIN[SESSION_BUS],
        'Only Linux can hide its keychain.',
      )
      const slipway = await startSlipway(start)
      started.push(slipway)
      return slipway
    })
    const faults = started.flatMap((one) => one.faults)
    for (const one of started) await one.close()
    expect(faults, 'errors of the page').toEqual([])
  },
})
