// Chooses the Electron that a test tool starts: the real one if its binary is installed, otherwise the
// stand-in. Used by specs and screenshots. SLIPWAY_E2E=electron requires the binary, SLIPWAY_E2E=stand-in the
// stand-in.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const here = import.meta.dirname
const ROOT = resolve(here, '../..')
const STAND_IN = join(here, 'bin')
const named = (): string | undefined => process.env['ELECTRON_OVERRIDE_DIST_PATH']

/** Which one tests start. Throws if the requested one isn't available. */
export function chosenElectron(): 'electron' | 'stand-in' {
  const other = named() !== undefined && named() !== STAND_IN
  const installed = other || existsSync(join(ROOT, 'node_modules/electron/path.txt'))
  const wanted = process.env['SLIPWAY_E2E'] ?? (installed ? 'electron' : 'stand-in')
  if (wanted !== 'electron' && wanted !== 'stand-in')
    throw new Error('SLIPWAY_E2E is either electron or stand-in.')
  if (wanted === 'electron' && !installed)
    throw new Error("Electron's binary is not installed. Run npx install-electron, or leave SLIPWAY_E2E out.")
  return wanted
}

/** Sets what `require('electron')` and the test tool read to find the executable. */
export function chooseElectron(): void {
  if (chosenElectron() === 'stand-in') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = STAND_IN
}

/** Whether the chosen one is the stand-in. Only after `chooseElectron`, as in specs. */
export function isStandInChosen(): boolean {
  return named() === STAND_IN
}

/** Whether `electron.standIn` says what the app did on the desktop: in the stand-in, or with the recorder. */
export function hasRecords(): boolean {
  return isStandInChosen() || process.env['SLIPWAY_RECORDER'] !== undefined
}

/** What Electron gets ahead of the app: the recorder, if there is one. */
export function recorderArguments(): string[] {
  const recorder = process.env['SLIPWAY_RECORDER']
  return recorder === undefined ? [] : ['-r', recorder]
}

/** The app's folder as Electron gets it: the checkout, or where an older Electron's build is. */
export function appFolder(): string {
  return process.env['SLIPWAY_APP'] ?? ROOT
}
