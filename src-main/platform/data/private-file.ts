// Writes a small file in the data folder atomically: writes a temporary file, syncs it and renames it, so
// that a power failure leaves either the old or the new content. Except on Windows, the file's permissions
// allow access only to this user.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { renamePatientlySync } from './patient-rename.ts'
import { makePrivateDir } from './private-dir.ts'

/**
 * Creates an empty file if there is none, and lets only this user access it. Call before SQLite opens a
 * database, which would create it with permissions for others. If this fails, SQLite fails as well and says
 * why.
 */
export function makePrivate(file: string): void {
  try {
    const handle = openSync(file, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600)
    try {
      // Changing nothing also leaves the file's times alone, by which a seal recognizes the journal.
      if ((fstatSync(handle).mode & 0o777) !== 0o600) fchmodSync(handle, 0o600)
    } finally {
      closeSync(handle)
    }
  } catch {
    return
  }
}

/** Creates the folder if it is missing. */
export function writePrivateFile(file: string, text: string): void {
  makePrivateDir(dirname(file))
  replacePrivateFile(file, text)
}

/**
 * Like `writePrivateFile`, but throws if the folder is missing, so that the folder of a removed account isn't
 * created again.
 */
export function replacePrivateFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`
  try {
    const handle = openSync(beside, 'w', 0o600)
    try {
      // A umask may have taken away what this user needs.
      fchmodSync(handle, 0o600)
      // Unlike `writeSync`, this writes the whole text or throws, for example if the disk becomes full
      // halfway through.
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renamePatientlySync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  if (process.platform === 'win32') return
  // Sync the directory too. Otherwise, a power failure could undo the rename.
  const dir = openSync(dirname(file), 'r')
  try {
    fsyncSync(dir)
  } finally {
    closeSync(dir)
  }
}
