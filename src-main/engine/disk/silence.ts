// What a disk that gives no answer looks like to the engine: the error for a drive that doesn't answer in time, and the failures that say
// nothing about the path they were asked for.
import { DiskError, type DiskFailure } from '../ports.ts'

/** The error of a request that the drive didn't answer in time. */
export function silentDrive(): DiskError {
  return new DiskError({ code: 'silent', message: "The drive isn't responding." })
}

/** Whether there was no answer at all, so that nothing is known about the path. */
export function isUnanswered({ code }: Pick<DiskFailure, 'code'>): boolean {
  return code === 'silent' || code === 'interrupted'
}
