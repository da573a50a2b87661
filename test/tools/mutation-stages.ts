// Which tests look at a mutated file, in which order: those that most likely notice at once come first.
import { posix } from 'node:path'
import { reachesOf } from './imports.ts'

/** Test files in the order of their stages. */
export interface TestStages {
  /** Unit tests in the folder that mirrors the file's. */
  readonly mirror: readonly string[]
  /** Other unit tests that import the file, directly or not. */
  readonly unit: readonly string[]
  /** Other tests that import it: scenarios, fuzzers, the reference service. */
  readonly related: readonly string[]
  /** The rest: they can only reach it through a process or the build. */
  readonly rest: readonly string[]
  /** The specs that Playwright runs. */
  readonly desktop: readonly string[]
  /** What `npm test` doesn't run: files of their own, and those with a larger share. */
  readonly long: readonly string[]
  /** The same among the specs. */
  readonly longDesktop: readonly string[]
}

const TEST = /^test\/(?:fuzz|packages|scenario|service|unit)\/.*\.test\.ts$/
const SPEC = /^test\/e2e\/.*\.spec\.ts$/
const LONG = /\.long\.(?:test|spec)\.ts$/
const SHARE = 'test/tools/share.ts'
const UNIT = 'test/unit/'

/**
 * For each file, all files that import it, directly or through others. Types count, too: what is only a type
 * was caught by tsc.
 */
export function importersOf(
  files: readonly string[],
  read: (file: string) => string,
): (file: string) => ReadonlySet<string> {
  const known = new Set(files)
  const importers = new Map<string, string[]>()
  for (const file of files) {
    for (const { specifier } of reachesOf(file, read(file))) {
      if (specifier === null || !specifier.startsWith('.')) continue
      const target = posix.join(posix.dirname(file), specifier)
      if (known.has(target)) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  return (file) => {
    const seen = new Set<string>()
    const open = [file]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(importers.get(next) ?? []))
    }
    return seen
  }
}

/** `test/unit/engine/budget` for `src-main/engine/budget/days.ts`. */
function mirrorOf(file: string): string {
  const folder = posix
    .dirname(file)
    .replace(/^src-main\//, '')
    .replace(/^src-/, '')
  return UNIT + folder
}

/** `importers` are those of the mutated file, itself included; `files` are all files of the tree. */
export function stagesFor(
  mutated: string,
  files: readonly string[],
  importers: (file: string) => ReadonlySet<string>,
): TestStages {
  const tests = files.filter((file) => TEST.test(file))
  const reached = importers(mutated)
  const shared = importers(SHARE)
  const short = tests.filter((file) => !LONG.test(file))
  const specs = files.filter((file) => SPEC.test(file))
  const isLong = (file: string): boolean => LONG.test(file) || shared.has(file)
  const mirror = mirrorOf(mutated)
  const stem = posix.basename(mutated).replace(/\.tsx?$/, '')
  const isMirror = (file: string): boolean => reached.has(file) && file.startsWith(`${mirror}/`)
  const isUnit = (file: string): boolean => file.startsWith(UNIT)
  return {
    // A file of the same name first; vitest starts files in its own order, but few of them are left then.
    mirror: short
      .filter(isMirror)
      .toSorted((a, b) => Number(b.includes(`/${stem}.`)) - Number(a.includes(`/${stem}.`))),
    unit: short.filter((file) => isUnit(file) && reached.has(file) && !isMirror(file)),
    related: short.filter((file) => !isUnit(file) && reached.has(file)),
    rest: short.filter((file) => !reached.has(file)),
    desktop: specs.filter((file) => !LONG.test(file)),
    long: tests.filter(isLong),
    longDesktop: specs.filter(isLong),
  }
}

/**
 * Whether the desktop specs come before the tests that don't import the file. They do for what only a window
 * shows.
 */
export function isOnScreen(file: string): boolean {
  return /^src-(?:renderer|shared|main\/shell)\//.test(file)
}
