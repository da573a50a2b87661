// Files and starts from a second instance that arrive while the app is quitting: the app starts again with them once it has quit.
import { dirname } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { App } from '../../../src-main/shell/app/app.ts'
import { handleSystemEvents } from '../../../src-main/shell/app/system-events.ts'

const system = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events')
  return { app: new EventEmitter(), power: new EventEmitter(), relaunch: vi.fn(), release: vi.fn(), spawn: vi.fn() }
})
vi.mock('electron', () => ({
  app: Object.assign(system.app, { relaunch: system.relaunch, releaseSingleInstanceLock: system.release, isPackaged: true }),
  net: { isOnline: () => true },
  powerMonitor: system.power,
}))

vi.mock('node:child_process', () => ({ spawn: system.spawn }))
afterEach(() => vi.unstubAllEnvs())

it('are not given to the app that is quitting, but to its next start, together', () => {
  const take = vi.fn()
  const show = vi.fn()
  handleSystemEvents(
    { isQuitting: true, take, show, accounts: { all: () => [] }, settings: { read: () => ({}) } } as unknown as App,
    'linux',
  )
  const start = (files: readonly string[], copyLink = false, hidden = false): void =>
    void system.app.emit('second-instance', {}, [], '/', { files, hidden, copyLink })
  start([], false, true)
  system.app.emit('quit')
  expect(system.relaunch).not.toHaveBeenCalled()
  start(['/home/ada/a.txt'], true)
  start([])
  start(['/home/ada/b c.txt', '/home/ada/a.txt'])
  expect([take.mock.calls, show.mock.calls, system.relaunch.mock.calls]).toEqual([[], [], []])
  system.app.emit('quit')
  expect(system.relaunch.mock.calls).toEqual([[{ args: ['--copy-link', '--', '/home/ada/a.txt', '/home/ada/b c.txt'] }]])
})

it.runIf(process.platform === 'linux')('start the AppImage itself, because its program disappears with the app', async () => {
  vi.resetModules()
  vi.stubEnv('APPDIR', dirname(process.execPath))
  vi.stubEnv('APPIMAGE', '/home/ada/Slipway.AppImage')
  system.spawn.mockReturnValue({ on: () => undefined, unref: () => undefined })
  const { startAgain } = await import('../../../src-main/shell/app/next-start.ts')
  startAgain({ files: ['/home/ada/a.txt'], copyLink: false })
  const before = system.relaunch.mock.calls.length
  system.app.emit('quit')
  expect(system.spawn.mock.calls[0]?.slice(0, 2)).toEqual(['/home/ada/Slipway.AppImage', ['--', '/home/ada/a.txt']])
  expect(system.spawn.mock.calls[0]?.[2]).toMatchObject({
    detached: true,
    env: expect.not.objectContaining({ APPIMAGE: expect.anything() }),
  })
  expect([system.relaunch.mock.calls.length, system.release.mock.calls.length]).toEqual([before, 1])
})
