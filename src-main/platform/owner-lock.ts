// One engine a data folder. The lock is an exclusive transaction on a small SQLite file: the operating system drops it with the process,
// however that ends, so a kill leaves nothing stale and no process number is trusted. The file never holds data, so a damaged one is emptied.
import { closeSync, constants, copyFileSync, ftruncateSync, lstatSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DataFolderError } from './private-dir.ts'

export type OwnerResult = { readonly ok: true; readonly release: () => void } | { readonly ok: false }

/** Result codes of SQLite. */
const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const CANT_OPEN = 14
const NOT_A_DATABASE = 26

/** Kept here: a database that nothing refers to is closed by the garbage collector, and its lock goes with it. */
const held = new Set<DatabaseSync>()

/** Throws a DataFolderError where the file can't be used, with the step that helps. */
export function acquireOwner(file: string): OwnerResult {
  try {
    return lock(file)
  } catch (error) {
    const code = codeOf(error)
    if (code === CORRUPT || code === NOT_A_DATABASE) {
      // SQLite takes its lock before it reads, so the file was seen to be damaged while no engine held it.
      empty(file)
      return lock(file)
    }
    if (code !== CANT_OPEN) throw error
    const stats = lstatSync(file, { throwIfNoEntry: false })
    const what = stats === undefined || stats.isFile() ? `${file} can't be opened` : `${file} is not a file`
    throw new DataFolderError(
      `${what}, so Slipway can't tell whether another one runs.`,
      `Move it away or give yourself the right to write it; Slipway creates it again. It holds no data.`,
      error,
    )
  }
}

function lock(file: string): OwnerResult {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    db?.close()
    const code = codeOf(error)
    // Somebody else is the owner. Anything else is the disk's trouble and must be heard.
    if (code === BUSY || code === LOCKED) return { ok: false }
    throw error
  }
  const locked = db
  held.add(locked)
  return {
    ok: true,
    release: () => {
      held.delete(locked)
      if (locked.isOpen) locked.close()
    },
  }
}

/**
 * In place, never by another file of the same name: two that find the damage at once then still meet on one file, and only one gets its lock.
 * What was in it is kept beside it. Closing a descriptor drops this process' locks on the file (POSIX), which it has none of here.
 */
function empty(file: string): void {
  try {
    copyFileSync(file, `${file}.damaged`)
  } catch {
    // It holds nothing that is needed; without room for a copy it goes without.
  }
  rmSync(`${file}-journal`, { force: true })
  rmSync(`${file}-wal`, { force: true })
  const handle = openSync(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  try {
    ftruncateSync(handle, 0)
  } finally {
    closeSync(handle)
  }
}

function codeOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
