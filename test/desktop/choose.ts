// Which Electron a test tool starts: the real one where its binary is installed, the stand-in elsewhere. Said once, for specs and pictures.
// SLIPWAY_E2E=electron insists on the binary, SLIPWAY_E2E=stand-in on the stand-in.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname

/** Sets what both `require('electron')` and the test tool read to find the executable. Throws when the wanted one is not there. */
export function chooseElectron(): void {
  const installed = existsSync(join(here, '../../node_modules/electron/path.txt'))
  const wanted = process.env['SLIPWAY_E2E'] ?? (installed ? 'electron' : 'stand-in')
  if (wanted !== 'electron' && wanted !== 'stand-in') throw new Error('SLIPWAY_E2E is either electron or stand-in.')
  if (wanted === 'electron' && !installed)
    throw new Error("Electron's binary is not installed. Run npx install-electron, or leave SLIPWAY_E2E out.")
  if (wanted === 'stand-in') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = join(here, 'bin')
}
