// Manages control.key, the file with the secret that both ends of the control socket must know. Each engine
// creates a new secret that only this user can read. On Windows, any user may connect to a pipe. The pipe's
// name is therefore derived from the secret, so that other users can't guess it or claim it in advance. If
// the socket is outside the account's folder, the file contains its path too, because that path depends on
// the engine's environment (paths.ts), and a client's environment may differ, for example under cron.
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import type { DataPaths } from '../data/paths.ts'

/** The path of an engine's control socket or pipe, and the secret for its handshake. */
export interface ControlEndpoint {
  readonly path: string
  readonly secret: string
}

type ControlPaths = Pick<DataPaths, 'socket' | 'controlKey'>

/** The secret and, if the file names it, the socket's path. */
const FORM = /^([0-9a-f]{64})(?:\n([^\n]+)\n)?$/

/** Writes a new secret. The caller must hold the owner lock. Throws if the file can't be written. */
export function openEndpoint(paths: ControlPaths): ControlEndpoint {
  const secret = randomBytes(32).toString('hex')
  // Write in place, because on Windows a client that has the file open would prevent its replacement. A
  // client that reads a partial secret rejects it and retries.
  const handle = openSync(
    paths.controlKey,
    constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
    0o600,
  )
  try {
    fchmodSync(handle, 0o600)
    ftruncateSync(handle, 0)
    const { socket, controlKey } = paths
    writeSync(
      handle,
      socket === null || dirname(socket) === dirname(controlKey) ? secret : `${secret}\n${socket}\n`,
    )
  } finally {
    closeSync(handle)
  }
  return endpoint(paths, secret)
}

/**
 * Finds the endpoint of the running engine. Returns null if there is no valid secret, because no engine is
 * running or one is just starting. A result doesn't prove that an engine is running, because a killed engine
 * leaves its secret behind.
 */
export function findEndpoint(paths: ControlPaths): ControlEndpoint | null {
  try {
    const [, secret, socket] = FORM.exec(readFileSync(paths.controlKey, 'utf8')) ?? []
    if (secret === undefined || (socket !== undefined && !isAbsolute(socket))) return null
    return endpoint(socket === undefined ? paths : { ...paths, socket }, secret)
  } catch {
    return null
  }
}

/**
 * Deletes the secret. Call before releasing the owner lock, because the next engine writes its own secret to
 * this file.
 */
export function closeEndpoint(paths: ControlPaths): void {
  try {
    rmSync(paths.controlKey, { force: true })
  } catch {
    // If the file remains, no harm is done, because the next engine creates a new secret.
  }
}

function endpoint({ socket }: ControlPaths, secret: string): ControlEndpoint {
  return { path: socket ?? pipeOf(secret), secret }
}

/**
 * The pipe's path contains only a digest of the secret, because the names of pipes are visible to every user.
 */
export function pipeOf(secret: string): string {
  return `\\\\.\\pipe\\slipway-${createHash('sha256').update(`slipway pipe ${secret}`).digest('hex').slice(0, 32)}`
}
