// How an app for specs is started on each system: on Linux it is given a session bus of its own, whichever
// Electron runs it. No other system has one, and Windows can't even listen on its address. Electron isn't
// started; its launch is recorded.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serveSessionBus } from '../../desktop/session-bus.ts'
import { startSlipway } from '../../e2e/slipway.ts'
import type { Service } from '../../service/service.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const launch = vi.hoisted(() =>
  vi.fn<(options: { readonly env: Readonly<Record<string, string>> }) => never>(),
)
vi.mock('@playwright/test', () => ({ _electron: { launch } }))

const LAUNCHED = 'launched'
const OWN_BUS = 'unix:path=/run/user/7/bus'
const platform = process.platform
let dir = ''

beforeEach(() => {
  dir = tempFolder()
  // No system can listen on a path of this length, as Windows can't on any.
  const long = join(dir, 'x'.repeat(120))
  mkdirSync(long)
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, long)
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', OWN_BUS)
  launch.mockReset().mockImplementation(() => {
    throw new Error(LAUNCHED)
  })
})
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform })
  vi.unstubAllEnvs()
})

async function startOn(system: NodeJS.Platform): Promise<void> {
  Object.defineProperty(process, 'platform', { value: system })
  const services: Service[] = []
  try {
    await startSlipway({ before: ({ service }) => services.push(service) })
  } finally {
    for (const service of services) await service.close()
  }
}

it.each(['win32', 'darwin'] as const)(
  'an app on %s starts without a session bus of its own',
  async (system) => {
    await expect(startOn(system)).rejects.toThrow(LAUNCHED)
    expect(launch.mock.calls.map(([{ env }]) => env['DBUS_SESSION_BUS_ADDRESS'])).toEqual([OWN_BUS])
  },
)

it.each([undefined, '/electron'])(
  'an app on Linux never starts with the bus of the machine (%s)',
  async (named) => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', named)
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, dir)
    await expect(startOn('linux')).rejects.toThrow(LAUNCHED)
    const address = launch.mock.calls[0]?.[0].env['DBUS_SESSION_BUS_ADDRESS']
    expect(address).toMatch(/^unix:path=/)
    expect(address).not.toBe(OWN_BUS)
  },
)

it('a bus that can not listen is reported', async () => {
  await expect(serveSessionBus('host')).rejects.toThrow(/listen/)
})
