// What the plan allows beside request rates: file size, uploads a day, storage. Reads `/stats` in every form a service may send, learns the
// unit of sizes from receipts, and says what fits, what a 403 meant and how many uploads are left today. Pure; an unreadable, absurd or
// doubtful figure is "unknown", and unknown never refuses a file.
import type { Stats } from '../../api/types.ts'
import { fieldName, isRecord, readRates, type ToldRates } from './rate-limits.ts'

export type Limit =
  | { readonly kind: 'limited'; readonly value: number }
  | { readonly kind: 'unlimited' }
  /** Not told, or told in a way that could mean several things. */
  | { readonly kind: 'unknown' }

/** A size as told: in bytes where a unit was written with it, else in the service's own unit. */
export type SizeLimit =
  | { readonly kind: 'limited'; readonly value: number; readonly unit: 'bytes' | 'bare' }
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'unknown' }

export interface Quota {
  readonly maxFileSize: SizeLimit
  readonly dailyUploads: Limit
  readonly storage: SizeLimit
  readonly maxFiles: Limit
  /** Uploads of today by the service's own count. */
  readonly uploadsToday: number | null
  /** Requests of today by the service's own count. */
  readonly requestsToday: number | null
  readonly totalFiles: number | null
  /** In the service's own unit, like `size` of a file. */
  readonly totalSize: number | null
  readonly rates: ToldRates
}

const unlimited = { kind: 'unlimited' } as const
const unknown = { kind: 'unknown' } as const
export const noQuota: Quota = {
  maxFileSize: unknown,
  dailyUploads: unknown,
  storage: unknown,
  maxFiles: unknown,
  uploadsToday: null,
  requestsToday: null,
  totalFiles: null,
  totalSize: null,
  rates: { perMinute: null, perDay: null },
}

const unlimitedWords = /^(?:unlimited|infinite|infinity|no[ _-]?limit|∞|-1)$/i
/** What stands for "no limit" in 32 and 64 bits; no count of uploads comes near. */
const COUNT_WITHOUT_END = 2 ** 31 - 1

/** A plain number, also as a string with thousands separators; null for anything else. */
function plainNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^[+-]?\d{1,3}(?:[ ,_]\d{3})+$/.test(text)) return Number(text.replaceAll(/[ ,_]/g, ''))
  return /^[+-]?\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text) ? Number(text) : null
}

/** The first member of these names that is there, for limits sent as an object. */
function member(value: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  const byName = new Map(Object.entries(value).map(([key, inner]) => [fieldName(key), inner]))
  for (const name of names) {
    const inner = byName.get(name)
    if (inner !== undefined && inner !== null) return inner
  }
  return undefined
}

const limitMembers = ['limit', 'max', 'maximum', 'value', 'total', 'allowed', 'quota'] as const

/** Reads a count limit. 0 may mean none or endless, so it is unknown; negative numbers are the usual way to write endless. */
export function readLimit(value: unknown): Limit {
  if (isRecord(value)) {
    return member(value, ['unlimited']) === true ? unlimited : readLimit(member(value, limitMembers))
  }
  if (typeof value === 'string' && unlimitedWords.test(value.trim())) return unlimited
  const number = plainNumber(value)
  if (number === null || number === 0) return unknown
  if (number < 0 || number >= COUNT_WITHOUT_END) return unlimited
  return number >= 1 ? { kind: 'limited', value: Math.floor(number) } : unknown
}

const powers: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['k', 1],
  ['m', 2],
  ['g', 3],
  ['t', 4],
  ['p', 5],
])
const writtenSize = /^([\d.,_ ]*\d)\s*([kmgtp]?)(i?)(b|bytes?|o)?$/i
const unitWords: ReadonlyMap<string, string> = new Map([
  ['kilobytes', 'kb'],
  ['megabytes', 'mb'],
  ['gigabytes', 'gb'],
  ['terabytes', 'tb'],
  ['kilobyte', 'kb'],
  ['megabyte', 'mb'],
  ['gigabyte', 'gb'],
  ['terabyte', 'tb'],
  ['kibibytes', 'kib'],
  ['mebibytes', 'mib'],
  ['gibibytes', 'gib'],
])

/**
 * Bytes of "100 MB" or "1.5 GiB"; null if it is not of that form or names no unit. "MB" is used for both meanings, so the larger, binary
 * one is taken.
 */
export function writtenBytes(text: string): number | null {
  const plain = text.trim().replace(/[a-z]{5,}$/i, (word) => unitWords.get(word.toLowerCase()) ?? word)
  const match = writtenSize.exec(plain)
  if (match === null) return null
  const [, digits = '', prefix = '', , byte = ''] = match
  if (prefix === '' && byte === '') return null
  const power = powers.get(prefix.toLowerCase())
  // "1,5" is a decimal comma, "1,500" thousands.
  const compact = digits.replaceAll(/[ _]/g, '')
  const number = /^\d+,\d{1,2}$/.test(compact) ? Number(compact.replace(',', '.')) : Number(compact.replaceAll(/,(?=\d{3}(?:\D|$))/g, ''))
  return power === undefined || !Number.isFinite(number) ? null : number * 1024 ** power
}

/** A field's name may end in its unit: `max_file_size_mb`. */
const namedUnits: readonly (readonly [RegExp, number])[] = [
  [/_bytes?$/, 1],
  [/_(?:kb|kib)$/, 1024],
  [/_(?:mb|mib)$/, 1024 ** 2],
  [/_(?:gb|gib)$/, 1024 ** 3],
  [/_(?:tb|tib)$/, 1024 ** 4],
]

/** Reads a size limit sent as a number, a string with or without unit, or an object with value and unit. */
export function readSize(value: unknown, name = ''): SizeLimit {
  if (isRecord(value)) {
    if (member(value, ['unlimited']) === true) return unlimited
    const bytes = member(value, ['bytes', 'limit_bytes', 'max_bytes', 'value_bytes'])
    if (bytes !== undefined) return readSize(bytes, '_bytes')
    const inner = member(value, limitMembers)
    const unit = member(value, ['unit', 'units'])
    const number = plainNumber(inner)
    if (number !== null && number > 0 && typeof unit === 'string') {
      const written = writtenBytes(`${number} ${unit}`)
      if (written !== null) return { kind: 'limited', value: written, unit: 'bytes' }
    }
    for (const [key, part] of Object.entries(value)) {
      if (namedUnits.some(([pattern]) => pattern.test(`_${fieldName(key)}`))) return readSize(part, `_${fieldName(key)}`)
    }
    return isRecord(inner) ? unknown : readSize(inner, name)
  }
  if (typeof value === 'string' && unlimitedWords.test(value.trim())) return unlimited
  const number = plainNumber(value)
  if (number === null) {
    const bytes = typeof value === 'string' ? writtenBytes(value) : null
    return bytes === null || bytes <= 0 ? unknown : { kind: 'limited', value: bytes, unit: 'bytes' }
  }
  if (number === 0) return unknown
  if (number < 0 || number >= Number.MAX_SAFE_INTEGER) return unlimited
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

/** A figure of use: 0 and more; anything else is not told. */
function usage(value: unknown): number | null {
  const number = plainNumber(isRecord(value) ? member(value, ['used', 'current', 'count', 'today']) : value)
  return number !== null && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : null
}

interface Field {
  readonly name: string
  readonly value: unknown
}

/** Fields with those of nested objects behind them, two deep. */
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

function find<T>(fields: readonly Field[], names: RegExp, read: (value: unknown, name: string) => T | null): T | null {
  for (const { name, value } of fields) {
    if (!names.test(name)) continue
    const found = read(value, name)
    if (found !== null) return found
  }
  return null
}

const known = <T extends { readonly kind: string }>(limit: T): T | null => (limit.kind === 'unknown' ? null : limit)

/** Reads `/stats`. Never throws, whatever was sent. */
export function readQuota({ stats, limits }: Stats): Quota {
  const limitFields = fieldsOf(limits)
  const statFields = fieldsOf(stats)
  // A bare `daily_uploads` is the limit among limits, and the use among stats.
  const uses = [...statFields, ...limitFields.filter((field) => field.name !== 'daily_uploads' || isRecord(field.value))]
  return {
    maxFileSize: find(limitFields, fileSizeNames, (value, name) => known(readSize(value, name))) ?? unknown,
    dailyUploads: find(limitFields, dailyUploadNames, (value) => known(readLimit(value))) ?? unknown,
    storage: find(limitFields, storageNames, (value, name) => known(readSize(value, name))) ?? unknown,
    maxFiles: find(limitFields, maxFilesNames, (value) => known(readLimit(value))) ?? unknown,
    uploadsToday: find(uses, uploadsTodayNames, usage),
    requestsToday: find(uses, requestsTodayNames, usage),
    totalFiles: find(statFields, /^(?:total_files|files?_count|file_count|files_total)$/, usage),
    totalSize: find(statFields, /^(?:total_size|storage_used|used_storage|size_total|used_space)$/, usage),
    rates: readRates(limits),
  }
}

// Units -----------------------------------------------------------------------------------------------------------------------------

export const unitBytes = { bytes: 1, kB: 1_000, KiB: 1_024, MB: 1_000_000, MiB: 1_048_576 } as const
export type SizeUnit = keyof typeof unitBytes
const units: readonly SizeUnit[] = ['bytes', 'kB', 'KiB', 'MB', 'MiB']

export interface ReceiptSample {
  readonly sentBytes: number
  /** `size` of the receipt, as sent. */
  readonly receiptSize: number
}

/** Rounding up, down or to the nearest stays below one unit. Bytes are not rounded. */
function agrees(sample: ReceiptSample, unit: SizeUnit): boolean {
  if (unit === 'bytes') return sample.receiptSize === sample.sentBytes
  return Math.abs(sample.receiptSize - sample.sentBytes / unitBytes[unit]) < 1
}

/** So many bytes told exactly are no accident. */
const EXACT_BYTES = 1_024
/** One receipt in twenty may be odd (a file that changed while it was read) without spoiling the evidence. */
const ODD_SHARE = 0.05

/**
 * The unit of `size`, learned from own uploads. Believed only if the receipts agree with it and disagree with every other unit, by two
 * different files or one exact figure of some length. Null: not known (yet).
 */
export function learnUnit(samples: readonly ReceiptSample[]): SizeUnit | null {
  const usable = samples.filter(({ sentBytes, receiptSize }) => sentBytes > 0 && Number.isFinite(receiptSize) && receiptSize >= 0)
  const odd = Math.floor(usable.length * ODD_SHARE)
  const fitting = units.filter((unit) => usable.filter((sample) => !agrees(sample, unit)).length <= odd)
  const [only] = fitting
  if (only === undefined || fitting.length > 1) return null
  if (only === 'bytes' && usable.some((sample) => sample.sentBytes >= EXACT_BYTES && agrees(sample, 'bytes'))) return 'bytes'
  const sizes = new Set(usable.filter((sample) => agrees(sample, only)).map((sample) => sample.sentBytes))
  return sizes.size >= 2 ? only : null
}

// File size -------------------------------------------------------------------------------------------------------------------------

/** What uploads have shown of the size limit. */
export interface SizeEvidence {
  /** The largest file the service took, in bytes. */
  readonly largestAccepted: number | null
  /** The smallest file it refused as too large (413, or a 403 that came down to it), in bytes. */
  readonly smallestRefused: number | null
}
export const noEvidence: SizeEvidence = { largestAccepted: null, smallestRefused: null }

/** No service for files allows less for one of them; a smaller reading is a wrong unit, unless a refusal agrees with it. */
const PLAUSIBLE_MIN = 1_048_576
/** Read as bytes without proof, a smaller figure is as likely thousands of them. */
const PLAUSIBLE_BARE = 10 * PLAUSIBLE_MIN

/** The size limit in bytes; unknown where the unit or the reading is in doubt. */
export function sizeLimit(limit: SizeLimit, unit: SizeUnit | null, evidence: SizeEvidence = noEvidence): Limit {
  if (limit.kind !== 'limited') return limit
  if (limit.unit === 'bare' && unit === null) return unknown
  const value = limit.unit === 'bytes' ? limit.value : limit.value * unitBytes[unit ?? 'bytes']
  if (evidence.largestAccepted !== null && evidence.largestAccepted > value) return unknown
  if (limit.unit === 'bare' && value < PLAUSIBLE_MIN && (evidence.smallestRefused === null || evidence.smallestRefused <= value))
    return unknown
  return { kind: 'limited', value }
}

/** `too-big` only on a limit that is believed. A size the service took before fits; one above a refusal is left to the service to refuse again. */
export function fits({
  size,
  quota,
  unit,
  evidence = noEvidence,
}: {
  /** In bytes. */
  readonly size: number
  readonly quota: Quota
  readonly unit: SizeUnit | null
  readonly evidence?: SizeEvidence
}): 'fits' | 'too-big' | 'unknown' {
  if (evidence.largestAccepted !== null && size <= evidence.largestAccepted) return 'fits'
  const limit = sizeLimit(quota.maxFileSize, unit, evidence)
  if (limit.kind === 'unlimited') return 'fits'
  if (limit.kind === 'limited') return size <= limit.value ? 'fits' : 'too-big'
  // Bytes are the smallest unit: what fits in bytes fits in all of them.
  if (quota.maxFileSize.kind === 'limited' && size <= quota.maxFileSize.value) return 'fits'
  return 'unknown'
}

// Daily uploads ---------------------------------------------------------------------------------------------------------------------

const DAY_MS = 86_400_000
/** As the pacer holds its day: clocks run apart, and a service may count in whole seconds. */
const DAY_HOLD_MS = DAY_MS + 30_000
/** When only the service's own count says that the day is used up, nobody told when it turns: ask again. */
const ASK_AGAIN_MS = 3_600_000

export interface DailyRoom {
  /** Uploads that can go now; null: no limit is known. */
  readonly room: number | null
  readonly limit: number | null
  readonly used: number
  /** When the next one can go, null if one can now. */
  readonly nextAt: number | null
}

/**
 * Uploads left today. Counts ours of any 24 hours, since nobody knows when the service's day turns, and takes the service's own count where it
 * is higher (another device). A refusal by the day's limit counts as a full day until `fullUntil`.
 */
export function dailyRoom({
  quota,
  uploadedAt,
  now,
  server = null,
  fullUntil = null,
}: {
  readonly quota: Quota
  /** Own uploads of the last 24 hours, oldest first; more than the limit's number of newest ones are not needed. */
  readonly uploadedAt: readonly number[]
  readonly now: number
  /** The service's count, when it was read, and own uploads since then. */
  readonly server?: { readonly uploadsToday: number; readonly readAt: number; readonly ownSince: number } | null
  readonly fullUntil?: number | null
}): DailyRoom {
  const ours = uploadedAt.filter((at) => at + DAY_HOLD_MS > now)
  const blocked = fullUntil !== null && fullUntil > now ? fullUntil : null
  if (quota.dailyUploads.kind !== 'limited') {
    return { room: blocked === null ? null : 0, limit: null, used: ours.length, nextAt: blocked }
  }
  const limit = quota.dailyUploads.value
  const serverUsed = server !== null && now - server.readAt < DAY_HOLD_MS ? server.uploadsToday + server.ownSince : 0
  const used = Math.max(ours.length, serverUsed)
  const room = blocked === null ? Math.max(0, limit - used) : 0
  if (room > 0) return { room, limit, used, nextAt: null }
  const own = ours.length >= limit ? (ours[ours.length - limit] ?? now) + DAY_HOLD_MS : null
  const asked = serverUsed >= limit && server !== null ? Math.max(now, Math.min(server.readAt + ASK_AGAIN_MS, now + ASK_AGAIN_MS)) : null
  return { room, limit, used, nextAt: Math.max(own ?? now, asked ?? now, blocked ?? now) }
}

// What a 403 meant ------------------------------------------------------------------------------------------------------------------

export type Verdict403 = 'plan-has-no-api' | 'too-big' | 'daily-limit' | 'storage-full' | 'undetermined'

export interface Diagnosis {
  readonly verdict: Verdict403
  /** In words for a person. */
  readonly evidence: string
}

/** Sizes for people, in words of the evidence alone; lists use format.ts. */
function inWords(bytes: number): string {
  const steps = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const
  let value = bytes
  let step = 0
  while (value >= 1024 && step < steps.length - 1) {
    value /= 1024
    step += 1
  }
  return `${step === 0 ? value : Number(value.toFixed(1))} ${steps[step] ?? 'bytes'}`
}

const wordsOf: readonly (readonly [Exclude<Verdict403, 'undetermined'>, RegExp])[] = [
  ['daily-limit', /\b(?:daily|per[ -]day|today|24[ -]?h(?:ours)?)\b/i],
  ['storage-full', /\b(?:storage|disk|space)\b/i],
  ['too-big', /\b(?:too (?:large|big)|file ?size|max(?:imum)?[ _-]?(?:file[ _-]?)?size|size limit)\b/i],
  [
    'plan-has-no-api',
    /\b(?:upgrade|plan (?:does not|doesn't)|not (?:available|included|supported) (?:on|in|for|by) (?:your|this) plan)\b/i,
  ],
]

/** Decides what a 403 after an upload meant, by one `GET /stats` made for it, the figures known, and the service's own words last. */
export function diagnose403({
  statsOutcome,
  fileSize,
  quota,
  unit,
  evidence = noEvidence,
  uploadsLast24h,
  serverUploadsToday = null,
  detail = null,
}: {
  /** `forbidden`: 403 there too; `failed`: no answer to be had. */
  readonly statsOutcome: 'ok' | 'forbidden' | 'failed'
  /** In bytes. */
  readonly fileSize: number
  readonly quota: Quota
  readonly unit: SizeUnit | null
  readonly evidence?: SizeEvidence
  readonly uploadsLast24h: number
  /** Defaults to what `quota` was told. */
  readonly serverUploadsToday?: number | null
  /** The message in the refusal's body, if there was one. */
  readonly detail?: string | null
}): Diagnosis {
  if (statsOutcome === 'forbidden') {
    return { verdict: 'plan-has-no-api', evidence: 'The service refuses the account statistics as well, so the plan has no API access.' }
  }
  if (statsOutcome === 'ok') {
    const size = sizeLimit(quota.maxFileSize, unit, evidence)
    if (size.kind === 'limited' && fileSize > size.value) {
      return { verdict: 'too-big', evidence: `The file has ${inWords(fileSize)}; the plan allows ${inWords(size.value)} a file.` }
    }
    const today = Math.max(uploadsLast24h, serverUploadsToday ?? quota.uploadsToday ?? 0)
    if (quota.dailyUploads.kind === 'limited' && today >= quota.dailyUploads.value) {
      return { verdict: 'daily-limit', evidence: `${today} uploads in 24 hours; the plan allows ${quota.dailyUploads.value}.` }
    }
    const full = storageFull(quota, unit, fileSize)
    if (full !== null) return { verdict: 'storage-full', evidence: full }
    // A bare figure in a unit not learned, or not believed before: the refusal is what was missing.
    const bare = quota.maxFileSize
    const refuted = evidence.largestAccepted !== null && bare.kind === 'limited' && evidence.largestAccepted >= fileSize
    if (bare.kind === 'limited' && bare.unit === 'bare' && !refuted) {
      const value = bare.value * unitBytes[unit ?? 'bytes']
      const accepted = evidence.largestAccepted ?? 0
      if (fileSize > value && accepted <= value && (unit !== null || value >= PLAUSIBLE_BARE)) {
        return { verdict: 'too-big', evidence: `The file has ${inWords(fileSize)}; the plan's limit reads as ${inWords(value)} a file.` }
      }
    }
  }
  if (detail !== null) {
    const said = wordsOf.filter(([, pattern]) => pattern.test(detail))
    const [only] = said
    if (only !== undefined && said.length === 1 && !(only[0] === 'plan-has-no-api' && statsOutcome === 'ok')) {
      return { verdict: only[0], evidence: `The service says: ${detail}` }
    }
  }
  const parts = [
    statsOutcome === 'failed'
      ? 'The account statistics could not be read.'
      : 'The account statistics are open and no known limit is reached.',
    `The file has ${inWords(fileSize)}; ${uploadsLast24h} uploads in 24 hours.`,
  ]
  if (detail !== null) parts.push(`The service says: ${detail}`)
  return { verdict: 'undetermined', evidence: parts.join(' ') }
}

function storageFull(quota: Quota, unit: SizeUnit | null, fileSize: number): string | null {
  if (quota.maxFiles.kind === 'limited' && quota.totalFiles !== null && quota.totalFiles >= quota.maxFiles.value) {
    return `${quota.totalFiles} files are stored; the plan allows ${quota.maxFiles.value}.`
  }
  const { storage, totalSize } = quota
  if (storage.kind !== 'limited' || totalSize === null) return null
  if (unit !== null) {
    const limit = storage.unit === 'bytes' ? storage.value : storage.value * unitBytes[unit]
    const taken = totalSize * unitBytes[unit]
    return taken + fileSize > limit ? `${inWords(taken)} of ${inWords(limit)} are used, and the file has ${inWords(fileSize)}.` : null
  }
  // Both in the same unknown unit: only "no room at all" can be told.
  return storage.unit === 'bare' && totalSize >= storage.value ? 'The storage of the plan is used up.' : null
}
