// The shelf: a small window to drop files on, on top of all others where the system allows that. It shows the
// same page as the main window, by another route, and under the same guards.
import { BrowserWindow, nativeTheme, type WebContents } from 'electron'
import {
  boundsOnScreen,
  GROUND,
  guardPage,
  INDEX,
  type PageGuard,
  PlaceKeeper,
  pagePreferences,
} from './window.ts'
import type { SavedWindow, WindowSizes } from './window-state.ts'

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

interface ShelfOptions extends PageGuard {
  readonly preload: string
  readonly icon: string | null
  readonly saved: () => unknown
  readonly save: (state: SavedWindow) => void
  readonly onClosed: () => void
}

export function createShelf(options: ShelfOptions): Shelf {
  let window: BrowserWindow | null = null
  const open = (): void => {
    const wanted = boundsOnScreen(options.saved(), SIZES)
    const { maximized: _none, ...bounds } = wanted
    const next = new BrowserWindow({
      ...bounds,
      minWidth: SIZES.min.width,
      minHeight: SIZES.min.height,
      show: false,
      alwaysOnTop: true,
      maximizable: false,
      fullscreenable: false,
      title: 'Slipway',
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      ...(options.icon === null ? {} : { icon: options.icon }),
      webPreferences: pagePreferences(options.preload),
    })
    next.removeMenu()
    guardPage(next.webContents, HOME, options)
    const place = new PlaceKeeper(
      next,
      { wanted: { ...wanted, maximized: false }, given: bounds },
      options.save,
    )
    next.once('ready-to-show', () => next.show())
    // A page that crashed shows nothing, and the next one starts with the complete state.
    next.webContents.on('render-process-gone', () => {
      if (!next.isDestroyed()) next.destroy()
    })
    next.on('close', () => place.remember())
    next.on('closed', () => {
      window = null
      options.onClosed()
    })
    void next.loadURL(HOME)
    window = next
  }
  return {
    show: () => {
      if (window === null) open()
      else window.show()
    },
    close: () => window?.close(),
    page: () => window?.webContents ?? null,
    isVisible: () => window?.isVisible() === true,
  }
}
