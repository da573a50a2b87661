// Node's file errors as the disk port's closed list.
// No policy: whether to wait, to hold or to give up is the engine's.
import type { DiskFailure, DiskFailureCode } from '../engine/ports.ts'

const CODES: Readonly<Record<string, DiskFailureCode>> = {
  ENOENT: 'gone',
  EACCES: 'denied',
  EPERM: 'denied',
  ENOTDIR: 'not-a-directory',
  EISDIR: 'not-a-directory',
  ELOOP: 'loop',
  EMLINK: 'loop',
  EBUSY: 'busy',
  ETXTBSY: 'busy',
  EAGAIN: 'busy',
  EMFILE: 'busy',
  ENFILE: 'busy',
  ENAMETOOLONG: 'name-too-long',
}

export function diskFailure(error: unknown): DiskFailure {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return { code: CODES[code] ?? 'io', message: error instanceof Error ? error.message : String(error) }
}
