// Start at login, hidden: the system's own setting where Electron has it, on Linux the desktop's autostart file. A file that somebody else
// wrote is left alone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'

const MARK = 'X-Slipway-Autostart=true'

/** One argument of a desktop entry's Exec line: quoted, with the four characters escaped that mean something inside. */
function quoted(argument: string): string {
  return `"${argument.replaceAll(/[\\"`$]/g, (char) => `\\${char}`).replaceAll('%', '%%')}"`
}

/** The rule of all values of such a file, read before that of Exec: a line end would end the entry, a lone backslash make it invalid. */
function value(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}

export function desktopEntry(program: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Slipway',
    `Exec=${value(program.map(quoted).join(' '))} --hidden`,
    'X-GNOME-Autostart-enabled=true',
    'Terminal=false',
    MARK,
    '',
  ].join('\n')
}

export function setAutostart(on: boolean): void {
  if (process.platform !== 'linux') {
    const now = app.getLoginItemSettings({ args: ['--hidden'] })
    if (now.openAtLogin !== on) app.setLoginItemSettings({ openAtLogin: on, args: ['--hidden'] })
    return
  }
  const file = join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart', 'slipway.desktop')
  let had: string | null = null
  try {
    had = readFileSync(file, 'utf8')
  } catch {
    // There is none.
  }
  if (had !== null && !had.includes(MARK)) return
  if (!on) {
    if (had !== null) rmSync(file, { force: true })
    return
  }
  // An AppImage runs from a place that changes; the variable names the file that a person started.
  const program = app.isPackaged ? [process.env['APPIMAGE'] ?? process.execPath] : [process.execPath, app.getAppPath()]
  const entry = desktopEntry(program)
  if (entry === had) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, entry, { mode: 0o644 })
}
