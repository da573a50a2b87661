// Finds the drive that a path is on. Never accesses the drive, because it is called when a drive doesn't answer.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse } from 'node:path'
import { below } from '../../engine/disk/rel-path.ts'

/** Mount points as Linux lists them; '' if they can't be read. Doesn't block, because procfs answers from memory. */
function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/** The topmost directory of the drive that the path is on; null if that is the system's own drive, or unknown. */
export function mountOf(path: string, platform: NodeJS.Platform = process.platform, mounts: () => string = readMounts): string | null {
  if (platform === 'win32') {
    const { root } = parse(path)
    return root === '' || root.toLowerCase() === parse(homedir()).root.toLowerCase() ? null : root
  }
  if (platform !== 'linux') return /^\/Volumes\/[^/]+/.exec(path)?.[0] ?? null
  let found: string | null = null
  for (const line of mounts().split('\n')) {
    // Spaces, tabs, newlines and backslashes are written as octal numbers.
    const point = line.split(' ')[4]?.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    if (point === undefined || point === '/' || below(point, path) === null) continue
    if (found === null || point.length > found.length) found = point
  }
  return found
}
