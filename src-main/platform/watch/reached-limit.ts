// Finds out which of the system's limits kept a watch from being started.
import { closeSync, openSync, watch } from 'node:fs'
import { devNull } from 'node:os'
import type { WatchLimit } from '../../../src-shared/watch-limits.ts'
import { errorCode } from '../disk/disk-errors.ts'

/** The limit behind an error of `fs.watch`; null if it has another cause. */
export function reachedLimit(error: unknown): WatchLimit | null {
  const code = errorCode(error)
  if (code === 'ENOSPC') return 'watches'
  if (code === 'ENFILE') return 'all-files'
  // Linux reports two limits by this code: while the process can still open a file, it is inotify's own.
  return code === 'EMFILE' ? (process.platform === 'linux' && canOpen() ? 'instances' : 'files') : null
}

/** The limit that keeps this process from watching `dir` now; null if none does. */
export function probeLimit(dir: string): WatchLimit | null {
  try {
    watch(dir, { persistent: false }).close()
    return null
  } catch (error) {
    return reachedLimit(error)
  }
}

function canOpen(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  }
}
