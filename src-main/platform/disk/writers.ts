// Finds files that other processes have open or mapped for writing. Blocks the calling thread. On Linux, this
// module reads /proc, which usually shows only this user's open files (see hidden-writers.ts). On Windows, it
// opens each file without sharing, which fails while any program has the file open, even just for reading.
// macOS offers nothing comparable without starting a program.
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { errorCode } from './disk-errors.ts'
import { fromNative, isLossy } from './path-codec.ts'

/**
 * libuv's UV_FS_O_EXLOCK on Windows: open without sharing. Node passes the flag through, but exports no
 * constant for it.
 */
const O_EXLOCK = 0x1000_0000

/**
 * The initial PID namespace, whose /proc lists every process of the computer. Linux fixes its number
 * (PROC_PID_INIT_INO).
 */
const INITIAL_PID_NAMESPACE = 'pid:[4026531836]'

/** Whether `openForWriting` finds any writers on this system. */
export function findsWriters(platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'linux' || platform === 'win32'
}

/**
 * Whether `openForWriting` finds all writers of every file that has no hidden writers (hidden-writers.ts).
 * `pidNamespace` is the namespace of this process; null if unknown. /proc shows only the processes in that
 * namespace, so a container can't see the programs outside.
 */
export function knowsWriters(
  platform: NodeJS.Platform = process.platform,
  pidNamespace: string | null = ownPidNamespace(),
): boolean {
  return platform === 'linux' ? pidNamespace === INITIAL_PID_NAMESPACE : findsWriters(platform)
}

function ownPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
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
 * Returns the subset of `paths` that another program has open. Opens each file without sharing and closes it
 * immediately. A program that opens the file in between gets a sharing violation, so pass only files that
 * have been unchanged for a while.
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
      // EBUSY means a sharing violation. Ignore any other error here, because the upload will report it.
      return errorCode(error) === 'EBUSY'
    }
  })
}

/**
 * Returns the subset of `paths` that another process has open for writing or, on Windows, that any program
 * has open at all.
 */
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
        // The descriptor can't be read, for example because it has been closed. Skip it.
      }
    }
  }
  return [...found]
}

/**
 * Returns the subset of `paths` that another process has mapped as shared and writable, so that its writes
 * reach the file.
 */
export function mappedForWriting(paths: readonly string[], ownPid: number): string[] {
  const wanted = new Set(paths)
  const found = new Set<string>()
  for (const pid of otherPids(ownPid) ?? []) {
    try {
      for (const path of sharedWritable(readFileSync(`/proc/${pid}/maps`)))
        if (wanted.has(path)) found.add(path)
    } catch {
      // The process can't be examined, for example because it has ended or belongs to another user. Skip it.
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
