// The picture of the tray icon after the system's colours change: it follows the colour of the surface it is
// on. On Windows that is the taskbar, whose mode can differ from that of apps. Electron's tray and theme are
// replaced.
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTray, type TrayMenu } from '../../../src-main/shell/tray/tray.ts'
import { ROOT } from '../../tools/tree.ts'

const system = vi.hoisted(() => ({
  theme: { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: false },
  changed: (): void => undefined,
  pictures: [] as string[],
}))
vi.mock('electron', () => ({
  Menu: { buildFromTemplate: () => ({ on: () => undefined }) },
  nativeImage: { createFromPath: (path: string) => ({ path, setTemplateImage: () => undefined }) },
  nativeTheme: Object.assign(system.theme, {
    on: (_event: string, listener: () => void) => {
      system.changed = listener
    },
    off: () => undefined,
  }),
  Tray: class {
    on(): void {}
    setImage(image: { readonly path: string }): void {
      system.pictures.push(basename(image.path))
    }
    setToolTip(): void {}
    setTitle(): void {}
    setContextMenu(): void {}
    destroy(): void {}
  },
}))

const own = process.platform
let tray: TrayMenu | null = null
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  system.pictures.length = 0
  Object.assign(system.theme, { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: false })
})
afterEach(() => {
  vi.useRealTimers()
  tray?.close()
  Object.defineProperty(process, 'platform', { value: own })
  vi.unstubAllEnvs()
})

/**
 * Shows the idle icon on `platform`. The returned function changes colours and returns the pictures shown so
 * far.
 */
function show(platform: NodeJS.Platform): (change: Partial<typeof system.theme>) => readonly string[] {
  Object.defineProperty(process, 'platform', { value: platform })
  vi.stubEnv('XDG_CURRENT_DESKTOP', 'KDE')
  tray = createTray({
    dir: join(ROOT, 'assets/tray'),
    host: {
      isThere: true,
      onChange: () => undefined,
      within: () => Promise.resolve(true),
      close: () => undefined,
    },
    act: () => undefined,
    onClick: () => undefined,
    onDrop: () => undefined,
    log: () => undefined,
  })
  tray.update({ icon: 'idle', tooltip: '', title: '', menu: [] })
  return (change) => {
    vi.advanceTimersByTime(1000)
    Object.assign(system.theme, change)
    system.changed()
    return system.pictures
  }
}

it('follows the taskbar on Windows, not the mode of apps', () => {
  const changeColours = show('win32')
  expect(changeColours({ shouldUseDarkColors: true })).toEqual(['idle-light.ico'])
  expect(changeColours({ shouldUseDarkColorsForSystemIntegratedUI: true })).toEqual([
    'idle-light.ico',
    'idle-dark.ico',
  ])
})

it('follows the theme on Linux', () => {
  const changeColours = show('linux')
  expect(changeColours({ shouldUseDarkColorsForSystemIntegratedUI: true })).toEqual(['idle-light.png'])
  expect(changeColours({ shouldUseDarkColors: true })).toEqual(['idle-light.png', 'idle-dark.png'])
})

it('stays the same on macOS, which colours it', () => {
  const changeColours = show('darwin')
  expect(
    changeColours({ shouldUseDarkColors: true, shouldUseDarkColorsForSystemIntegratedUI: true }),
  ).toEqual(['idleTemplate.png'])
})
