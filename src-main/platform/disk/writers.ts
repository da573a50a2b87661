// Finds files that other processes have open or mapped for writing. Synchronous, for the disk thread. Linux: through /proc, which shows the
// open files of this user's processes only. Windows: by opening the file without sharing, which fails while any program has it open, even
// only for reading. macOS offers nothing comparable without starting a program.
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { errorCode } from './disk-errors.ts'
import { fromNative, isLossy } from './path-codec.ts'

/** libuv's UV_FS_O_EXLOCK on Windows: open without sharing. Node passes the flag through, but exports no constant for it. */
const O_EXLOCK = 0x1000_0000

/** Whether `openForWriting` finds writers on this system. */
export function knowsWriters(platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'linux' || platform === 'win32'
}

/** The IDs of all other processes; null if the system doesn't list them. */
function otherPids(ownPid: number): readonly string[] | null {
  if (process.platform !== 'linux') return null
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== ownPid)
  } catch {
    return null
  }
}

/**
 * The subset of `paths` that a program has open. Opens each file and closes it immediately; a program that opens it in between gets a
 * sharing violation. So pass only files that have been unchanged for a while.
 */
export function openElsewhere(
  paths: readonly string[],
  open: (path: string, flags: number) => number,
  close: (fd: number) => void,
): string[] {
  return paths.filter((path) => {
    try {
      close(open(path, constants.O_RDONLY | O_EXLOCK))
      return false
    } catch (error) {
      // EBUSY means a sharing violation. The upload reports any other error.
      return errorCode(error) === 'EBUSY'
    }
  })
}

/** The subset of `paths` that another process has open for writing; on Windows, that any program has open. */
export function openForWriting(paths: readonly string[], ownPid: number): string[] {
  if (process.platform === 'win32') return openElsewhere(paths, openSync, closeSync)
  const wanted = new Set(paths)
  const found = new Set<string>()
  for (const pid of otherPids(ownPid) ?? []) {
    let fds: string[]
    try {
      fds = readdirSync(`/proc/${pid}/fd`)
    } catch {
      continue
    }
    for (const fd of fds) {
      try {
        const link = `/proc/${pid}/fd/${fd}`
        const text = readlinkSync(link)
        const target = isLossy(text) ? fromNative(readlinkSync(link, { encoding: 'buffer' })) : text
        if (!wanted.has(target) || found.has(target)) continue
        const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1]
        // The two lowest bits are the access mode: 0 read, 1 write, 2 both.
        if (flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0) found.add(target)
      } catch {
        // For example, the descriptor has been closed.
      }
    }
  }
  return [...found]
}

/** The subset of `paths` that another process has mapped as shared and writable, so that its writes reach the file. */
export function mappedForWriting(paths: readonly string[], ownPid: number): string[] {
  const wanted = new Set(paths)
  const found = new Set<string>()
  for (const pid of otherPids(ownPid) ?? []) {
    try {
      for (const path of sharedWritable(readFileSync(`/proc/${pid}/maps`))) if (wanted.has(path)) found.add(path)
    } catch {
      // For example, the process belongs to another user or has ended.
    }
  }
  return [...found]
}

/** The paths of shared writable mappings in the text of /proc/PID/maps. Exported for its test. */
export function sharedWritable(maps: Uint8Array): string[] {
  const text = Buffer.from(maps).toString('latin1')
  const found: string[] = []
  // Columns: address, permissions, offset, device, inode, path. A newline in the path is written as \012.
  for (const match of text.matchAll(/^[0-9a-f]+-[0-9a-f]+ [r-]w[x-]s \S+ \S+ \d+ +(\/.*)$/gm)) {
    const path = (match[1] ?? '').replaceAll('\\012', '\n')
    found.push(fromNative(Buffer.from(path, 'latin1')))
  }
  return found
}
