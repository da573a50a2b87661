// `npm start`: builds the app and opens it in Electron, whose binary is downloaded at the first start.
// Arguments after `--` are passed to the app. Exits with the app's exit code. If the binary isn't available
// or there is no display, it prints a message with alternatives and never a stack trace.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { runStep } from './steps.ts'
import { ROOT } from './tree.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * What Electron's package knows about its binary: the content of two small files, or null if they don't
 * exist.
 */
interface Installed {
  readonly folder: string
  /** `path.txt`: the path of the binary inside dist/. */
  readonly path: string | null
  /** `dist/version`: the version that was unpacked. */
  readonly version: string | null
  /** The version required by package.json. */
  readonly wanted: string
}

const ELSEWHERE =
  'Without Electron: npm run demo opens Slipway in Chromium; npm run demo -- --headless needs no display at all.'
const HEARTBEAT_MS = 5000
/** The shell's exit code for a program ended by a signal is 128 plus the signal's number. */
const BY_SIGNAL = 128

/** The path of Electron's binary, located as Electron's own package does; null if it must be downloaded. */
export function binaryPath(env: Environment, installed: Installed): string | null {
  const { folder, path, version, wanted } = installed
  const override = env['ELECTRON_OVERRIDE_DIST_PATH']
  if (override !== undefined && override !== '') return join(override, path ?? 'electron')
  if (path === null || version?.trim().replace(/^v/, '') !== wanted) return null
  return join(folder, 'dist', path)
}

/**
 * Whether a window can be opened. Only Linux can lack a display. A binary named by the user may not need one,
 * so it counts as well.
 */
export function hasDisplay(platform: string, env: Environment): boolean {
  const named = [env['DISPLAY'], env['WAYLAND_DISPLAY'], env['ELECTRON_OVERRIDE_DIST_PATH']]
  return platform !== 'linux' || named.some((one) => one !== undefined && one !== '')
}

/**
 * The environment without ELECTRON_RUN_AS_NODE: some editors' terminals set it, which would make the app run
 * as plain Node.
 */
export function appEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'ELECTRON_RUN_AS_NODE'))
}

function downloadReason(output: string): string {
  const answer = /Response code (\d+) \(.*\) for (\S+)/.exec(output)
  if (answer !== null) return `the server answered ${answer[1]} for ${answer[2]}`
  if (/checksum/i.test(output)) return 'what arrived is not what Electron published'
  if (/\bENOSPC\b/.test(output)) return 'the disk is full'
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) return 'node_modules/electron cannot be written'
  if (
    /fetch failed|\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/.test(
      output,
    )
  ) {
    return 'its server cannot be reached from here'
  }
  return /^(?:\w*Error: )?(\S.*)$/m.exec(output)?.[1] ?? 'the download ended without a word'
}

/**
 * The message after a failed download: what happened and what the user can do. @param output the download's
 * output with stack traces.
 */
export function downloadFault(version: string, output: string, env: Environment): string {
  const mirror = env['ELECTRON_MIRROR']
  return [
    `Electron ${version} could not be downloaded: ${downloadReason(output)}.`,
    "Slipway's window needs it once; nothing else is missing.",
    '',
    mirror === undefined || mirror === ''
      ? 'With a network: npm start tries again. Behind a mirror: set ELECTRON_MIRROR to its address, ending in a slash.'
      : `ELECTRON_MIRROR is set to ${mirror}: its address ends in a slash, and it has to hold v${version}.`,
    'Behind a proxy: set ELECTRON_GET_USE_PROXY=true beside HTTPS_PROXY.',
    ELSEWHERE,
  ].join('\n')
}

export function noDisplay(): string {
  return [
    'There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.',
    'Without one: npm run -s slipway -- --help shows the command line, npm run demo -- --headless tries it.',
  ].join('\n')
}

/** This program's exit code for the way in which the app ended. */
export function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return signal === null ? 1 : BY_SIGNAL + constants.signals[signal]
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function installedElectron(folder: string): Installed {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return {
    folder,
    path: textOf(join(folder, 'path.txt')),
    version: textOf(join(folder, 'dist/version')),
    wanted: version,
  }
}

/** Runs Electron's own installer. @returns null on success, else its output. */
function download(folder: string): Promise<string | null> {
  return new Promise((resolve) => {
    const from = performance.now()
    const beat = setInterval(() => {
      console.log(`Downloading, ${Math.round((performance.now() - from) / 1000)} s`)
    }, HEARTBEAT_MS)
    const child = spawn(process.execPath, [join(folder, 'install.js')], {
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const end = (fault: string | null): void => {
      clearInterval(beat)
      resolve(fault)
    }
    child.on('error', (error) => {
      end(error.message)
    })
    child.on('close', (code) => {
      end(code === 0 ? null : output)
    })
  })
}

/** Opens the app and waits until it ends. @returns the exit code. */
export function open(binary: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(binary, ['.', ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env: appEnvironment(process.env),
    })
    const pass = (signal: NodeJS.Signals): void => {
      child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    for (const signal of signals) process.on(signal, pass)
    const end = (code: number): void => {
      for (const signal of signals) process.off(signal, pass)
      resolve(code)
    }
    child.on('error', (error) => {
      console.error(
        `Electron could not be started: ${error.message}.\nDelete node_modules/electron/dist and start again to fetch it anew.`,
      )
      end(1)
    })
    child.on('close', (code, signal) => {
      end(exitCode(code, signal))
    })
  })
}

/**
 * Electron's program, downloaded if necessary. `fault` is a message for the user that says why it isn't
 * available.
 */
export async function fetchElectron(): Promise<{ readonly binary: string } | { readonly fault: string }> {
  const folder = join(ROOT, 'node_modules/electron')
  const { wanted } = installedElectron(folder)
  let output = ''
  if (binaryPath(process.env, installedElectron(folder)) === null) {
    console.log(`Downloading Electron ${wanted}, about 120 MB, this once.`)
    output = (await download(folder)) ?? ''
  }
  const binary = binaryPath(process.env, installedElectron(folder))
  return binary === null ? { fault: downloadFault(wanted, output, process.env) } : { binary }
}

async function start(args: readonly string[]): Promise<number> {
  if (!hasDisplay(process.platform, process.env)) {
    console.error(noDisplay())
    return 1
  }
  const electron = await fetchElectron()
  if ('fault' in electron) {
    console.error(electron.fault)
    return 1
  }
  if (!runStep({ name: 'build', command: 'vite', args: ['build', '--app'] }).ok) {
    console.error('The build failed, so nothing was opened. What is wrong stands above.')
    return 1
  }
  return open(electron.binary, args)
}

if (import.meta.main) process.exitCode = await start(process.argv.slice(2))
