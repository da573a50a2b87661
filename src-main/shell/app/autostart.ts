// Starts Slipway hidden at login: through the system's setting where Electron supports it, on Linux through an autostart file. A file that
// Slipway didn't write is left alone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { execLine } from '../file-manager/desktop-entry.ts'
import { startFile } from './start-file.ts'

const MARK = 'X-Slipway-Autostart=true'

export function desktopEntry(program: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Slipway',
    `Exec=${execLine(program)} --hidden`,
    'X-GNOME-Autostart-enabled=true',
    'Terminal=false',
    MARK,
    '',
  ].join('\n')
}

/** The command with which other programs start this installation. */
export function ownProgram(): readonly string[] {
  if (!app.isPackaged) return [process.execPath, app.getAppPath()]
  return [startFile({ platform: process.platform, env: process.env, program: process.execPath }) ?? process.execPath]
}

export function setAutostart(on: boolean): void {
  if (process.platform !== 'linux') {
    // Only Windows uses these two. It runs them as one command line, in which Electron quotes nothing.
    const [path = '', ...args] = ownProgram().map((part) => `"${part}"`)
    const item = { path, args: [...args, '--hidden'] }
    // Windows reports only an item that is exactly this one. An item for another path, for example of a portable .exe since moved, is
    // removed, too.
    const mayDiffer = !on && process.platform === 'win32'
    if (mayDiffer || app.getLoginItemSettings(item).openAtLogin !== on) app.setLoginItemSettings({ ...item, openAtLogin: on })
    return
  }
  const file = join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart', 'slipway.desktop')
  let had: string | null = null
  try {
    had = readFileSync(file, 'utf8')
  } catch {
    // For example, the file doesn't exist.
  }
  if (had !== null && !had.includes(MARK)) return
  if (!on) {
    if (had !== null) rmSync(file, { force: true })
    return
  }
  const entry = desktopEntry(ownProgram())
  if (entry === had) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, entry, { mode: 0o644 })
}
