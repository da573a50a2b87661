// An inter-process lock, held to run an account's engine or to change the list of accounts. The lock is an
// exclusive transaction on a small SQLite file. The operating system releases it when the process ends, so a
// killed process leaves no stale lock behind. The file contains no data, so a damaged one is emptied.
import { closeSync, constants, copyFileSync, ftruncateSync, lstatSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DataFolderError } from '../data/private-dir.ts'
import { makePrivate } from '../data/private-file.ts'

export type OwnerResult = { readonly ok: true; readonly release: () => void } | { readonly ok: false }

/** SQLite result codes. */
const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const CANT_OPEN = 14
const NOT_A_DATABASE = 26

/** Keeps the connections reachable. A garbage-collected database is closed and loses its lock. */
const held = new Set<DatabaseSync>()

/**
 * Takes the lock if it is free. Throws a DataFolderError if the file can't be opened, and SQLite's own error
 * for other disk errors.
 */
export function acquireOwner(file: string): OwnerResult {
  try {
    return lock(file)
  } catch (error) {
    const code = codeOf(error)
    if (code === CORRUPT || code === NOT_A_DATABASE) {
      // SQLite locks before it reads, so no other process held the lock when the damage was found.
      empty(file)
      return lock(file)
    }
    if (code !== CANT_OPEN) throw error
    const stats = lstatSync(file, { throwIfNoEntry: false })
    const what = stats === undefined || stats.isFile() ? `${file} can't be opened` : `${file} is not a file`
    throw new DataFolderError(
      `${what}, so Slipway can't tell whether another one is running.`,
      `Delete it, or give yourself permission to write to it. It contains no data, and Slipway creates it again.`,
      error,
    )
  }
}

function lock(file: string): OwnerResult {
  let db: DatabaseSync | null = null
  try {
    makePrivate(file)
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    db?.close()
    const code = codeOf(error)
    // Another connection, usually of another process, has the lock. Any other error comes from the disk and
    // must be reported.
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
 * Empties the file in place instead of replacing it, so that two processes that find the damage at the same
 * time still compete for the same file, and only one gets the lock. Closing the descriptor would release this
 * process's POSIX locks on the file, but it holds none here.
 */
function empty(file: string): void {
  try {
    copyFileSync(file, `${file}.damaged`)
  } catch {
    // The content isn't needed, so it doesn't matter if the copy fails.
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
