// The base of the facts: each states one thing that Electron does, and is tried on the stand-in and on every
// real binary with the same app (lab/). Most share one app and its window; what ends an app has one of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  _electron,
  test as base,
  expect as baseExpect,
  type ElectronApplication,
  type Page,
} from '@playwright/test'
import { chosenElectron } from '../choose.ts'
import { serveSessionBus } from '../session-bus.ts'

/** Long, because other specs may keep the machine busy. */
export const expect = baseExpect.configure({ timeout: 20_000 })
const START_MS = 90_000
const FACT_MS = 120_000

export const LAB = join(import.meta.dirname, 'lab')
export const ELECTRON = createRequire(import.meta.url)('electron') as string

/** What lab/main.cjs provides to functions that are evaluated in the main process. */
interface Lab {
  /** What a call throws, as text. */
  readonly attempt: (task: () => unknown) => string
  /** The names of events from now on, in order; may be collected in a list with others. */
  readonly follow: (target: unknown, names: readonly string[], seen?: string[]) => string[]
  readonly make: (options?: Electron.BrowserWindowConstructorOptions) => Electron.BrowserWindow
  readonly open: (
    options?: Electron.BrowserWindowConstructorOptions,
    url?: string,
  ) => Promise<Electron.BrowserWindow>
  readonly require: NodeJS.Require
  readonly until: (condition: () => unknown) => Promise<boolean>
  readonly started: readonly string[]
  readonly early: Readonly<Record<string, unknown>>
  readonly requests: readonly string[]
  readonly frames: readonly unknown[]
  readonly said: readonly (readonly unknown[])[]
  readonly seconds: readonly { readonly argv: string[]; readonly cwd: string; readonly data: unknown }[]
  /** Facts keep here what a later evaluation reads. */
  [name: string]: unknown
}
/** What lab/preload.cjs exposes to the page. */
interface Bridge {
  readonly invoke: (channel: string, ...args: readonly unknown[]) => Promise<unknown>
  readonly heard: () => readonly (readonly unknown[])[]
  readonly odd: (name: string) => unknown
  readonly same: (value: unknown) => unknown
  readonly sameCircle: (value: unknown) => boolean
  readonly deep: (levels: number) => unknown
  readonly resolves: () => Promise<{ readonly at: Date; readonly list: readonly number[] }>
  readonly callBack: (callback: (text: string, count: number) => string) => string
  readonly nested: { readonly deep: { readonly add: (a: number, b: number) => number } }
  readonly value: { readonly symbol: symbol }
  readonly facts: Readonly<Record<string, unknown>>
  readonly pathOf: (file: File) => string
}
declare global {
  var lab: Lab
  var bridge: Bridge
}

interface LabStart {
  readonly main?: string
  readonly env?: Readonly<Record<string, string>>
}

function launch(folder: string, { main = '', env = {} }: LabStart): Promise<ElectronApplication> {
  return _electron.launch({
    args: [join(LAB, main), `--user-data-dir=${folder}`],
    env: { ...(process.env as Record<string, string>), ...env },
    colorScheme: null,
    timeout: START_MS,
    chromiumSandbox: true,
  })
}

const FOLDER = 'slipway-lab-'
const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

interface SharedLab {
  readonly app: ElectronApplication
  readonly page: Page
  readonly folder: string
  readonly version: string
}
interface Given {
  /** Skips a fact that names a later version than the binary's, and ends the windows that a fact has opened. */
  readonly around: undefined
  /** The shared app. */
  readonly app: ElectronApplication
  /** The page of its first window, loaded for this fact. */
  readonly page: Page
  /** The data folder of the shared app. */
  readonly data: string
  /** A folder for this fact. */
  readonly scratch: string
  /** Starts an app of its own, which ends with the fact. */
  readonly start: (how?: LabStart) => Promise<ElectronApplication>
}

/** Notes on a fact: from which version on it holds, and on which Electron it was tried. */
export const FROM = 'from Electron'
export const ON = 'on Electron'
/** For a fact that holds only from this major version on. */
export const from = (version: number): { annotation: { type: string; description: string } } => ({
  annotation: { type: FROM, description: String(version) },
})

export const fact = base.extend<Given, { readonly sharedLab: SharedLab }>({
  sharedLab: [
    async ({ browserName: _none }, use) => {
      // Only Linux has one. No app may use the bus of whoever runs the facts, with its keychain and its tray.
      const bus = process.platform === 'linux' ? await serveSessionBus('host') : null
      if (bus !== null) process.env['DBUS_SESSION_BUS_ADDRESS'] = bus.address
      const folder = mkdtempSync(join(tmpdir(), FOLDER))
      const app = await launch(folder, {})
      const page = await app.firstWindow({ timeout: START_MS })
      await scriptsHaveRun(page)
      const version = await app.evaluate(() => process.versions.electron ?? '')
      await use({ app, page, folder, version })
      await app.close()
      bus?.close()
      remove(folder)
    },
    { scope: 'worker', timeout: FACT_MS },
  ],
  around: [
    async ({ sharedLab }, use, info) => {
      info.setTimeout(FACT_MS)
      info.annotations.push({
        type: ON,
        description: chosenElectron() === 'stand-in' ? 'the stand-in' : sharedLab.version,
      })
      const since = info.annotations.find((one) => one.type === FROM)?.description ?? '0'
      info.skip(Number.parseInt(sharedLab.version) < Number(since), `${FROM} ${since} on`)
      await use(undefined)
      await sharedLab.app.evaluate(({ BrowserWindow }) => {
        const windows = BrowserWindow.getAllWindows()
        const first = Math.min(...windows.map(({ id }) => id))
        for (const window of windows) if (window.id !== first) window.destroy()
      })
    },
    { auto: true },
  ],
  app: ({ sharedLab }, use) => use(sharedLab.app),
  data: ({ sharedLab }, use) => use(sharedLab.folder),
  page: async ({ sharedLab: { app, page } }, use) => {
    const window = await app.browserWindow(page)
    await window.evaluate((one: Electron.BrowserWindow) => one.loadURL('app://lab/index.html'))
    await scriptsHaveRun(page)
    await use(page)
  },
  scratch: async ({ browserName: _none }, use) => {
    const folder = mkdtempSync(join(tmpdir(), FOLDER))
    await use(folder)
    remove(folder)
  },
  start: async ({ scratch }, use) => {
    const started: ElectronApplication[] = []
    await use(async (how = {}) => {
      const app = await launch(join(scratch, 'data'), how)
      started.push(app)
      return app
    })
    for (const app of started) await app.close().catch(() => undefined)
  },
})

/** Resolves once the lab's script has added its listeners. Its heading is visible before that. */
export async function scriptsHaveRun(page: Page): Promise<void> {
  await expect(page).toHaveTitle('Lab, ready')
}

/** A value that a fact has kept in the main process. */
export function kept(app: ElectronApplication, name: string): Promise<unknown> {
  return app.evaluate((_module, key) => globalThis.lab[key], name)
}

/** The result of a call to the bridge, or what it throws, as text. */
export function call(page: Page, name: string, ...args: readonly unknown[]): Promise<unknown> {
  return page.evaluate(
    async ([key, given]) => {
      try {
        const member = Reflect.get(bridge, key) as (...args: readonly unknown[]) => unknown
        return await member(...given)
      } catch (error) {
        return error instanceof Error ? `${error.name}: ${error.message}` : error
      }
    },
    [name, args] as const,
  )
}
