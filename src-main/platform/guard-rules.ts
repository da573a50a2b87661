// The person's own rules for the guard, out of the settings that every process of Slipway shares. The file is looked at again a moment after
// each question, so that a change counts without a restart. A file that can't be read leaves the rules as they were.
import { readFileSync, statSync } from 'node:fs'
import { type GuardRules, NO_GUARD_RULES } from '../engine/admission/guard.ts'
import { parseSettings } from './settings.ts'

/** Files are asked about a thousand a second. */
const FRESH_MS = 250

/** `now`: monotonic milliseconds. Gives the same object as long as the rules are the same. */
export function createGuardRules(file: string, now: () => number): () => GuardRules {
  let rules = NO_GUARD_RULES
  let stamp = ''
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - lookedAt < FRESH_MS) return rules
    lookedAt = now()
    try {
      const { mtimeMs, size, ino } = statSync(file)
      const found = `${mtimeMs} ${size} ${ino}`
      if (found === stamp) return rules
      const settings = parseSettings(readFileSync(file, 'utf8'))
      if (settings === null) return rules
      stamp = found
      const { guardHold: hold, guardAllow: allow } = settings.app
      if (JSON.stringify({ hold, allow }) !== JSON.stringify(rules)) rules = { hold, allow }
    } catch {
      // No settings yet.
    }
    return rules
  }
}
