// Formats numbers, sizes, times and durations with Intl, in a given language. Rounds as format.ts does.
import { type DurationUnit, scaleBytes, splitDuration } from '../format.ts'

/** The words needed for formatting, from the language's catalogue. */
export interface FormatWords {
  readonly justNow: string
  /** Short forms that follow a number: `s`, `min`, `h`, `d`. */
  readonly units: Readonly<Record<DurationUnit, string>>
  /** Turns a duration into a past time: `2 min ago`. */
  readonly ago: (span: string) => string
  readonly yesterday: string
  /** The form inside a sentence, in lowercase for English. */
  readonly yesterdayInside: string
  readonly today: string
  readonly tomorrowAt: (clock: string) => string
  readonly dayAt: (day: string, clock: string) => string
  readonly todayAt: (clock: string) => string
}

/**
 * All functions accept any number and never throw or show NaN: an unknown or impossible value becomes "–",
 * except in `percent` (0 %). Times are epoch milliseconds, shown in local time.
 */
export interface Formats {
  readonly locale: string
  count(value: number | null): string
  /** A short form for a number whose unit is unknown: `4.8M`. */
  compact(value: number | null): string
  /** A size in decimal units: `4.8 MB`. */
  bytes(value: number | null): string
  /** Number and unit separately, so that they can be shown in different font sizes: `['84.2', 'GB']`. */
  bytesParts(value: number | null): readonly [string, string]
  speed(bytesPerSecond: number): string
  percent(part: number): string
  /** A duration with two units at most: `6 s`, `1 min 20 s`, `3 d 4 h`. */
  duration(ms: number | null): string
  /** A time outside a sentence: `14:03:20` today, otherwise with the day and without seconds. */
  clock(at: number, now: number): string
  /** The time of day: `14:03`. */
  time(at: number): string
  /** Like `clock`, but for use inside a sentence: `at 14:03:20`, `tomorrow at 00:05`. */
  when(at: number, now: number): string
  /** A past time relative to `now`: `2 min ago`, `Yesterday`, `18 Nov`. */
  ago(at: number, now: number): string
  /** Like `ago`, but for use inside a sentence: `scanned yesterday`. */
  agoInside(at: number, now: number): string
  /** Date and time in full: `20 Nov 2026, 14:01:12`. */
  moment(at: number): string
  /** A date without its year: `22 Oct`. */
  day(at: number): string
}

export const UNKNOWN = '–'
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const
const DAY = 86_400_000

function startOfDay(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

function valid(at: number): boolean {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15
}

/**
 * Creates the formats for `locale` (BCP 47); Intl throws a RangeError if it is malformed. The functions share
 * their Intl objects, because creating these is slow.
 */
export function createFormats(locale: string, words: FormatWords): Formats {
  const grouped = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const compacts = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const clocks = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const times = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const years = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const unitFormats = new Map<string, Intl.NumberFormat>()
  const unit = (value: number, name: string, digits: number): Intl.NumberFormatPart[] => {
    const key = `${name} ${digits}`
    let format = unitFormats.get(key)
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: name,
        unitDisplay: 'short',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
      unitFormats.set(key, format)
    }
    return format.formatToParts(value)
  }
  /** Formats a size of less than 1 kB. Intl would write "10 byte" where "10 B" is usual. */
  const plainBytes = (value: number): Intl.NumberFormatPart[] => [
    ...grouped.formatToParts(value),
    { type: 'literal', value: '\u00a0' },
    { type: 'unit', value: 'B' },
  ]
  const join = (parts: readonly Intl.NumberFormatPart[]): string => parts.map((part) => part.value).join('')

  const sizeParts = (value: number): Intl.NumberFormatPart[] => {
    const { value: scaled, power, digits } = scaleBytes(value)
    return power === 0 ? plainBytes(scaled) : unit(scaled, UNITS[power] ?? 'byte', digits)
  }
  const known = (value: number | null): value is number => value !== null && Number.isFinite(value)

  const span = (value: number, name: DurationUnit): string =>
    `${grouped.format(value)}\u00a0${words.units[name]}`

  const formats: Formats = {
    locale,
    count: (value) => (known(value) ? grouped.format(value) : UNKNOWN),
    compact: (value) => (known(value) ? compacts.format(value) : UNKNOWN),
    bytes: (value) => (known(value) && value >= 0 ? join(sizeParts(value)) : UNKNOWN),
    bytesParts: (value) => {
      if (!known(value) || value < 0) return [UNKNOWN, '']
      const parts = sizeParts(value)
      return [
        join(parts.filter((part) => part.type !== 'unit' && part.type !== 'literal')),
        join(parts.filter((part) => part.type === 'unit')),
      ]
    },
    speed: (value) => `${formats.bytes(Math.round(value))}/s`,
    percent: (part) => percents.format(Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0),
    duration: (ms) =>
      known(ms)
        ? splitDuration(ms)
            .map(([value, name]) => span(value, name))
            .join(' ')
        : UNKNOWN,
    clock: (at, now) => {
      if (!valid(at)) return UNKNOWN
      const apart = Math.round((startOfDay(at) - startOfDay(now)) / DAY)
      if (apart === 0) return clocks.format(at)
      return `${days.format(at)}, ${times.format(at)}`
    },
    time: (at) => (valid(at) ? times.format(at) : UNKNOWN),
    when: (at, now) => {
      if (!valid(at)) return UNKNOWN
      const apart = Math.round((startOfDay(at) - startOfDay(now)) / DAY)
      if (apart === 0) return words.todayAt(clocks.format(at))
      if (apart === 1) return words.tomorrowAt(times.format(at))
      return words.dayAt(days.format(at), times.format(at))
    },
    ago: (at, now) => {
      if (!valid(at)) return UNKNOWN
      const ms = now - at
      if (ms < 60_000 && ms > -60_000) return words.justNow
      if (ms < 0) return formats.clock(at, now)
      if (ms < 3_600_000) return words.ago(span(Math.floor(ms / 60_000), 'minute'))
      const apart = Math.round((startOfDay(now) - startOfDay(at)) / DAY)
      if (apart === 0) return words.ago(span(Math.floor(ms / 3_600_000), 'hour'))
      if (apart === 1) return words.yesterday
      return new Date(at).getFullYear() === new Date(now).getFullYear() ? days.format(at) : years.format(at)
    },
    agoInside: (at, now) => {
      const text = formats.ago(at, now)
      return text === words.yesterday ? words.yesterdayInside : text
    },
    moment: (at) => (valid(at) ? `${years.format(at)}, ${clocks.format(at)}` : UNKNOWN),
    day: (at) => (valid(at) ? days.format(at) : UNKNOWN),
  }
  return formats
}
