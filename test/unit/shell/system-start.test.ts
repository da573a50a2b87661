// The platform-specific steps before the first window, and when a crashed page is loaded again.
// Nothing is started, and no test waits for a clock.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { APP_ID, startOnSystem } from '../../../src-main/shell/app/autostart.ts'
import { PageReloads } from '../../../src-main/shell/window/page-release.ts'
import { ROOT } from '../../tools/tree.ts'

vi.mock('electron', () => ({ app: {} }))

function fakeApp(wasOpenedAtLogin: boolean) {
  const settings = {
    openAtLogin: true,
    wasOpenedAtLogin,
    status: 'enabled',
    executableWillLaunchAtLogin: true,
    launchItems: [],
  }
  return {
    setAppUserModelId: vi.fn(),
    setDesktopName: vi.fn(),
    getLoginItemSettings: () => settings as unknown as Electron.LoginItemSettings,
  }
}

describe('startOnSystem', () => {
  it('tells Windows the id of the installed shortcut, and no other system', () => {
    const windows = fakeApp(false)
    startOnSystem(windows, 'win32')
    expect(windows.setAppUserModelId.mock.calls).toEqual([[APP_ID]])
    expect(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')).toContain(`appId: ${APP_ID}\n`)
    for (const platform of ['darwin', 'linux', 'other'] as const) {
      const other = fakeApp(false)
      startOnSystem(other, platform)
      expect(other.setAppUserModelId).not.toHaveBeenCalled()
    }
  })

  it('names the windows in a Flatpak as its desktop entry, which the manifest names after the ID', () => {
    const name = (platform: Parameters<typeof startOnSystem>[1], id: string | undefined): unknown => {
      const app = fakeApp(false)
      startOnSystem(app, platform, { FLATPAK_ID: id })
      return app.setDesktopName.mock.calls
    }
    expect(name('linux', 'app.slipway.Slipway')).toEqual([['app.slipway.Slipway.desktop']])
    expect([name('linux', undefined), name('linux', ''), name('win32', 'app.slipway.Slipway')]).toEqual([
      [],
      [],
      [],
    ])
  })

  it('asks macOS whether it was opened at login, since the argument does not arrive there', () => {
    expect(startOnSystem(fakeApp(true), 'darwin')).toEqual({ atLogin: true })
    expect(startOnSystem(fakeApp(false), 'darwin')).toEqual({ atLogin: false })
    expect(startOnSystem(fakeApp(true), 'win32')).toEqual({ atLogin: false })
  })
})

describe('PageReloads', () => {
  /**
   * The delay before each reload of a page that crashes again and again. `ran`: how long it ran before each
   * crash. Milliseconds.
   */
  function delays(ran: readonly number[]): number[] {
    const reloads = new PageReloads()
    let now = 0
    let wait = 0
    return ran.map((ms) => {
      now += wait + ms
      wait = reloads.delay(now)
      return wait
    })
  }

  it('loads the page at once after one crash', () => {
    expect(delays([5])).toEqual([0])
  })

  it('waits longer and longer while the page crashes at every start', () => {
    expect(delays([5, 5, 5, 5, 5, 5])).toEqual([0, 1000, 5000, 30_000, 30_000, 30_000])
  })

  it('starts over after a minute without a crash', () => {
    expect(delays([5, 5, 5, 60_000, 5])).toEqual([0, 1000, 5000, 0, 1000])
  })

  it('does not count the time it waited as time the page ran', () => {
    expect(delays([5, 5, 5, 5, 40_000])).toEqual([0, 1000, 5000, 30_000, 30_000])
  })
})
