// Determines the request rates of an account from the documented plans and from `/stats`, and which window a
// rate header refers to. Pure; nothing here counts requests. An unreadable or absurd value counts as missing.
import type { RateHints } from '../../api/types.ts'

export interface RateLimits {
  readonly perMinute: number
  readonly perDay: number
}

/** The documented plans, from the section "Limits" of the API document. */
const PLANS: ReadonlyMap<string, RateLimits> = new Map([
  ['pro', { perMinute: 50, perDay: 5_000 }],
  ['business', { perMinute: 100, perDay: 10_000 }],
  ['enterprise', { perMinute: 1_000, perDay: 100_000 }],
])

/**
 * The rates of the smallest documented plan. Used for rates that neither the plan's name nor `/stats` states.
 */
const CAREFUL: RateLimits = { perMinute: 50, perDay: 5_000 }

/**
 * The documented limits of a plan. Its name may be in any case, and contain other words, as in "Pro
 * (yearly)". Null for an unknown name.
 */
export function planLimits(plan: string | null): RateLimits | null {
  const words = (plan ?? '').toLowerCase().split(/[^a-z]+/)
  const known = words.filter((word) => PLANS.has(word))
  const [only] = known
  // "pro business" could mean either plan, so it is unknown.
  return only !== undefined && new Set(known).size === 1 ? (PLANS.get(only) ?? null) : null
}

/** Request rates from `/stats`; null if it states none. */
export interface StatedRates {
  readonly perMinute: number | null
  readonly perDay: number | null
}

const MINUTE = '(?:per_?)?(?:minute|min)'
const DAY = '(?:per_?)?(?:day|daily)'
const RATE = '(?:api_?)?(?:requests?|rate_?limits?|rate|calls?|api)'
const minuteNames = new RegExp(
  `^(?:max_?)?(?:${RATE}_?${MINUTE}|per_?minute|per_?min|rpm|minute_?(?:requests?|rate|limit)|requests?_?minute)(?:_?limit)?$`,
)
const dayNames = new RegExp(
  `^(?:max_?)?(?:${RATE}_?${DAY}|per_?day|rpd|(?:daily|day)_?(?:api_?)?(?:requests?|calls?|rate)|requests?_?day)(?:_?limit)?$`,
)
/** Names of objects whose members `minute` and `day` are request rates. */
const groupNames = /^(?:api_?)?(?:rate_?limits?|rates?|rate_?limiting|requests?|api_?limits?|api)$/
/** Names of objects whose rates aren't request rates. */
const otherNames = /upload|download|file|storage|bandwidth|traffic|share/
const groupMinute = /^(?:per_?)?(?:minute|min)$|^1m$/
const groupDay = /^(?:per_?)?(?:day|daily)$|^1d$|^24h$/

/** Normalizes the name of a field: both `maxFileSize` and `max-file-size` become `max_file_size`. */
export function fieldName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads a number of requests from 1 to 1e9, rounded down: also from a string, or from `limit`, `max` or
 * `value` of an object. Null for anything else.
 */
function rate(value: unknown): number | null {
  const inner = isRecord(value) ? (value['limit'] ?? value['max'] ?? value['value']) : value
  const text = typeof inner === 'string' && /^\s*\d{1,10}\s*$/.test(inner) ? Number(inner) : inner
  return typeof text === 'number' && Number.isFinite(text) && text >= 1 && text <= 1e9
    ? Math.floor(text)
    : null
}

/**
 * Reads the request rates in the `limits` of `/stats`, nested up to two levels. Upload counts aren't request
 * rates and are ignored.
 */
export function readRates(limits: Readonly<Record<string, unknown>>): StatedRates {
  let perMinute: number | null = null
  let perDay: number | null = null
  function walk(fields: Readonly<Record<string, unknown>>, inGroup: boolean, depth: number): void {
    for (const [key, value] of Object.entries(fields)) {
      const name = fieldName(key)
      if (minuteNames.test(name) || (inGroup && groupMinute.test(name))) perMinute ??= rate(value)
      else if (dayNames.test(name) || (inGroup && groupDay.test(name))) perDay ??= rate(value)
      else if (isRecord(value) && depth < 2 && !otherNames.test(name))
        walk(value, inGroup || groupNames.test(name), depth + 1)
    }
  }
  walk(limits, false, 0)
  return { perMinute, perDay }
}

export interface EffectivePlan {
  readonly limits: RateLimits
  /**
   * Whether both rates come from the plan's name or from `/stats`. If not, rate headers may raise the limits.
   */
  readonly known: boolean
}

/**
 * Combines the plan's documented rates with those that `/stats` states, which take precedence. A rate missing
 * from both is that of the smallest plan.
 */
export function effectivePlan(plan: string | null, stated: StatedRates): EffectivePlan {
  const documented = planLimits(plan)
  const perMinute = stated.perMinute ?? documented?.perMinute
  const perDay = stated.perDay ?? documented?.perDay
  return {
    limits: {
      perMinute: perMinute ?? CAREFUL.perMinute,
      // If only the rate per minute is known and exceeds the default rate per day, the latter is raised to
      // it.
      perDay: Math.max(perDay ?? CAREFUL.perDay, perDay === undefined ? (perMinute ?? 0) : 0),
    },
    known: perMinute !== undefined && perDay !== undefined,
  }
}

export type WindowName = 'minute' | 'day'

/** A minute window resets within a minute, plus a margin for rounding up to whole seconds. */
const MINUTE_RESET_MS = 61_500
/** A reset more than an hour (plus a margin) away can't be that of an hourly window, so it is the day's. */
const HOUR_RESET_MS = 3_700_000

/**
 * Which window a rate header refers to, judged by its reset and its value. Null if that is unclear (an hourly
 * window, for example); such a header can cause a pause, but no limit is learned from it.
 */
export function hintWindow(hints: RateHints, limits: RateLimits): WindowName | null {
  const { limit, resetMs } = hints
  const middle = Math.sqrt(limits.perMinute * limits.perDay)
  if (limit === null) {
    if (resetMs !== null)
      return resetMs <= MINUTE_RESET_MS ? 'minute' : resetMs > HOUR_RESET_MS ? 'day' : null
    return hints.remaining !== null && hints.remaining <= limits.perMinute ? 'minute' : null
  }
  if (limit <= middle) return resetMs === null || resetMs <= MINUTE_RESET_MS ? 'minute' : null
  return resetMs === null || resetMs > HOUR_RESET_MS ? 'day' : null
}
