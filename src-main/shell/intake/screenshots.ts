// Finds the folder in which the system saves screenshots: the one in the system's settings, or else the
// default. The folder isn't created. On macOS, the default is the desktop. Ignore rules then exclude
// everything except screenshots.
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
// macOS and Linux paths are joined with `posix`, Windows paths by concatenation.
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Boot } from '../../../src-shared/window-contract.ts'

export interface Screenshots {
  readonly path: string
  /**
   * Ignore rules that exclude everything except screenshots; empty if the folder is meant for screenshots.
   */
  readonly ignore: readonly string[]
}

/** The system access that the search needs. */
export interface ScreenshotSystem {
  readonly platform: Boot['platform']
  readonly home: string
  /** The pictures folder according to the system's settings. */
  readonly pictures: string
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Resolves to the program's standard output, or to null if the program fails or takes longer than `ASK_MS`.
   */
  run(program: string, args: readonly string[]): Promise<string | null>
  /** Resolves to null if the file can't be read. */
  read(path: string): Promise<string | null>
  isFolder(path: string): Promise<boolean>
}

const ASK_MS = 3000
const REGISTRY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders'
/** The ID of Windows' known folder "Screenshots". */
const KNOWN_FOLDER = '{B7BEDE81-DF94-4682-A7D8-57A52620B86F}'
/**
 * English and German names of the folder inside the pictures folder. Linux desktops name it in the session's
 * language.
 */
const LINUX_NAMES = ['Screenshots', 'Bildschirmfotos']

/** Resolves to null if none of the candidates exists. */
export async function findScreenshots(system: ScreenshotSystem): Promise<Screenshots | null> {
  for (const found of await candidates(system)) if (await system.isFolder(found.path)) return found
  return null
}

async function candidates(system: ScreenshotSystem): Promise<readonly Screenshots[]> {
  if (system.platform === 'darwin') return [await onMac(system)]
  const paths = system.platform === 'win32' ? await onWindows(system) : await onLinux(system)
  return paths.map((path) => ({ path, ignore: [] }))
}

async function onMac(system: ScreenshotSystem): Promise<Screenshots> {
  const setting = async (name: string): Promise<string> =>
    (await system.run('/usr/bin/defaults', ['read', 'com.apple.screencapture', name]))?.trim() ?? ''
  const chosen = (await setting('location')).replace(/^~(?=\/|$)/, system.home).replace(/(?<=.)\/+$/, '')
  const desktop = posix.join(system.home, 'Desktop')
  if (chosen !== '' && chosen !== desktop) return { path: chosen, ignore: [] }
  const own = await setting('name')
  const names = [...(own === '' ? [] : [own]), 'Screenshot', 'Screen Shot', 'Bildschirmfoto']
  return {
    path: desktop,
    ignore: ['/*', ...names.map((name) => `!/${name.replaceAll(/[\\*?[\]!#]/g, '\\$&')} *`)],
  }
}

async function onWindows(system: ScreenshotSystem): Promise<readonly string[]> {
  // Run reg.exe by its full path, because Windows would look for it in the current folder first.
  const reg = `${variable(system.env, 'SystemRoot') ?? 'C:\\Windows'}\\System32\\reg.exe`
  const answer = await system.run(reg, ['query', REGISTRY, '/v', KNOWN_FOLDER])
  const value = answer === null ? undefined : /REG_(?:EXPAND_)?SZ\s+(.+?)\s*$/m.exec(answer)?.[1]
  const moved = value?.replaceAll(/%([^%]+)%/g, (all, name: string) => variable(system.env, name) ?? all)
  return [...(moved === undefined ? [] : [moved]), `${system.pictures}\\Screenshots`]
}

/** Environment variable names are case-insensitive on Windows. */
function variable(env: ScreenshotSystem['env'], name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}

async function onLinux(system: ScreenshotSystem): Promise<readonly string[]> {
  const config = system.env['XDG_CONFIG_HOME'] ?? ''
  const spectacle = await system.read(
    posix.join(config === '' ? posix.join(system.home, '.config') : config, 'spectaclerc'),
  )
  const chosen =
    spectacle === null ? undefined : /^imageSaveLocation(?:\[\$e\])?=(.+?)\/*\s*$/m.exec(spectacle)?.[1]
  return [
    ...fromSetting(chosen, system.home),
    ...LINUX_NAMES.map((name) => posix.join(system.pictures, name)),
  ]
}

function fromSetting(value: string | undefined, home: string): readonly string[] {
  if (value === undefined) return []
  if (!value.startsWith('file:')) return [value.replace(/^\$HOME(?=\/|$)/, home)]
  try {
    return [fileURLToPath(value, { windows: false })]
  } catch {
    return []
  }
}

export function screenshotSystem(platform: Boot['platform'], pictures: string): ScreenshotSystem {
  const execute = promisify(execFile)
  return {
    platform,
    home: homedir(),
    pictures,
    env: process.env,
    run: async (program, args) => {
      try {
        return (await execute(program, [...args], { timeout: ASK_MS, windowsHide: true })).stdout
      } catch {
        return null
      }
    },
    read: (path) => readFile(path, 'utf8').catch(() => null),
    isFolder: async (path) => (await stat(path).catch(() => null))?.isDirectory() === true,
  }
}
