// The one window: sandboxed, isolated, at the place where it was, shown once it has something to show. It may go nowhere and open nothing;
// links leave through the system's browser. What the page shows is not its matter.
import { join } from 'node:path'
import { BrowserWindow, nativeTheme, screen, session, shell, type WebContents } from 'electron'
import { externalUrl, grantsPermission, mayNavigate } from './navigation.ts'
import { ORIGIN } from './page-protocol.ts'
import { MIN_SIZE, restoreWindow, type SavedWindow, windowToSave } from './window-state.ts'

export interface MainWindow {
  show(): void
  hide(): void
  page(): WebContents | null
  isFocused(): boolean
  isVisible(): boolean
  setProgress(progress: number, mode: 'none' | 'normal' | 'indeterminate' | 'error' | 'paused'): void
  native(): BrowserWindow | null
}

/** The canvas of the look, so that nothing flashes before the page is there. */
const GROUND = { light: '#f3f2ee', dark: '#131517' } as const

export function lockSession(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(grantsPermission(permission)))
  defaultSession.setPermissionCheckHandler((_contents, permission) => grantsPermission(permission))
  defaultSession.on('will-download', (event) => event.preventDefault())
  defaultSession.setSpellCheckerEnabled(false)
}

export function createMainWindow(options: {
  readonly preload: string
  readonly icon: string | null
  readonly saved: () => unknown
  readonly save: (state: SavedWindow) => void
  /** true: closing hides the window, and Slipway goes on in the tray. */
  readonly closeHides: () => boolean
  readonly onShown: (visible: boolean) => void
  readonly onClosed: () => void
  readonly onCrash: (reason: string) => void
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}): MainWindow {
  let window: BrowserWindow | null = null

  const remember = (): void => {
    if (window === null || window.isDestroyed()) return
    const state = windowToSave({
      normal: window.getNormalBounds(),
      maximized: window.isMaximized(),
      minimized: window.isMinimized(),
      fullScreen: window.isFullScreen(),
    })
    if (state !== null) options.save(state)
  }

  const open = (): BrowserWindow => {
    const primary = screen.getPrimaryDisplay()
    const others = screen.getAllDisplays().filter((display) => display.id !== primary.id)
    const { maximized, ...bounds } = restoreWindow({
      saved: options.saved(),
      areas: [primary, ...others].map((display) => display.workArea),
    })
    const next = new BrowserWindow({
      ...bounds,
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      show: false,
      title: 'Slipway',
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      ...(options.icon === null ? {} : { icon: options.icon }),
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        spellcheck: false,
        navigateOnDragDrop: false,
        devTools: process.env['SLIPWAY_DEVTOOLS'] === '1',
      },
    })
    if (maximized) next.maximize()
    const { webContents } = next
    webContents.on('will-navigate', (event) => {
      if (!mayNavigate({ url: event.url, origin: ORIGIN })) event.preventDefault()
    })
    webContents.setWindowOpenHandler(({ url }) => {
      const outside = externalUrl(url)
      if (outside !== null) void shell.openExternal(outside)
      return { action: 'deny' }
    })
    webContents.on('will-attach-webview', (event) => event.preventDefault())
    webContents.on('preload-error', (_event, path, error) => options.log('preload.error', { path, message: error.message }))
    webContents.on('render-process-gone', (_event, details) => {
      options.log('page.gone', { reason: details.reason, code: details.exitCode })
      if (details.reason !== 'clean-exit') options.onCrash(details.reason)
    })
    next.on('close', (event) => {
      remember()
      if (!options.closeHides()) return
      event.preventDefault()
      next.hide()
    })
    // An end of the session may come without any goodbye, so the place is kept whenever another window takes over.
    next.on('blur', remember)
    next.on('show', () => options.onShown(true))
    next.on('restore', () => options.onShown(true))
    next.on('hide', () => options.onShown(false))
    next.on('minimize', () => options.onShown(false))
    next.on('closed', () => {
      window = null
      options.onClosed()
      options.onShown(false)
    })
    void next.loadURL(`${ORIGIN}/index.html`)
    window = next
    return next
  }

  return {
    show: () => {
      if (window === null) {
        const next = open()
        next.once('ready-to-show', () => next.show())
        return
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    hide: () => window?.hide(),
    page: () => (window === null || window.isDestroyed() ? null : window.webContents),
    isFocused: () => window?.isFocused() === true,
    isVisible: () => window !== null && window.isVisible() && !window.isMinimized(),
    setProgress: (progress, mode) => window?.setProgressBar(progress, mode === 'none' ? undefined : { mode }),
    native: () => window,
  }
}

/** Beside main.js in the built app. */
export function builtPath(...parts: readonly string[]): string {
  return join(import.meta.dirname, '..', ...parts)
}
