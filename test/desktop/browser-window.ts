// `BrowserWindow`: a Chromium page with the state of a desktop window. Bounds determine the page's viewport.
// What only a window manager does (stacking, focus, pixels around the page) is state that methods change and
// events report.
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from './app.ts'
import { allowed, desk, note } from './desk.ts'
import { SCREEN } from './screen.ts'
import { endObject, strictClass } from './strict.ts'
import { WebContents } from './web-contents.ts'

/**
 * The height of the title bar and the menu, in pixels. Without such a difference, specs could take the
 * window's size for the page's.
 */
const FRAME_HEIGHT = 28

export class BrowserWindow extends EventEmitter {
  readonly id = ++desk.lastId
  readonly webContents: WebContents
  /** The constructor's argument, for tests. */
  readonly options: Electron.BrowserWindowConstructorOptions
  #title: string
  #visible: boolean
  #state: 'normal' | 'minimized' | 'maximized' | 'full' = 'normal'
  /** The state that `restore` returns to. */
  #before: 'normal' | 'maximized' | 'full' = 'normal'
  #bounds: Electron.Rectangle
  #minimum: readonly [number, number]
  #menuBar: boolean
  #isOnTop: boolean
  #loadedOnce = false
  #gone = false

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super()
    if (!desk.ready) throw new Error('Cannot create BrowserWindow before app is ready')
    this.options = options
    this.#title = options.title ?? app.getName()
    this.#visible = options.show ?? true
    this.#menuBar = !(options.autoHideMenuBar ?? false)
    this.#isOnTop = options.alwaysOnTop ?? false
    this.#minimum = [options.minWidth ?? 0, options.minHeight ?? 0]
    const width = options.width ?? 800
    const height = options.height ?? 600
    // Centred on the screen, like an Electron window without a position.
    const { x = Math.round((SCREEN.width - width) / 2), y = Math.round((SCREEN.height - height) / 2) } =
      options
    this.#bounds = { x, y, width, height }
    this.webContents = new WebContents(this, options.webPreferences ?? {})
    this.webContents.setSize(width, height - FRAME_HEIGHT)
    desk.windows.set(this.id, this)
    app.emit('web-contents-created', {}, this.webContents)
    app.emit('browser-window-created', {}, this)
    if (this.#visible) this.focus()
  }

  static getAllWindows(): BrowserWindow[] {
    return [...desk.windows.values()]
  }

  static getFocusedWindow(): BrowserWindow | null {
    return desk.focused ?? null
  }

  static fromId(id: number): BrowserWindow | null {
    return desk.windows.get(id) ?? null
  }

  static fromWebContents(contents: WebContents | undefined): BrowserWindow | null {
    return [...desk.windows.values()].find((window) => window.webContents === contents) ?? null
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }

  loadFile(path: string): Promise<void> {
    return this.loadURL(pathToFileURL(join(desk.appPath, path)).href)
  }

  reload(): void {
    this.webContents.reload()
  }

  /** Called by the window's `WebContents`. Electron emits `ready-to-show` only once. */
  pageLoaded(): void {
    if (this.#loadedOnce) return
    this.#loadedOnce = true
    this.emit('ready-to-show')
  }

  show(): void {
    this.showInactive()
    this.focus()
  }

  showInactive(): void {
    if (this.#state === 'minimized') this.restore()
    if (this.#visible) return
    this.#visible = true
    this.webContents.setVisible(true)
    if (!this.#loadedOnce) desk.calls.push({ api: 'BrowserWindow.shownBlank', args: [] })
    this.emit('show')
  }

  hide(): void {
    if (!this.#visible) return
    this.#visible = false
    this.webContents.setVisible(false)
    this.emit('hide')
    this.blur()
  }

  focus(): void {
    if (!this.#visible || desk.focused === this) return
    desk.focused?.blur()
    desk.focused = this
    this.emit('focus')
    app.emit('browser-window-focus', {}, this)
  }

  blur(): void {
    if (desk.focused !== this) return
    desk.focused = undefined
    this.emit('blur')
    app.emit('browser-window-blur', {}, this)
  }

  isFocused(): boolean {
    return desk.focused === this
  }

  isVisible(): boolean {
    return this.#visible && this.#state !== 'minimized'
  }

  isDestroyed(): boolean {
    return this.#gone
  }

  minimize(): void {
    if (this.#state === 'minimized') return
    this.#before = this.#state
    this.#state = 'minimized'
    this.webContents.setVisible(false)
    this.emit('minimize')
    this.blur()
  }

  restore(): void {
    if (this.#state !== 'minimized') return
    this.#state = this.#before
    this.webContents.setVisible(true)
    this.emit('restore')
    this.focus()
  }

  isMinimized(): boolean {
    return this.#state === 'minimized'
  }

  maximize(): void {
    if (this.#state === 'maximized') return
    this.#state = 'maximized'
    // As in Electron, maximizing shows a hidden window, with or without a page.
    this.showInactive()
    this.emit('maximize')
    this.#boundsChanged()
  }

  unmaximize(): void {
    if (this.#state !== 'maximized') return
    this.#state = 'normal'
    this.emit('unmaximize')
    this.#boundsChanged()
  }

  isMaximized(): boolean {
    return this.#state === 'maximized'
  }

  setFullScreen(full: boolean): void {
    if (full === this.isFullScreen()) return
    this.#state = full ? 'full' : 'normal'
    this.emit(full ? 'enter-full-screen' : 'leave-full-screen')
    this.#boundsChanged()
  }

  isFullScreen(): boolean {
    return this.#state === 'full'
  }

  isNormal(): boolean {
    return this.#state === 'normal'
  }

  getBounds(): Electron.Rectangle {
    return this.#state === 'maximized' || this.#state === 'full'
      ? { x: 0, y: 0, ...SCREEN }
      : { ...this.#bounds }
  }

  getNormalBounds(): Electron.Rectangle {
    return { ...this.#bounds }
  }

  getContentBounds(): Electron.Rectangle {
    const { x, y, width, height } = this.getBounds()
    const frame = this.isFullScreen() ? 0 : FRAME_HEIGHT
    return { x, y: y + frame, width, height: height - frame }
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const old = this.#bounds
    const [width, height] = this.#minimum
    const wanted = { ...old, ...bounds }
    this.#bounds = {
      ...wanted,
      width: Math.max(wanted.width, width),
      height: Math.max(wanted.height, height),
    }
    if (old.x !== this.#bounds.x || old.y !== this.#bounds.y) this.emit('move')
    if (old.width !== this.#bounds.width || old.height !== this.#bounds.height) this.#boundsChanged()
  }

  #boundsChanged(): void {
    const { width, height } = this.getContentBounds()
    this.webContents.setSize(width, height)
    this.emit('resize')
    this.emit('resized')
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }

  getSize(): number[] {
    return [this.getBounds().width, this.getBounds().height]
  }

  getContentSize(): number[] {
    return [this.getContentBounds().width, this.getContentBounds().height]
  }

  setContentSize(width: number, height: number): void {
    this.setSize(width, height + FRAME_HEIGHT)
  }

  setMinimumSize(width: number, height: number): void {
    this.#minimum = [width, height]
  }

  getMinimumSize(): number[] {
    return [...this.#minimum]
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }

  getPosition(): number[] {
    return [this.getBounds().x, this.getBounds().y]
  }

  center(): void {
    const { width, height } = this.#bounds
    this.setBounds({ x: Math.round((SCREEN.width - width) / 2), y: Math.round((SCREEN.height - height) / 2) })
  }

  setTitle(title: string): void {
    this.#title = title
  }

  getTitle(): string {
    return this.#title
  }

  setAlwaysOnTop(isOnTop: boolean): void {
    if (isOnTop === this.#isOnTop) return
    this.#isOnTop = isOnTop
    this.emit('always-on-top-changed', {}, isOnTop)
  }

  isAlwaysOnTop(): boolean {
    return this.#isOnTop
  }

  setMenuBarVisibility(visible: boolean): void {
    this.#menuBar = visible
  }

  isMenuBarVisible(): boolean {
    return this.#menuBar
  }

  readonly setMenu = note('BrowserWindow.setMenu')
  readonly removeMenu = note('BrowserWindow.removeMenu')
  readonly setAutoHideMenuBar = note('BrowserWindow.setAutoHideMenuBar')
  readonly setProgressBar = note('BrowserWindow.setProgressBar')
  readonly setOverlayIcon = note('BrowserWindow.setOverlayIcon')
  readonly setIcon = note('BrowserWindow.setIcon')
  readonly setBackgroundColor = note('BrowserWindow.setBackgroundColor')
  readonly setTitleBarOverlay = note('BrowserWindow.setTitleBarOverlay')
  readonly setSkipTaskbar = note('BrowserWindow.setSkipTaskbar')
  readonly setContentProtection = note('BrowserWindow.setContentProtection')
  readonly setRepresentedFilename = note('BrowserWindow.setRepresentedFilename')
  readonly setVibrancy = note('BrowserWindow.setVibrancy')
  readonly flashFrame = note('BrowserWindow.flashFrame')
  readonly moveTop = note('BrowserWindow.moveTop')

  /** The app may prevent it. The page's `beforeunload` isn't called. */
  close(): void {
    if (!this.#gone && allowed(this, 'close')) this.destroy()
  }

  destroy(): void {
    if (this.#gone) return
    this.#gone = true
    desk.windows.delete(this.id)
    if (desk.focused === this) desk.focused = undefined
    this.webContents.windowGone()
    endObject(this, ['isDestroyed'], ['webContents'])
    this.emit('closed')
    app.windowGone()
  }
}
strictClass('BrowserWindow', BrowserWindow)
