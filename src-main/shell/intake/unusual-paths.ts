// Finds the paths of a drop that people hardly ever drag. The main process can't see a drop: it trusts the
// page's process, which reads the paths. If that process were taken over, it could name any path, so these
// need the user's consent in a system dialog.
import { posix, win32 } from 'node:path'
import type { Boot } from '../../../src-shared/window-contract.ts'

interface Place {
  readonly platform: Boot['platform']
  readonly home: string
}

/** Folders of the system and of programs, with everything in them. */
const LINUX = [
  '/boot',
  '/dev',
  '/etc',
  '/proc',
  '/root',
  '/sys',
  '/usr',
  '/var/lib',
  '/var/log',
  '/var/spool',
]
const MAC = [
  '/Library',
  '/System',
  '/etc',
  '/dev',
  '/private/etc',
  '/private/var/db',
  '/private/var/log',
  '/private/var/root',
  '/usr',
]
const WINDOWS = ['windows', 'program files', 'program files (x86)', 'programdata', 'recovery']
/** Folders that contain homes or disks. What is in them is ordinary. */
const WHOLE = [
  '/home',
  '/users',
  '/media',
  '/mnt',
  '/run',
  '/run/media',
  '/srv',
  '/tmp',
  '/var',
  '/private',
  '/volumes',
  'c:\\users',
]
/** Folders of programs in the user's home, besides those whose names begin with a dot. */
const OF_HOME = ['library', 'appdata']
/**
 * Exceptions in these: iCloud Drive, the drives of other services, and where mail programs and archives put
 * what is dragged out of them.
 */
const OF_USER = ['library/mobile documents', 'library/cloudstorage', 'appdata/local/temp']

/**
 * Returns the paths of the drop that need consent, in order. A path that isn't absolute can't be dropped and
 * needs it, too.
 */
export function unusualPaths(paths: readonly string[], place: Place): readonly string[] {
  return paths.filter((path) => isUnusual(path, place))
}

function isUnusual(path: string, { platform, home }: Place): boolean {
  const at = platform === 'win32' ? win32 : posix
  if (!at.isAbsolute(path)) return true
  const folded = platform === 'win32' || platform === 'darwin'
  const norm = (text: string): string => {
    const whole = at.normalize(text).replace(/(?<=.)[\\/]+$/, '')
    return folded ? whole.toLowerCase() : whole
  }
  const [own, there] = [norm(home), norm(path)]
  const isIn = (folder: string): boolean =>
    there === folder || there.startsWith(folder.endsWith(at.sep) ? folder : folder + at.sep)
  const contains = (inner: string): boolean =>
    inner === there || inner.startsWith(there.endsWith(at.sep) ? there : there + at.sep)
  const { root } = at.parse(there)
  const parts = there.slice(root.length).split(at.sep)
  // A whole disk, the home folder, or one that contains it or other disks.
  if (root === there || contains(own) || WHOLE.includes(there)) return true
  if (parts.some((part) => part.startsWith('.'))) return true
  if (platform === 'win32' && WINDOWS.includes(parts[0] ?? '')) return true
  if (isIn(own)) {
    const isOf = (names: readonly string[]): boolean => names.some((name) => isIn(at.join(own, name)))
    return folded && isOf(OF_HOME) && !isOf(OF_USER)
  }
  const system = platform === 'darwin' ? MAC : platform === 'win32' ? [] : LINUX
  return system.some((folder) => isIn(norm(folder)))
}
