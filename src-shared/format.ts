// Values as people read them: sizes, times, names, links, and a sentence for every reason. English; short, active, no blame.
// It promises that nothing here throws, shows NaN, or lets a hostile name steer a terminal or a page. It decides nothing.
import { assertNever } from './assert.ts'
import type { FailedReason, HeldReason, Reason, WaitReason } from './model.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Thin and unbreakable, as figures are grouped in tables and sentences. */
const GROUP = '\u202f'

/** `12 B`, `1.2 kB`, `34 MB`: decimal units, as disks are sold and file managers count. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null || !Number.isFinite(bytes) || bytes < 0) return '?'
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  let value = bytes
  let unit = 0
  // 999.95 would be shown as 1000.0: the next unit begins where rounding reaches it.
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`
}

/** `1 234 567`, grouped thinly from five figures on. */
export function formatCount(count: number | null): string {
  if (count === null || !Number.isFinite(count)) return '?'
  const text = String(count)
  return Math.abs(count) < 10_000 || !Number.isInteger(count) ? text : text.replaceAll(/\B(?=(\d{3})+$)/g, GROUP)
}

export function formatSpeed(bytesPerSecond: number): string {
  return `${formatBytes(Math.round(bytesPerSecond))}/s`
}

/** `45 s`, `12 min`, `1 h 20 min`, `3 d 4 h`: two units at most. */
export function formatDuration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '?'
  const s = Math.max(0, Math.ceil(ms / SECOND))
  if (s < 90) return `${s} s`
  const min = Math.round(s / 60)
  if (min < 60) return `${min} min`
  const h = Math.floor(min / 60)
  if (h < 24) return min % 60 === 0 ? `${h} h` : `${h} h ${min % 60} min`
  const d = Math.floor(h / 24)
  return h % 24 === 0 ? `${d} d` : `${d} d ${h % 24} h`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function two(n: number): string {
  return String(n).padStart(2, '0')
}

function dayOf(at: Date): number {
  return Math.round(new Date(at.getFullYear(), at.getMonth(), at.getDate(), 12).getTime() / DAY)
}

/** A moment as a clock on the wall shows it: `14:03:20` today, `tomorrow 00:05`, else `24 Nov 09:00`. Local time. */
export function formatClock(at: number, now: number): string {
  const t = new Date(at)
  if (!Number.isFinite(at) || Number.isNaN(t.getTime())) return '?'
  const days = dayOf(t) - dayOf(new Date(now))
  const short = `${two(t.getHours())}:${two(t.getMinutes())}`
  if (days === 0) return `${short}:${two(t.getSeconds())}`
  if (days === 1) return `tomorrow ${short}`
  if (days === -1) return `yesterday ${short}`
  const year = t.getFullYear() === new Date(now).getFullYear() ? '' : ` ${t.getFullYear()}`
  return `${t.getDate()} ${MONTHS[t.getMonth()] ?? '?'}${year} ${short}`
}

/** The same inside a sentence: `at 14:03:20`, `tomorrow at 00:05`, `on 24 Nov at 09:00`. */
export function formatWhen(at: number, now: number): string {
  const text = formatClock(at, now)
  const cut = text.lastIndexOf(' ')
  if (cut < 0) return `at ${text}`
  return `${/^\d/.test(text) ? 'on ' : ''}${text.slice(0, cut)} at ${text.slice(cut + 1)}`
}

/** A moment in the past as people say it: `just now`, `2 min ago`, `3 h ago`, then the day. */
export function formatAgo(at: number, now: number): string {
  const ms = now - at
  if (!Number.isFinite(ms)) return '?'
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY && dayOf(new Date(at)) === dayOf(new Date(now))) return `${Math.floor(ms / HOUR)} h ago`
  return formatClock(at, now)
}

/** ISO 8601 in UTC to the second. A moment to wait for is rounded up, so that nobody comes too early. */
export function isoSeconds(at: number, round: 'down' | 'up' = 'down'): string {
  const seconds = (round === 'up' ? Math.ceil(at / SECOND) : Math.floor(at / SECOND)) * SECOND
  // The last moment that a Date can hold; beyond it toISOString throws.
  const clamped = Number.isFinite(seconds) ? Math.min(8.64e15, Math.max(-8.64e15, seconds)) : 0
  return new Date(clamped).toISOString().replace('.000Z', 'Z')
}

/** Keeps both ends: `a very lo…name.txt`. `max` counts characters, not columns. */
export function middleEllipsis(text: string, max: number): string {
  const chars = [...text]
  if (chars.length <= max) return text
  if (max <= 1) return max === 1 ? '…' : ''
  // The end holds the extension, so it gets the larger half.
  const tail = Math.ceil((max - 1) / 2)
  return `${chars.slice(0, max - 1 - tail).join('')}…${chars.slice(chars.length - tail).join('')}`
}

/** Control characters, line separators, direction overrides, and halves of characters: what moves a cursor or turns a name around. */
const UNSAFE = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** A name for a terminal, on one line, unable to steer it: control characters are shown as `\n`, `\x1b`, `\u202e`. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (char) => {
    if (char === '\n') return '\\n'
    if (char === '\r') return '\\r'
    if (char === '\t') return '\\t'
    const code = char.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

export const LINK_FORMATS = ['url', 'markdown', 'html', 'bbcode'] as const
export type LinkFormat = (typeof LINK_FORMATS)[number]

function plainName(name: string): string {
  return name.replaceAll(UNSAFE, ' ')
}

/** An address that can stand in any markup. Null if it is no web address: then nothing is made clickable. */
function safeUrl(url: string): string | null {
  if (!URL.canParse(url)) return null
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null
  return url
    .trim()
    .replaceAll(/[\s"'()<>[\]\\^`{|}]|[^\u0021-\u007e]/gu, (char) =>
      [...new TextEncoder().encode(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    )
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}

/** A link to paste. Names are escaped for the markup; what is no web address stays text. */
export function formatLink(format: LinkFormat, file: { readonly name: string; readonly url: string }): string {
  if (format === 'url') return printable(file.url)
  const name = plainName(file.name)
  const url = safeUrl(file.url)
  switch (format) {
    case 'markdown': {
      // Every punctuation mark of ASCII may be escaped, so all that mean anything are.
      const text = name.replaceAll(/[\\`*_{}[\]<>()#+\-.!|~&]/g, (char) => (/[.\-+()]/.test(char) ? char : `\\${char}`))
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

/** A reason for people: what is so, and what Slipway or a person does next (null: nothing to say). */
export interface ReasonText {
  readonly what: string
  readonly next: string | null
}

/** The time of the next step, `null` where it depends on something else than time. */
export function waitText(reason: WaitReason, until: number | null, now: number): ReasonText {
  const at = until === null ? null : formatWhen(until, now)
  const nextAt = (words: string): string => (at === null ? '' : `, ${words} ${at}`)
  switch (reason) {
    case 'rate-minute':
      return { what: `Waiting for the rate limit${nextAt('resumes')}`, next: null }
    case 'rate-day':
      return { what: `Daily request limit reached${nextAt('resumes')}`, next: null }
    case 'server-pause':
      return { what: `The service asked to wait${nextAt('resumes')}`, next: null }
    case 'daily-uploads':
      return {
        what: `Daily upload limit reached${nextAt('resumes')}`,
        next: 'The rest is uploaded automatically, or at once with a larger plan.',
      }
    case 'limit':
      return { what: `Plan limit reached${nextAt('next try')}`, next: null }
    case 'storage-full':
      return {
        what: `Your plan's storage is full${nextAt('next try')}`,
        next: 'Delete files on the service, or choose a larger plan.',
      }
    case 'backoff':
      return { what: `Waiting after an error${nextAt('next try')}`, next: null }
    case 'offline':
      return { what: `No connection${nextAt('next try')}`, next: null }
    case 'account':
      return { what: 'Waiting for a valid API key', next: 'Enter a key that the service accepts.' }
    case 'paused':
      return { what: 'Paused', next: 'Resume to go on.' }
    case 'settling':
      return { what: 'Still being written', next: null }
    case 'folder-away':
      return { what: `The folder is not available${nextAt('next check')}`, next: 'Connect the disk again, or bring the folder back.' }
    case 'not-watched':
      return { what: 'Waiting until its folder is watched again', next: 'Watch the folder, or upload the file by its path.' }
    case 'checking':
      return { what: `Checking whether the upload arrived${nextAt('next check')}`, next: null }
    case 'redirected':
      return {
        what: `The address redirects to another server${nextAt('next try')}`,
        next: 'Nothing is sent there. Check the address of the service.',
      }
    case 'disk':
      return { what: `Couldn't write to disk${nextAt('next try')}`, next: 'Free some room on the disk. Slipway goes on by itself.' }
    default:
      return assertNever(reason)
  }
}

export function heldText(reason: HeldReason): ReasonText {
  switch (reason) {
    case 'secret':
      return { what: 'Held: looks like a secret', next: 'Release it only if anyone may read it.' }
    case 'too-big':
      return { what: "Held: exceeds your plan's file size limit", next: 'Choose a larger plan, or release it to try anyway.' }
    case 'ambiguous':
      return { what: 'Held: may already be uploaded', next: 'Look at the remote list, then upload it again if it is not there.' }
    default:
      return assertNever(reason)
  }
}

export function failedText(reason: FailedReason): ReasonText {
  switch (reason) {
    case 'unreadable':
      return { what: 'Failed: the file could not be read', next: 'Check its permissions, then retry.' }
    case 'bad-request':
      return { what: 'Failed: the service did not understand the upload', next: 'The log has the details. Retry, or rename the file.' }
    case 'refused':
      return { what: 'Failed: the service refused the file', next: 'Retry, or rename the file.' }
    case 'keeps-changing':
      return { what: 'Failed: the file kept changing while it was read', next: 'Retry when its writer has finished.' }
    case 'not-a-file':
      return { what: 'Failed: this is not a file', next: 'Only files and folders are uploaded.' }
    case 'missing':
      return { what: 'Failed: the file does not exist', next: 'Check the path.' }
    default:
      return assertNever(reason)
  }
}

/** The sentence for any reason. */
export function reasonText(reason: Reason, until: number | null, now: number): ReasonText {
  switch (reason) {
    case 'secret':
    case 'too-big':
    case 'ambiguous':
      return heldText(reason)
    case 'unreadable':
    case 'bad-request':
    case 'refused':
    case 'keeps-changing':
    case 'not-a-file':
    case 'missing':
      return failedText(reason)
    default:
      return waitText(reason, until, now)
  }
}

/** `1 file`, `2 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
