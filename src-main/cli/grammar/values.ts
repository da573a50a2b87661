// Parsers for the values of options and arguments. Each returns the value or throws an error that says what
// is expected. Pure. Whether a path exists is checked later.
import { CommanderError, InvalidArgumentError } from 'commander'
import { LINK_FORMATS, type LinkFormat } from '../../../src-shared/format.ts'
import { hasControlCharacter } from '../argument-mistakes.ts'
import { SORT_FIELDS, type SortField } from '../commands/ls.ts'

/**
 * Matches names that a file can't have on Windows: names with a reserved character, names of devices with or
 * without an extension, and names that end in a dot or space, which Windows would remove.
 */
const NOT_ON_WINDOWS = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³])(?:\.|$)/i

// Parses durations as people type them: 500ms, 90s, 15m (or 15min), 24h, 2d, and combinations like 1h30m.
// Pure. A number without a unit is rejected unless it is 0, because its meaning would be a guess.
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

export function duration(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new InvalidArgumentError('A duration looks like 90s, 15m or 24h.')
  return ms
}

export function plainText(value: string): string {
  if (hasControlCharacter(value)) throw new InvalidArgumentError('It contains a control character.')
  return value
}

/**
 * Accepts a file name of at most 255 bytes (the limit of most file systems) without slashes or control
 * characters. Rejects `.` and `..`, and on Windows the names that match `NOT_ON_WINDOWS`.
 */
export function fileName(value: string): string {
  if (
    value === '.' ||
    value === '..' ||
    /[\\/]/.test(value) ||
    hasControlCharacter(value) ||
    Buffer.byteLength(value) > 255
  )
    throw new InvalidArgumentError('A name has at most 255 bytes and no slashes or control characters.')
  if (process.platform === 'win32' && NOT_ON_WINDOWS.test(value))
    throw new InvalidArgumentError(
      'On Windows, no file has this name: it contains one of < > : " | ? *, ends with a dot or space, or names a device.',
    )
  return value
}

export function positive(text: string): number {
  const n = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(n) || n < 1)
    throw new InvalidArgumentError('It must be a whole number greater than 0.')
  return n
}

export function transferId(text: string): number {
  const n = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(n) || n < 1)
    throw new CommanderError(2, 'slipway.id', `'${text}' is not a transfer ID. To list IDs: slipway status`)
  return n
}

export function sorting(text: string): { field: SortField; descending: boolean } {
  const bare = text.replace(/^-/, '')
  const field = SORT_FIELDS.find((one) => one === bare)
  if (field === undefined) throw new InvalidArgumentError(`It must be one of ${SORT_FIELDS.join(', ')}.`)
  return { field, descending: text.startsWith('-') }
}

export function formats(text: string): LinkFormat[] {
  const list = text.split(',').map((one) => one.trim())
  return list.map((name) => {
    const format = LINK_FORMATS.find((one) => one === name)
    if (format === undefined)
      throw new InvalidArgumentError(`It must be one or several of ${LINK_FORMATS.join(',')}.`)
    return format
  })
}

/** Returns whole milliseconds, or null if the text isn't a duration or the result isn't a safe integer. */
export function parseDuration(text: string): number | null {
  const typed = text.trim().toLowerCase()
  if (typed === '0') return 0
  if (!/^(?:\d+(?:\.\d+)?(?:ms|min|[smhd])\s*)+$/.test(typed)) return null
  let sum = 0
  for (const [, amount = '', unit = ''] of typed.matchAll(/(\d+(?:\.\d+)?)(ms|min|[smhd])/g))
    sum += Number(amount) * (UNIT_MS[unit] ?? Number.NaN)
  return Number.isSafeInteger(Math.round(sum)) ? Math.round(sum) : null
}
