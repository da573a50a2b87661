// Gives the file manager menus access to the system. Commands run as the current user, in whose folders the
// menus are stored.
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { app } from 'electron'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { ownProgram } from '../app/autostart.ts'
import type { MenuSystem } from './file-manager-menu.ts'

const RUN_MS = 10_000

export function menuSystem(platform: Boot['platform'], label: () => string): MenuSystem {
  return {
    platform,
    home: homedir(),
    env: process.env,
    execPath: process.execPath,
    // In development, the program is Electron itself. On macOS and Windows, only a packaged Slipway adds
    // entries.
    program: app.isPackaged || platform === 'linux' ? ownProgram() : null,
    label,
    labels: [english.uploadAndCopyLink, german.uploadAndCopyLink],
    run: (program, args) =>
      new Promise((resolve) => {
        execFile(program, [...args], { timeout: RUN_MS, windowsHide: true }, (error, out) =>
          resolve(error === null ? out : null),
        )
      }),
  }
}
