// Parses the dates that the service shows for its files, usually without a time zone, and derives the zone
// from one of our own uploads. Pure; budget/service-traits.ts decides which zone to use.

/**
 * Parses `YYYY-MM-DD HH:MM:SS` and similar forms, as UTC unless a zone is stated (`zoned`); null for anything
 * else, also for dates that don't exist, such as `0000-00-00 00:00:00`, which some databases return for an
 * unknown date.
 */
export function readUploadDate(shown: string): { readonly at: number; readonly zoned: boolean } | null {
  const m =
    /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/.exec(
      shown.trim(),
    )
  if (m === null) return null
  const [, year, month, day, hour, minute, second, zone] = m
  const at = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second ?? 0),
  )
  // `Date.UTC` accepts any numbers: it carries a month 13 over into the next year, and takes the year 1 as
  // 1901.
  const date = new Date(at)
  if (
    date.getUTCFullYear() !== Number(year) ||
    date.getUTCMonth() !== Number(month) - 1 ||
    date.getUTCDate() !== Number(day)
  )
    return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return null
  if (zone === undefined) return { at, zoned: false }
  if (zone === 'Z' || zone === 'UTC') return { at, zoned: true }
  const sign = zone.startsWith('-') ? 1 : -1
  const digits = zone.slice(1).replace(':', '')
  return { at: at + sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000, zoned: true }
}

const QUARTER_MS = 15 * 60_000

/**
 * Derives the service's zone in milliseconds east of UTC from the date shown for one of our uploads and the
 * `Date` header of its response. Returns null if the date can't be parsed or includes its zone, or if the
 * difference isn't the offset of any zone.
 */
export function zoneFrom(shown: string, serverAt: number): number | null {
  const read = readUploadDate(shown)
  if (read === null || read.zoned) return null
  const offset = Math.round((read.at - serverAt) / QUARTER_MS) * QUARTER_MS
  // Time zones reach from -12 to +14 hours. A remainder of more than five minutes means that a clock is
  // wrong.
  if (offset < -12 * 3_600_000 || offset > 14 * 3_600_000) return null
  return Math.abs(read.at - serverAt - offset) <= 5 * 60_000 ? offset : null
}
