// Defines how an unresponsive drive appears to the engine: the error for a request that the drive doesn't answer in time, and the test for
// failures that reveal nothing about a path.
import { DiskError, type DiskFailure } from '../ports.ts'

export function silentDrive(): DiskError {
  return new DiskError({ code: 'silent', message: "The drive isn't responding." })
}

/** Whether there was no answer at all, so that nothing is known about the path. */
export function isUnanswered({ code }: Pick<DiskFailure, 'code'>): boolean {
  return code === 'silent' || code === 'interrupted'
}
