// Maps Node's file errors to the disk port's failure codes. The engine decides whether to wait, hold or give
// up. On Windows, this module also retries if access is denied, because the denial may be temporary.
import { DiskError, type DiskFailure, type DiskFailureCode } from '../../engine/ports.ts'

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

/** The code of an error, for example `ENOENT`; '' if it has none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** Says that a process, or the system, has too many open files, which is no fault of the disk; otherwise null. */
export function openFilesText(error: unknown): string | null {
  const code = errorCode(error)
  if (code !== 'EMFILE' && code !== 'ENFILE') return null
  return code === 'EMFILE'
    ? 'too many open files: raise the limit with ulimit -n'
    : 'too many open files in the whole system: close some programs'
}

export function diskFailure(error: unknown): DiskFailure {
  return {
    code: CODES[errorCode(error)] ?? 'io',
    message: openFilesText(error) ?? (error instanceof Error ? error.message : String(error)),
  }
}

/** Pauses between attempts. Their sum exceeds the duration of a typical virus scan or pending deletion. */
const DENIED_PAUSES_MS = [50, 150, 400, 1000] as const

/**
 * Calls `open` and, on Windows, retries if access is denied. Windows also denies access while a file is being
 * deleted or while a virus scanner has it open. Rejects with the last error.
 */
export async function patiently<T>(
  platform: NodeJS.Platform,
  open: () => Promise<T>,
  pause: (ms: number) => Promise<unknown>,
): Promise<T> {
  for (const ms of platform === 'win32' ? DENIED_PAUSES_MS : []) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof DiskError) || error.failure.code !== 'denied') throw error
    }
    await pause(ms)
  }
  return open()
}
