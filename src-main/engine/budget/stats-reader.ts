// Extracts the plan's limits and the account's usage from `/stats`. Its fields may be numbers, strings or
// objects, with names in any style. Pure. Never throws; an unreadable, absurd or ambiguous figure counts as
// unknown.
import type { Stats } from '../../api/types.ts'
import { type Limit, type Quota, type SizeLimit, UNKNOWN, UNLIMITED } from './plan-limits.ts'
import { fieldName, isRecord, readRates } from './rate-limits.ts'

const UNLIMITED_WORDS = /^(?:unlimited|infinite|infinity|no[ _-]?limit|∞|-1)$/i
/**
 * Counts of at least this mean "no limit": some services send the largest 32-bit or 64-bit number instead.
 */
const UNLIMITED_COUNT = 2 ** 31 - 1

/**
 * Text such as "1.000" or "1.500 MB". Depending on the service's language, the point is decimal or separates
 * thousands, and the wrong reading would make a limit a thousand times too low.
 */
const AMBIGUOUS_POINT = /^\s*[1-9]\d{0,2}\.\d{3}(?!\d)/

/** PHP's `number_format`, for example, separates thousands by commas. */
const withoutCommas = (text: string): string => text.trim().replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, '')

/** Reads a number, or a string that contains only a number. Null for anything else. */
function plainNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (typeof value !== 'string' || AMBIGUOUS_POINT.test(value)) return null
  const text = withoutCommas(value)
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
}

/**
 * Returns the first of these members that is neither missing nor null. `names` are in the form that
 * `fieldName` returns.
 */
function member(value: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  const byName = new Map(Object.entries(value).map(([key, inner]) => [fieldName(key), inner]))
  for (const name of names) {
    const inner = byName.get(name)
    if (inner !== undefined && inner !== null) return inner
  }
  return undefined
}

const limitMembers = ['limit', 'max', 'maximum', 'value', 'total', 'allowed', 'quota'] as const

/**
 * Reads a limit on a count, rounded down. 0 may mean none or unlimited, so it counts as unknown; negative
 * numbers usually mean unlimited.
 */
export function readLimit(value: unknown): Limit {
  if (isRecord(value)) {
    return member(value, ['unlimited']) === true ? UNLIMITED : readLimit(member(value, limitMembers))
  }
  if (typeof value === 'string' && UNLIMITED_WORDS.test(value.trim())) return UNLIMITED
  const number = plainNumber(value)
  if (number === null || number === 0) return UNKNOWN
  if (number < 0 || number >= UNLIMITED_COUNT) return UNLIMITED
  return number >= 1 ? { kind: 'limited', value: Math.floor(number) } : UNKNOWN
}

const POWERS = ['', 'k', 'm', 'g', 't']

/**
 * Converts a text such as "100 MB" or "1.5 GiB" to bytes. Returns null if it has another form or no unit.
 * "MB" can mean 10^6 or 2^20 bytes; the larger number is assumed.
 */
export function writtenBytes(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?(b|bytes?)?$/i.exec(withoutCommas(text))
  if (match === null) return null
  const [, digits = '', prefix = '', byte = ''] = match
  if (prefix === '' && byte === '') return null
  return Number(digits) * 1024 ** POWERS.indexOf(prefix.toLowerCase())
}

/** Units that a field's name may end in, as in `max_file_size_mb`, and their sizes in bytes. */
const namedUnits: readonly (readonly [RegExp, number])[] = [
  [/_bytes?$/, 1],
  [/_(?:kb|kib)$/, 1024],
  [/_(?:mb|mib)$/, 1024 ** 2],
  [/_(?:gb|gib)$/, 1024 ** 3],
  [/_(?:tb|tib)$/, 1024 ** 4],
]

/** Reads a size limit sent as a number, a string with or without a unit, or an object with such a value. */
export function readSize(value: unknown, name = ''): SizeLimit {
  if (isRecord(value)) {
    if (member(value, ['unlimited']) === true) return UNLIMITED
    const bytes = member(value, ['bytes', 'limit_bytes', 'max_bytes', 'value_bytes'])
    if (bytes !== undefined) return readSize(bytes, '_bytes')
    const inner = member(value, limitMembers)
    // With a unit of its own, the number alone would be read in the wrong one.
    return isRecord(inner) || member(value, ['unit', 'units']) !== undefined ? UNKNOWN : readSize(inner, name)
  }
  if (typeof value === 'string' && UNLIMITED_WORDS.test(value.trim())) return UNLIMITED
  const number = plainNumber(value)
  if (number === null) {
    const bytes = typeof value === 'string' && !AMBIGUOUS_POINT.test(value) ? writtenBytes(value) : null
    return bytes === null || bytes <= 0 ? UNKNOWN : { kind: 'limited', value: bytes, unit: 'bytes' }
  }
  if (number === 0) return UNKNOWN
  if (number < 0 || number >= Number.MAX_SAFE_INTEGER) return UNLIMITED
  const factor = namedUnits.find(([pattern]) => pattern.test(name))?.[1]
  return factor === undefined
    ? { kind: 'limited', value: number, unit: 'bare' }
    : { kind: 'limited', value: number * factor, unit: 'bytes' }
}

const sizeTail = '(?:_(?:bytes?|kb|kib|mb|mib|gb|gib|tb|tib))?'
const fileSizeNames = new RegExp(
  `^(?:max_(?:file|upload)_?size|(?:file|upload)_?size_limit|(?:file|upload)_?size_max|max_size_per_file)${sizeTail}$`,
)
const dailyUploadNames =
  /^(?:max_)?(?:daily_uploads?(?:_limit|_max)?|uploads?_(?:per_)?(?:day|daily)(?:_limit|_max)?|upload_limit_(?:per_day|daily)|daily_upload_limit)$/
const storageNames = new RegExp(
  `^(?:(?:max|total)_(?:storage|storage_size|space|total_size)|storage(?:_(?:limit|quota|size|space|max|total))?|(?:disk_)?quota|space_limit|total_size_limit)${sizeTail}$`,
)
const maxFilesNames = /^(?:max_(?:total_)?files|files?_(?:limit|max)|max_file_count|total_files_limit)$/
const uploadsTodayNames =
  /^(?:uploads?_today|today_?s?_uploads?|(?:daily_uploads?|uploads?_daily)_(?:used|count|today)|(?:used|current)_daily_uploads?|uploads_(?:used_)?(?:in_)?(?:last_)?24_?h(?:ours)?|files_uploaded_today|daily_uploads)$/
const requestsTodayNames =
  /^(?:(?:api_)?(?:requests?|calls?)_today|today_?s?_(?:api_)?(?:requests?|calls?)|daily_(?:api_)?(?:requests?|calls?)_(?:used|count))$/

/** Reads a usage figure, a number of at least 0. Returns null for anything else. */
function usage(value: unknown): number | null {
  const number = plainNumber(isRecord(value) ? member(value, ['used', 'current', 'count', 'today']) : value)
  return number !== null && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : null
}

interface Field {
  readonly name: string
  readonly value: unknown
}

/** The fields of a record, followed by those of nested objects up to two levels down. */
function fieldsOf(record: Readonly<Record<string, unknown>>): readonly Field[] {
  const out: Field[] = []
  let level: readonly Readonly<Record<string, unknown>>[] = [record]
  for (let depth = 0; depth < 3 && level.length > 0; depth += 1) {
    const next: Readonly<Record<string, unknown>>[] = []
    for (const fields of level) {
      for (const [key, value] of Object.entries(fields)) {
        out.push({ name: fieldName(key), value })
        if (isRecord(value)) next.push(value)
      }
    }
    level = next
  }
  return out
}

function find<T>(
  fields: readonly Field[],
  names: RegExp,
  read: (value: unknown, name: string) => T | null,
): T | null {
  for (const { name, value } of fields) {
    if (!names.test(name)) continue
    const found = read(value, name)
    if (found !== null) return found
  }
  return null
}

const known = <T extends { readonly kind: string }>(limit: T): T | null =>
  limit.kind === 'unknown' ? null : limit

export function readQuota({ stats, limits }: Stats): Quota {
  const limitFields = fieldsOf(limits)
  const statFields = fieldsOf(stats)
  // A bare `daily_uploads` is the limit in `limits`, and the usage in `stats`.
  const uses = [
    ...statFields,
    ...limitFields.filter((field) => field.name !== 'daily_uploads' || isRecord(field.value)),
  ]
  return {
    maxFileSize: find(limitFields, fileSizeNames, (value, name) => known(readSize(value, name))) ?? UNKNOWN,
    dailyUploads: find(limitFields, dailyUploadNames, (value) => known(readLimit(value))) ?? UNKNOWN,
    storage: find(limitFields, storageNames, (value, name) => known(readSize(value, name))) ?? UNKNOWN,
    maxFiles: find(limitFields, maxFilesNames, (value) => known(readLimit(value))) ?? UNKNOWN,
    uploadsToday: find(uses, uploadsTodayNames, usage),
    requestsToday: find(uses, requestsTodayNames, usage),
    totalFiles: find(statFields, /^(?:total_files|files?_count|file_count|files_total)$/, usage),
    totalSize: find(statFields, /^(?:total_size|storage_used|used_storage|size_total|used_space)$/, usage),
    rates: readRates(limits),
  }
}
