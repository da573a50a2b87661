// Decides whether a file looks like a secret: by the user's own rules first, then by the built-in ones for
// names and content. Changed rules apply from the next check on; they don't release files that are already
// held.
import { sep } from 'node:path'
import { stoodStill } from '../disk/content.ts'
import type { Entry, Inspected, Inspection, SecretLine, WholeFile } from '../ports.ts'
import { Patterns } from './patterns.ts'
import {
  bytesSource,
  holdsKey,
  isArchive,
  KEY_RULE,
  type SecretRule,
  secretByContent,
  secretByName,
} from './secrets.ts'

/**
 * The user's own rules about secrets, in gitignore syntax. Patterns are matched against absolute paths,
 * regardless of letter case.
 */
export interface GuardRules {
  /** Files to hold for approval, whatever they contain. */
  readonly hold: readonly string[]
  /** Files that are never treated as secrets. If both lists match, the file is held. */
  readonly allow: readonly string[]
}

export const NO_GUARD_RULES: GuardRules = { hold: [], allow: [] }

/**
 * A file of up to this many bytes is searched on the calling thread, because that takes less than a
 * millisecond.
 */
const HERE_MAX_BYTES = 16 * 1024
/** Number of slow searches that are remembered until their results are asked for. */
const SLOW_MOST = 1000

export type Found = Awaited<ReturnType<Inspection['inspect']>>

export function isLater(found: Found): found is { readonly later: Promise<Inspected> } {
  return found !== null && typeof found === 'object' && 'later' in found
}

export interface Guard {
  /**
   * The first rule that matches one of a file's paths, or null. Pass absolute paths: the real one, and the
   * path as the user typed it if a link makes it differ.
   */
  byName(...paths: readonly (string | null)[]): SecretRule | null
  /**
   * The first rule that matches the content; null if none does or the user's own rules allow the file.
   * `whole`: the bytes of a small file and, if they have been searched already, the result; null for a large
   * file. Resolves to 'changed' if the file is no longer the one in `entry`. Rejects if the file can't be
   * searched. `later`: the search takes long; ask again once that has settled.
   */
  byContent(path: string, entry: Entry, whole: Pick<WholeFile, 'data' | 'secret'> | null): Promise<Found>
  /** What the rules find in the content, with the secret masked; null if it can't be said now. */
  line(path: string, entry: Entry): Promise<SecretLine | null>
}

interface Compiled {
  readonly from: GuardRules
  readonly hold: Patterns | null
  readonly allow: Patterns | null
}

function compile(from: GuardRules): Compiled {
  const list = (patterns: readonly string[]): Patterns | null =>
    patterns.length === 0 ? null : new Patterns(patterns, true)
  return { from, hold: list(from.hold), allow: list(from.allow) }
}

/**
 * `rules` is called for each check, and must return the same object until the rules change. `key` returns the
 * account's own API key, or null.
 */
export function createGuard(options: {
  readonly rules: () => GuardRules
  readonly key: () => string | null
  readonly inspection: Pick<Inspection, 'inspect' | 'secretLine'>
}): Guard {
  let compiled = compile(options.rules())
  const slow = new Map<string, { readonly entry: Entry; readonly found: Promise<Inspected> }>()
  const current = (): Compiled => {
    const rules = options.rules()
    if (rules !== compiled.from) compiled = compile(rules)
    return compiled
  }
  const slashed = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'))
  /**
   * The path without leading slashes, so that patterns apply as in a .gitignore at the root of the file
   * system.
   */
  const fromTop = (path: string): string => slashed(path).replace(/^\/+/, '')

  return {
    byName: (...paths) => {
      const { hold, allow } = current()
      for (const path of paths) {
        if (path === null) continue
        if (hold !== null) {
          const own = hold.test(fromTop(path))
          if (own.ignored) return { rule: `your rule ${own.pattern ?? ''}`.trim() }
        }
        if (allow?.test(fromTop(path)).ignored === true) continue
        const rule = secretByName(slashed(path))
        if (rule !== null) return rule
      }
      return null
    },
    byContent: async (path, entry, whole) => {
      if (current().allow?.test(fromTop(path)).ignored === true) return null
      const key = options.key()
      if (key !== null && whole !== null && holdsKey(bytesSource(whole.data), key)) return { rule: KEY_RULE }
      const isSlow = whole?.secret === 'slow'
      if (whole?.secret !== undefined && whole.secret !== 'slow') return whole.secret
      if (!isSlow && whole !== null && whole.data.length <= HERE_MAX_BYTES && !isArchive(whole.data))
        return secretByContent(whole.data, entry.name)
      const before = slow.get(path)
      slow.delete(path)
      if (before !== undefined && stoodStill(before.entry, entry) === 'yes') return before.found
      const found = await options.inspection.inspect(path, entry, key, isSlow)
      if (!isLater(found)) return found
      // A failure is reported when the file is checked again.
      found.later.catch(() => undefined)
      for (const old of [...slow.keys()].slice(0, -SLOW_MOST)) slow.delete(old)
      slow.set(path, { entry, found: found.later })
      return found
    },
    line: (path, entry) => options.inspection.secretLine(path, entry, options.key()),
  }
}
