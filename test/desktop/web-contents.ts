// `webContents`: a Chromium page with the app's preload in an isolated world. Transfers calls and events, and
// enforces the app's decisions about navigation and new windows. Screenshots, printing, dev tools and
// preloads in subframes aren't supported.
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { types } from 'node:util'
import { compileFunction } from 'node:vm'
import type { BrowserWindow } from './browser-window.ts'
import type { Params } from './cdp.ts'
import { FIRST_PAGE, isShown } from './chromium.ts'
import { createCodec } from './codec.ts'
import { allowed, browser, desk, note } from './desk.ts'
import { invokeHandler, ipcMain } from './ipc-main.ts'
import { imageOf, type NativeImage } from './native-image.ts'
import { fromChromium, toChromium } from './schemes.ts'
import { type Session, session } from './session.ts'
import { endObject, strict, strictClass } from './strict.ts'
import { fitWindow, newPage, showWindow } from './targets.ts'
import { ASK, BINDING, DELIVER, type Question, WORLD, worldScripts } from './worlds.ts'

const codec = createCodec(types.isProxy)
/** Chromium's numbers for what a load fails with. */
const NET_ERRORS: Readonly<Record<string, number>> = {
  ERR_ABORTED: -3,
  ERR_FILE_NOT_FOUND: -6,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_UNSAFE_PORT: -312,
}
const bySession = new Map<string, WebContents>()

type OpenHandler = (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse

interface FromPreload {
  readonly kind: 'hello' | 'send' | 'invoke' | 'preload-error' | 'context-menu' | 'input' | 'title'
  readonly id: number
  readonly channel: string
  readonly args: readonly unknown[]
  readonly path: string
  readonly error: Error
  readonly params: { readonly linkURL: string }
  readonly input: Electron.InputEvent
  readonly title: string
}

interface Frame {
  readonly id: string
  readonly parentId?: string
  readonly url: string
}

/**
 * Throws for settings that this project never uses. If the stand-in accepted them, it would hide the mistake.
 */
function checkPreferences(preferences: Electron.WebPreferences): void {
  if (preferences.sandbox === false) throw new Error('stand-in: webPreferences.sandbox must not be false')
  if (preferences.contextIsolation === false)
    throw new Error('stand-in: webPreferences.contextIsolation must not be false')
  if (preferences.nodeIntegration === true)
    throw new Error('stand-in: webPreferences.nodeIntegration must not be true')
  if (preferences.webSecurity === false)
    throw new Error('stand-in: webPreferences.webSecurity must not be false')
  if (preferences.preload !== undefined && !isAbsolute(preferences.preload))
    throw new Error('preload path must be absolute')
}

export class WebContents extends EventEmitter {
  readonly id = ++desk.lastId
  readonly preferences: Electron.WebPreferences
  /** Settles when Chromium's page exists. */
  readonly opened: Promise<void>
  targetId = ''
  readonly session: Session
  readonly #window: BrowserWindow
  #sessionId = ''
  #frame: Frame = { id: '', url: '' }
  #title = ''
  #zoom = 1
  #world: number | undefined
  #undelivered: string[] = []
  #openHandler: OpenHandler | undefined
  #gone = false
  #crashed = false
  /** URLs that the app itself loads. Their requests are allowed without `will-navigate`. */
  readonly #ownLoads: string[] = []
  readonly #loads: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  #failed = false
  #committed = false
  #size = { width: 0, height: 0 }

  constructor(window: BrowserWindow, preferences: Electron.WebPreferences) {
    super()
    checkPreferences(preferences)
    this.#window = window
    this.preferences = preferences
    this.session =
      (preferences.session as Session | undefined) ??
      (preferences.partition === undefined
        ? session.defaultSession
        : session.fromPartition(preferences.partition))
    desk.contents.set(this.id, this)
    this.opened = this.#open()
    this.opened.catch((error: unknown) => {
      if (!this.#gone) console.error('stand-in: a window did not open', error)
    })
  }

  #cdp<T = unknown>(method: string, params: Params = {}): Promise<T> {
    return browser().send<T>(method, params, this.#sessionId)
  }

  /** Sends a command to Chromium and ignores the answer. */
  #tell(method: string, params: Params = {}): void {
    this.opened.then(() => this.#cdp(method, params)).catch(() => undefined)
  }

  async #open(): Promise<void> {
    const targetId = await newPage()
    this.targetId = targetId
    const { sessionId } = await browser().send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    this.#sessionId = sessionId
    bySession.set(sessionId, this)
    const scripts = worldScripts(`s${crypto.randomUUID()}`, this.#readPreload())
    await Promise.all([
      this.#cdp('Page.enable'),
      this.#cdp('Runtime.enable'),
      this.#cdp('DOM.enable'),
      ...(process.env['SLIPWAY_NO_DEBUGGER'] === '1' ? [] : [this.#cdp('Debugger.enable')]),
      this.#cdp('Fetch.enable', {
        patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
      }),
      this.#cdp('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
      this.#cdp('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page }),
      this.#cdp('Page.addScriptToEvaluateOnNewDocument', { source: scripts.preload, worldName: WORLD }),
      this.#cdp('Page.getFrameTree').then((tree) => {
        this.#frame = (tree as { frameTree: { frame: Frame } }).frameTree.frame
      }),
      this.#applySize(),
      this.#applyTheme(),
      // The test tool refuses downloads, which the headless shell then doesn't announce. The app is asked
      // before anything is saved.
      browser().send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: desk.profile }),
    ])
  }

  /** A preload that can't be parsed as a script (such as an ES module) must not break the bridge. */
  #readPreload(): { path: string; source: string; process: Readonly<Record<string, unknown>> } {
    const { versions, platform, arch } = process
    const facts = {
      platform,
      arch,
      versions: { ...versions },
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      env: {},
      argv: [],
    }
    const path = this.preferences.preload
    if (path === undefined) return { path: '', source: '', process: facts }
    try {
      const source = readFileSync(path, 'utf8')
      compileFunction(source, ['require', 'process', 'exports', 'module'], { filename: path })
      return { path, source, process: facts }
    } catch (error) {
      queueMicrotask(() => this.once('did-start-loading', () => this.#preloadFailed(path, error as Error)))
      return { path, source: '', process: facts }
    }
  }

  #preloadFailed(path: string, error: Error): void {
    console.error(`Unable to load preload script: ${path}\n${error.stack ?? error.message}`)
    this.emit('preload-error', {}, path, error)
  }

  /** Handles Chromium's events about this page. */
  onCdp(method: string, params: Params): void {
    switch (method) {
      case 'Runtime.bindingCalled':
        if (params['name'] === BINDING) {
          const context = params['executionContextId'] as number
          this.#fromPreload(codec.decode(params['payload'] as string) as FromPreload, context)
        }
        return
      case 'Runtime.executionContextsCleared':
        this.#world = undefined
        return
      case 'Runtime.consoleAPICalled':
        this.#onConsole(params)
        return
      case 'Runtime.exceptionThrown':
        this.#onException(params)
        return
      case 'Debugger.paused':
        void this.#onPaused(params)
        return
      case 'Fetch.requestPaused':
        this.#onDocumentRequest(params)
        return
      case 'Page.frameRequestedNavigation':
        this.#onRequestedNavigation(params)
        return
      case 'Page.frameNavigated': {
        const frame = params['frame'] as Frame & { readonly unreachableUrl?: string }
        if (frame.parentId !== undefined) return
        this.#failed = frame.unreachableUrl !== undefined
        this.#frame = frame
        this.#committed = true
        if (!this.#failed) this.emit('did-navigate', {}, this.getURL(), 200, '')
        return
      }
      case 'Page.navigatedWithinDocument':
        if (params['frameId'] !== this.#frame.id) return
        this.#frame = { ...this.#frame, url: params['url'] as string }
        this.emit('did-navigate-in-page', {}, this.getURL(), true, 0, 0)
        return
      case 'Page.domContentEventFired':
        if (!this.#failed) this.emit('dom-ready', {})
        return
      case 'Page.loadEventFired':
        this.#onLoaded()
        return
      case 'Inspector.targetReloadedAfterCrash':
        this.#crashed = false
        return
      case 'Page.downloadWillBegin':
        this.#onDownload(params)
        return
      case 'Inspector.targetCrashed':
        this.#crashed = true
        this.#world = undefined
        this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 })
        desk.calls.push({ api: 'render-process-gone', args: [this.id] })
        return
      default:
    }
  }

  #onLoaded(): void {
    if (this.#failed || this.#frame.url.startsWith(FIRST_PAGE)) return
    this.emit('did-finish-load')
    for (const load of this.#loads.splice(0)) load.resolve()
    this.emit('did-stop-loading')
    this.#window.pageLoaded()
  }

  #onTitle(title: string): void {
    if (title === '' || title === this.#title) return
    this.#title = title
    this.emit('page-title-updated', {}, title, true)
    if (allowed(this.#window, 'page-title-updated', title, true)) this.#window.setTitle(title)
  }

  /**
   * Downloads are never saved. If the app doesn't refuse one, an error is logged, because this isn't
   * implemented.
   */
  #onDownload(params: Params): void {
    const url = fromChromium(params['url'] as string)
    const item = strict('DownloadItem', {
      getURL: () => url,
      getFilename: () => params['suggestedFilename'] as string,
    })
    const may = allowed(this.session, 'will-download', item, this)
    desk.calls.push({ api: 'session.willDownload', args: [url, may ? 'allowed' : 'prevented'] })
    if (may) console.error(`stand-in: the download of ${url} is not implemented`)
    browser()
      .send('Browser.cancelDownload', { guid: params['guid'] })
      .catch(() => undefined)
  }

  #onConsole(params: Params): void {
    const type = params['type'] as string
    const level =
      type === 'warning'
        ? 'warning'
        : type === 'error' || type === 'assert'
          ? 'error'
          : type === 'debug'
            ? 'debug'
            : 'info'
    const args = params['args'] as readonly { readonly value?: unknown; readonly description?: string }[]
    const frame = (
      params['stackTrace'] as { callFrames?: readonly { lineNumber: number; url: string }[] } | undefined
    )?.callFrames?.[0]
    const message = args
      .map((one) =>
        typeof one.value === 'string' ? one.value : (one.description ?? JSON.stringify(one.value)),
      )
      .join(' ')
    this.#emitConsole(level, message, frame?.lineNumber ?? 0, frame?.url ?? '')
  }

  #onException(params: Params): void {
    const details = params['exceptionDetails'] as {
      readonly text: string
      readonly lineNumber: number
      readonly url?: string
      readonly exception?: { readonly description?: string }
    }
    this.#emitConsole(
      'error',
      `${details.text} ${details.exception?.description ?? ''}`.trim(),
      details.lineNumber,
      details.url ?? '',
    )
  }

  #emitConsole(level: string, message: string, line: number, source: string): void {
    const details = {
      level,
      message,
      lineNumber: line + 1,
      sourceId: fromChromium(source),
      frame: this.mainFrame,
    }
    this.emit('console-message', details)
  }

  // ---- calls from the preload

  #eventOf(): Electron.IpcMainInvokeEvent {
    const event = {
      type: 'frame',
      sender: this,
      senderFrame: this.mainFrame,
      processId: 1,
      frameId: 1,
      ports: [],
      preventDefault: () => undefined,
      defaultPrevented: false,
      reply: (channel: string, ...args: readonly unknown[]) => this.send(channel, ...args),
    }
    return event as unknown as Electron.IpcMainInvokeEvent
  }

  #fromPreload(message: FromPreload, context: number): void {
    switch (message.kind) {
      case 'hello':
        this.#world = context
        for (const text of this.#undelivered.splice(0)) this.#deliver(text)
        return
      case 'preload-error':
        this.#preloadFailed(message.path, message.error)
        return
      case 'send': {
        const event = this.#eventOf()
        this.emit('ipc-message', event, message.channel, ...message.args)
        ipcMain.emit(message.channel, event, ...message.args)
        return
      }
      case 'invoke':
        void this.#onInvoke(message, context)
        return
      case 'title':
        this.#onTitle(message.title)
        return
      case 'input':
        this.emit('input-event', {}, message.input)
        return
      case 'context-menu':
        this.emit('context-menu', {}, { ...message.params, linkURL: fromChromium(message.params.linkURL) })
        return
      default:
    }
  }

  async #onInvoke({ id, channel, args }: FromPreload, context: number): Promise<void> {
    let text: string
    try {
      const value = await invokeHandler(channel, this.#eventOf(), args)
      text = codec.encode({ kind: 'result', id, ok: true, value })
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error)
      text = codec.encode({
        kind: 'result',
        id,
        ok: false,
        value: `Error invoking remote method '${channel}': ${String(error)}`,
      })
    }
    this.#deliverTo(context, text)
  }

  #deliverTo(contextId: number, text: string): void {
    this.#cdp('Runtime.evaluate', { contextId, expression: `${DELIVER}(${JSON.stringify(text)})` }).catch(
      () => undefined,
    )
  }

  /**
   * As in Electron, a page that is loading or hasn't begun to load gets messages later; those sent to one that
   * crashed are lost.
   */
  #deliver(text: string): void {
    if (this.#world !== undefined) this.#deliverTo(this.#world, text)
    else if (!this.#crashed) this.#undelivered.push(text)
  }

  /** As in Electron, what can't be cloned isn't sent, and the caller doesn't learn of it. */
  send(channel: string, ...args: readonly unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument')
    try {
      this.#deliver(codec.encode({ kind: 'event', channel, args }))
    } catch (error) {
      console.error('Error sending from webFrameMain: ', error)
    }
  }

  /** Drags files, which is recorded. As in Electron, it needs files and an icon that isn't empty. */
  startDrag(item: Electron.Item): void {
    const files = item.files ?? (item.file === undefined ? [] : [item.file])
    if (item.icon === undefined) throw new Error("'icon' parameter is required")
    if (imageOf(item.icon as NativeImage | string).isEmpty())
      throw new Error("Must specify non-empty 'icon' option")
    if (files.length === 0) throw new Error("Must specify either 'file' or 'files' option")
    if (!files.every((file) => isAbsolute(file)))
      throw new Error('stand-in: a dragged file needs an absolute path')
    desk.calls.push({ api: 'webContents.startDrag', args: [files] })
  }

  // ---- synchronous questions from the page

  async #onPaused(params: Params): Promise<void> {
    const [frame] = params['callFrames'] as readonly {
      readonly callFrameId: string
      readonly functionName: string
    }[]
    try {
      if (frame?.functionName === ASK) await this.#answer(frame.callFrameId)
    } catch (error) {
      if (!this.#gone) console.error('stand-in: a question of the page got no answer', error)
    }
    await this.#cdp('Debugger.resume').catch(() => undefined)
  }

  async #answer(callFrameId: string): Promise<void> {
    interface Evaluated {
      readonly result: { readonly value: unknown; readonly objectId: string }
    }
    const evaluate = (expression: string, returnByValue: boolean): Promise<Evaluated> =>
      this.#cdp<Evaluated>('Debugger.evaluateOnCallFrame', { callFrameId, expression, returnByValue })
    const question = (await evaluate('box.question', true)).result.value as Question
    let answer: unknown
    if (question.kind === 'path') {
      const { objectId } = (await evaluate('box.file', false)).result
      // A File created by a script isn't backed by a file. Chromium reports that as an empty path.
      answer = (await this.#cdp<{ path: string }>('DOM.getFileInfo', { objectId })).path
    } else answer = this.#mayOpen(question)
    await evaluate(`box.answer = ${JSON.stringify(answer)}`, true)
  }

  // ---- navigation

  #mayOpen(question: {
    readonly url: string
    readonly frameName: string
    readonly features: string
    readonly disposition: string
  }): boolean {
    const url = fromChromium(question.url)
    const details = {
      ...question,
      url,
      referrer: { url: this.getURL(), policy: 'strict-origin-when-cross-origin' },
    }
    const action = this.#openHandler?.(details as Electron.HandlerDetails).action ?? 'allow'
    desk.calls.push({ api: 'webContents.windowOpen', args: [url, action] })
    if (action === 'allow')
      console.error(
        `stand-in: a second window for ${url} is not implemented; it opens without a BrowserWindow`,
      )
    return action === 'allow'
  }

  /**
   * For windows that opened without asking first, because the debugger was off or a listener of the page
   * stopped the click.
   */
  mayKeep(url: string): boolean {
    return this.#mayOpen({ url, frameName: '', features: '', disposition: 'foreground-tab' })
  }

  #onRequestedNavigation(params: Params): void {
    if (params['frameId'] !== this.#frame.id || params['disposition'] !== 'currentTab') return
    const url = params['url'] as string
    // Chromium sends no request for other schemes, so there is none to pause. The app is asked anyway, except
    // about an empty page, which Electron doesn't announce either.
    if (!/^(?:https?|about):/.test(url)) this.#mayNavigate(url)
  }

  #mayNavigate(chromiumUrl: string): boolean {
    const url = fromChromium(chromiumUrl)
    let prevented = false
    const details = {
      url,
      isMainFrame: true,
      isSameDocument: false,
      frame: this.mainFrame,
      initiator: this.mainFrame,
      preventDefault: () => {
        prevented = true
      },
      get defaultPrevented() {
        return prevented
      },
    }
    this.emit('will-frame-navigate', details)
    if (!prevented) this.emit('will-navigate', details, url, false, true, 1, 1)
    desk.calls.push({ api: 'webContents.willNavigate', args: [url, prevented ? 'prevented' : 'allowed'] })
    return !prevented
  }

  /**
   * Asks the app about everything that it didn't load itself. This includes navigation by a test tool, which
   * Electron would allow.
   */
  #onDocumentRequest(params: Params): void {
    const requestId = params['requestId'] as string
    const { url } = params['request'] as { readonly url: string }
    const isPage = params['frameId'] === this.#frame.id
    const isRedirect = params['redirectedRequestId'] !== undefined
    const may = !isPage || isRedirect || this.#isOwnLoad(url) || this.#mayNavigate(url)
    if (may) this.#tell('Fetch.continueRequest', { requestId })
    else this.#tell('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  }

  #isOwnLoad(url: string): boolean {
    const at = this.#ownLoads.indexOf(url.split('#')[0] ?? '')
    if (at === -1) return false
    this.#ownLoads.splice(at, 1)
    return true
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  async loadURL(url: string): Promise<void> {
    await this.opened
    const address = toChromium(url)
    const load = Promise.withResolvers<void>()
    this.#loads.push(load)
    // The load may fail before Chromium answers `Page.navigate`, when nothing waits for this promise yet.
    load.promise.catch(() => undefined)
    this.#ownLoads.push(address.split('#')[0] ?? '')
    this.emit('did-start-loading')
    const { errorText } = await this.#cdp<{ errorText?: string }>('Page.navigate', { url: address })
    if (errorText !== undefined && errorText !== '') {
      const code = errorText.replace('net::', '')
      const number = NET_ERRORS[code] ?? -2
      this.emit('did-fail-load', {}, number, code, url, true, 1, 1)
      throw new Error(`${code} (${number}) loading '${url}'`)
    }
    await load.promise
  }

  reload(): void {
    this.#ownLoads.push(this.#frame.url.split('#')[0] ?? '')
    this.#tell('Page.reload')
  }

  stop = (): void => this.#tell('Page.stopLoading')

  getURL(): string {
    return this.#isEmpty() ? '' : fromChromium(this.#frame.url)
  }

  /** Whether nothing has been loaded yet. */
  #isEmpty(): boolean {
    return !this.#committed || this.#frame.url.startsWith(FIRST_PAGE)
  }

  getTitle(): string {
    return this.#title
  }

  isLoading(): boolean {
    return this.#loads.length > 0
  }

  isCrashed(): boolean {
    return this.#crashed
  }

  isDestroyed(): boolean {
    return this.#gone
  }

  isFocused(): boolean {
    return desk.focused === this.#window
  }

  focus(): void {
    this.#window.focus()
  }

  get mainFrame(): Electron.WebFrameMain {
    const urlOf = (): string => this.getURL()
    const frame = {
      get url() {
        return urlOf()
      },
      get origin() {
        const url = urlOf()
        return url === '' ? 'null' : `${new URL(url).protocol}//${new URL(url).host}`
      },
      parent: null,
      get top(): object {
        return frame
      },
      frames: [],
      name: '',
      processId: 1,
      routingId: 1,
      frameTreeNodeId: 1,
      detached: false,
      isDestroyed: () => this.isDestroyed(),
      send: (channel: string, ...args: readonly unknown[]) => this.send(channel, ...args),
      executeJavaScript: (code: string) => this.executeJavaScript(code),
    }
    return strict('WebFrameMain', frame) as unknown as Electron.WebFrameMain
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    await this.opened
    const { result, exceptionDetails } = await this.#cdp<{
      readonly result: { readonly value: unknown }
      readonly exceptionDetails?: {
        readonly text: string
        readonly exception?: { readonly description?: string }
      }
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true })
    if (exceptionDetails?.text.startsWith('Uncaught (in promise)') === true)
      throw new Error(/^\w*Error: (.*)/.exec(exceptionDetails.exception?.description ?? '')?.[1] ?? '')
    if (exceptionDetails !== undefined)
      throw new Error(
        'Script failed to execute, this normally means an error was thrown. Check the renderer console for the error.',
      )
    return result.value
  }

  // ---- appearance

  /** Content and frame have the same size, because no desktop draws a title bar. */
  setSize(width: number, height: number): void {
    this.#size = { width, height }
    this.opened.then(() => this.#applySize()).catch(() => undefined)
  }

  #metrics(): Params {
    const scale = this.#zoom
    // Visible windows have their own size, and the page follows it.
    if (isShown()) return { width: 0, height: 0, mobile: false, deviceScaleFactor: scale === 1 ? 0 : scale }
    const { width, height } = this.#size
    const metrics = { width: Math.round(width / scale), height: Math.round(height / scale), mobile: false }
    return { ...metrics, deviceScaleFactor: scale === 1 ? 0 : scale }
  }

  async #applySize(): Promise<void> {
    if (isShown()) await fitWindow(this.targetId, this.#size)
    await this.#cdp('Emulation.setDeviceMetricsOverride', this.#metrics())
  }

  #applyTheme(): Promise<unknown> {
    const value = desk.theme === 'system' ? '' : desk.theme
    return this.#cdp('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
  }

  /** Chromium's page is hidden as long as its window is minimized, unless the test tool keeps it visible. */
  setVisible(isVisible: boolean): void {
    this.opened.then(() => showWindow(this.targetId, isVisible)).catch(() => undefined)
  }

  themeChanged(): void {
    this.opened.then(() => this.#applyTheme()).catch(() => undefined)
  }

  setZoomFactor(factor: number): void {
    if (factor <= 0) throw new Error("'zoomFactor' must be a double greater than 0.0")
    this.#zoom = factor
    this.#tell('Emulation.setDeviceMetricsOverride', this.#metrics())
  }

  getZoomFactor(): number {
    return this.#zoom
  }

  /** One zoom level in Chromium is 20 %. */
  setZoomLevel(level: number): void {
    this.setZoomFactor(1.2 ** level)
  }

  getZoomLevel(): number {
    return Math.log(this.#zoom) / Math.log(1.2)
  }

  readonly setVisualZoomLevelLimits = note('webContents.setVisualZoomLevelLimits', Promise.resolve())
  readonly setBackgroundThrottling = note('webContents.setBackgroundThrottling')
  readonly setWebRTCIPHandlingPolicy = note('webContents.setWebRTCIPHandlingPolicy')
  readonly openDevTools = note('webContents.openDevTools')
  readonly closeDevTools = note('webContents.closeDevTools')
  readonly toggleDevTools = note('webContents.toggleDevTools')
  readonly isDevToolsOpened = (): boolean => false

  undo = (): void => this.#edit('undo')
  redo = (): void => this.#edit('redo')
  cut = (): void => this.#edit('cut')
  copy = (): void => this.#edit('copy')
  paste = (): void => this.#edit('paste')
  pasteAndMatchStyle = (): void => this.#edit('pasteAndMatchStyle')
  delete = (): void => this.#edit('delete')
  selectAll = (): void => this.#edit('selectAll')

  /** Chromium accepts editing commands together with a key press. This key does nothing else. */
  #edit(command: string): void {
    this.#tell('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Unidentified', commands: [command] })
    this.#tell('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Unidentified' })
  }

  // ---- closing and crashing

  /** As in Electron, the window isn't asked. */
  close(): void {
    this.#window.destroy()
  }

  forcefullyCrashRenderer(): void {
    this.#tell('Page.crash')
  }

  /** Chromium has closed the page on its own. */
  targetGone(): void {
    this.#window.destroy()
  }

  windowGone(): void {
    if (this.#gone) return
    this.#gone = true
    bySession.delete(this.#sessionId)
    desk.contents.delete(this.id)
    for (const load of this.#loads.splice(0))
      load.reject(new Error(`ERR_FAILED (-2) loading '${this.getURL()}'`))
    this.opened
      .then(() => browser().send('Target.closeTarget', { targetId: this.targetId }))
      .catch(() => undefined)
    this.emit('destroyed')
    // Chromium's messages may still arrive and call `targetGone` or `onCdp`.
    endObject(this, ['isDestroyed', 'targetGone', 'onCdp'], ['session'])
  }

  static getAllWebContents(): WebContents[] {
    return [...desk.contents.values()]
  }

  static getFocusedWebContents(): WebContents | null {
    return desk.focused?.webContents ?? null
  }

  static fromId(id: number): WebContents | undefined {
    return desk.contents.get(id)
  }

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return [...desk.contents.values()].find((one) => one.targetId === targetId)
  }
}
strictClass('WebContents', WebContents)

interface TargetInfo {
  readonly type: string
  readonly targetId: string
  readonly url: string
  readonly openerId?: string
}

/** Dispatches Chromium's events to the windows they belong to. Call once per run. */
export function followChromium(): void {
  browser().listen((method, params, sessionId) => {
    if (sessionId !== undefined) {
      bySession.get(sessionId)?.onCdp(method, params)
      return
    }
    const info = params['targetInfo'] as TargetInfo | undefined
    if (method === 'Target.targetCreated' && info?.type === 'page' && info.openerId !== undefined) {
      const opener = WebContents.fromDevToolsTargetId(info.openerId)
      if (opener && !opener.mayKeep(info.url))
        browser()
          .send('Target.closeTarget', { targetId: info.targetId })
          .catch(() => undefined)
    }
    if (method === 'Target.targetDestroyed')
      WebContents.fromDevToolsTargetId(params['targetId'] as string)?.targetGone()
  })
  browser()
    .send('Target.setDiscoverTargets', { discover: true })
    .catch(() => undefined)
}
