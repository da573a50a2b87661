// control.key: the secret that both ends of the control socket prove, new with each engine and readable by this user alone. On Windows, where
// anybody may connect to a pipe, its name comes from the secret as well, so nobody can guess it or take it first.
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, constants, fchmodSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { DataPaths } from '../data/paths.ts'

/** Where an engine is reached, and what both ends prove to know. */
export interface ControlEndpoint {
  readonly path: string
  readonly secret: string
}

type ControlPaths = Pick<DataPaths, 'socket' | 'controlKey'>

const SECRET = /^[0-9a-f]{64}$/

/** Writes a new secret. The caller must hold the owner lock. Throws what the disk throws. */
export function openEndpoint(paths: ControlPaths): ControlEndpoint {
  const secret = randomBytes(32).toString('hex')
  // In place: a client that has the old file open would keep it from being replaced on Windows. A torn read is no secret, and is tried again.
  const handle = openSync(paths.controlKey, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600)
  try {
    fchmodSync(handle, 0o600)
    ftruncateSync(handle, 0)
    writeSync(handle, secret)
  } finally {
    closeSync(handle)
  }
  return endpoint(paths, secret)
}

/** Null: no engine runs there, or it is just starting. */
export function findEndpoint(paths: ControlPaths): ControlEndpoint | null {
  try {
    const secret = readFileSync(paths.controlKey, 'latin1')
    return SECRET.test(secret) ? endpoint(paths, secret) : null
  } catch {
    return null
  }
}

/** Call before the owner lock is released: afterwards the file is the next engine's. */
export function closeEndpoint(paths: ControlPaths): void {
  try {
    rmSync(paths.controlKey, { force: true })
  } catch {
    // What is left proves nothing to the next engine.
  }
}

function endpoint({ socket }: ControlPaths, secret: string): ControlEndpoint {
  return { path: socket ?? pipeOf(secret), secret }
}

/** Not the secret itself: names of pipes are visible to every user. */
export function pipeOf(secret: string): string {
  return `\\\\.\\pipe\\slipway-${createHash('sha256').update(`slipway pipe ${secret}`).digest('hex').slice(0, 32)}`
}
