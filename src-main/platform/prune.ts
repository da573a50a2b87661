// Which directories need no watching: those that the rules of a folder leave out, by its patterns and by the rules files above them. A
// directory too many watched costs little, so a rules file that can't be read counts as none. The scanner alone decides what is uploaded.
import { createIgnoreRules, type IgnoreRules, NO_RULES } from '../engine/discovery/ignore-rules.ts'
import { below, child } from '../engine/discovery/rel-path.ts'

export interface Identity {
  readonly ino: number
  readonly dev: number
}

export interface Pruner {
  /** True: this directory, by its absolute path, needs no watching. */
  isPruned(path: string, dir?: Identity): boolean
  /** The rules file of this directory, by its absolute path, changed. */
  forget(dir: string): void
}

export function createPruner(options: {
  readonly root: string
  readonly patterns: readonly string[]
  /** Slipway's own places, absolute: whatever the rules say, they are not watched, under no name. */
  readonly own: readonly string[]
  readonly identityOf: (path: string) => Identity | null
  /** Text of the rules file in a directory below the root, '' for the root; null: there is none. */
  readonly read: (dir: string) => string | null
}): Pruner {
  const { root, patterns, own, read } = options
  const places = own.map((path) => options.identityOf(path)).filter((place) => place !== null && place.ino !== 0)
  const texts = new Map<string, string | null>()
  let rules: IgnoreRules | null = null

  const learn = (dir: string): void => {
    if (texts.has(dir)) return
    const text = read(dir)
    texts.set(dir, text)
    if (text !== null) rules = null
  }

  return {
    isPruned: (path, at) => {
      if (own.some((place) => below(place, path) !== null)) return true
      if (at !== undefined && places.some((place) => place?.ino === at.ino && place.dev === at.dev)) return true
      const rel = below(root, path)
      if (rel === null || rel === '') return false
      learn('')
      const parts = rel.split('/')
      let above = ''
      for (const part of parts.slice(0, -1)) {
        above = child(above, part)
        learn(above)
      }
      const files = [...texts].flatMap(([dir, text]) => (text === null ? [] : [{ dir, text }]))
      rules ??= createIgnoreRules({ ...NO_RULES, patterns, files })
      return rules.dir(rel) !== null
    },
    forget: (dir) => {
      const rel = below(root, dir)
      if (rel !== null && texts.delete(rel)) rules = null
    },
  }
}
