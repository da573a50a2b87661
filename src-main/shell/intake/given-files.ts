// Extracts the files to upload from the command line of the first start and of every later one. Before `--`,
// an argument counts as a file only if it is written as a path or a `file:` URL. Other URLs and switches are
// skipped. Any other word causes the whole command line to be rejected, so that a command such as `plan
// /srv`, which is meant for the command line program, publishes nothing. Only `missingFiles` accesses the
// disk.
import { stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { z } from 'zod'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { errorCode } from '../../platform/disk/disk-errors.ts'
import { fileUrlPath } from './file-url.ts'

/** What a global shortcut does, or one of the desktop's that starts the program with a switch. */
export const QuickAction = z.enum(['upload', 'clipboard', 'region', 'shelf'])
export type QuickAction = z.infer<typeof QuickAction>

/** For desktops that don't let programs reserve keys. */
const SWITCHES: Readonly<Record<string, QuickAction>> = {
  '--upload-files': 'upload',
  '--upload-clipboard': 'clipboard',
  '--take-screenshot': 'region',
  '--show-shelf': 'shelf',
}

interface GivenFiles {
  /** Absolute paths in the given order, without duplicates. Empty if an argument was refused. */
  readonly files: readonly string[]
  /** Whether `--hidden` was given, which starts Slipway without a window, as at login. */
  readonly hidden: boolean
  /**
   * Whether `--copy-link` was given, as by file managers' menus. If so, the links are copied regardless of
   * the settings.
   */
  readonly copyLink: boolean
  /** What a switch asks for; absent if none does. */
  readonly action?: QuickAction | undefined
  /**
   * The first argument that is empty, contains NUL, or is neither a switch nor written as a path or URL; null
   * if there is none.
   */
  readonly refused: string | null
}

interface Arguments {
  /** The complete arguments, including the program. */
  readonly argv: readonly string[]
  /** The working directory, against which relative paths are resolved. */
  readonly cwd: string
  /** The app's folder, which is an argument of Electron during development; null if the app is packaged. */
  readonly appPath: string | null
  readonly platform: Boot['platform']
}

/**
 * Whether the argument is written like `/x`, `./x`, `..\x` or `C:\x`, so that it can't be mistaken for a
 * command.
 */
function isWrittenAsPath(argument: string, platform: Boot['platform']): boolean {
  if (platform === 'win32') return win32.isAbsolute(argument) || /^\.{1,2}(?:[\\/]|$)/.test(argument)
  return posix.isAbsolute(argument) || /^\.{1,2}(?:\/|$)/.test(argument)
}

/** Whether the argument is a switch for an action. */
export const isAction = (argument: string): boolean => Object.hasOwn(SWITCHES, argument)

export function givenFiles({ argv, cwd, appPath, platform }: Arguments): GivenFiles {
  const { resolve } = platform === 'win32' ? win32 : posix
  const files = new Set<string>()
  let hidden = false
  let copyLink = false
  let action: QuickAction | undefined
  let refused: string | null = null
  let switches = true
  let app = appPath === null ? null : resolve(cwd, appPath)
  for (const argument of argv.slice(1)) {
    if (switches && argument === '--') {
      switches = false
      continue
    }
    if (switches && argument.startsWith('-')) {
      // Ignore other switches. Chromium adds its own to a second start and reorders them.
      hidden ||= argument === '--hidden'
      copyLink ||= argument === '--copy-link'
      action ??= SWITCHES[argument]
      continue
    }
    // Windows adds arguments like `/prefetch:5` to some starts.
    if (switches && platform === 'win32' && /^\/\w+:\d+$/.test(argument)) continue
    if (argument === '' || argument.includes('\0')) {
      refused ??= argument
      continue
    }
    // URLs with schemes other than `file:` are skipped. A single letter before the colon is a drive, not a
    // scheme.
    const address = /^[a-z][a-z\d+.-]+:\/\//i.test(argument)
    const path = address ? fileUrlPath(argument, platform) : resolve(cwd, argument)
    if (path === null) continue
    if (app !== null && path === app) {
      app = null
      continue
    }
    // Before `--`, a bare word may be meant as a command, which only the command line program has, so refuse
    // it. After `--`, every argument is a path or URL.
    if (!address && switches && !isWrittenAsPath(argument, platform)) refused ??= argument
    files.add(path)
  }
  const given = { files: refused === null ? [...files] : [], hidden, copyLink, refused }
  return action === undefined ? given : { ...given, action }
}

/**
 * The message for the terminal, or for a dialog if there is no terminal. It is in English, like the command
 * line program.
 */
export function refusal(word: string): string {
  const what =
    word === '' ? 'An argument is empty.' : `${JSON.stringify(word)} is neither a path nor a switch.`
  return (
    `slipway: ${what} Nothing was uploaded.\n  This is the app, which takes files: ` +
    'slipway-desktop ./FILE, or slipway-desktop -- FILE. Commands belong to the command line, slipway.\n'
  )
}

/**
 * Chromium's switches with which another program reads and controls the window. In packages, fuses disable
 * Node's, and these are refused.
 */
const REMOTE_CONTROL = ['remote-debugging-port', 'remote-debugging-pipe'] as const

/** The message for a packaged app that was started with such a switch; null if it wasn't. */
export function remoteControlRefusal(hasSwitch: (name: string) => boolean): string | null {
  const name = REMOTE_CONTROL.find(hasSwitch)
  if (name === undefined) return null
  return (
    `slipway: --${name} would let other programs control Slipway, so installed versions don't start with it.\n` +
    '  To debug Slipway, build it from source.\n'
  )
}

/** Returns the files that don't exist. An unreadable file counts as existing; its upload will report the reason. */
export async function missingFiles(files: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = []
  for (const file of files)
    await stat(file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') missing.push(file)
    })
  return missing
}
