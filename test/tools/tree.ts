// The repository's files for the checks: what git tracks or would track, but not what it ignores.
// Only reads names and texts.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/**
 * Where Node keeps compiled code between the starts of a program that tests run. It saves a seventh of a
 * start's CPU, and almost half where types have to be removed.
 */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/slipway-compiled')

/** Where a run on an Electron keeps which facts hold there, and the table of all that were tried. */
export const FACTS = join(COMPILE_CACHE, '../slipway-facts')

/**
 * Sorted paths from the root with forward slashes. Files that were deleted but not committed yet are omitted.
 */
export function treeFiles(): string[] {
  const out = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return [...new Set(out.split('\0'))]
    .filter((file) => file !== '' && existsSync(join(ROOT, file)))
    .toSorted()
}

export function readTree(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
