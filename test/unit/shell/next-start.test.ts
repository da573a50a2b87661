// Files and starts from a second instance that arrive while the app is quitting: the app starts again with
// them once it has quit.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import type { App } from '../../../src-main/shell/app/app.ts'
import { handleSystemEvents } from '../../../src-main/shell/app/system-events.ts'
import { handOver, takeHandedOver } from '../../../src-main/shell/intake/handed-over.ts'

const system = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events')
  return {
    app: new EventEmitter(),
    power: new EventEmitter(),
    relaunch: vi.fn(),
    release: vi.fn(),
    exit: vi.fn(),
    spawn: vi.fn(),
  }
})
vi.mock('electron', () => ({
  app: Object.assign(system.app, {
    relaunch: system.relaunch,
    exit: system.exit,
    releaseSingleInstanceLock: system.release,
    isPackaged: true,
  }),
  net: { isOnline: () => true },
  powerMonitor: system.power,
}))

vi.mock('node:child_process', () => ({ spawn: system.spawn }))

const root = mkdtempSync(join(tmpdir(), 'slipway-next-'))
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What has been handed over and is finished now. */
const taken = (): unknown =>
  takeHandedOver(root).map(({ files, copyLink, action, done }) => {
    done()
    return { files, copyLink, action }
  })

const starts = (): readonly [number, number] => [
  system.relaunch.mock.calls.length,
  system.spawn.mock.calls.length,
]

it('are not taken by the app that is quitting, but by its next start', () => {
  const take = vi.fn()
  const show = vi.fn()
  const slipway = {
    isQuitting: true,
    take,
    show,
    paths: { root },
    accounts: { all: () => [] },
    settings: { read: () => ({}) },
  }
  handleSystemEvents(slipway as unknown as App, 'linux')
  const secondStart = (...args: readonly string[]): void =>
    void system.app.emit('second-instance', {}, ['slipway', ...args], '/')
  secondStart('--hidden')
  system.app.emit('quit')
  expect(system.relaunch).not.toHaveBeenCalled()
  const handed = { files: ['/home/ada/a.txt', '/home/ada/b c.txt'], copyLink: true, action: undefined }
  const key = { files: [], copyLink: false, action: 'region' } as const
  handOver(root, handed)
  secondStart('--copy-link', ...handed.files)
  handOver(root, key)
  secondStart('--take-screenshot')
  secondStart()
  expect([take.mock.calls, show.mock.calls, system.relaunch.mock.calls]).toEqual([[], [], []])
  system.app.emit('quit')
  expect(system.relaunch.mock.calls).toEqual([[{ args: [] }]])
  expect(taken()).toEqual([handed, key])
  expect(taken()).toEqual([])
})

it.runIf(process.platform === 'linux')(
  'start the AppImage itself, because its program disappears with the app',
  async () => {
    vi.resetModules()
    vi.stubEnv('APPDIR', dirname(process.execPath))
    vi.stubEnv('APPIMAGE', '/home/ada/Slipway.AppImage')
    system.spawn.mockReturnValue({ on: () => undefined, unref: () => undefined })
    const { startAgain } = await import('../../../src-main/shell/app/next-start.ts')
    startAgain(root)
    const [before] = starts()
    system.app.emit('quit')
    expect(system.spawn.mock.calls[0]?.slice(0, 2)).toEqual(['/home/ada/Slipway.AppImage', []])
    expect(system.spawn.mock.calls[0]?.[2]).toMatchObject({
      detached: true,
      env: expect.not.objectContaining({ APPIMAGE: expect.anything() }),
    })
    expect([system.relaunch.mock.calls.length, system.release.mock.calls.length]).toEqual([before, 1])
  },
)

it('are left to the version that an installer is about to start, and nothing else starts the app', async () => {
  vi.resetModules()
  const { startAgain } = await import('../../../src-main/shell/app/next-start.ts')
  const { leaveToInstaller } = await import('../../../src-main/shell/updates/restart.ts')
  const before = starts()
  const first = { files: ['/home/ada/a.txt'], copyLink: true }
  const second = { files: ['/home/ada/b.txt'], copyLink: false }
  startAgain(root, first)
  // The installer may be ready only while the app is already quitting.
  leaveToInstaller()
  startAgain(root, second)
  system.app.emit('quit')
  expect(starts()).toEqual(before)
  expect(taken()).toEqual([first, second])
})

it('whose names are too long for a message to the running app leave room for it', async () => {
  vi.resetModules()
  const { canBePassedOn, startWithoutFiles } = await import('../../../src-main/shell/app/next-start.ts')
  const long = Array.from({ length: 300 }, (_, at) => `./${'ž'.repeat(100)} ${at}.txt`)
  expect(canBePassedOn(['slipway', ...long.slice(0, 9)], 'linux')).toBe(true)
  expect([canBePassedOn(['slipway', ...long], 'darwin'), canBePassedOn(long, 'win32')]).toEqual([false, true])
  startWithoutFiles(['slipway', '--hidden', '--copy-link', '--take-screenshot', ...long, '--', '-dash.txt'])
  expect(system.relaunch.mock.lastCall).toEqual([{ args: ['--hidden', '--copy-link'] }])
  expect(system.exit.mock.calls).toEqual([[0]])
})

it.each(['', '{', '[]', '{"files":["a.txt"],"copyLink":false}', '{"files":["/a\\u0000"],"copyLink":false}'])(
  'aren’t made up from a list that nothing of Slipway wrote: %s',
  (text) => {
    handOver(root, { files: ['/a.txt'], copyLink: false })
    writeFileSync(join(root, 'handed-over', '000.json'), text)
    expect(taken()).toEqual([{ files: ['/a.txt'], copyLink: false }])
  },
)

it('stay handed over until something has become of them, also across a crash', async () => {
  const handed = { files: ['/a.txt'], copyLink: false }
  handOver(root, handed)
  const [first] = takeHandedOver(root)
  // Another start must not make them two uploads.
  expect(takeHandedOver(root)).toEqual([])
  first?.failed()
  expect(takeHandedOver(root)).toMatchObject([handed])
  vi.resetModules()
  const next = await import('../../../src-main/shell/intake/handed-over.ts')
  const [again] = next.takeHandedOver(root)
  expect(again).toMatchObject(handed)
  again?.done()
  expect(readdirSync(join(root, 'handed-over'))).toEqual([])
})
