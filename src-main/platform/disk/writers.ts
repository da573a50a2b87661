// Finds files that other processes of this user have open or mapped for writing, through Linux's /proc. Synchronous, for the disk thread.
// Processes of other users aren't visible, and other systems offer nothing comparable.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { fromNative, isLossy } from './path-codec.ts'

/** The IDs of all other processes; null if the system doesn't list them. */
function otherPids(ownPid: number): readonly string[] | null {
  if (process.platform !== 'linux') return null
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== ownPid)
  } catch {
    return null
  }
}

/** The subset of `paths` that another process has open for writing. */
export function openForWriting(paths: readonly string[], ownPid: number): string[] {
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
        // The descriptor has been closed.
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
      // The process belongs to another user or has ended.
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
