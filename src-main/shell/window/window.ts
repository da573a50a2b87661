// Creates and controls the main window. Its page is sandboxed and isolated. The window is restored to its
// last position and shown once it has content. It can't navigate away or open windows; links open in the
// system's browser.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  BrowserWindow,
  type InputEvent,
  nativeTheme,
  type Session,
  screen,
  session,
  shell,
  type WebContents,
  type WebPreferences,
} from 'electron'
import { externalUrl, grantsPermission, isOwnRequest, mayNavigate } from './navigation.ts'
import { ORIGIN } from './page-protocol.ts'
import {
  MIN_SIZE,
  movedTo,
  restoreWindow,
  type SavedWindow,
  type WindowPlace,
  type WindowSizes,
} from './window-state.ts'

type Mode = 'normal' | 'indeterminate' | 'error' | 'paused'

export interface MainWindow {
  show(): void
  page(): WebContents | null
  isFocused(): boolean
  isVisible(): boolean
  /** Whether the user can find the window: it is visible or minimized. */
  isOpen(): boolean
  /**
   * Whether `letGo` may destroy the window: it shows no upload progress in the dock or taskbar, and isn't in
   * full screen.
   */
  isFree(): boolean
  /** Destroys the window together with its page. `show` creates a new one. */
  letGo(): void
  /** Whether `letGo` destroyed the window, so that the app keeps running without one. */
  isLetGo(): boolean
  setProgress(progress: number, mode: 'none' | Mode): void
  native(): BrowserWindow | null
}

export const INDEX = `${ORIGIN}/index.html`

/** How long the window must rest after a change before its place is remembered. */
const REST_MS = 500

/**
 * The page's background colours. The window uses them, too, which avoids a flash before the page has loaded.
 */
const GROUND = { light: '#f3f2ee', dark: '#131517' } as const

export function lockSession(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(grantsPermission(permission)),
  )
  defaultSession.setPermissionCheckHandler((_contents, permission) => grantsPermission(permission))
  defaultSession.on('will-download', (event) => event.preventDefault())
  defaultSession.setSpellCheckerEnabled(false)
  // The content policy already keeps the page off the network. This also holds for a page that has got around
  // it.
  defaultSession.webRequest.onBeforeRequest((details, answer) =>
    answer({ cancel: !isOwnRequest(details.url) }),
  )
  // What Chromium sends without such a request, above all WebRTC over TCP, goes to a proxy that doesn't
  // exist.
  void defaultSession.setProxy({
    mode: 'fixed_servers',
    proxyRules: 'http://127.0.0.1:9',
    proxyBypassRules: '<-loopback>',
  })
}

/** The session whose proxy settings are the system's. The window's own session has none that works. */
export function systemSession(): Session {
  return session.fromPartition('system-proxy')
}

/** The saved bounds of a window, moved onto a connected display. */
function boundsOnScreen(saved: unknown, sizes?: WindowSizes): ReturnType<typeof restoreWindow> {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id)
  return restoreWindow({
    saved,
    areas: [primary, ...others].map((display) => display.workArea),
    ...(sizes === undefined ? {} : { sizes }),
  })
}

interface PageGuard {
  /** Called with each input event that the window gets from the system. */
  readonly onInput: (event: InputEvent) => void
  /** Whether the page may open a link in the browser now. */
  readonly mayOpen: () => boolean
}

/**
 * Keeps the page from navigating away, from opening windows and from using WebRTC. Links open in the system's
 * browser.
 */
function guardPage(webContents: WebContents, home: string, { onInput, mayOpen }: PageGuard): void {
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  webContents.on('input-event', (_event, input) => onInput(input))
  webContents.on('will-navigate', (event) => {
    if (!mayNavigate({ url: event.url, origin: ORIGIN, home })) event.preventDefault()
  })
  // Chromium doesn't ask about some addresses, such as about:blank, which would leave an empty window.
  webContents.on('did-navigate', (_event, url) => {
    if (!mayNavigate({ url, origin: ORIGIN, home })) void webContents.loadURL(home)
  })
  webContents.setWindowOpenHandler(({ url }) => {
    const outside = externalUrl(url)
    if (outside !== null && mayOpen()) void shell.openExternal(outside)
    return { action: 'deny' }
  })
  webContents.on('will-attach-webview', (event) => event.preventDefault())
}

function pagePreferences(preload: string): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    spellcheck: false,
    navigateOnDragDrop: false,
    devTools: false,
  }
}

/**
 * Hides the window, then calls `done`. On macOS, hiding a full-screen window would leave a black screen, so
 * the window leaves full screen first. If the user has shown it again by then (`isWanted` returns false), it
 * isn't hidden.
 */
function hideWindow(window: BrowserWindow, isWanted: () => boolean, done: () => void): void {
  const hide = (): void => {
    window.hide()
    done()
  }
  if (process.platform !== 'darwin' || !window.isFullScreen()) {
    hide()
    return
  }
  window.once('leave-full-screen', () => {
    if (isWanted()) hide()
  })
  window.setFullScreen(false)
}

/**
 * Remembers each change of a window's place once the window rests, because the system may end the app at any
 * time, and without notice.
 */
class PlaceKeeper {
  readonly #window: BrowserWindow
  readonly #save: (state: SavedWindow) => void
  #place: WindowPlace
  #isSettling = true
  /** Whether the window is to be maximized, but may not have been yet. */
  #isToMaximize: boolean
  #resting: ReturnType<typeof setTimeout> | undefined

  constructor(window: BrowserWindow, place: WindowPlace, save: (state: SavedWindow) => void) {
    this.#window = window
    this.#save = save
    this.#place = place
    this.#isToMaximize = place.wanted.maximized
    const settle = (): void => {
      this.#isSettling = true
      this.#rememberSoon()
    }
    window.on('show', settle)
    window.on('maximize', settle)
    window.on('unmaximize', settle)
    window.on('leave-full-screen', settle)
    window.on('restore', settle)
    window.on('move', () => this.#rememberSoon())
    window.on('resize', () => this.#rememberSoon())
  }

  remember(): void {
    const window = this.#window
    if (window.isDestroyed() || this.#isToMaximize) return
    const before = this.#place.wanted
    const now = {
      normal: window.getNormalBounds(),
      maximized: window.isMaximized(),
      minimized: window.isMinimized(),
      fullScreen: window.isFullScreen(),
    }
    this.#place = movedTo(this.#place, now, this.#isSettling)
    if (!isDeepStrictEqual(this.#place.wanted, before)) this.#save(this.#place.wanted)
  }

  #rememberSoon(): void {
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => {
      if (this.#window.isDestroyed()) return
      // A window manager may ignore what a window wants before it has a frame.
      const isIgnored = this.#isToMaximize && !this.#window.isMaximized()
      this.#isToMaximize = false
      if (isIgnored) {
        this.#window.maximize()
        this.#rememberSoon()
        return
      }
      this.remember()
      this.#isSettling = false
    }, REST_MS)
  }
}

export interface PageWindowOptions extends PageGuard {
  readonly preload: string
  readonly icon: string | null
  readonly saved: () => unknown
  readonly save: (state: SavedWindow) => void
}

/**
 * Creates a window for the app's page, in its last place and under the page's guards. It is shown once its page
 * is drawn. The caller loads `home`. `own`: what only this window has.
 */
export function createPageWindow(
  options: PageWindowOptions,
  home: string,
  own: Electron.BrowserWindowConstructorOptions = {},
  sizes?: WindowSizes,
): { readonly next: BrowserWindow; readonly place: PlaceKeeper } {
  const { maximized, ...bounds } = boundsOnScreen(options.saved(), sizes)
  const wanted = { ...bounds, maximized: maximized && own.maximizable !== false }
  const { width, height } = sizes?.min ?? MIN_SIZE
  const next = new BrowserWindow({
    ...bounds,
    minWidth: width,
    minHeight: height,
    show: false,
    title: 'Slipway',
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    ...(options.icon === null ? {} : { icon: options.icon }),
    webPreferences: pagePreferences(options.preload),
    ...own,
  })
  next.once('ready-to-show', () => {
    // Maximizing shows the window, so it must also wait for the page.
    if (wanted.maximized) next.maximize()
    next.show()
  })
  guardPage(next.webContents, home, options)
  return { next, place: new PlaceKeeper(next, { wanted, given: bounds }, options.save) }
}

interface MainWindowOptions extends PageWindowOptions {
  /** Whether closing only hides the window, so that Slipway keeps running in the tray. */
  readonly closeHides: () => boolean
  readonly onShown: (visible: boolean) => void
  /** Called when closing has only hidden the window. */
  readonly onHiddenToTray: () => void
  readonly onFocused: () => void
  readonly onClosed: () => void
  readonly onCrash: (reason: string) => void
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  let opened: BrowserWindow | null = null
  const current = (): BrowserWindow | null => existing(opened)
  let isLetGo = false
  /** Whether the user has closed the window, but it hasn't been hidden yet. */
  let isHiding = false
  let bar: { readonly progress: number; readonly mode: 'none' | Mode } = { progress: -1, mode: 'none' }

  const drawBar = (on: BrowserWindow | null): void =>
    on?.setProgressBar(bar.progress, bar.mode === 'none' ? undefined : { mode: bar.mode })

  const open = (): BrowserWindow => {
    const { next, place } = createPageWindow(options, INDEX)
    const { webContents } = next
    webContents.on('preload-error', (_event, path, error) =>
      options.log('preload.error', { path, message: error.message }),
    )
    webContents.on('render-process-gone', (_event, details) => {
      options.log('page.gone', { reason: details.reason, code: details.exitCode })
      // A page whose process ends cleanly while its window is there is gone as well.
      if (!next.isDestroyed() && !isLetGo) options.onCrash(details.reason)
    })
    next.on('close', (event) => {
      place.remember()
      if (!options.closeHides()) return
      event.preventDefault()
      isHiding = true
      const hidden = (): void => {
        isHiding = false
        options.onHiddenToTray()
      }
      hideWindow(next, () => isHiding, hidden)
    })
    next.on('focus', () => options.onFocused())
    next.on('show', () => options.onShown(true))
    next.on('restore', () => options.onShown(true))
    next.on('hide', () => options.onShown(false))
    next.on('minimize', () => options.onShown(false))
    next.on('closed', () => {
      if (opened === next) opened = null
      options.onClosed()
      if (!isLetGo) options.onShown(false)
    })
    void next.loadURL(INDEX)
    opened = next
    isLetGo = false
    drawBar(next)
    return next
  }

  return {
    show: () => {
      isHiding = false
      const window = current()
      if (window === null) {
        open()
        return
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    page: () => current()?.webContents ?? null,
    isFocused: () => current()?.isFocused() === true,
    isVisible: () => {
      const window = current()
      return window !== null && window.isVisible() && !window.isMinimized()
    },
    isOpen: () => {
      const window = current()
      return window !== null && (window.isVisible() || window.isMinimized())
    },
    setProgress: (progress, mode) => {
      bar = { progress, mode }
      drawBar(current())
    },
    isFree: () =>
      current()?.isFullScreen() === false && bar.mode !== 'normal' && bar.mode !== 'indeterminate',
    letGo: () => {
      const window = current()
      if (window === null) return
      isLetGo = true
      // Remove the progress bar, because the dock and some launchers would keep it.
      window.setProgressBar(-1)
      window.destroy()
    },
    isLetGo: () => isLetGo,
    native: current,
  }
}

/** Returns null for a window that is destroyed, which it may be shortly before `closed` is reported. */
export function existing(window: BrowserWindow | null): BrowserWindow | null {
  return window?.isDestroyed() === false ? window : null
}

/**
 * Returns the absolute path of a file in the built app. `parts` are relative to the parent of main.js's
 * folder.
 */
export function builtPath(...parts: readonly string[]): string {
  return join(import.meta.dirname, '..', ...parts)
}

/**
 * Like `builtPath`, for files that other programs open, since only Electron can read the app's archive. List
 * them under `asarUnpack`.
 */
export function unpackedPath(...parts: readonly string[]): string {
  return builtPath(...parts).replace(/([\\/]app\.asar)(?=[\\/])/, '$1.unpacked')
}
