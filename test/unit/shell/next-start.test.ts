// Files and starts from a second instance that arrive while the app is quitting: the app starts again with
// them once it has quit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { App } from '../../../src-main/shell/app/app.ts'
import { handleSystemEvents } from '../../../src-main/shell/app/system-events.ts'
import { KeptFiles } from '../../../src-main/shell/intake/kept-files.ts'

const system = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events')
  return {
    app: new EventEmitter(),
    power: new EventEmitter(),
    relaunch: vi.fn(),
    release: vi.fn(),
    spawn: vi.fn(),
  }
})
vi.mock('electron', () => ({
  app: Object.assign(system.app, {
    relaunch: system.relaunch,
    releaseSingleInstanceLock: system.release,
    isPackaged: true,
  }),
  net: { isOnline: () => true },
  powerMonitor: system.power,
}))

vi.mock('node:child_process', () => ({ spawn: system.spawn }))
afterEach(() => vi.unstubAllEnvs())

it('are not given to the app that is quitting, but to its next start, together', () => {
  const take = vi.fn()
  const show = vi.fn()
  handleSystemEvents(
    {
      isQuitting: true,
      take,
      show,
      paths: { root: '/data' },
      accounts: { all: () => [] },
      settings: { read: () => ({}) },
    } as unknown as App,
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
  expect(system.relaunch.mock.calls).toEqual([
    [{ args: ['--copy-link', '--', '/home/ada/a.txt', '/home/ada/b c.txt'] }],
  ])
})

it.runIf(process.platform === 'linux')(
  'start the AppImage itself, because its program disappears with the app',
  async () => {
    vi.resetModules()
    vi.stubEnv('APPDIR', dirname(process.execPath))
    vi.stubEnv('APPIMAGE', '/home/ada/Slipway.AppImage')
    system.spawn.mockReturnValue({ on: () => undefined, unref: () => undefined })
    const { startAgain } = await import('../../../src-main/shell/app/next-start.ts')
    startAgain({ files: ['/home/ada/a.txt'], copyLink: false }, '/data')
    const before = system.relaunch.mock.calls.length
    system.app.emit('quit')
    expect(system.spawn.mock.calls[0]?.slice(0, 2)).toEqual([
      '/home/ada/Slipway.AppImage',
      ['--', '/home/ada/a.txt'],
    ])
    expect(system.spawn.mock.calls[0]?.[2]).toMatchObject({
      detached: true,
      env: expect.not.objectContaining({ APPIMAGE: expect.anything() }),
    })
    expect([system.relaunch.mock.calls.length, system.release.mock.calls.length]).toEqual([before, 1])
  },
)

it('are kept for the version that an installer is about to start, and nothing else starts the app', async () => {
  vi.resetModules()
  const root = mkdtempSync(join(tmpdir(), 'slipway-next-'))
  try {
    const { startAgain } = await import('../../../src-main/shell/app/next-start.ts')
    const { leaveToInstaller } = await import('../../../src-main/shell/updates/restart.ts')
    const before = [system.relaunch.mock.calls.length, system.spawn.mock.calls.length]
    startAgain({ files: ['/home/ada/a.txt'], copyLink: true }, root)
    // The installer may be ready only while the app is already quitting.
    leaveToInstaller()
    startAgain({ files: ['/home/ada/b.txt', '/home/ada/a.txt'], copyLink: false }, root)
    system.app.emit('quit')
    expect([system.relaunch.mock.calls.length, system.spawn.mock.calls.length]).toEqual(before)
    expect(new KeptFiles(root, () => undefined).drops()?.paths).toEqual([
      '/home/ada/a.txt',
      '/home/ada/b.txt',
    ])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
