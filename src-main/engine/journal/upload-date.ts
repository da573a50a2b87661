// The dates that the service shows for its files, usually without a time zone, and the zone that one of our own uploads reveals.
// Pure; which zone is believed is decided in limits/service-traits.ts.

/** `YYYY-MM-DD HH:MM:SS` and similar forms, read as UTC unless a zone is stated (`zoned`); null for anything else. */
export function readUploadDate(shown: string): { readonly at: number; readonly zoned: boolean } | null {
  const m = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/.exec(shown.trim())
  if (m === null) return null
  const [, year, month, day, hour, minute, second, zone] = m
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second ?? 0))
  if (!Number.isFinite(at)) return null
  if (zone === undefined) return { at, zoned: false }
  if (zone === 'Z' || zone === 'UTC') return { at, zoned: true }
  const sign = zone.startsWith('-') ? 1 : -1
  const digits = zone.slice(1).replace(':', '')
  return { at: at + sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000, zoned: true }
}

const QUARTER_MS = 15 * 60_000

/** The service's zone in milliseconds east of UTC, from one own upload: its shown date against the `Date` header of its answer. */
export function zoneFrom(shown: string, serverAt: number): number | null {
  const read = readUploadDate(shown)
  if (read === null || read.zoned) return null
  const offset = Math.round((read.at - serverAt) / QUARTER_MS) * QUARTER_MS
  // Zones reach from -12 to +14 hours, and the rest must be a short delay: anything else is a wrong clock.
  if (offset < -12 * 3_600_000 || offset > 14 * 3_600_000) return null
  return Math.abs(read.at - serverAt - offset) <= 5 * 60_000 ? offset : null
}
