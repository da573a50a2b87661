// The shelf: a small window to drop files on, on top of all others where the system allows that. It shows the
// same page as the main window, by another route, and under the same guards.
import type { BrowserWindow, WebContents } from 'electron'
import { createPageWindow, existing, INDEX, type PageWindowOptions } from './window.ts'
import type { WindowSizes } from './window-state.ts'

const SIZES: WindowSizes = {
  min: { width: 240, height: 220 },
  initial: { width: 320, height: 380 },
  isInCorner: true,
}
const HOME = `${INDEX}#shelf`

export interface Shelf {
  /** Opens the window, or brings it to the front. */
  show(): void
  close(): void
  page(): WebContents | null
  isVisible(): boolean
}

interface ShelfOptions extends PageWindowOptions {
  readonly onClosed: () => void
}

export function createShelf(options: ShelfOptions): Shelf {
  let window: BrowserWindow | null = null
  const current = (): BrowserWindow | null => existing(window)
  const open = (): void => {
    const own = { alwaysOnTop: true, maximizable: false, fullscreenable: false }
    const { next, place } = createPageWindow(options, HOME, own, SIZES)
    next.removeMenu()
    // A page that crashed shows nothing, and the next one starts with the complete state.
    next.webContents.on('render-process-gone', () => {
      if (!next.isDestroyed()) next.destroy()
    })
    next.on('close', () => place.remember())
    next.on('closed', () => {
      if (window === next) window = null
      options.onClosed()
    })
    void next.loadURL(HOME)
    window = next
  }
  return {
    show: () => {
      const there = current()
      if (there === null) open()
      else there.show()
    },
    close: () => current()?.close(),
    page: () => current()?.webContents ?? null,
    isVisible: () => current()?.isVisible() === true,
  }
}
