// Showing a file in the file manager on Linux: over the test's own session bus, and never through Electron's
// function, which asks from the main thread.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showInFolder } from '../../../src-main/shell/app/open-path.ts'
import { type FakeSessionBus, serveSessionBus } from '../../desktop/session-bus.ts'

const opened = vi.hoisted((): string[] => [])
vi.mock('electron', () => ({ shell: { showItemInFolder: () => opened.push('by Electron') } }))
vi.mock('node:child_process', () => ({
  spawn: (_program: string, args: readonly string[]) => {
    opened.push(...args)
    return { on: () => undefined, unref: () => undefined }
  },
}))

const system = process.platform
let bus: FakeSessionBus
beforeEach(async () => {
  opened.length = 0
  bus = await serveSessionBus('none')
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', bus.address)
  Object.defineProperty(process, 'platform', { value: 'linux' })
})
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: system })
  vi.useRealTimers()
  vi.unstubAllEnvs()
  bus.close()
})

it('asks the file manager for each file, with its address escaped', async () => {
  bus.setFileManager('there')
  for (let n = 0; n < 20; n++) showInFolder(`/srv/a folder/ü${n}.txt`)
  await vi.waitFor(() => expect(bus.shownFiles()).toHaveLength(20))
  expect(bus.shownFiles()).toContain('file:///srv/a%20folder/%C3%BC0.txt')
  expect(opened).toEqual([])
})

it('opens the folder if no file manager selects files, or if there is no bus', async () => {
  showInFolder('/srv/a/b.txt')
  await vi.waitFor(() => expect(opened).toEqual(['/srv/a']))
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'disabled:')
  showInFolder('/srv/c/d.txt')
  await vi.waitFor(() => expect(opened).toEqual(['/srv/a', '/srv/c']))
})

it('neither waits for a file manager that never answers nor opens the folder late', async () => {
  bus.setFileManager('silent')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  showInFolder('/srv/a/b.txt')
  while (bus.shownFiles().length === 0) await new Promise(setImmediate)
  await vi.advanceTimersByTimeAsync(60_000)
  for (let n = 0; n < 20; n++) await new Promise(setImmediate)
  expect(opened).toEqual([])
})
