// Decides which directories don't need watching: those that a folder's patterns or ignore files exclude, and
// Slipway's own. This is only an optimization, because the scanner alone decides what is uploaded. An
// unreadable ignore file counts as missing, because watching a few extra directories costs little.

import { below as belowHere, child } from '../../engine/disk/rel-path.ts'
import { createIgnoreRules, type IgnoreRules, NO_RULES } from '../../engine/rules/ignore-rules.ts'

export interface Identity {
  readonly ino: number
  readonly dev: number
}

export interface Pruner {
  /**
   * Whether this directory (absolute path) doesn't need watching. `dir` identifies Slipway's own directories
   * even under another path.
   */
  isPruned(path: string, dir?: Identity): boolean
  /** Whether this entry (absolute path) lies, at any depth, in a directory that doesn't need watching. */
  isInside(path: string): boolean
  /** Discards the cached ignore file of this directory (absolute path), so that the file is read again. */
  forget(dir: string): void
}

export function createPruner(options: {
  readonly root: string
  readonly patterns: readonly string[]
  /** Slipway's own directories (absolute paths). They are never watched, whatever the rules say. */
  readonly own: readonly string[]
  readonly identityOf: (path: string) => Identity | null
  /**
   * Returns the part of `path` below `dir`, separated by '/'; null if `path` isn't inside. Tests replace this
   * to use POSIX paths on any system.
   */
  readonly below?: (dir: string, path: string) => string | null
  /**
   * Returns the text of the ignore file in `dir`, a path relative to the root ('' for the root itself); null
   * if there is none.
   */
  readonly read: (dir: string) => string | null
}): Pruner {
  const { root, patterns, own, read, below = belowHere } = options
  const places = own
    .map((path) => options.identityOf(path))
    .filter((place) => place !== null && place.ino !== 0)
  const texts = new Map<string, string | null>()
  let rules: IgnoreRules | null = null

  const learn = (dir: string): void => {
    if (texts.has(dir)) return
    const text = read(dir)
    texts.set(dir, text)
    if (text !== null) rules = null
  }

  /** The ancestor directories of a relative path, outermost first, excluding the root. */
  const above = (rel: string): string[] => {
    const found: string[] = []
    for (const part of rel.split('/').slice(0, -1)) found.push(child(found.at(-1) ?? '', part))
    return found
  }

  const compile = (): IgnoreRules => {
    const files = [...texts].flatMap(([dir, text]) => (text === null ? [] : [{ dir, text }]))
    return createIgnoreRules({ ...NO_RULES, patterns, files })
  }

  const isLeftOut = (rel: string): boolean => {
    learn('')
    for (const dir of above(rel)) learn(dir)
    rules ??= compile()
    return rules.dir(rel) !== null
  }

  return {
    isPruned: (path, at) => {
      if (own.some((place) => below(place, path) !== null)) return true
      if (at !== undefined && places.some((place) => place?.ino === at.ino && place.dev === at.dev))
        return true
      const rel = below(root, path)
      return rel !== null && rel !== '' && isLeftOut(rel)
    },
    isInside: (path) => {
      if (own.some((place) => below(place, path) !== null)) return true
      const rel = below(root, path)
      // Start with the outermost directory, so that no ignore file inside an excluded directory is read.
      return rel !== null && above(rel).some(isLeftOut)
    },
    forget: (dir) => {
      const rel = below(root, dir)
      if (rel !== null && texts.delete(rel)) rules = null
    },
  }
}
