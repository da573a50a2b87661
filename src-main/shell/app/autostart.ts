// Starts Slipway hidden at login: through the system's setting where Electron supports it, on Linux through an autostart file. A file that
// Slipway didn't write is left alone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'

const MARK = 'X-Slipway-Autostart=true'

/** Quotes an argument of a desktop entry's Exec line and escapes the characters that are special inside the quotes. */
function quoted(argument: string): string {
  return `"${argument.replaceAll(/[\\"`$]/g, (char) => `\\${char}`).replaceAll('%', '%%')}"`
}

/**
 * Escapes a value of a desktop entry. Applies to all values, on top of Exec's own quoting: a line break would end the value, a single
 * backslash would make it invalid.
 */
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
    // The file doesn't exist.
  }
  if (had !== null && !had.includes(MARK)) return
  if (!on) {
    if (had !== null) rmSync(file, { force: true })
    return
  }
  // An AppImage is mounted at a path that changes with each start; the variable holds the path of the image itself.
  const program = app.isPackaged ? [process.env['APPIMAGE'] ?? process.execPath] : [process.execPath, app.getAppPath()]
  const entry = desktopEntry(program)
  if (entry === had) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, entry, { mode: 0o644 })
}
