// Tests of the stand-in with small apps: it is as strict as Electron where an app could make mistakes, and
// otherwise does what Electron does. Specs that need `standIn`, which exists only in the stand-in, are at the
// end and run only there.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  _electron,
  test as base,
  expect as baseExpect,
  type ElectronApplication,
  type Page,
} from '@playwright/test'
import type { StandIn } from '../desktop/stand-in.ts'
import { START_MS } from './slipway.ts'

/** Long for the same reasons as in fixture.ts. */
const expect = baseExpect.configure({ timeout: 20_000 })
const TEST_MS = 120_000

const LAB = join(import.meta.dirname, 'lab')
const executable = createRequire(import.meta.url)('electron') as string
const isStandIn = process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined

/** What the lab's pages and main modules provide to the specs. */
interface Lab {
  readonly [name: string]: (...args: readonly unknown[]) => unknown
}
declare global {
  var lab: never
}

interface Opened {
  readonly app: ElectronApplication
  readonly page: Page
}

interface SharedLab extends Opened {
  readonly data: string
}

/**
 * `lab` is an app that several tests use, for those that change nothing that outlives its page: each gets a
 * page that was just loaded. All others have an app of their own.
 */
const test = base.extend<{ readonly lab: SharedLab }, { readonly sharedLab: SharedLab }>({
  sharedLab: [
    async ({ browserName: _none }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'slipway-lab-'))
      const app = await start(folder)
      const page = await app.firstWindow({ timeout: START_MS })
      await scriptsHaveRun(page)
      await use({ app, page, data: folder })
      await app.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
    { scope: 'worker', timeout: TEST_MS },
  ],
  lab: async ({ sharedLab }, use) => {
    const window = await sharedLab.app.browserWindow(sharedLab.page)
    await window.evaluate((one: Electron.BrowserWindow) => one.loadURL('app://bundle/index.html'))
    await scriptsHaveRun(sharedLab.page)
    await use(sharedLab)
  },
})

test.describe.configure({ mode: 'parallel' })

const started: ElectronApplication[] = []
let data = ''

test.beforeEach(() => {
  test.setTimeout(TEST_MS)
  data = mkdtempSync(join(tmpdir(), 'slipway-lab-'))
})
test.afterEach(async () => {
  for (const app of started.splice(0)) await app.close().catch(() => undefined)
  rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})

interface LabStart {
  readonly main?: string
  readonly env?: Readonly<Record<string, string>>
}

function start(folder: string, { main = '', env = {} }: LabStart = {}): Promise<ElectronApplication> {
  return _electron.launch({
    args: [join(LAB, main), `--user-data-dir=${folder}`],
    env: { ...(process.env as Record<string, string>), ...env },
    colorScheme: null,
    timeout: START_MS,
  })
}

async function launch(labStart: LabStart = {}): Promise<ElectronApplication> {
  const app = await start(data, labStart)
  started.push(app)
  return app
}

async function open(env: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const app = await launch({ env })
  const page = await app.firstWindow({ timeout: START_MS })
  await scriptsHaveRun(page)
  return { app, page }
}

/**
 * Resolves once the lab's script has added its listeners. Its heading is visible before that, while the
 * script is still loading.
 */
async function scriptsHaveRun(page: Page): Promise<void> {
  await expect(page).toHaveTitle('Lab, ready')
  await expect(page.getByRole('heading')).toHaveText('Lab')
}

/** A recorded value in the main process of the lab. */
function record<T>(app: ElectronApplication, name: string): Promise<T> {
  return app.evaluate((_module, key) => (globalThis.lab as Record<string, unknown>)[key] as never, name)
}

/** The result of a call to the bridge, or the message that it throws. */
function bridge(page: Page, name: string, ...args: readonly unknown[]): Promise<unknown> {
  return page.evaluate(
    async ([key, given]) => {
      try {
        return await (globalThis.lab as Lab)[key]?.(...given)
      } catch (error) {
        return error instanceof Error ? `${error.name}: ${error.message}` : error
      }
    },
    [name, args] as const,
  )
}

test.describe('a window', () => {
  test('a click reaches the main process and back; the main process knows the sender', async () => {
    const { app, page } = await open()
    await page.getByRole('button', { name: 'Greet' }).click()
    await expect(page.locator('output')).toHaveText('Hello Ada')
    const url = 'app://bundle/index.html'
    expect(await record(app, 'frames')).toEqual([{ url, parent: null, top: url }])
    expect(await record(app, 'created')).toBe(1)
  })

  test('its custom scheme streams, preserves status and headers, and keeps the app’s URLs', async ({
    lab: { app, page },
  }) => {
    const got = await page.evaluate(async () => {
      const response = await fetch('/stream')
      return {
        status: response.status,
        lab: response.headers.get('x-lab'),
        text: await response.text(),
        secure: isSecureContext,
      }
    })
    expect(got).toEqual({ status: 203, lab: 'yes', text: 'part 0\npart 1\npart 2\n', secure: true })
    expect(await record(app, 'requests')).toContain('GET app://bundle/stream')
    // The policy that came with the page is enforced.
    expect(await page.evaluate(() => fetch('http://127.0.0.1:9/').then(String, String))).toMatch(/TypeError/)
    const inline = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "ran"'
      document.body.append(script)
      return document.title
    })
    expect(inline).toBe('Lab, ready')
  })

  test('its size is that of the page', async () => {
    const { app, page } = await open()
    const window = await app.browserWindow(page)
    expect(
      await window.evaluate((one: Electron.BrowserWindow) => [
        one.getBounds().width,
        one.isMaximized(),
        one.isVisible(),
      ]),
    ).toEqual([700, false, true])
    await window.evaluate((one: Electron.BrowserWindow) => one.setContentSize(420, 640))
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(420)
    const normal = await window.evaluate((one: Electron.BrowserWindow) => one.getBounds().width)
    await window.evaluate((one: Electron.BrowserWindow) => one.maximize())
    await expect.poll(() => page.evaluate(() => innerWidth)).toBeGreaterThan(700)
    expect(await window.evaluate((one: Electron.BrowserWindow) => one.getNormalBounds().width)).toBe(normal)
    await window.evaluate((one: Electron.BrowserWindow) => one.unmaximize())
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(420)
    await window.evaluate((one: Electron.BrowserWindow) => one.webContents.setZoomFactor(2))
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(210)
  })

  test('closing can be prevented, and takes effect otherwise', async () => {
    const { app, page } = await open()
    const window = await app.browserWindow(page)
    await window.evaluate((one: Electron.BrowserWindow) => {
      one.once('close', (event) => {
        event.preventDefault()
        one.hide()
      })
      one.close()
    })
    expect(
      await window.evaluate((one: Electron.BrowserWindow) => [one.isDestroyed(), one.isVisible()]),
    ).toEqual([false, false])
    await app.evaluate(({ app: main }) => main.on('window-all-closed', () => undefined))
    await window.evaluate((one: Electron.BrowserWindow) => one.close())
    await expect.poll(() => app.windows().length).toBe(0)
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0)
  })

  test('its theme is the one that the app chose', async () => {
    const { app, page } = await open()
    const isDark = (): Promise<boolean> =>
      page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    const updates = await app.evaluate(({ nativeTheme }) => {
      let count = 0
      nativeTheme.on('updated', () => count++)
      nativeTheme.themeSource = 'dark'
      return [count, nativeTheme.shouldUseDarkColors]
    })
    expect(updates[1]).toBe(true)
    await expect.poll(isDark).toBe(true)
    await app.evaluate(({ nativeTheme }) => {
      nativeTheme.themeSource = 'light'
    })
    await expect.poll(isDark).toBe(false)
  })

  test('a key press can be intercepted before the page gets it', async () => {
    const { app, page } = await open()
    const window = await app.browserWindow(page)
    await window.evaluate((one: Electron.BrowserWindow) =>
      one.webContents.on('before-input-event', (event, input) => {
        if (input.key === 'x') event.preventDefault()
      }),
    )
    await page.evaluate(() => {
      document.title = ''
      addEventListener('keydown', (event) => {
        document.title += event.key
      })
    })
    await expect(async () => {
      await page.evaluate(() => {
        document.title = ''
      })
      for (const key of ['a', 'x', 'b']) await page.keyboard.press(key)
      expect(await page.title()).toBe('ab')
    }).toPass()
  })

  test('reports its context menu, unless the page has its own', async () => {
    const { app, page } = await open()
    const window = await app.browserWindow(page)
    await window.evaluate((one: Electron.BrowserWindow) => {
      const menus: unknown[] = []
      Reflect.set(globalThis.lab, 'menus', menus)
      one.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags }) =>
        menus.push([isEditable, selectionText, editFlags.canCopy]),
      )
    })
    await page.evaluate(() => {
      const field = document.createElement('textarea')
      field.value = 'some text'
      document.body.prepend(field)
      field.select()
      document.querySelector('#drop')?.addEventListener('contextmenu', (event) => event.preventDefault())
    })
    await page.locator('textarea').click({ button: 'right' })
    await page.locator('#drop').click({ button: 'right' })
    await page.getByRole('heading').click({ button: 'right' })
    await expect
      .poll(() => record(app, 'menus'))
      .toEqual([
        [true, 'some text', true],
        [false, expect.any(String), expect.any(Boolean)],
      ])
  })

  test('work runs in a separate thread', async ({ lab: { app, data: folder } }) => {
    expect(await app.evaluate(() => (globalThis.lab as Lab)['inWorker']?.())).toBe(
      await app.evaluate(() => process.version),
    )
    const facts = await app.evaluate(({ app: main }) => [
      process.type,
      main.isPackaged,
      typeof process.resourcesPath,
      process.versions.electron,
    ])
    expect(facts).toEqual(['browser', false, 'string', expect.stringMatching(/^45\./)])
    expect(
      await app.evaluate(({ app: main }) => [main.getName(), main.getVersion(), main.getPath('userData')]),
    ).toEqual(['lab', '1.2.3', folder])
  })
})

test.describe('a preload', () => {
  test('runs in a world that the page can’t access', async ({ lab: { page } }) => {
    const seen = await page.evaluate(() => [
      typeof Reflect.get(globalThis, 'secretOfThePreload'),
      typeof Reflect.get(globalThis, 'require'),
      typeof Reflect.get(globalThis, 'process'),
    ])
    expect(seen).toEqual(['undefined', 'undefined', 'undefined'])
    const own = await page.evaluate(() =>
      Object.getOwnPropertyNames(globalThis).filter((name) => /stand|electron|slipway/i.test(name)),
    )
    expect(own).toEqual([])
    const facts = await page.evaluate(() => Reflect.get(globalThis.lab, 'facts') as unknown)
    expect(facts).toEqual({
      type: 'renderer',
      sandboxed: true,
      platform: process.platform,
      electron: expect.stringMatching(/^45\./),
      require: 'function',
    })
  })

  test('that is an ES module isn’t loaded, and the page gets no bridge', async () => {
    const { app, page } = await open({ LAB_PRELOAD: 'preload-module.mjs' })
    await expect.poll(() => record<string[][]>(app, 'preloadErrors')).toHaveLength(1)
    const [[file, message] = []] = await record<string[][]>(app, 'preloadErrors')
    expect(file).toBe('preload-module.mjs')
    expect(message).toMatch(/Cannot use import statement outside a module/)
    expect(await page.evaluate(() => typeof globalThis.lab)).toBe('undefined')
  })

  test('can’t load Node modules, and the page gets no bridge', async () => {
    const { app, page } = await open({ LAB_PRELOAD: 'preload-files.cjs' })
    await expect
      .poll(() => record<string[][]>(app, 'preloadErrors'))
      .toEqual([['preload-files.cjs', 'module not found: node:fs']])
    expect(await page.evaluate(() => typeof globalThis.lab)).toBe('undefined')
  })

  test('that is missing is reported, and the page gets no bridge', async () => {
    const { app, page } = await open({ LAB_PRELOAD: 'nothing.cjs' })
    await expect.poll(() => record<string[][]>(app, 'preloadErrors')).toHaveLength(1)
    const [[file, message] = []] = await record<string[][]>(app, 'preloadErrors')
    expect([file, message]).toEqual(['nothing.cjs', expect.stringMatching(/ENOENT/)])
    expect(await page.evaluate(() => typeof globalThis.lab)).toBe('undefined')
  })
})

test.describe('the bridge', () => {
  test('carries values, promises, callbacks and errors, and is frozen', async ({ lab: { page } }) => {
    const got = await page.evaluate(async () => {
      const lab = globalThis.lab as {
        readonly date: Date
        readonly nested: { readonly deep: { add: (a: number, b: number) => number } }
        readonly symbol: unknown
        readonly resolves: () => Promise<{ readonly at: Date; readonly list: readonly number[] }>
        readonly callBack: (callback: (text: string, count: number) => string) => string
        readonly same: (callback: () => void) => unknown
      }
      const callback = (): void => undefined
      const resolved = await lab.resolves()
      return {
        date: lab.date.toISOString(),
        sum: lab.nested.deep.add(1, 2),
        symbol: typeof lab.symbol,
        at: resolved.at.getTime(),
        list: resolved.list,
        back: lab.callBack((text, count) => `${text} ${count}`),
        same: lab.same(callback) === callback,
        frozen: [Object.isFrozen(lab), Object.isFrozen(lab.nested.deep)],
        writable: Object.getOwnPropertyDescriptor(globalThis, 'lab')?.writable,
      }
    })
    expect(got).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      sum: 3,
      symbol: 'undefined',
      at: 5,
      list: [1, 2],
      back: 'from the preload 2',
      same: true,
      frozen: [true, true],
      writable: false,
    })
    expect(await bridge(page, 'throws')).toBe('Error: no such thing')
    expect(await bridge(page, 'rejects')).toBe('Error: later, no')
    expect(await bridge(page, 'weak')).toMatch(/An object could not be cloned\.$/)
    const taken = 'Error: Cannot bind an API on top of an existing property on the window object'
    expect(await bridge(page, 'exposeAgain')).toBe(taken)
    expect(await bridge(page, 'exposeOver')).toBe(taken)
  })

  test('calls to the main process: values arrive unchanged, errors with Electron’s message', async ({
    lab: { app, page },
  }) => {
    const values = await page.evaluate(async () => {
      const { invoke } = globalThis.lab as Lab
      const circle: { self?: unknown } = {}
      circle.self = circle
      const given = {
        map: new Map([[1, new Set(['a'])]]),
        when: new Date(7),
        big: 2n ** 70n,
        none: undefined,
        nan: Number.NaN,
        bytes: new Uint8Array([1, 255]),
        circle,
      }
      const back = (await invoke?.('echo', given)) as typeof given
      return [
        back.map.get(1)?.has('a'),
        back.when.getTime(),
        back.big === given.big,
        'none' in back,
        Number.isNaN(back.nan),
        [...back.bytes],
        back.circle.self === back.circle,
        await invoke?.('describe', given.map),
        await invoke?.('describe', new Error('x')),
      ]
    })
    expect(values).toEqual([
      true,
      7,
      true,
      true,
      true,
      [1, 255],
      true,
      [[1, expect.anything()]],
      '[object Error]',
    ])
    expect(await bridge(page, 'invoke', 'fail')).toBe(
      "Error: Error invoking remote method 'fail': RangeError: out of reach",
    )
    expect(await bridge(page, 'invoke', 'nobody')).toBe(
      "Error: Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
    )
    expect(await bridge(page, 'invoke', 'function')).toBe(
      "Error: Error invoking remote method 'function': Error: An object could not be cloned.",
    )
    expect(await bridge(page, 'invokeFunction')).toBe('Error: An object could not be cloned.')
    expect(await bridge(page, 'sendFunction')).toBe('Error: An object could not be cloned.')
    const window = await app.browserWindow(page)
    const thrown = await window.evaluate((one: Electron.BrowserWindow) => {
      try {
        one.webContents.send('told', () => 1)
        return ''
      } catch (error) {
        return String(error)
      }
    })
    expect(thrown).toBe('Error: Failed to serialize arguments')
    const twice = await app.evaluate(({ ipcMain }) => {
      try {
        ipcMain.handle('echo', () => undefined)
        return ''
      } catch (error) {
        return String(error)
      }
    })
    expect(twice).toBe("Error: Attempted to register a second handler for 'echo'")
  })

  test('messages are delivered in both directions, in order', async () => {
    const { app, page } = await open()
    await bridge(page, 'say', 'one', 2)
    await expect.poll(() => record(app, 'sent')).toEqual([['one', 2]])
    const window = await app.browserWindow(page)
    await window.evaluate((one: Electron.BrowserWindow) => {
      for (let count = 0; count < 5; count++) one.webContents.send('told', count)
    })
    await expect.poll(() => bridge(page, 'heard')).toEqual([['answered', 2], [0], [1], [2], [3], [4]])
  })
})

test('messages sent before there is a page are lost', async () => {
  const { app } = await open()
  const coming = app.waitForEvent('window')
  await app.evaluate(
    async ({ BrowserWindow }, preload) => {
      const second = new BrowserWindow({ webPreferences: { preload } })
      second.webContents.send('told', 'too early')
      await second.loadURL('app://bundle/index.html')
      second.webContents.send('told', 'in time')
    },
    join(LAB, 'preload.cjs'),
  )
  const page = await coming
  await expect(page.getByRole('heading')).toHaveText('Lab')
  await expect.poll(() => bridge(page, 'heard')).toEqual([['in time']])
})

test.describe('files', () => {
  test('a chosen file has its path immediately', async ({ lab: { page } }) => {
    const file = join(data, 'ünder the räin.txt')
    writeFileSync(file, 'x')
    await page.locator('input').setInputFiles(file)
    await expect(page.locator('output')).toHaveText(file)
  })

  test('dropped files have their paths', async ({ lab: { page } }) => {
    const files = ['a.txt', 'b.txt'].map((name) => join(data, name))
    for (const file of files) writeFileSync(file, 'x')
    const box = await page.locator('#drop').boundingBox()
    const at = {
      x: (box?.x ?? 0) + 10,
      y: (box?.y ?? 0) + 10,
      data: { items: [], files, dragOperationsMask: 1 },
    }
    const chromium = await page.context().newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await chromium.send('Input.dispatchDragEvent', { type, ...at })
    await expect(page.locator('output')).toHaveText(files.join(' '))
  })

  test('a file created by a script has no path', async ({ lab: { page } }) => {
    const path = await page.evaluate(() => (globalThis.lab as Lab)['pathOf']?.(new File(['x'], 'made.txt')))
    expect(path).toBe('')
  })
})

test.describe('where a page may go', () => {
  test('a navigation is announced and can be refused', async () => {
    const { app, page } = await open()
    const window = await app.browserWindow(page)
    await window.evaluate((one: Electron.BrowserWindow) => {
      const asked: string[] = []
      Reflect.set(globalThis.lab, 'asked', asked)
      one.webContents.on('will-navigate', (event) => {
        asked.push(event.url)
        if (!event.url.startsWith('app://')) event.preventDefault()
      })
    })
    await page.locator('#away').click({ noWaitAfter: true })
    await expect.poll(() => record(app, 'asked')).toEqual(['http://other.test/'])
    await page.evaluate(() => {
      location.href = 'http://other.test/by-script'
    })
    await expect
      .poll(() => record(app, 'asked'))
      .toEqual(['http://other.test/', 'http://other.test/by-script'])
    await expect(page.getByRole('heading')).toHaveText('Lab')
    await page.locator('#next').click()
    await expect(page.getByRole('heading')).toHaveText('Next')
    expect(await record<string[]>(app, 'asked')).toEqual([
      'http://other.test/',
      'http://other.test/by-script',
      'app://bundle/next.html',
    ])
    // The app isn't asked about what main itself loads.
    await window.evaluate((one: Electron.BrowserWindow) => one.loadURL('app://bundle/index.html'))
    await scriptsHaveRun(page)
    expect(await record<string[]>(app, 'asked')).toHaveLength(3)
    await page.getByRole('button', { name: 'Greet' }).click()
    await expect(page.locator('output')).toHaveText('Hello Ada')
  })

  test('a new window is announced and can be refused, from scripts and links', async () => {
    const { app, page } = await open()
    const window = await app.browserWindow(page)
    await window.evaluate((one: Electron.BrowserWindow) => {
      const asked: string[] = []
      Reflect.set(globalThis.lab, 'asked', asked)
      one.webContents.setWindowOpenHandler(({ url }) => {
        asked.push(url)
        return { action: 'deny' }
      })
    })
    await page.getByRole('button', { name: 'Open' }).click()
    await expect(page.locator('output')).toHaveText('null')
    await page.locator('#blank').click()
    await page.locator('#next').click({ modifiers: ['ControlOrMeta'] })
    await page.locator('#away').click({ button: 'middle' })
    await expect
      .poll(() => record(app, 'asked'))
      .toEqual([
        'https://other.test/opened',
        'https://other.test/page',
        'app://bundle/next.html',
        'http://other.test/',
      ])
    expect(app.windows()).toHaveLength(1)
    await expect(page.getByRole('heading')).toHaveText('Lab')
  })

  test('a download is announced and can be refused', async () => {
    const { app, page } = await open()
    await app.evaluate(({ session }) => {
      session.defaultSession.on('will-download', (event, item) => {
        event.preventDefault()
        Reflect.set(globalThis.lab, 'download', [item.getURL(), item.getFilename()])
      })
    })
    await page.locator('#load').click()
    await expect.poll(() => record(app, 'download')).toEqual(['app://bundle/page.js', 'page.js'])
  })
})

test.describe('the life of an app', () => {
  test('calls that require the ready state are refused before it, and calls that must precede it afterwards', async () => {
    const app = await launch({ main: 'early.js' })
    await expect.poll(() => record(app, 'ready')).toBe(true)
    const lab = await app.evaluate(() => globalThis.lab as Readonly<Record<string, unknown>>)
    expect(lab).toMatchObject({
      early: false,
      window: expect.stringMatching(/before app is ready/),
      session: expect.stringMatching(/when app is ready/),
      late: 'protocol.registerSchemesAsPrivileged should be called before app is ready',
    })
    expect(lab['tray']).not.toBe('nothing was thrown')
    expect(lab['emptyTray']).toMatch(/Failed to load image/)
  })

  test('a main module that awaits `ready` at its top level waits forever', async () => {
    const app = await launch({ main: 'waits.js' })
    await expect(app.firstWindow({ timeout: 3000 })).rejects.toThrow(/Timeout/)
    expect(await app.evaluate(() => globalThis.lab as string)).toBe('waiting')
  })

  test('a second instance is reported to the first and exits', async () => {
    const app = await launch({ main: 'single.js' })
    await app.firstWindow({ timeout: START_MS })
    const second = spawn(
      executable,
      [join(LAB, 'single.js'), `--user-data-dir=${data}`, 'file to upload.txt'],
      {
        cwd: tmpdir(),
        stdio: 'ignore',
      },
    )
    const code = await new Promise((resolve) => second.once('exit', resolve))
    expect(code).toBe(0)
    await expect.poll(() => record(app, 'seconds')).toHaveLength(1)
    const [told] = await record<{ argv: string[]; cwd: string; data: unknown }[]>(app, 'seconds')
    expect(told).toEqual({
      argv: expect.arrayContaining(['file to upload.txt']),
      cwd: tmpdir(),
      data: { from: 'file to upload.txt' },
    })
  })

  test('quitting follows its steps, and each can be prevented', async () => {
    const { app } = await open()
    const steps = await app.evaluate(({ app: main, BrowserWindow }) => {
      const seen: string[] = []
      const [window] = BrowserWindow.getAllWindows()
      for (const name of ['before-quit', 'will-quit'] as const)
        main.on(name as 'will-quit', () => seen.push(name))
      window?.on('close', () => seen.push('close'))
      main.once('before-quit', (event) => event.preventDefault())
      main.quit()
      window?.once('close', (event) => event.preventDefault())
      main.quit()
      return seen
    })
    await expect.poll(() => steps).toEqual(['before-quit', 'before-quit', 'close'])
    const gone = new Promise((resolve) => app.process().once('exit', resolve))
    await app.close()
    expect(await gone).toBe(0)
  })
})

test.describe('a menu', () => {
  test('is validated when it is built, and its items perform their roles', async ({ lab: { app } }) => {
    const got = await app.evaluate(({ Menu }) => {
      const attempt = (task: () => unknown): string => {
        try {
          task()
          return ''
        } catch (error) {
          return (error as Error).message
        }
      }
      let clicks = 0
      const menu = Menu.buildFromTemplate([
        {
          label: 'File',
          submenu: [
            { id: 'add', label: 'Add', click: () => clicks++ },
            { type: 'separator' },
            { role: 'quit' },
          ],
        },
        {
          id: 'pause',
          type: 'checkbox',
          label: 'Pause',
          click: (item) => (clicks += item.checked ? 10 : 100),
        },
        { id: 'one', type: 'radio', label: 'One', checked: true },
        { id: 'two', type: 'radio', label: 'Two' },
      ])
      Menu.setApplicationMenu(menu)
      const item = (id: string) => Menu.getApplicationMenu()?.getMenuItemById(id)
      for (const id of ['add', 'pause', 'pause', 'two']) item(id)?.click()
      return {
        clicks,
        radios: [item('one')?.checked, item('two')?.checked],
        label: menu.items[0]?.submenu?.items[2]?.label,
        errors: [
          attempt(() => Menu.buildFromTemplate([{}])),
          attempt(() => Menu.buildFromTemplate('x' as never)),
          attempt(() => Menu.buildFromTemplate([{ label: 'x', type: 'submenu' }])),
          attempt(() => Menu.buildFromTemplate([{ label: 'x', type: 'odd' as never }])),
        ],
      }
    })
    expect(got).toEqual({
      clicks: 111,
      radios: [false, true],
      label: 'Quit',
      errors: [
        'Invalid template for MenuItem: must have at least one of label, role or type',
        'Invalid template for Menu: Menu template must be an array',
        'Invalid submenu',
        'Unknown menu item type: odd',
      ],
    })
  })
})

test.describe('the clipboard', () => {
  test('holds text and pictures', async ({ lab: { app } }) => {
    const got = await app.evaluate(async ({ clipboard, ClipboardItem }) => {
      await clipboard.writeText('https://files.example.com/a')
      const text = await clipboard.readText()
      await clipboard.write([
        new ClipboardItem({
          'text/plain': 'a',
          'text/html': '<a>a</a>',
          'image/png': new Blob([new Uint8Array([1, 2])], { type: 'image/png' }),
        }),
      ])
      const [item] = await clipboard.read()
      const html = await (await item?.getType('text/html'))?.text()
      const has = [await clipboard.has('image/png'), await clipboard.has('image/jpeg')]
      clipboard.clear()
      return { text, html, has, after: await clipboard.readText() }
    })
    expect(got).toEqual({
      text: 'https://files.example.com/a',
      html: '<a>a</a>',
      has: [true, false],
      after: '',
    })
  })
})

if (isStandIn) {
  test.describe('the stand-in', () => {
    test('throws for members that it lacks and for settings that the project never uses', async () => {
      const app = await launch({ main: 'early.js' })
      await expect.poll(() => record(app, 'ready')).toBe(true)
      const lab = await app.evaluate(
        () => globalThis.lab as { readonly missing: readonly string[]; readonly unsafe: readonly string[] },
      )
      expect(lab.missing).toEqual(
        ['safeStorage.isEncryptionAvailable', 'shell.readShortcutLink', 'app.importCertificate'].map(
          (name) => `stand-in: electron.${name} is not implemented`,
        ),
      )
      expect(
        lab.unsafe.map((message) => /sandbox|contextIsolation|nodeIntegration|absolute/.exec(message)?.[0]),
      ).toEqual(['sandbox', 'contextIsolation', 'nodeIntegration', 'absolute'])
    })

    test('records what was requested from the desktop', async () => {
      const { app } = await open()
      await app.evaluate(
        async ({
          app: main,
          dialog,
          globalShortcut,
          nativeImage,
          Notification,
          powerSaveBlocker,
          shell,
          Tray,
        }) => {
          await shell.openExternal('https://files.example.com/a')
          main.setLoginItemSettings({ openAtLogin: true })
          main.setBadgeCount(3)
          dialog.showErrorBox('Title', 'Content')
          const tray = new Tray(
            nativeImage.createFromBuffer(
              Buffer.from('89504e470d0a1a0a0000000d494844520000001600000016', 'hex'),
            ),
          )
          tray.setToolTip('Slipway')
          const notification = new Notification({ title: 'Done', body: 'a.txt' })
          notification.on('click', () => Reflect.set(globalThis.lab, 'clicked', true))
          notification.show()
          powerSaveBlocker.start('prevent-app-suspension')
          globalShortcut.register('CommandOrControl+Shift+U', () =>
            Reflect.set(globalThis.lab, 'pressed', true),
          )
        },
      )
      const seen = await app.evaluate((electron) => {
        const { standIn } = electron as typeof electron & { standIn: StandIn }
        standIn.notifications[0]?.emit('click', {})
        return {
          opened: standIn.callsOf('shell.openExternal').map((call) => call.args[0]),
          errors: standIn.callsOf('dialog.showErrorBox').map((call) => call.args),
          tray: [standIn.tray()?.toolTip, standIn.tray()?.image.getSize()],
          title: standIn.notifications[0]?.title,
          pressed: [standIn.pressShortcut('CommandOrControl+Shift+U'), standIn.pressShortcut('F1')],
          badge: electron.app.getBadgeCount(),
          login: electron.app.getLoginItemSettings().openAtLogin,
        }
      })
      expect(seen).toEqual({
        opened: ['https://files.example.com/a'],
        errors: [['Title', 'Content']],
        tray: ['Slipway', { width: 22, height: 22 }],
        title: 'Done',
        pressed: [true, false],
        badge: 3,
        login: true,
      })
      expect(await record(app, 'clicked')).toBe(true)
      expect(await record(app, 'pressed')).toBe(true)
    })

    test('reports a page that crashed', async () => {
      const { app, page } = await open()
      const window = await app.browserWindow(page)
      await window.evaluate((one: Electron.BrowserWindow) => {
        one.webContents.on('render-process-gone', (_event, { reason }) => {
          Reflect.set(globalThis.lab, 'gone', reason)
          one.webContents.once('did-finish-load', () => Reflect.set(globalThis.lab, 'isBack', true))
          one.webContents.reload()
        })
        one.webContents.forcefullyCrashRenderer()
      })
      await expect.poll(() => record(app, 'gone')).toBe('crashed')
      // The page loads again with its bridge. The test tool's own connection to it stays crashed.
      await expect.poll(() => record(app, 'isBack')).toBe(true)
      const greeting = await window.evaluate((one: Electron.BrowserWindow) =>
        one.webContents.executeJavaScript('lab.greet("again")'),
      )
      expect(greeting).toBe('Hello again')
    })

    test('answers without the debugger, but without a path', async () => {
      const { page } = await open({ SLIPWAY_NO_DEBUGGER: '1' })
      const file = join(data, 'a.txt')
      writeFileSync(file, 'x')
      await page.locator('output').evaluate((one) => {
        one.textContent = 'before'
      })
      await page.locator('input').setInputFiles(file)
      await expect(page.locator('output')).toHaveText('')
    })

    test('starts although a killed run’s Chromium is still writing to its profile', async () => {
      const { pid } = spawnSync('true')
      const profile = join(tmpdir(), `slipway-desktop-profile-${pid}-written`)
      const write =
        'i=0; while mkdir -p "$0"; do for _ in 1 2 3 4 5 6 7 8; do i=$((i+1)); : >"$0/$i"; done; done 2>/dev/null'
      const writer = spawn('sh', ['-c', write, profile], { stdio: 'ignore' })
      try {
        await expect.poll(() => existsSync(profile)).toBe(true)
        await open()
      } finally {
        writer.kill('SIGKILL')
        rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
      }
    })

    test('leaves behind no process or profile, however it ends', async () => {
      const run = promisify(execFile)
      const ofRun = async (pid: number | undefined): Promise<number> => {
        const { stdout } = await run('ps', ['-eo', 'args'])
        return stdout.split('\n').filter((line) => line.includes(`slipway-desktop-profile-${pid}-`)).length
      }
      const profiles = (pid: number | undefined): string[] =>
        readdirSync(tmpdir()).filter((name) => name.startsWith(`slipway-desktop-profile-${pid}-`))

      const closed = (await open()).app
      const { pid } = closed.process()
      expect(await ofRun(pid)).toBeGreaterThan(0)
      await closed.close()
      expect(profiles(pid)).toEqual([])
      await expect.poll(() => ofRun(pid)).toBe(0)

      const killed = (await open()).app
      const victim = killed.process()
      victim.kill('SIGKILL')
      await expect.poll(() => ofRun(victim.pid)).toBe(0)
      // The profile was left behind; the next start deletes it.
      await open()
      expect(profiles(victim.pid)).toEqual([])
      expect(existsSync(executable)).toBe(true)
    })
  })
}
