// Ensures one running app per user data folder, across processes: an atomic lock, and a folder where later
// starts leave messages. Synchronous, because `app.requestSingleInstanceLock()` is. The lock of a dead
// process is taken over.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export interface SecondStart {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly data: unknown
}

interface InstanceLockOptions {
  readonly folder: string
  readonly start: SecondStart
  readonly onSecond: (start: SecondStart) => void
}

/** Chromium's limit in bytes. */
const MESSAGE_MAX = 32 * 1024

/** Null if another process has the lock. That process is notified of this start. */
export function takeInstanceLock({
  folder,
  start,
  onSecond,
}: InstanceLockOptions): { readonly release: () => void } | null {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'SingletonLock')
  const inbox = join(folder, 'SingletonInbox')
  if (!claim(lock)) {
    // Electron gets nothing of a longer message, and on some systems ends the app that it was for.
    const isLost = process.platform !== 'win32' && Buffer.byteLength(start.argv.join('\0')) > MESSAGE_MAX
    if (isLost) return null
    // Write a temporary file and rename it, so that the reader never sees half of it.
    const name = `${process.pid}-${Date.now()}`
    mkdirSync(inbox, { recursive: true })
    writeFileSync(join(folder, `${name}.part`), JSON.stringify(start))
    renameSync(join(folder, `${name}.part`), join(inbox, `${name}.json`))
    return null
  }
  rmSync(inbox, { recursive: true, force: true })
  mkdirSync(inbox)
  const read = (): void => {
    for (const name of readdirSync(inbox).toSorted()) {
      const second = JSON.parse(readFileSync(join(inbox, name), 'utf8')) as SecondStart
      rmSync(join(inbox, name))
      onSecond(second)
    }
  }
  const watcher = watch(inbox, { persistent: false }, read)
  // A start may have left a message between taking the lock and watching the folder.
  read()
  return {
    release: () => {
      watcher.close()
      rmSync(inbox, { recursive: true, force: true })
      rmSync(lock, { force: true })
    },
  }
}

/**
 * The lock is a symbolic link whose target is the process ID. It is created atomically and can be read
 * without opening a file.
 */
function claim(lock: string): boolean {
  for (;;) {
    try {
      symlinkSync(String(process.pid), lock)
      return true
    } catch {
      const holder = holderOf(lock)
      if (holder !== null && isAlive(holder)) return holder === process.pid
      rmSync(lock, { force: true })
    }
  }
}

function holderOf(lock: string): number | null {
  try {
    return Number(readlinkSync(lock))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
