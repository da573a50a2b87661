// The app in the tray, in the row about idling: the main process with the engine's thread, in Electron or its
// stand-in. The window's page is unloaded, and Chromium's own processes aren't counted.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { chooseElectron } from '../desktop/choose.ts'
import { type Running, running } from './measure.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Starts the built app as at login, on a data folder that no other process uses. */
export function startInTray(env: Readonly<Record<string, string>>): Running {
  chooseElectron()
  const program = createRequire(import.meta.url)('electron') as string
  return running(spawn(program, [ROOT, '--hidden'], { stdio: 'ignore', env: { ...process.env, ...env } }))
}
