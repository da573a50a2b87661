// Moves and replaces Slipway's own files, and sets invalid ones aside, with retries on Windows. Windows
// refuses to move or replace a file while another program, such as a virus scanner or a search index, has it
// open. Such a program usually opens a file right after it was written, and closes it within milliseconds.
import { renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { errorCode } from '../disk/disk-errors.ts'

/** Error codes that Node reports when Windows refuses to rename an open file. */
const IN_USE: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY'])
/** Pauses between attempts. The synchronous form blocks its thread during these pauses. */
const PAUSES_MS = [10, 20, 50, 100, 200, 400] as const

function pausesOn(platform: NodeJS.Platform): readonly number[] {
  return platform === 'win32' ? PAUSES_MS : []
}

/**
 * Like `rename` of `node:fs/promises`, but retries for about 0.8 s on Windows. Rejects with the last error.
 */
export async function renamePatiently(from: string | Buffer, to: string | Buffer): Promise<void> {
  for (const ms of pausesOn(process.platform)) {
    try {
      await rename(from, to)
      return
    } catch (error) {
      if (!IN_USE.has(errorCode(error))) throw error
    }
    await setTimeout(ms)
  }
  await rename(from, to)
}

/**
 * Renames a file that can't be read, so that it isn't overwritten, and returns its new path. `now` is in
 * epoch ms.
 */
export function setAsideSync(file: string, now: number): string {
  const aside = `${file}.broken-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  renamePatientlySync(file, aside)
  return aside
}

/** Like `renameSync`, but retries for about 0.8 s on Windows. Throws the last error. */
export function renamePatientlySync(from: string, to: string): void {
  for (const ms of pausesOn(process.platform)) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (!IN_USE.has(errorCode(error))) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  }
  renameSync(from, to)
}
