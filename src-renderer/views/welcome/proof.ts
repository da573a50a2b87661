// What the proof of a connection says about the plan, and when an address needs a word about plain http. Pure.
// It never sees a key, and what it says of an address is a hint: the proof itself decides.
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import type { StatsView } from '../../../src-shared/model.ts'

interface Words {
  readonly t: Texts
  readonly f: Formats
}

/** `pro` as people write it: `Pro`. Null where the service named none. */
export function planName(plan: string | null): string | null {
  const name = plan?.trim() ?? ''
  if (name === '') return null
  return name.charAt(0).toUpperCase() + name.slice(1, 60)
}

/** The limits in words, those that are not told as well. */
export function limitWords({ t, f }: Words, stats: StatsView): { readonly parts: readonly string[]; readonly someUnknown: boolean } {
  const own = t.welcomeView
  const parts: string[] = []
  const minute = stats.minute.limit
  const day = stats.day.limit
  if (minute !== null && day !== null) parts.push(own.requests(f.count(minute), f.count(day)))
  else if (minute !== null) parts.push(own.requestsMinute(f.count(minute)))
  else if (day !== null) parts.push(own.requestsDay(f.count(day)))
  else parts.push(own.requestsUnknown)
  const uploads = stats.dailyUploads.limit
  parts.push(uploads === null ? own.uploadsUnknown : own.uploads(uploads, f.count(uploads)))
  const { kind, unit, value } = stats.maxFileSize
  if (kind === 'unlimited') parts.push(own.filesAny)
  else if (kind === 'unknown' || value === null) parts.push(own.filesUnknown)
  else parts.push(unit === 'bytes' ? own.filesUpTo(f.bytes(value).replace(' ', '\u00a0')) : own.filesUpToUnit(f.count(value)))
  if (stats.totalFiles !== null) parts.push(own.stored(stats.totalFiles, f.count(stats.totalFiles)))
  const someUnknown = minute === null || day === null || uploads === null || kind === 'unknown' || (kind === 'limited' && unit !== 'bytes')
  return { parts, someUnknown }
}

/** Is this address plain http to another machine? Then the key would travel in the open. */
export function isPlainHttp(address: string): boolean {
  const typed = address.trim()
  if (!/^http:/i.test(typed)) return false
  const rest = typed.replace(/^http:\/*/i, 'http://')
  if (!URL.canParse(rest)) return false
  const host = new URL(rest).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return !(host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host))
}
