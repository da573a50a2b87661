// Parses the headers about time and rate limits in all common spellings. Unusable values become null. The
// pacer (engine/budget/) decides which values to trust, and for how long.
import type { AnswerMeta, RateHints } from './types.ts'

/** Longer waits are capped at two days. */
const MOST_MS = 48 * 3_600_000
/**
 * Numbers at or above this are timestamps rather than durations. Interpreted as seconds, this value is a time
 * in 2001.
 */
const EPOCH_SECONDS = 1e9
/**
 * Timestamps at or above this are in milliseconds rather than seconds. Interpreted as milliseconds, this
 * value is a time in 1973.
 */
const EPOCH_MS = 1e11

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export function readMeta(status: number, headers: Headers, now: number): AnswerMeta {
  const serverDate = httpDate(first(headers, ['date']))
  return { status, serverDate, rate: readRate(headers, serverDate ?? now) }
}

/**
 * Reads the headers about the rate limit. `now` is the time of the response in epoch milliseconds, by the
 * server's clock if possible.
 */
export function readRate(headers: Headers, now: number): RateHints {
  const joined = readJoined(headers)
  const reset = first(headers, ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'])
  const after = first(headers, ['x-ratelimit-reset-after', 'x-rate-limit-reset-after'])
  return {
    retryAfterMs: untilMs(first(headers, ['retry-after']), now),
    limit:
      count(first(headers, ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit'])) ?? joined.limit,
    remaining:
      count(first(headers, ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining'])) ??
      joined.remaining,
    resetMs: untilMs(reset, now) ?? untilMs(after, now) ?? untilMs(joined.reset, now),
  }
}

function first(headers: Headers, names: readonly string[]): string | null {
  for (const name of names) {
    const value = headers[name]
    const text = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
    if (text !== '') return text
  }
  return null
}

/** Parses a number, alone or followed by parameters as in `50, 50;w=60`. */
function numeric(text: string | null): number | null {
  const digits = text === null ? null : /^(\d{1,15}(?:\.\d{1,9})?)(?:\s*[,;].*)?$/.exec(text)?.[1]
  return digits === undefined || digits === null ? null : Number(digits)
}

function count(text: string | null): number | null {
  const n = numeric(text)
  return n === null ? null : Math.floor(n)
}

/**
 * Returns the milliseconds from `now`, between 0 and MOST_MS; null if the text can't be read. The text may be
 * a number of seconds, an epoch time in seconds or milliseconds, or a date.
 */
function untilMs(text: string | null, now: number): number | null {
  const n = numeric(text)
  if (n === null) {
    const date = httpDate(text)
    return date === null ? null : clamp(date - now)
  }
  if (n >= EPOCH_MS) return clamp(n - now)
  if (n >= EPOCH_SECONDS) return clamp(n * 1000 - now)
  return clamp(n * 1000)
}

function clamp(ms: number): number {
  return Math.round(Math.min(MOST_MS, Math.max(0, ms)))
}

interface Joined {
  readonly limit: number | null
  readonly remaining: number | null
  readonly reset: string | null
}

/**
 * Parses the combined header in both draft formats: `RateLimit: limit=50, remaining=3, reset=20`, and the
 * later `RateLimit: "minute";r=3;t=20` with `RateLimit-Policy: "minute";q=50;w=60`.
 */
function readJoined(headers: Headers): Joined {
  const text = first(headers, ['ratelimit', 'x-ratelimit', 'x-rate-limit'])?.slice(0, 1000) ?? ''
  const old = parameters(text.split(/[,;]/))
  if (old.has('remaining') || old.has('limit'))
    return {
      limit: count(old.get('limit') ?? null),
      remaining: count(old.get('remaining') ?? null),
      reset: old.get('reset') ?? null,
    }
  // If there are several windows, use the one with the fewest requests remaining.
  const tightest = items(text)
    .flatMap((item) => {
      const remaining = count(item.values.get('r') ?? null)
      return remaining === null ? [] : [{ ...item, remaining }]
    })
    .toSorted((a, b) => a.remaining - b.remaining)[0]
  if (tightest === undefined) return { limit: null, remaining: null, reset: null }
  const policies = items(first(headers, ['ratelimit-policy'])?.slice(0, 1000) ?? '')
  const policy =
    policies.find((one) => one.name === tightest.name) ?? (policies.length === 1 ? policies[0] : undefined)
  const limit = count(tightest.values.get('q') ?? policy?.values.get('q') ?? null)
  return { limit, remaining: tightest.remaining, reset: tightest.values.get('t') ?? null }
}

function items(text: string): { readonly name: string; readonly values: ReadonlyMap<string, string> }[] {
  return text.split(',').map((item) => {
    const [name = '', ...rest] = item.split(';')
    return { name: name.trim(), values: parameters(rest) }
  })
}

function parameters(parts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = parts.map((part) => /^\s*([a-z]+)\s*=\s*"?([^"]*?)"?\s*$/i.exec(part))
  return new Map(
    pairs.flatMap((pair) => (pair === null ? [] : [[pair[1]?.toLowerCase() ?? '', pair[2] ?? '']])),
  )
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TIME = String.raw`(?<h>\d\d):(?<m>\d\d):(?<s>\d\d)`
const FORMS = [
  // The first form covers RFC 9110's date format and RFC 850's older one with dashes. The second is C's
  // asctime. The third is ISO 8601, which RFC 9110 doesn't allow but some services send.
  new RegExp(
    String.raw`^[a-z]{3,9},? (?<day>\d{1,2})[ -](?<mon>[a-z]{3})[ -](?<year>\d{4}|\d\d) ${TIME} (?:gmt|utc|z|[+-]0000)$`,
    'i',
  ),
  new RegExp(String.raw`^[a-z]{3} (?<mon>[a-z]{3}) {1,2}(?<day>\d{1,2}) ${TIME} (?<year>\d{4})$`, 'i'),
  new RegExp(String.raw`^(?<year>\d{4})-(?<mon>\d\d)-(?<day>\d\d)t${TIME}(?:\.\d{1,9})?(?:z|\+00:?00)$`, 'i'),
]

/**
 * Parses an HTTP date to epoch milliseconds; null if it isn't one. `Date.parse` isn't suitable, because it
 * finds a date in almost any text with a number.
 */
export function httpDate(text: string | null): number | null {
  if (text === null) return null
  for (const form of FORMS) {
    const got = form.exec(text)?.groups
    if (got === undefined) continue
    const word = got['mon']?.toLowerCase() ?? ''
    const month = /^\d/.test(word) ? Number(word) - 1 : MONTHS.indexOf(word)
    const short = Number(got['year'])
    const year = got['year']?.length === 2 ? short + (short < 70 ? 2000 : 1900) : short
    const [day, h, m, s] = [Number(got['day']), Number(got['h']), Number(got['m']), Number(got['s'])]
    if (month < 0 || month > 11 || day < 1 || day > 31 || h > 23 || m > 59 || s > 60) return null
    return Date.UTC(year, month, day, h, m, s)
  }
  return null
}
