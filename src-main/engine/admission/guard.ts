// What the guard says of a file: the person's own rules first, then the rules for secrets, by name and by content. The rules may change at any
// time and hold from the next question on; what is held already stays held until a person lets it go.
import { sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import type { Entry, Inspection } from '../ports.ts'
import { isArchive, type SecretRule, secretByContent, secretByName } from './secrets.ts'

/** In gitignore syntax, matched against absolute paths whatever the letter case. */
export interface GuardRules {
  /** Files that are held in any case. */
  readonly hold: readonly string[]
  /** Files that are never taken for secrets. Where both lists match, a file is held. */
  readonly allow: readonly string[]
}

export const NO_GUARD_RULES: GuardRules = { hold: [], allow: [] }

export interface Guard {
  /** By the names of one file, all absolute: the real one, and the one that was typed where a link led elsewhere. The first rule that holds one. */
  byName(...paths: readonly (string | null)[]): SecretRule | null
  /**
   * By content. `whole`: all bytes of a small file, null for a large one. `changed`: the file is another one than `entry` by now. Rejects where it
   * can't be searched.
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

/** `rules` is asked each time and gives the same object as long as nothing changed. */
export function createGuard(options: { readonly rules: () => GuardRules; readonly inspection: Inspection }): Guard {
  let compiled = compile(options.rules())
  const current = (): Compiled => {
    const rules = options.rules()
    if (rules !== compiled.from) compiled = compile(rules)
    return compiled
  }
  const slashed = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'))
  /** The patterns are those of a .gitignore at the top of the disk. */
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
