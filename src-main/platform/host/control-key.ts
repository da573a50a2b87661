// control.key: a secret. Both ends of the control socket prove to each other that they know it. Each engine creates a new secret that only
// this user can read. On Windows, anyone may connect to a pipe, so the pipe's name is derived from the secret and can't be guessed or
// claimed in advance.
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, constants, fchmodSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { DataPaths } from '../data/paths.ts'

/** The path of an engine's control socket or pipe, and the secret for its handshake. */
export interface ControlEndpoint {
  readonly path: string
  readonly secret: string
}

type ControlPaths = Pick<DataPaths, 'socket' | 'controlKey'>

const SECRET = /^[0-9a-f]{64}$/

/** Writes a new secret. The caller must hold the owner lock. Throws disk errors. */
export function openEndpoint(paths: ControlPaths): ControlEndpoint {
  const secret = randomBytes(32).toString('hex')
  // Write in place: on Windows, a client that has the old file open would prevent its replacement. A client that reads a partial secret
  // rejects it and tries again.
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

/**
 * Finds the endpoint of the running engine. Returns null if there is no valid secret, because no engine is running or one is just starting.
 * A killed engine leaves its secret behind.
 */
export function findEndpoint(paths: ControlPaths): ControlEndpoint | null {
  try {
    const secret = readFileSync(paths.controlKey, 'latin1')
    return SECRET.test(secret) ? endpoint(paths, secret) : null
  } catch {
    return null
  }
}

/** Deletes the secret. Call before the owner lock is released; afterwards the file belongs to the next engine. */
export function closeEndpoint(paths: ControlPaths): void {
  try {
    rmSync(paths.controlKey, { force: true })
  } catch {
    // If the file remains, its secret is useless with the next engine.
  }
}

function endpoint({ socket }: ControlPaths, secret: string): ControlEndpoint {
  return { path: socket ?? pipeOf(secret), secret }
}

/** The pipe's path contains only a digest of the secret, because the names of pipes are visible to every user. */
export function pipeOf(secret: string): string {
  return `\\\\.\\pipe\\slipway-${createHash('sha256').update(`slipway pipe ${secret}`).digest('hex').slice(0, 32)}`
}
