// Describes the plan limits of a checked connection and detects unencrypted http addresses. Pure.
// For an http address on another machine, the form asks for permission, without which the shell refuses it.
import type { StatsView } from '../../../src-shared/model.ts'
import type { Words } from '../../lib/words.ts'

/**
 * Describes the limits and the number of stored files. `someUnknown`: a limit, or the unit of the file size
 * limit, is unknown.
 */
export function limitWords(
  { t, f }: Words,
  stats: StatsView,
): { readonly parts: readonly string[]; readonly someUnknown: boolean } {
  const own = t.welcomeView
  const parts: string[] = []
  const minute = stats.minute.limit
  const day = stats.day.limit
  if (minute !== null && day !== null) parts.push(own.requests(minute, f.count(minute), f.count(day)))
  else if (minute !== null) parts.push(own.requestsMinute(minute, f.count(minute)))
  else if (day !== null) parts.push(own.requestsDay(day, f.count(day)))
  else parts.push(own.requestsUnknown)
  const uploads = stats.dailyUploads.limit
  parts.push(uploads === null ? own.uploadsUnknown : own.uploads(uploads, f.count(uploads)))
  const { kind, unit, value } = stats.maxFileSize
  if (kind === 'unlimited') parts.push(own.filesAny)
  else if (kind === 'unknown' || value === null) parts.push(own.filesUnknown)
  else
    parts.push(
      unit === 'bytes'
        ? own.filesUpTo(f.bytesParts(value).join('\u00a0'))
        : own.filesUpToUnit(f.bytesParts(value).join('\u00a0')),
    )
  if (stats.totalFiles !== null) parts.push(own.stored(stats.totalFiles, f.count(stats.totalFiles)))
  const someUnknown =
    minute === null ||
    day === null ||
    uploads === null ||
    kind === 'unknown' ||
    (kind === 'limited' && unit !== 'bytes')
  return { parts, someUnknown }
}

/** Whether the address is plain http on another machine, to which the key would be sent unencrypted. */
export function isPlainHttp(address: string): boolean {
  const typed = address.trim()
  if (!/^http:/i.test(typed)) return false
  const rest = typed.replace(/^http:\/*/i, 'http://')
  if (!URL.canParse(rest)) return false
  const host = new URL(rest).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return !(
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(host)
  )
}
