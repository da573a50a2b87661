// Paths of the gesture runs as the system that runs them reads them: on POSIX, `/` alone is a separator; on
// Windows, `\` is one, too. Pure string operations.
import { sep } from 'node:path'

const SEPARATOR = sep === '\\' ? /[\\/]/ : /\//

/** Whether the path lies in this directory, at any depth. */
export function isBelow(dir: string, path: string): boolean {
  return path.startsWith(dir) && SEPARATOR.test(path.charAt(dir.length))
}

/** The names of which the path consists. */
export function segmentsOf(path: string): readonly string[] {
  return path.split(SEPARATOR)
}
