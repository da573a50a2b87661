// Names in the paths that the engine reports, whichever separator the platform uses.
// It works on text and never looks at a disk.
import { printable } from '../../src-shared/format.ts'

/** The names in a path, outermost first, without the separators. */
export function pathNames(path: string): string[] {
  return path.split(/[\\/]/).filter((name) => name !== '')
}

/** The last name of a path, fit to show; the path itself where it has none, as `/` has. */
export function folderName(path: string): string {
  return printable(pathNames(path).at(-1) ?? path)
}
