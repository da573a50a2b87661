// Starts the app without the D-Bus buses that accept connections and never answer (silent-bus.ts). Electron's
// D-Bus library has read the buses' addresses before any JavaScript runs, so the app is started again with
// other addresses, as a child of this process, which only waits for it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { type BusName, turnOffSilentBuses } from '../../platform/bus/silent-bus.ts'

/** Names the buses that are off, in the environment of the child. */
const OFF = 'SLIPWAY_SILENT_BUSES'
/** The child's end of a pipe that ends with its parent. */
const PARENT_FD = 3

/** Returns the buses that are turned off. Doesn't return if the app had to be started again. */
export function avoidSilentBuses(): readonly BusName[] {
  if (process.platform !== 'linux') return []
  const off = process.env[OFF]
  delete process.env[OFF]
  if (off !== undefined) {
    endWithParent()
    return (['session', 'system'] as const).filter((bus) => off.split(',').includes(bus))
  }
  const silent = turnOffSilentBuses(process.env)
  if (silent.length === 0 || !hasLibrary()) return silent
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [OFF]: silent.join() },
  })
  return process.exit(status ?? 1)
}

/** Whether this process has the library that keeps the addresses. Later changes would be in vain. */
function hasLibrary(): boolean {
  return readFileSync('/proc/self/maps', 'utf8').includes('/libdbus-1.so')
}

/** A signal to the parent ends only the parent, which is busy waiting. It is meant for the app. */
function endWithParent(): void {
  const parent = new Socket({ fd: PARENT_FD, readable: true, writable: false })
  parent.on('error', () => undefined)
  parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
  parent.resume()
  parent.unref()
}
