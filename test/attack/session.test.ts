// What the window lets a page load, open and become: the app's own files, nothing of a network, whatever the
// content policy says, no other window, and no way out of the sandbox. Electron is mocked, so this shows what
// Chromium is told; test/e2e shows what it does.
import type { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createMainWindow, lockSession } from '../../src-main/shell/window/window.ts'

interface Contents extends EventEmitter {
  open?: (details: { readonly url: string }) => { readonly action: string }
}

type Filter = (
  details: { readonly url: string },
  answer: (response: { readonly cancel?: boolean }) => void,
) => void
type OnPermission = (contents: null, permission: string, answer: (granted: boolean) => void) => void

const told = vi.hoisted(() => ({
  filters: [] as unknown[],
  proxies: [] as unknown[],
  preferences: [] as unknown[],
  contents: [] as unknown[],
  webRtc: [] as string[],
  loaded: [] as string[],
  opened: [] as string[],
  permissions: new Map<string, unknown>(),
  session: { on: new Map<string, (event: unknown) => void>() },
}))
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  class BrowserWindow extends Emitter {
    webContents = Object.assign(new Emitter(), {
      setWindowOpenHandler(this: { open?: unknown }, open: unknown) {
        this.open = open
      },
      setWebRTCIPHandlingPolicy: (policy: string) => void told.webRtc.push(policy),
      loadURL: async (url: string) => void told.loaded.push(url),
    })
    constructor({ webPreferences }: { readonly webPreferences: unknown }) {
      super()
      told.preferences.push(webPreferences)
      told.contents.push(this.webContents)
    }
    setProgressBar(): void {}
    async loadURL(): Promise<void> {}
  }
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1440, height: 900 } }
  return {
    BrowserWindow,
    nativeTheme: {},
    protocol: {},
    screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] },
    shell: { openExternal: async (url: string) => void told.opened.push(url) },
    session: {
      defaultSession: {
        on: (name: string, listener: (event: unknown) => void) => told.session.on.set(name, listener),
        setPermissionCheckHandler: (check: unknown) => told.permissions.set('check', check),
        setPermissionRequestHandler: (request: unknown) => told.permissions.set('request', request),
        setSpellCheckerEnabled: () => undefined,
        setProxy: (proxy: unknown) => void told.proxies.push(proxy),
        webRequest: { onBeforeRequest: (filter: unknown) => void told.filters.push(filter) },
      },
    },
  }
})

beforeEach(() => {
  for (const list of [told.filters, told.proxies, told.webRtc, told.loaded, told.opened]) list.length = 0
})

/** The contents of a new window, and what it has been told about the user's input. */
function opened({ mayOpen = true } = {}): { readonly contents: Contents; readonly inputs: unknown[] } {
  const inputs: unknown[] = []
  createMainWindow({
    preload: '/preload.cjs',
    icon: null,
    saved: () => null,
    save: () => undefined,
    closeHides: () => false,
    onShown: () => undefined,
    onHiddenToTray: () => undefined,
    onFocused: () => undefined,
    onClosed: () => undefined,
    onCrash: () => undefined,
    log: () => undefined,
    onInput: (event) => inputs.push(event),
    mayOpen: () => mayOpen,
  }).show()
  return { contents: told.contents.at(-1) as Contents, inputs }
}

/** Whether a listener of this event has kept Chromium from doing what it announces. */
function isPrevented(emitter: EventEmitter, name: string, event: object = {}): boolean {
  let isStopped = false
  emitter.emit(name, {
    ...event,
    preventDefault: () => {
      isStopped = true
    },
  })
  return isStopped
}

describe('the session', () => {
  beforeEach(() => lockSession())

  it.each([
    ['app://slipway/index.html', false],
    ['app://slipway/preview/7', false],
    ['blob:app://slipway/0f', false],
    ['https://evil.example/?secret', true],
    ['http://127.0.0.1:8080/', true],
    ['ws://evil.example/', true],
    ['wss://evil.example/', true],
    ['ftp://evil.example/', true],
    ['file:///etc/passwd', true],
    ['data:text/html,x', true],
    ['filesystem:app://slipway/x', true],
    ['chrome-extension://x/', true],
    ['application://x', true],
  ])('is asked for %s, which is blocked: %s', (url, isBlocked) => {
    const [filter] = told.filters as Filter[]
    let answer: boolean | undefined
    filter?.({ url }, ({ cancel }) => {
      answer = cancel
    })
    expect(answer).toBe(isBlocked)
  })

  it('sends what goes past these requests, such as WebRTC over TCP, to a proxy that does not exist, for this computer as well', () => {
    expect(told.proxies).toEqual([
      { mode: 'fixed_servers', proxyRules: 'http://127.0.0.1:9', proxyBypassRules: '<-loopback>' },
    ])
  })

  it.each(['media', 'geolocation', 'clipboard-read', 'fileSystem', 'openExternal'])(
    'neither grants a page %s nor says that it has it',
    (permission) => {
      let isGranted: boolean | undefined
      const onRequest = told.permissions.get('request') as OnPermission
      onRequest(null, permission, (granted) => {
        isGranted = granted
      })
      const check = told.permissions.get('check') as (contents: null, name: string) => boolean
      expect([isGranted, check(null, permission)]).toEqual([false, false])
    },
  )

  it('saves no file that a page offers as a download', () => {
    let isStopped = false
    told.session.on.get('will-download')?.({
      preventDefault: () => {
        isStopped = true
      },
    })
    expect(isStopped).toBe(true)
  })
})

describe('the window', () => {
  it('runs its page in the sandbox, apart from the preload script, without Node and without developer tools', () => {
    opened()
    expect(told.preferences.at(-1)).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      navigateOnDragDrop: false,
      devTools: false,
    })
    expect(told.webRtc).toEqual(['disable_non_proxied_udp'])
  })

  it.each(['https://evil.example/', 'file:///etc/passwd', 'data:text/html,x', 'about:blank'])(
    'goes nowhere but to its own page: not to %s',
    (url) => {
      const { contents } = opened()
      expect(isPrevented(contents, 'will-navigate', { url })).toBe(true)
      contents.emit('did-navigate', {}, url)
      expect(told.loaded).toEqual(['app://slipway/index.html'])
    },
  )

  it('lets its own page load itself', () => {
    const { contents } = opened()
    expect(isPrevented(contents, 'will-navigate', { url: 'app://slipway/index.html' })).toBe(false)
    contents.emit('did-navigate', {}, 'app://slipway/index.html')
    expect(told.loaded).toEqual([])
  })

  it('opens no other window, and http(s) links in the browser only if the user has just clicked', () => {
    const links = ['https://files.example.com/d/1', 'file:///etc/passwd', 'smb://evil.example/x']
    for (const mayOpen of [false, true])
      for (const url of links)
        expect(opened({ mayOpen }).contents.open?.({ url })).toEqual({ action: 'deny' })
    expect(told.opened).toEqual(['https://files.example.com/d/1'])
  })

  it('embeds no other page', () => {
    expect(isPrevented(opened().contents, 'will-attach-webview')).toBe(true)
  })

  it('learns of clicks and keys from Chromium, not from the page', () => {
    const { contents, inputs } = opened()
    contents.emit('input-event', {}, { type: 'mouseDown' })
    expect(inputs).toEqual([{ type: 'mouseDown' }])
  })
})
