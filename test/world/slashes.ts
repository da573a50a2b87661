// Paths as the tests write them.
// The engine answers in the form of the system that the tests run on.
import { sep } from 'node:path'

/** The path with slashes in place of the system's separators. */
export function slashes(path: string): string {
  return path.replaceAll(sep, '/')
}
