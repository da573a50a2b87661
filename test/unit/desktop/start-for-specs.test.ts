// How an app for specs is started on each system: only the stand-in on Linux is given a session bus, because
// no other system has one and Windows can't even listen on its address. Electron isn't started; its launch is
// recorded.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serveSessionBus } from '../../desktop/session-bus.ts'
import { startSlipway } from '../../e2e/slipway.ts'
import type { Service } from '../../service/service.ts'

const launch = vi.hoisted(() =>
  vi.fn<(options: { readonly env: Readonly<Record<string, string>> }) => never>(),
)
vi.mock('@playwright/test', () => ({ _electron: { launch } }))

const LAUNCHED = 'launched'
const OWN_BUS = 'unix:path=/run/user/7/bus'
const platform = process.platform
let dir = ''

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'slipway-start-'))
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
  rmSync(dir, { recursive: true, force: true })
})

it.each<[NodeJS.Platform, string | undefined]>([
  ['win32', undefined],
  ['win32', '/stand-in'],
  ['darwin', undefined],
  ['darwin', '/stand-in'],
  ['linux', undefined],
])('an app on %s with the stand-in at %s starts with the bus of the machine', async (system, standIn) => {
  Object.defineProperty(process, 'platform', { value: system })
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', standIn)
  const services: Service[] = []
  await expect(startSlipway({ before: ({ service }) => services.push(service) })).rejects.toThrow(LAUNCHED)
  for (const service of services) await service.close()
  expect(launch.mock.calls.map(([{ env }]) => env['DBUS_SESSION_BUS_ADDRESS'])).toEqual([OWN_BUS])
})

it('a bus that can not listen is reported', async () => {
  await expect(serveSessionBus('host')).rejects.toThrow(/listen/)
})
