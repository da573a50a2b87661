// Formats values for people, in English: sizes, times, names and links. Nothing here throws, shows NaN, or
// lets a malicious name control a terminal or a page.
import { assertNever } from './assert.ts'
import type { NearLimit } from './model.ts'

const SECOND = 1000
const DAY = 86_400_000

/** A narrow no-break space, as a thousands separator. */
const GROUP = '\u202f'

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/**
 * Scales a size of at least 0 to the largest of six decimal units, from bytes (power 0) to petabytes (5), in
 * which it isn't below 1 when rounded. `digits`: how many to show after the decimal point, so that there are
 * three figures at most and no final zero.
 */
export function scaleBytes(bytes: number): {
  readonly value: number
  readonly power: number
  readonly digits: 0 | 1
} {
  let value = bytes
  let power = 0
  // 999.5 would be rounded to 1000, so the next unit begins there.
  while (value >= (power === 0 ? 1000 : 999.5) && power < BYTE_UNITS.length - 1) {
    value /= 1000
    power++
  }
  return {
    value,
    power,
    digits: power === 0 || value >= 99.5 || Number.isInteger(Math.round(value * 10) / 10) ? 0 : 1,
  }
}

/** Formats a size in decimal units: `12 B`, `1.2 kB`, `34 MB`. Returns `?` if it is unknown or negative. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null || !Number.isFinite(bytes) || bytes < 0) return '?'
  const { value, power, digits } = scaleBytes(bytes)
  return `${value.toFixed(digits)} ${BYTE_UNITS[power] ?? ''}`
}

/**
 * Formats a number, in groups of three digits if it has at least five: `1 234 567`. Returns `?` if it is
 * unknown.
 */
export function formatCount(count: number | null): string {
  if (count === null || !Number.isFinite(count)) return '?'
  const text = String(count)
  return Math.abs(count) < 10_000 || !Number.isInteger(count)
    ? text
    : text.replaceAll(/\B(?=(\d{3})+$)/g, GROUP)
}

/** Formats a speed: `1.2 MB/s`. */
export function formatSpeed(bytesPerSecond: number): string {
  return `${formatBytes(Math.round(bytesPerSecond))}/s`
}

const DURATION_UNITS = { second: 's', minute: 'min', hour: 'h', day: 'd' } as const
export type DurationUnit = keyof typeof DURATION_UNITS

/**
 * Splits a duration into one or two units, rounded: seconds only below ten minutes. Negative durations count
 * as 0.
 */
export function splitDuration(ms: number): readonly (readonly [value: number, unit: DurationUnit])[] {
  const seconds = Math.max(0, Math.ceil(ms / SECOND))
  const split = (
    value: number,
    size: number,
    large: DurationUnit,
    small: DurationUnit,
  ): readonly (readonly [number, DurationUnit])[] => {
    const parts = [[Math.floor(value / size), large] as const, [value % size, small] as const]
    return value === 0 ? [[0, small]] : parts.filter(([count]) => count > 0)
  }
  if (seconds < 600) return split(seconds, 60, 'minute', 'second')
  const minutes = Math.round(seconds / 60)
  return minutes < 24 * 60
    ? split(minutes, 60, 'hour', 'minute')
    : split(Math.floor(minutes / 60), 24, 'day', 'hour')
}

/**
 * Formats a duration with two units at most: `45 s`, `1 min 20 s`, `1 h 20 min`, `3 d 4 h`. Returns `?` if it
 * is unknown.
 */
export function formatDuration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '?'
  return splitDuration(ms)
    .map(([value, unit]) => `${value} ${DURATION_UNITS[unit]}`)
    .join(' ')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function two(n: number): string {
  return String(n).padStart(2, '0')
}

/** The number of a local calendar day. Calculated in UTC, whose days all have the same length. */
function dayOf(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY
}

interface Moment {
  /** Null if the time is today. */
  readonly day: { readonly name: string; readonly isDate: boolean } | null
  /** `14:03:20` today, `14:03` on other days. */
  readonly clock: string
}

/** Splits a time into day and clock, in local time. Returns null if a Date can't hold the time. */
function momentOf(at: number, now: number): Moment | null {
  const t = new Date(at)
  if (Number.isNaN(t.getTime())) return null
  const days = dayOf(t) - dayOf(new Date(now))
  const short = `${two(t.getHours())}:${two(t.getMinutes())}`
  if (days === 0) return { day: null, clock: `${short}:${two(t.getSeconds())}` }
  if (days === 1) return { day: { name: 'tomorrow', isDate: false }, clock: short }
  if (days === -1) return { day: { name: 'yesterday', isDate: false }, clock: short }
  const year = t.getFullYear() === new Date(now).getFullYear() ? '' : ` ${t.getFullYear()}`
  return { day: { name: `${t.getDate()} ${MONTHS[t.getMonth()] ?? '?'}${year}`, isDate: true }, clock: short }
}

/**
 * Formats a time for use outside a sentence, in local time: `14:03:20` today, `tomorrow 00:05`, `yesterday
 * 09:00`, otherwise `24 Nov 09:00`, with the year if it isn't the current one.
 */
export function formatClock(at: number, now: number): string {
  const moment = momentOf(at, now)
  if (moment === null) return '?'
  return moment.day === null ? moment.clock : `${moment.day.name} ${moment.clock}`
}

/**
 * Like `formatClock`, but for use inside a sentence: `at 14:03:20`, `tomorrow at 00:05`, `on 24 Nov at
 * 09:00`.
 */
export function formatWhen(at: number, now: number): string {
  const moment = momentOf(at, now)
  if (moment === null) return 'at ?'
  if (moment.day === null) return `at ${moment.clock}`
  return `${moment.day.isDate ? 'on ' : ''}${moment.day.name} at ${moment.clock}`
}

/**
 * Formats a time as ISO 8601 in UTC, in whole seconds. Pass `up` for the end of a wait, so that the wait
 * doesn't end too early.
 */
export function isoSeconds(at: number, round: 'down' | 'up' = 'down'): string {
  const seconds = (round === 'up' ? Math.ceil(at / SECOND) : Math.floor(at / SECOND)) * SECOND
  // A Date can hold times up to 8.64e15 ms before or after 1970. Beyond these limits, toISOString throws.
  const clamped = Number.isFinite(seconds) ? Math.min(8.64e15, Math.max(-8.64e15, seconds)) : 0
  return new Date(clamped).toISOString().replace('.000Z', 'Z')
}

/**
 * Shortens a text in the middle to at most `max` code points: `a very lo…name.txt`. In a terminal, some of
 * them take two columns.
 */
export function middleEllipsis(text: string, max: number): string {
  const chars = [...text]
  if (chars.length <= max) return text
  if (max <= 1) return max === 1 ? '…' : ''
  // The end contains the extension, so it gets the larger half.
  const tail = Math.ceil((max - 1) / 2)
  return `${chars.slice(0, max - 1 - tail).join('')}…${chars.slice(chars.length - tail).join('')}`
}

/**
 * Control characters, line separators, lone surrogates, bidirectional controls and all other invisible
 * characters, which could make a name look like another one. Joiners and variation selectors are kept,
 * because some scripts and many emoji need them.
 */
const UNSAFE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}--[\u200c\u200d]]]/gv

/**
 * Makes a name safe to print on one line of a terminal: unsafe characters become escapes such as `\n`,
 * `\x1b`, `\u202e` or `\u{e0041}`.
 */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (char) => {
    if (char === '\n') return '\\n'
    if (char === '\r') return '\\r'
    if (char === '\t') return '\\t'
    const code = char.codePointAt(0) ?? 0
    if (code > 0xffff) return `\\u{${code.toString(16)}}`
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

export const LINK_FORMATS = ['url', 'markdown', 'html', 'bbcode'] as const
export type LinkFormat = (typeof LINK_FORMATS)[number]

/** The name with a space for each character that is unsafe to show. */
export function plainName(name: string): string {
  return name.replaceAll(UNSAFE, ' ')
}

/**
 * Percent-encodes what could end a link in Markdown, HTML or BBCode. Returns null if the address isn't http
 * or https.
 */
function safeUrl(url: string): string | null {
  if (!URL.canParse(url)) return null
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null
  return url
    .trim()
    .replaceAll(/[\s"'()<>[\]\\^`{|}]|[^\u0021-\u007e]/gu, (char) =>
      [...new TextEncoder().encode(char)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    )
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/**
 * Returns a link to paste, with the name made safe for the markup. In markup, an address that isn't http or
 * https is left out.
 */
export function formatLink(
  format: LinkFormat,
  file: { readonly name: string; readonly url: string },
): string {
  if (format === 'url') return printable(file.url)
  const name = plainName(file.name)
  const url = safeUrl(file.url)
  switch (format) {
    case 'markdown': {
      // Markdown allows escaping any ASCII punctuation, so escape every character that has a special meaning
      // in link text; `.`, `-`, `+`, `(` and `)` don't.
      const text = name.replaceAll(/[\\`*_{}[\]<>#!|~&]/g, (char) => `\\${char}`)
      return url === null ? text : `[${text}](${url})`
    }
    case 'html':
      return url === null ? escapeHtml(name) : `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`
    case 'bbcode': {
      // BBCode has no escape for its brackets.
      const text = name.replaceAll('[', '(').replaceAll(']', ')')
      return url === null ? text : `[url=${url}]${text}[/url]`
    }
    default:
      return assertNever(format)
  }
}

/** Returns a count and its noun: `1 file`, `2 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const NEAR: Readonly<Record<NearLimit['limit'], string>> = {
  uploads: "today's uploads",
  requests: "today's requests",
  storage: 'the storage',
  files: "the plan's number of files",
}

/** Says how much of a limit is used, once little is left: `80% of today's uploads used`. */
export function nearText({ limit, percent }: NearLimit): string {
  return `${percent}% of ${NEAR[limit]} used`
}
