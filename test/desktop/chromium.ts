// Finds a Chromium, on this machine or fetched from npm, and starts it for one run of an app, with its own
// profile that is deleted afterwards. Headless, it opens no window at the start; windows are requested over
// the DevTools protocol. Otherwise it opens one without toolbars, which is possible only at the start.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type Cdp, connectCdp } from './cdp.ts'
import { fetchedChromium } from './fetched-chromium.ts'

const PROFILE = 'slipway-desktop-profile-'
/**
 * Chromium's pages without its browser: like Electron, it has no tabs, extensions or preferences. Its start
 * takes a quarter of the CPU.
 */
const SHELL = '/usr/bin/chromium-headless-shell'
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Where Playwright's installer puts its browsers inside their folders, by platform and version. */
const SHELL_INSIDE_PLAYWRIGHT = [
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-linux/headless_shell',
  'chrome-mac/headless_shell',
  'chrome-headless-shell-mac-arm64/chrome-headless-shell',
]
const INSIDE_PLAYWRIGHT = [
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
]

const INSTALL = process.platform === 'linux' ? 'apt install chromium' : 'install Chromium or Chrome'

function playwrightFolder(): string {
  const cache =
    process.platform === 'darwin'
      ? join(homedir(), 'Library/Caches')
      : (process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'))
  return process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(cache, 'ms-playwright')
}

/** Whether the windows should be visible. */
export function isShown(): boolean {
  return process.env['SLIPWAY_HEADED'] === '1'
}

/**
 * What the window without toolbars shows until the app uses it. Few schemes are allowed there; `about:`
 * isn't.
 */
export const FIRST_PAGE = 'data:text/html,Slipway'

/** Those of Playwright in the folders that begin with `prefix`, the newest first. */
function ofPlaywright(prefix: string, inside: readonly string[]): readonly string[] {
  const folder = playwrightFolder()
  const installed = existsSync(folder)
    ? readdirSync(folder).filter((name) => new RegExp(`^${prefix}-\\d+$`).test(name))
    : []
  const newestFirst = installed.toSorted().toReversed()
  return newestFirst.flatMap((name) => inside.map((one) => join(folder, name, one)))
}

/**
 * A Chromium of this system, or the one that SLIPWAY_CHROMIUM names; null if there is none. Windows that
 * nobody sees are drawn by the headless shell, if there is one.
 */
export function systemChromium(isVisible = isShown()): string | null {
  const named = process.env['SLIPWAY_CHROMIUM']
  if (named !== undefined && named !== '') return named
  const shells = isVisible ? [] : [...ofPlaywright('chromium_headless_shell', SHELL_INSIDE_PLAYWRIGHT), SHELL]
  const places = [...shells, ...ofPlaywright('chromium', INSIDE_PLAYWRIGHT), ...SYSTEM]
  return places.find((file) => existsSync(file)) ?? null
}

/** Whether the window can be tested. */
export function hasChromium(): boolean {
  return (systemChromium() ?? fetchedChromium()) !== null
}

/** @throws one sentence if there is none that can do what is asked for: the fetched one shows no window. */
export function findChromium(isVisible = isShown()): string {
  const found = systemChromium(isVisible) ?? (isVisible ? null : fetchedChromium())
  if (found === null)
    throw new Error(
      `The window couldn’t start: there is no Chromium; ${INSTALL}, or name one in SLIPWAY_CHROMIUM.`,
    )
  return found
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * A killed run couldn't delete its profile, so the next run does. The name contains the ID of the process
 * that it belonged to. The killed run's Chromium may still be ending and writing to it. A profile that
 * therefore can't be deleted is left for a later run.
 */
function sweepProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PROFILE) || alive(Number(name.slice(PROFILE.length).split('-')[0]))) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    } catch (error) {
      console.error(`stand-in: couldn't delete the profile of an earlier run: ${String(error)}`)
    }
  }
}

export interface Chromium {
  readonly cdp: Cdp
  readonly profile: string
  /** For other clients, such as the test tool. */
  readonly url: string
  /** Ends the browser and deletes its profile. */
  readonly stop: () => Promise<void>
}

export interface ChromiumOptions {
  /** The port on which custom schemes are served; see schemes.ts. */
  readonly schemePort: number
  readonly language: string
  /** The environment in which the app was started. */
  readonly environment: NodeJS.ProcessEnv
}

/**
 * Without a UTF-8 locale, as in many containers, Chromium for Linux can't pass on the paths of files whose
 * names aren't ASCII.
 */
function utf8({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  return /utf-?8/i.test(locale) ? {} : { LC_ALL: 'C.UTF-8' }
}

export async function startChromium(options: ChromiumOptions): Promise<Chromium> {
  sweepProfiles()
  // Chromium refuses to run as root with its sandbox, and in containers the user is usually root.
  const canSandbox = process.getuid?.() !== 0
  try {
    return await start(options, canSandbox)
  } catch (error) {
    // Where users may not make namespaces, as in most containers, it has no sandbox either. It only loads the
    // app's own page.
    if (canSandbox && error instanceof Error && String(error.cause).includes('No usable sandbox'))
      return start(options, false)
    throw error
  }
}

async function start(
  { schemePort, language, environment }: ChromiumOptions,
  isSandboxed: boolean,
): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), `${PROFILE}${process.pid}-`))
  const program = findChromium()
  const child = spawn(
    program,
    [
      // `--test-type` hides the warning about these switches.
      ...(isShown() ? [`--app=${FIRST_PAGE}`, '--test-type'] : ['--headless', '--no-startup-window']),
      ...(isSandboxed ? [] : ['--no-sandbox']),
      '--remote-debugging-pipe',
      '--remote-debugging-port=0',
      `--host-resolver-rules=MAP *.localhost:80 127.0.0.1:${schemePort}`,
      `--user-data-dir=${profile}`,
      `--lang=${language}`,
      // Without a browser's preferences, the headless shell takes the page's languages from here.
      `--accept-lang=${language}`,
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-extensions',
      '--disable-dev-shm-usage',
      '--disable-popup-blocking',
      // In Electron, a page may close its window.
      '--blink-settings=allowScriptsToCloseWindows=true',
      '--disable-back-forward-cache',
      '--disable-features=Translate,MediaRouter,OptimizationHints,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
      '--password-store=basic',
      '--use-mock-keychain',
      '--force-color-profile=srgb',
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // The stand-in provides the desktop, and a hanging bus would keep this browser from starting.
      env: {
        ...environment,
        ...utf8(environment),
        LANGUAGE: language,
        DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      },
    },
  )
  const remove = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  process.once('exit', () => {
    child.kill('SIGKILL')
    rmSync(profile, { recursive: true, force: true, maxRetries: 2, retryDelay: 20 })
  })
  const url = await urlOf(child, program)
  const cdp = connectCdp({ input: child.stdio[3] as Writable, output: child.stdio[4] as Readable })
  return { cdp, profile, url, stop: () => stopChromium(child, cdp).then(remove) }
}

function urlOf(child: ChildProcess, program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      if (said.length > 65_536) return
      said += chunk.toString()
      const url = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
    const fail = (how: string): void => reject(new Error(startFault(program, how, said), { cause: said }))
    child.once('error', (error) => fail(error.message))
    // All that it has said has arrived by then.
    child.once('close', (code, signal) => fail(`it ended with ${String(signal ?? code)}`))
  })
}

/** Why a Chromium didn't start, in one sentence. `how`: how it ended; `said`: what it printed until then. */
export function startFault(program: string, how: string, said: string): string {
  const library = /error while loading shared libraries: ([^:\s]+):/.exec(said)?.[1]
  if (library !== undefined)
    return `The window couldn’t start: Chromium (${program}) needs ${library}, which this system lacks; ${INSTALL}.`
  const reason = said.trim().split('\n').at(-1)?.slice(-300)
  return `The window couldn’t start: Chromium (${program}) didn’t: ${how}${reason === undefined || reason === '' ? '' : `: ${reason}`}.`
}

/** Asks Chromium to close, and kills it if it hasn't exited after 3 s. Normally it takes a tenth of that. */
function stopChromium(child: ChildProcess, cdp: Cdp): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    cdp.send('Browser.close').catch(() => child.kill('SIGKILL'))
  })
}
