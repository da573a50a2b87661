// The files of the repository as the checks see them: what git tracks and what it would, never what it ignores.
// It reads names and texts; it judges nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** Paths from the root with forward slashes, sorted; files deleted but not yet committed are left out. */
export function treeFiles(): string[] {
  const out = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT, encoding: 'utf8' })
  return [...new Set(out.split('\0'))].filter((file) => file !== '' && existsSync(join(ROOT, file))).toSorted()
}

export function readTree(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
