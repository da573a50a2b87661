// Makes the system start Slipway hidden at login, and identifies the app to the system at its start. Uses
// Electron's login item settings, or an autostart file on Linux. An autostart file that Slipway didn't write
// is left alone.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type App, app } from 'electron'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { errorCode } from '../../platform/disk/disk-errors.ts'
import { execLine, value } from '../file-manager/desktop-entry.ts'
import { isInSnap, startFile, startPath } from './start-file.ts'

const MARK = 'X-Slipway-Autostart=true'

export function desktopEntry(program: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Slipway',
    // Once the program is removed, the desktop skips the entry.
    `TryExec=${value(program[0] ?? '')}`,
    `Exec=${execLine(program)} --hidden`,
    'X-GNOME-Autostart-enabled=true',
    'Terminal=false',
    MARK,
    '',
  ].join('\n')
}

/** Returns the program and arguments with which other programs start this installation. */
export function ownProgram(): readonly string[] {
  if (!app.isPackaged) return [process.execPath, app.getAppPath()]
  return [
    startFile({ platform: process.platform, env: process.env, program: process.execPath }) ??
      startPath(process.execPath),
  ]
}

/**
 * Whether the system can start this installation at login. In a Flatpak or Snap, the folder for autostart
 * files is the sandbox's own, which no desktop reads.
 */
export function canAutostart(): boolean {
  return (
    process.platform !== 'linux' || (!process.env['FLATPAK_ID'] && !isInSnap(process.env, process.execPath))
  )
}

/**
 * Turns the start at login on or off, unless `canAutostart` returns false. On Linux, throws if the autostart
 * file can't be written or removed, for example because the disk is full, or if it would be replaced but
 * can't be read.
 */
export function setAutostart(on: boolean): void {
  if (!canAutostart()) return
  if (process.platform !== 'linux') {
    // Only Windows uses `path` and `args`. It runs them as one command line, and Electron doesn't quote them.
    const [path = '', ...args] = ownProgram().map((part) => `"${part}"`)
    const item = { path, args: [...args, '--hidden'] }
    // On Windows, `openAtLogin` is false if the item's path or arguments differ from these, as after a
    // portable .exe has been moved. Removing works even for such an item, so it is never skipped.
    const mayDiffer = !on && process.platform === 'win32'
    if (mayDiffer || app.getLoginItemSettings(item).openAtLogin !== on)
      app.setLoginItemSettings({ ...item, openAtLogin: on })
    return
  }
  const file = join(
    process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'),
    'autostart',
    'slipway.desktop',
  )
  let had: string | null = null
  try {
    had = readFileSync(file, 'utf8')
  } catch (error) {
    // A file that can't be read may be another program's, so it isn't replaced.
    if (on && errorCode(error) !== 'ENOENT') throw error
  }
  // Earlier versions left an empty file behind if the disk was full, so an empty file counts as Slipway's
  // own.
  if (had !== null && had !== '' && !had.includes(MARK)) return
  if (!on) {
    if (had !== null) rmSync(file, { force: true })
    return
  }
  const entry = desktopEntry(ownProgram())
  if (entry === had) return
  mkdirSync(dirname(file), { recursive: true })
  replace(file, entry)
}

/**
 * Replaces the file atomically: a failed write leaves the old content, and a desktop session that starts
 * during the write never reads an incomplete file.
 */
function replace(file: string, content: string): void {
  const fresh = join(dirname(file), `.${basename(file)}-${randomUUID()}`)
  try {
    writeFileSync(fresh, content, { mode: 0o644 })
    renameSync(fresh, file)
  } finally {
    rmSync(fresh, { force: true })
  }
}

/**
 * The appId of electron-builder.yml. Windows shows notifications and groups taskbar windows only if this ID
 * matches the installed shortcut's.
 */
export const APP_ID = 'app.slipway.desktop'

export interface SystemStart {
  /**
   * Whether macOS started the app at login, in which case no window opens. False on other systems, where
   * `--hidden` is passed instead.
   */
  readonly atLogin: boolean
}

export function startOnSystem(
  system: Pick<App, 'setAppUserModelId' | 'setDesktopName' | 'getLoginItemSettings'>,
  platform: Boot['platform'],
  env: Readonly<Record<string, string | undefined>> = process.env,
): SystemStart {
  if (platform === 'win32') system.setAppUserModelId(APP_ID)
  // A Flatpak exports only the desktop entry that is named after its ID, not the one that package.json names.
  const flatpak = env['FLATPAK_ID'] ?? ''
  if (platform === 'linux' && flatpak !== '') system.setDesktopName(`${flatpak}.desktop`)
  // macOS starts login items without arguments, so `--hidden` never arrives.
  return { atLogin: platform === 'darwin' && system.getLoginItemSettings().wasOpenedAtLogin }
}
