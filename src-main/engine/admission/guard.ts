// Whether a file looks like a secret: the person's own rules first, then the built-in ones, by name and by content. The rules may change at any
// time and apply from the next question on; a file that is held already stays held until a person approves it.
import { sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import type { Entry, Inspection } from '../ports.ts'
import { isArchive, type SecretRule, secretByContent, secretByName } from './secrets.ts'

/** In gitignore syntax, matched against absolute paths, ignoring letter case. */
export interface GuardRules {
  /** Files that are held in any case. */
  readonly hold: readonly string[]
  /** Files that are never taken for secrets. Where both lists match, a file is held. */
  readonly allow: readonly string[]
}

export const NO_GUARD_RULES: GuardRules = { hold: [], allow: [] }

export interface Guard {
  /** The first rule that matches one of the names of a file, all absolute: its real path, and the path as it was typed if a link led elsewhere. */
  byName(...paths: readonly (string | null)[]): SecretRule | null
  /**
   * The first rule that matches the content. `whole`: all bytes of a small file, null for a large one. `changed`: the file is no longer the one
   * of `entry`. Rejects if the file can't be searched.
   */
  byContent(path: string, entry: Entry, whole: Uint8Array | null): Promise<SecretRule | 'changed' | null>
}

interface Compiled {
  readonly from: GuardRules
  readonly hold: Ignore | null
  readonly allow: Ignore | null
}

function compile(from: GuardRules): Compiled {
  const list = (patterns: readonly string[]): Ignore | null =>
    patterns.length === 0 ? null : ignore({ ignorecase: true }).add([...patterns])
  return { from, hold: list(from.hold), allow: list(from.allow) }
}

/** `rules` is called for each question; it returns the same object as long as nothing has changed. */
export function createGuard(options: { readonly rules: () => GuardRules; readonly inspection: Inspection }): Guard {
  let compiled = compile(options.rules())
  const current = (): Compiled => {
    const rules = options.rules()
    if (rules !== compiled.from) compiled = compile(rules)
    return compiled
  }
  const slashed = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'))
  /** The path for the patterns, which apply as if in a .gitignore in the root directory. */
  const fromTop = (path: string): string => slashed(path).replace(/^\/+/, '')

  return {
    byName: (...paths) => {
      const { hold, allow } = current()
      for (const path of paths) {
        if (path === null) continue
        if (hold !== null) {
          const own = hold.test(fromTop(path))
          if (own.ignored) return { rule: `your rule ${own.rule?.pattern ?? ''}`.trim() }
        }
        if (allow?.ignores(fromTop(path)) === true) continue
        const rule = secretByName(slashed(path))
        if (rule !== null) return rule
      }
      return null
    },
    byContent: async (path, entry, whole) => {
      if (current().allow?.ignores(fromTop(path)) === true) return null
      if (whole !== null && !isArchive(whole)) return secretByContent(whole, entry.name)
      return options.inspection.inspect(path, entry)
    },
  }
}
