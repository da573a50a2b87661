// Chooses the Electron that a test tool starts: the real one if its binary is installed, otherwise the
// stand-in. Used by specs and screenshots. SLIPWAY_E2E=electron requires the binary, SLIPWAY_E2E=stand-in the
// stand-in.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname

/** Which one tests start. Throws if the requested one isn't available. */
export function chosenElectron(): 'electron' | 'stand-in' {
  const installed = existsSync(join(here, '../../node_modules/electron/path.txt'))
  const wanted = process.env['SLIPWAY_E2E'] ?? (installed ? 'electron' : 'stand-in')
  if (wanted !== 'electron' && wanted !== 'stand-in')
    throw new Error('SLIPWAY_E2E is either electron or stand-in.')
  if (wanted === 'electron' && !installed)
    throw new Error("Electron's binary is not installed. Run npx install-electron, or leave SLIPWAY_E2E out.")
  return wanted
}

/** Sets what `require('electron')` and the test tool read to find the executable. */
export function chooseElectron(): void {
  if (chosenElectron() === 'stand-in') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = join(here, 'bin')
}
