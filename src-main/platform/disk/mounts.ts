// Finds the drive that a path is on. Never accesses the drive, because the drive may not be answering.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { win32 } from 'node:path'
import { below } from '../../engine/disk/rel-path.ts'

/**
 * Types of file systems on built-in disks and in memory, which always answer. If a path on one of them
 * doesn't answer, it leads through a link to another drive.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  'ext2',
  'ext3',
  'ext4',
  'btrfs',
  'xfs',
  'f2fs',
  'zfs',
  'bcachefs',
  'overlay',
  'tmpfs',
])

/**
 * Mount points as Linux lists them; '' if they can't be read. Doesn't block, because procfs answers from
 * memory.
 */
function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/**
 * Returns the root directory of the drive that the path is on. Null means that the drive is unknown, that it
 * is the system's own, or, on Linux, that its file system is one of `BUILT_IN`.
 */
export function mountOf(
  path: string,
  platform: NodeJS.Platform = process.platform,
  mounts: () => string = readMounts,
  home = homedir(),
): string | null {
  if (platform === 'win32') {
    const { root } = win32.parse(path)
    return root === '' || root.toLowerCase() === win32.parse(home).root.toLowerCase() ? null : root
  }
  if (platform !== 'linux') return /^\/Volumes\/[^/]+/.exec(path)?.[0] ?? null
  let found: string | null = null
  let type: string | undefined
  for (const line of mounts().split('\n')) {
    // Spaces, tabs, newlines and backslashes are written as octal numbers.
    const point = line
      .split(' ')[4]
      ?.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    if (point === undefined || point === '/' || below(point, path, '/') === null) continue
    // Of several drives that are mounted at the same mount point, the last one hides the others.
    if (found !== null && point.length < found.length) continue
    found = point
    type = line.split(' - ')[1]?.split(' ')[0]
  }
  return type !== undefined && BUILT_IN.has(type) ? null : found
}
