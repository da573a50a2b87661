// The user's own rules for held files, read from the settings file that all Slipway processes share. The file is checked again every
// FRESH_MS while rules are asked for, so a change applies without a restart. If it can't be read, the rules stay as they were.
import { readFileSync, statSync } from 'node:fs'
import { type GuardRules, NO_GUARD_RULES } from '../../engine/admission/guard.ts'
import { parseSettings } from './settings.ts'

/** Caches the file's state, since the rules are asked for about a thousand times a second. */
const FRESH_MS = 250

/** `now`: monotonic milliseconds. Returns the same object as long as the rules don't change. */
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
      // No settings file yet.
    }
    return rules
  }
}
