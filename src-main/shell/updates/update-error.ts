// Defines the error with which an update fails, and converts other errors to it. The window has a sentence
// for each `fault`; `message` is for the log.
import type { UpdateFault } from '../../../src-shared/update.ts'
import { errorCode } from '../../platform/disk/disk-errors.ts'

export class UpdateError extends Error {
  readonly fault: UpdateFault

  constructor(fault: UpdateFault, message: string) {
    super(message)
    this.name = 'UpdateError'
    this.fault = fault
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const LOCKED = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Converts a disk error to an UpdateError. An UpdateError is returned unchanged. */
export function updateError(error: unknown): UpdateError {
  return convert(error, 'disk')
}

/**
 * Like `updateError`, for the folder that Slipway is installed in. Missing permission becomes `read-only`,
 * because the user can move Slipway to another folder.
 */
export function programFolderError(error: unknown): UpdateError {
  return convert(error, 'read-only')
}

/** `locked`: the fault if there is no permission. */
function convert(error: unknown, locked: UpdateFault): UpdateError {
  if (error instanceof UpdateError) return error
  const code = errorCode(error)
  const message = error instanceof Error ? error.message : String(error)
  return new UpdateError(FULL.has(code) ? 'disk-full' : LOCKED.has(code) ? locked : 'disk', message)
}
