// The app for specs: the built Slipway on Electron or its stand-in, with the reference service and its own
// data folder. Starts, seeds and ends things; expectations are in the specs.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Locator, type Page } from '@playwright/test'
import type { Result } from '../../src-shared/engine-contract.ts'
import { PAGE_CALLS } from '../../src-shared/page-calls.ts'
import { type AppSettings, DEFAULT_APP_SETTINGS } from '../../src-shared/settings.ts'
import type { Bridge, CallInput, CallName, CallOutput } from '../../src-shared/window-contract.ts'
import { appFolder, isStandInChosen, recorderArguments } from '../desktop/choose.ts'
import {
  type BusState,
  type FakeNotifications,
  type FakeSessionBus,
  serveSessionBus,
} from '../desktop/session-bus.ts'
import { createService, type Service, type ServiceOptions } from '../service/service.ts'
import { traceConnections } from '../tools/connections.ts'

const ROOT = resolve(import.meta.dirname, '../..')
export const KEY = 'sk-desktop-0123456789abcdef'
/**
 * The environment of an app without a working session bus, so that there is no Secret Service, whatever the
 * machine has. Works on Linux only.
 */
export const NO_KEYCHAIN = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }

/** How long a start may take. Long, because several apps may start at once on a slow machine. */
export const START_MS = 90_000
/** How many times slower each page runs than it could, to find specs that only hold on a fast machine. */
const SLOW = Number(process.env['SLIPWAY_E2E_SLOW'] ?? 1)

export interface Start {
  /** `connected`: address in the settings, key in the environment. `fresh`: like a new installation. */
  readonly as?: 'connected' | 'fresh'
  readonly service?: ServiceOptions
  readonly settings?: Partial<AppSettings>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly locale?: string
  /** Starts the app through the script of the Linux packages. */
  readonly script?: true
  /** A file for all connections that the app's processes make, as `strace` writes them. */
  readonly connectionsTo?: string
  /** What the session bus offers (Linux only); a tray by default. */
  readonly bus?: BusState
  /** Prepares the service, the disk and the data folder before the app starts. */
  readonly before?: (given: {
    readonly service: Service
    readonly home: string
    readonly data: string
  }) => void
}

export interface Slipway {
  readonly app: ElectronApplication
  readonly page: Page
  readonly service: Service
  readonly home: string
  readonly data: string
  /** The session bus of the app, with its tray, notification server and file manager. Throws except on Linux. */
  bus(): FakeSessionBus
  /** Errors of the page. A run with errors fails. */
  readonly faults: readonly string[]
  /** Quits the app and starts it again on the same data. */
  restart(): Promise<Slipway>
  /** Kills the app as a power failure would, and starts it again. */
  kill(): Promise<Slipway>
  close(): Promise<void>
}

function stub(app: ElectronApplication): Promise<void> {
  // A dialog without an answer would block quitting.
  return app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
  })
}

/**
 * Kills the app's own process. On Windows, the process that was launched is a shell, whose end leaves the app
 * running.
 */
async function killNow(app: ElectronApplication): Promise<void> {
  if (process.platform === 'win32') process.kill(await app.evaluate(() => process.pid), 'SIGKILL')
  else app.process().kill('SIGKILL')
}

/**
 * The notification server of an app (Linux), and how many notifications it showed before that app started.
 * Elsewhere, notifications are Electron's.
 */
export const notificationServers = new WeakMap<
  ElectronApplication,
  { readonly server: FakeNotifications; readonly before: number }
>()

export async function startSlipway(start: Start = {}): Promise<Slipway> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-e2e-')))
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  const service = await createService({ plan: 'pro', key: KEY, storage: 'disk', ...start.service })
  if (start.as !== 'fresh')
    writeFileSync(
      join(data, 'settings.json'),
      JSON.stringify({
        baseUrl: service.url,
        app: { ...DEFAULT_APP_SETTINGS, welcomed: true, ...start.settings },
      }),
      { mode: 0o600 },
    )
  start.before?.({ service, home, data })
  // Only Linux has one. No app may use the bus of whoever runs the specs, with its keychain and its tray.
  const bus = process.platform === 'linux' ? await serveSessionBus(start.bus ?? 'host') : null
  return open({ start, home, data, service, bus, newest: null })
}

/**
 * Puts the packages' start script into a folder, with the program beside it as in a package. Returns its
 * path.
 */
function startScript(home: string): string {
  const script = join(home, 'app/slipway-desktop')
  mkdirSync(join(home, 'app'), { recursive: true })
  copyFileSync(join(ROOT, 'assets/linux/start-app.sh'), script)
  const program = createRequire(import.meta.url)('electron') as string
  writeFileSync(`${script}.bin`, `#!/bin/sh\nexec '${program}' "$@"\n`, { mode: 0o755 })
  return script
}

/** A script that starts the app below `strace`. */
function tracingScript(home: string, to: string): string {
  const script = join(home, 'traced')
  const program = createRequire(import.meta.url)('electron') as string
  const traced = traceConnections(to).map((word) => `'${word}'`)
  writeFileSync(script, `#!/bin/sh\nexec ${traced.join(' ')} '${program}' "$@"\n`, { mode: 0o755 })
  return script
}

/**
 * A folder with a program that takes the place of the system's `xdg-open`, with which Electron opens links,
 * and Slipway folders. No spec may open a browser or a file manager on the desktop of whoever runs it.
 */
function nothingOpens(home: string): string {
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  // A folder may be named by the working directory.
  const record = `[ "$1" = . ] && set -- "$PWD"; printf '%s\\n' "$1" >> '${join(bin, 'opened')}'`
  if (!existsSync(join(bin, 'xdg-open'))) onOpening(home, record)
  return bin
}

/** Makes `xdg-open` run this script from now on, instead of recording what it is to open. */
export function onOpening(home: string, script: string): void {
  writeFileSync(join(home, 'bin/xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** What `xdg-open` was to open. */
export function openedPaths(home: string): readonly string[] {
  const file = join(home, 'bin/opened')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

async function open(parts: {
  readonly start: Start
  readonly home: string
  readonly data: string
  readonly service: Service
  readonly bus: FakeSessionBus | null
  /** The app that the first Slipway's `close` must end after a restart. */
  newest: ElectronApplication | null
}): Promise<Slipway> {
  const { start, home, data, service, bus } = parts
  const connected = start.as === 'fresh' ? {} : { SLIPWAY_API_KEY: KEY }
  const app = await _electron.launch({
    ...(start.script === undefined ? {} : { executablePath: startScript(home) }),
    ...(start.connectionsTo === undefined
      ? {}
      : { executablePath: tracingScript(home, start.connectionsTo) }),
    args: [
      ...recorderArguments(),
      appFolder(),
      ...(start.locale === undefined ? ['--lang=en-GB'] : [`--lang=${start.locale}`]),
      ...(start.args ?? []),
    ],
    env: {
      ...(process.env as Record<string, string>),
      SLIPWAY_DATA_DIR: data,
      XDG_CONFIG_HOME: join(home, 'config'),
      // On Wayland the clipboard can't be written without the focus. Specs that test this set it explicitly.
      XDG_SESSION_TYPE: 'x11',
      ...(bus === null ? {} : { DBUS_SESSION_BUS_ADDRESS: bus.address }),
      ...connected,
      ...start.env,
      PATH: [nothingOpens(home), start.env?.['PATH'] ?? process.env['PATH']].join(delimiter),
    },
    colorScheme: null,
    timeout: START_MS,
    // Otherwise the test tool starts every app with --no-sandbox, about which this app warns. Electron itself
    // needs the switch as root.
    chromiumSandbox: isStandInChosen() || process.getuid?.() !== 0,
  })
  parts.newest = app
  if (bus !== null) {
    const server = bus.notifications
    notificationServers.set(app, { server, before: server.shown.length })
  }
  const page = await app.firstWindow({ timeout: START_MS })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  if (SLOW > 1) {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW })
  }
  await stub(app)
  // The stand-in's clipboard begins empty; Electron's is the system's.
  await app.evaluate(({ clipboard }) => clipboard.clear())
  await usable(page)
  const gone = async (): Promise<void> => {
    await parts.newest?.close().catch(() => undefined)
  }
  return {
    app,
    page,
    service,
    home,
    data,
    bus: () => {
      if (bus === null) throw new Error('Only Linux has a session bus.')
      return bus
    },
    faults,
    restart: async () => {
      await gone()
      return open(parts)
    },
    kill: async () => {
      await killNow(app)
      await gone()
      return open(parts)
    },
    close: async () => {
      await gone()
      bus?.close()
      await service.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/** Waits until a page that is being loaded reacts to the user: keys that are pressed earlier are lost. */
async function usable(page: Page): Promise<void> {
  await page.locator('main').first().waitFor()
  await page.waitForFunction(() => document.querySelector('main[aria-busy]') === null)
}

/** Loads the page again, and waits until it reacts to the user. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await usable(page)
}

/** Answers file and folder dialogs with these paths from now on; without paths, cancels them. */
export async function answerDialogs(app: ElectronApplication, paths: readonly string[]): Promise<void> {
  await app.evaluate(({ dialog }, filePaths) => {
    dialog.showOpenDialog = async () => ({ canceled: filePaths.length === 0, filePaths: [...filePaths] })
  }, paths)
}

/** Drops files from the disk onto the middle of the window, as the system does. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const at = await page.evaluate(() => ({ x: innerWidth / 2, y: innerHeight / 2 }))
  await drop(page, at, { items: [], files: [...paths], dragOperationsMask: 1 })
}

/** Drops text on the middle of an element, as the system does. The text of a link is dropped as a link. */
export async function dropText(on: Locator, text: string): Promise<void> {
  const box = await on.boundingBox()
  if (box === null) throw new Error('There is no such element in the window.')
  const items = [
    { mimeType: 'text/plain', data: text },
    ...(URL.canParse(text) ? [{ mimeType: 'text/uri-list', data: text }] : []),
  ]
  await drop(
    on.page(),
    { x: box.x + box.width / 2, y: box.y + box.height / 2 },
    { items, dragOperationsMask: 1 },
  )
}

interface DragData {
  readonly items: { readonly mimeType: string; readonly data: string }[]
  readonly files?: string[]
  /** 1: copying is allowed. */
  readonly dragOperationsMask: number
}

async function drop(
  page: Page,
  { x, y }: { readonly x: number; readonly y: number },
  data: DragData,
): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, x, y, data })
  await cdp.detach()
  // The response to the command doesn't wait for the page, which the stand-in stops while it reads the paths.
  // A script that is evaluated in a stopped page can't reach the preload script.
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
}

/** Creates files in their own folder below the home of the run. */
export function makeFiles(
  home: string,
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): string {
  const dir = join(home, name)
  mkdirSync(dir, { recursive: true })
  for (const [file, content] of Object.entries(files)) {
    const path = join(dir, file)
    mkdirSync(resolve(path, '..'), { recursive: true })
    writeFileSync(path, content)
  }
  return dir
}

/**
 * Makes the page as large as this. A window with a title bar is larger than its page. Waits until the page
 * knows its size.
 */
export async function resizePage(
  { app, page }: Pick<Slipway, 'app' | 'page'>,
  width: number,
  height: number,
): Promise<void> {
  const reached = await app.evaluate(
    ({ BrowserWindow }, [w, h]) => {
      const window = BrowserWindow.getAllWindows()[0]
      window?.setContentSize(w, h)
      return window?.getContentBounds()
    },
    [width, height] as const,
  )
  // A small screen may have no room for it.
  const { width: w = width, height: h = height } = reached ?? {}
  await page.waitForFunction((to) => innerWidth === to.w && innerHeight === to.h, { w, h })
}

/** The content of the app's clipboard. */
export function clipboardText(app: ElectronApplication): Promise<string> {
  return app.evaluate(({ clipboard }) => clipboard.readText())
}

/** Calls the shell as the page does, after a key press if the call needs one. */
export async function ask<K extends CallName>(
  page: Page,
  name: K,
  input: CallInput<K>,
): Promise<Result<CallOutput<K>>> {
  if (PAGE_CALLS[name].needs.endsWith('input')) await page.keyboard.press('Shift')
  return (await page.evaluate(
    ([procedure, given]) =>
      (globalThis as unknown as { readonly slipway: Bridge }).slipway.call(procedure, given, null),
    [name, input] as const,
  )) as Result<CallOutput<K>>
}
