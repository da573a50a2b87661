// The names in absolute paths reported by the engine, whichever separator the platform uses.
// Pure text functions; they don't access the disk.
import { printable } from '../../src-shared/format.ts'

/** Returns the names in a path, outermost first, without separators. */
export function pathNames(path: string): string[] {
  // Only Windows has absolute paths that don't begin with a slash. Elsewhere, a backslash may be part of a
  // name.
  return path.split(path.startsWith('/') ? '/' : /[\\/]/).filter((name) => name !== '')
}

/**
 * Returns the last name of a path, made safe to display. For a path without names, such as `/`, returns the
 * path itself.
 */
export function folderName(path: string): string {
  return printable(pathNames(path).at(-1) ?? path)
}
