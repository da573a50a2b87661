// Closing the window where that only hides it. On macOS, a window in full screen has to leave it first, or
// the screen stays black. Electron's window is replaced.
import type { EventEmitter } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { createMainWindow } from '../../../src-main/shell/window/window.ts'

interface FakeWindow extends EventEmitter {
  isFull: boolean
  /** Ends the animation with which macOS leaves full screen. */
  left(): void
}

const made = vi.hoisted(() => ({ windows: [] as unknown[], calls: [] as string[] }))
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  class BrowserWindow extends Emitter {
    isFull = false
    webContents = Object.assign(new Emitter(), {
      setWindowOpenHandler: () => undefined,
      setWebRTCIPHandlingPolicy: () => undefined,
    })
    constructor() {
      super()
      made.windows.push(this)
    }
    left(): void {
      this.isFull = false
      this.emit('leave-full-screen')
    }
    setFullScreen(isFull: boolean): void {
      made.calls.push(`setFullScreen ${isFull}`)
    }
    isFullScreen(): boolean {
      return this.isFull
    }
    hide(): void {
      made.calls.push('hide')
    }
    show(): void {
      made.calls.push('show')
    }
    focus(): void {}
    isMinimized(): boolean {
      return false
    }
    isMaximized(): boolean {
      return false
    }
    isDestroyed(): boolean {
      return false
    }
    getNormalBounds(): object {
      return { x: 0, y: 0, width: 1000, height: 700 }
    }
    setProgressBar(): void {}
    loadURL(): Promise<void> {
      return Promise.resolve()
    }
  }
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1440, height: 900 } }
  return {
    BrowserWindow,
    nativeTheme: {},
    screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] },
    protocol: {},
    net: {},
    session: {},
    shell: {},
  }
})

const own = process.platform
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: own })
})

function open(platform: NodeJS.Platform) {
  Object.defineProperty(process, 'platform', { value: platform })
  made.calls.length = 0
  const main = createMainWindow({
    preload: '',
    icon: null,
    saved: () => null,
    save: () => undefined,
    closeHides: () => true,
    onShown: () => undefined,
    onHiddenToTray: () => made.calls.push('hidden to tray'),
    onFocused: () => undefined,
    onInput: () => undefined,
    mayOpen: () => false,
    onClosed: () => undefined,
    onCrash: () => undefined,
    log: () => undefined,
  })
  main.show()
  const native = made.windows.at(-1) as FakeWindow
  native.isFull = true
  return { main, native, close: () => native.emit('close', { preventDefault: () => undefined }) }
}

it('in full screen on macOS hides the window once it has left full screen', () => {
  const { native, close } = open('darwin')
  close()
  close()
  expect(made.calls).toEqual(['setFullScreen false', 'setFullScreen false'])
  native.left()
  expect(made.calls.slice(2)).toEqual(['hide', 'hidden to tray'])
})

it('in full screen on macOS hides nothing if the window is wanted again meanwhile', () => {
  const { main, native, close } = open('darwin')
  close()
  main.show()
  native.left()
  expect(made.calls).toEqual(['setFullScreen false', 'show'])
})

it.each(['darwin', 'win32', 'linux'] as const)('hides the window at once on %s otherwise', (platform) => {
  const { native, close } = open(platform)
  native.isFull = platform !== 'darwin'
  close()
  expect(made.calls).toEqual(['hide', 'hidden to tray'])
})
