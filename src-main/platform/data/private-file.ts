// Writes a small file in the data folder atomically: writes a temporary file, syncs it and renames it, so that a power failure leaves
// either the old or the new content. Except on Windows, the file's permissions allow access only to this user.
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { renamePatientlySync } from './patient-rename.ts'
import { makePrivateDir } from './private-dir.ts'

/** Creates the folder if it is missing. */
export function writePrivateFile(file: string, text: string): void {
  makePrivateDir(dirname(file))
  replacePrivateFile(file, text)
}

/** Like `writePrivateFile`, but throws if the folder is missing, so that the folder of a removed account isn't created again. */
export function replacePrivateFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`
  try {
    const handle = openSync(beside, 'w', 0o600)
    try {
      // Unlike `writeSync`, this writes the whole text or throws, for example if the disk becomes full halfway through.
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
