// What folders hold, for tests that compare packages.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Sorted paths of all files and links below a folder. */
export function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((one) => !one.isDirectory())
    .map((one) => relative(folder, join(one.parentPath, one.name)))
    .toSorted()
}

/** Of a file's content, or of where a link leads. */
export function sha256(file: string): string {
  return createHash('sha256')
    .update(lstatSync(file).isSymbolicLink() ? readlinkSync(file) : readFileSync(file))
    .digest('hex')
}

export function hashes(folder: string): Record<string, string> {
  return Object.fromEntries(filesBelow(folder).map((file) => [file, sha256(join(folder, file))]))
}
