// Which files other processes of this user hold open or have mapped for writing, by Linux's /proc. Synchronous, for the disk's thread.
// What another user's process does can't be seen, and other systems tell nothing.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { fromNative, isLossy } from './path-codec.ts'

/** Processes but this one; null where the system has no such list. */
function otherPids(ownPid: number): readonly string[] | null {
  if (process.platform !== 'linux') return null
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== ownPid)
  } catch {
    return null
  }
}

/** Paths of `paths` that another process holds open for writing. */
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
        // The two lowest bits: 0 read only, 1 write only, 2 both.
        if (flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0) found.add(target)
      } catch {
        // Closed meanwhile.
      }
    }
  }
  return [...found]
}

/** Paths of `paths` that another process has mapped so that what it writes goes to the file. */
export function mappedForWriting(paths: readonly string[], ownPid: number): string[] {
  const wanted = new Set(paths)
  const found = new Set<string>()
  for (const pid of otherPids(ownPid) ?? []) {
    try {
      for (const path of sharedWritable(readFileSync(`/proc/${pid}/maps`))) if (wanted.has(path)) found.add(path)
    } catch {
      // Another user's, or ended meanwhile.
    }
  }
  return [...found]
}

/** Files of a process's maps that are shared and writable. Exported for its test. */
export function sharedWritable(maps: Uint8Array): string[] {
  const text = Buffer.from(maps).toString('latin1')
  const found: string[] = []
  // Address, permissions, offset, device, inode, path; a newline in the path is written as an octal number.
  for (const match of text.matchAll(/^[0-9a-f]+-[0-9a-f]+ [r-]w[x-]s \S+ \S+ \d+ +(\/.*)$/gm)) {
    const path = (match[1] ?? '').replaceAll('\\012', '\n')
    found.push(fromNative(Buffer.from(path, 'latin1')))
  }
  return found
}
