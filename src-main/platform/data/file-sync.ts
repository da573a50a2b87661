// The engine's FileSync on the real disk: keeps one descriptor of the journal's WAL open and syncs it on
// Node's thread pool. Only the WAL may be opened like this. SQLite's locks are POSIX record locks on the
// database and its -shm file, and closing any descriptor of such a file would release all of the process's
// locks on it. SQLite holds no locks on the WAL (os_unix.c opens it with UNIXFILE_NOLOCK).
import { close as closeFile, fdatasync, fsync, open } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { FileSync } from '../../engine/journal/barrier.ts'
import { errorCode } from '../disk/disk-errors.ts'

const openFile = promisify(open)
const syncData = promisify(fdatasync)
const syncAll = promisify(fsync)

/**
 * Syncs a single file: the first one passed to `sync` that exists. Its descriptor stays open, because SQLite
 * never replaces its WAL while the connection is open.
 */
export function createFileSync(): FileSync {
  let handle: number | null = null
  let last: Promise<void> = Promise.resolve()
  let closed = false

  const work = async (file: string): Promise<void> => {
    if (closed) return
    handle ??= await openWithEntry(file)
    if (handle !== null) await syncData(handle)
  }

  return {
    sync: (file) => {
      const done = last.then(() => work(file))
      last = done.catch(() => undefined)
      return done
    },
    close: () => {
      closed = true
      // Wait for a running sync before closing. Otherwise it could use a descriptor number that has been
      // reused.
      void last.then(() => {
        if (handle !== null) closeFile(handle, () => undefined)
        handle = null
      })
    },
  }
}

/** Opens the file and syncs its directory entry. Resolves to null if the file doesn't exist. */
async function openWithEntry(file: string): Promise<number | null> {
  let opened: number
  try {
    // Open for writing, because Windows can't flush a read-only handle.
    opened = await openFile(file, 'r+')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  try {
    await syncDirectory(dirname(file))
  } catch (error) {
    closeFile(opened, () => undefined)
    throw error
  }
  return opened
}

/**
 * A new file survives a crash only if its directory entry is also synced. Windows does that automatically and
 * can't sync a directory.
 */
export async function syncDirectory(dir: string | Buffer): Promise<void> {
  if (process.platform === 'win32') return
  const opened = await openFile(dir, 'r')
  try {
    await syncAll(opened)
  } finally {
    closeFile(opened, () => undefined)
  }
}
