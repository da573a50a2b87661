// Reads and writes a small file in the data folder. Writes it atomically: writes a temporary file, syncs it and
// renames it, so that a power failure leaves either the old or the new content. Except on Windows, the file's
// permissions allow access only to this user.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../disk/disk-errors.ts'
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

/**
 * Returns the text of a regular file, or null if nothing has this name. Throws if something else has it, such
 * as a pipe or a link to a drive that isn't mounted: then what the user chose isn't known, and the defaults
 * would publish what it excludes.
 */
export function readPrivateFile(file: string): string | null {
  let handle: number
  try {
    // O_NONBLOCK: don't hang on a pipe. Windows lacks that flag.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
    if (isMissing && lstatSync(file, { throwIfNoEntry: false }) === undefined) return null
    throw error
  }
  try {
    if (!fstatSync(handle).isFile())
      throw Object.assign(new Error(`${file} isn't a regular file.`), { path: file })
    return readFileSync(handle, 'utf8')
  } finally {
    closeSync(handle)
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
