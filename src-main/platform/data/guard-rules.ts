// Reads the user's rules on which files to hold for approval and which to allow. They are in the settings file, which all Slipway processes
// share. The file is checked for changes at most every FRESH_MS, so that a change applies without a restart. If it can't be read, the
// previous rules stay in effect.
import { readFileSync, statSync } from 'node:fs'
import { type GuardRules, NO_GUARD_RULES } from '../../engine/rules/guard.ts'
import { parseSettings } from './settings.ts'

/** How long cached rules are used before the file is checked again. Scans and uploads may request the rules a thousand times a second. */
const FRESH_MS = 250

/** The returned function yields the same object until the rules change. `now` returns monotonic milliseconds. */
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
      // If the settings can't be read, for example because there is no file yet, the previous rules stay in effect.
    }
    return rules
  }
}
