// The engine's FileSync on the real disk: one descriptor of our own on the journal's WAL, synced on Node's thread pool.
// Only the WAL may be opened like this. SQLite's locks are POSIX record locks on the database and its -shm file, and closing any descriptor of
// those drops the locks of the whole process; on the WAL SQLite holds none (os_unix.c opens it with UNIXFILE_NOLOCK).
import { close as closeFile, fdatasync, fsync, open } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { FileSync } from '../engine/journal/barrier.ts'

const openFile = promisify(open)
const syncData = promisify(fdatasync)
const syncAll = promisify(fsync)

/**
 * For one file. The descriptor is kept: SQLite keeps the WAL open as long as its connection lives and never replaces it meanwhile, so another
 * file under this name would not be the one that it writes to.
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
      // A sync under way must not meet a descriptor that has become another file's.
      void last.then(() => {
        if (handle !== null) closeFile(handle, () => undefined)
        handle = null
      })
    },
  }
}

/** null: there is no such file. */
async function openWithEntry(file: string): Promise<number | null> {
  let opened: number
  try {
    // For writing, since Windows flushes nothing through a handle that can only read.
    opened = await openFile(file, 'r+')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
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

/** A file that was just created is lost with its directory's entry. Windows keeps entries by itself and can't sync a directory. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const opened = await openFile(dir, 'r')
  try {
    await syncAll(opened)
  } finally {
    closeFile(opened, () => undefined)
  }
}
