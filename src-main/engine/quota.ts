// The plan's limits from `/stats`: file size, uploads a day, storage; in every form that a service may choose. What can't be read for sure
// is unknown, and on the unknown nothing is ever refused (law 7). Pure.
import type { Stats } from '../api/types.ts'
import { type SizeUnit, sizeCouldBe } from './match.ts'

export type Limit =
  | { readonly kind: 'limited'; readonly value: number; readonly unit: SizeUnit }
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'unknown' }

export interface Quota {
  readonly maxFileSize: Limit
  readonly dailyUploads: Limit
  readonly storage: Limit
  /** The service's own count of uploads today, null where it does not say. */
  readonly uploadsToday: number | null
  readonly totalFiles: number | null
  readonly totalSize: number | null
}

export const UNKNOWN_QUOTA: Quota = {
  maxFileSize: { kind: 'unknown' },
  dailyUploads: { kind: 'unknown' },
  storage: { kind: 'unknown' },
  uploadsToday: null,
  totalFiles: null,
  totalSize: null,
}

/** Beyond this a number stands for "no limit". */
const HUGE = 1e15
const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  k: 1024,
  kb: 1024,
  kib: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1024 ** 4,
  tib: 1024 ** 4,
}

export function readLimit(value: unknown): Limit {
  if (value === undefined || value === null || typeof value === 'boolean') return { kind: 'unknown' }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return value > 0 ? { kind: 'unlimited' } : { kind: 'unknown' }
    // 0 and -1 are used for "unlimited"; if they mean something else, the service will say so with an answer.
    if (value <= 0 || value >= HUGE) return { kind: 'unlimited' }
    return { kind: 'limited', value, unit: 'unknown' }
  }
  if (typeof value === 'string') {
    const text = value.trim().toLowerCase()
    if (/^(unlimited|infinite|infinity|none|no limit|∞)$/.test(text)) return { kind: 'unlimited' }
    if (/^-?\d+(\.\d+)?$/.test(text)) return readLimit(Number(text))
    const m = /^(\d+(?:[.,]\d+)?)\s*([a-z]+)$/.exec(text)
    const factor = m === null ? undefined : UNITS[m[2] ?? '']
    // In doubt between decimal and binary, the larger: nothing is refused on a guess.
    if (m !== null && factor !== undefined)
      return { kind: 'limited', value: Math.floor(Number((m[1] ?? '').replace(',', '.')) * factor), unit: 'bytes' }
    return { kind: 'unknown' }
  }
  if (typeof value === 'object') {
    for (const key of ['limit', 'max', 'value', 'bytes']) {
      const inner: unknown = Reflect.get(value, key)
      if (typeof inner === 'number' || typeof inner === 'string') return readLimit(inner)
    }
  }
  return { kind: 'unknown' }
}

function pick(fields: Readonly<Record<string, unknown>>, names: readonly RegExp[]): unknown {
  for (const name of names) for (const [key, value] of Object.entries(fields)) if (name.test(key)) return value
  return undefined
}

function count(value: unknown): number | null {
  const n = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value
  return typeof n === 'number' && Number.isSafeInteger(n) && n >= 0 ? n : null
}

const TODAY = [
  /^(uploads_today|today_uploads|daily_uploads_used|uploads_used_today|used_daily_uploads|uploaded_today|files_uploaded_today)$/i,
]
const STORAGE = [/^(storage_limit|max_storage|total_storage|storage_quota|max_total_size|storage|quota)$/i]

export function readQuota(stats: Stats): Quota {
  const daily = stats.limits['daily_uploads']
  const used = typeof daily === 'object' && daily !== null ? count(Reflect.get(daily, 'used')) : null
  return {
    maxFileSize: readLimit(stats.limits['max_file_size']),
    dailyUploads: readLimit(daily),
    storage: readLimit(pick(stats.limits, STORAGE)),
    uploadsToday: count(pick(stats.stats, TODAY) ?? pick(stats.limits, TODAY)) ?? used,
    totalFiles: count(stats.stats['total_files']),
    totalSize: count(stats.stats['total_size']),
  }
}

export interface SizeSample {
  readonly sent: number
  readonly shown: number
}

/** The one unit that explains every sample; unknown while none does or several do. */
export function learnUnit(samples: readonly SizeSample[]): SizeUnit {
  const units = (['bytes', 'KiB', 'kB', 'MiB', 'MB'] as const).filter((unit) => samples.every((s) => sizeCouldBe(s.sent, s.shown, unit)))
  // Bytes explain themselves: an equal number of some hundreds and more is no chance.
  if (units.includes('bytes') && samples.some((s) => s.sent >= 100)) return 'bytes'
  const others = units.filter((u) => u !== 'bytes')
  const [only] = others
  return others.length === 1 && only !== undefined && samples.some((s) => s.shown >= 20) ? only : 'unknown'
}

/** What answers have shown of the size limit. */
export interface SizeEvidence {
  /** Largest file that was accepted, in bytes. */
  readonly accepted: number
  /** Smallest file that was refused for its size, in bytes; null if none was. */
  readonly refused: number | null
}

/** A plan of a file-sharing service that allows less than this is more likely a misread unit. */
const PLAUSIBLE = 1024 * 1024

const FACTOR: Readonly<Record<SizeUnit, number | null>> = { bytes: 1, kB: 1000, KiB: 1024, MB: 1_000_000, MiB: 1_048_576, unknown: null }

/** The size limit in bytes, as far as it is believed; null: no file is refused. */
export function sizeLimit(quota: Quota, unit: SizeUnit, evidence: SizeEvidence): number | null {
  const limit = quota.maxFileSize
  if (limit.kind !== 'limited') return evidence.refused
  const factor = FACTOR[limit.unit === 'unknown' ? unit : limit.unit]
  if (factor === null) return evidence.refused
  const bytes = limit.value * factor
  // A larger file was accepted: the number means something else.
  if (evidence.accepted > bytes) return evidence.refused
  if (bytes < PLAUSIBLE && (evidence.refused === null || evidence.refused <= bytes)) return evidence.refused
  return bytes
}

export interface DailyRoom {
  /** Uploads that may still go today; null: unlimited or unknown. */
  readonly room: number | null
  readonly limit: number | null
  readonly used: number
}

/** `ours`: own uploads in the last 24 hours. Another device's uploads show only in the service's own figure. */
export function dailyRoom(quota: Quota, ours: number, sinceStats: number): DailyRoom {
  const limit = quota.dailyUploads.kind === 'limited' ? Math.floor(quota.dailyUploads.value) : null
  const used =
    quota.uploadsToday === null ? ours : Math.min(Math.max(ours, quota.uploadsToday + sinceStats), quota.uploadsToday + sinceStats)
  return { room: limit === null ? null : Math.max(0, limit - used), limit, used }
}

export type Verdict403 = 'too-big' | 'daily-limit' | 'storage-full' | 'undetermined'

/** What a 403 on an upload means, after `/stats` has answered. The evidence is for people. */
export function diagnose403(input: {
  readonly quota: Quota
  readonly unit: SizeUnit
  readonly evidence: SizeEvidence
  readonly size: number
  readonly uploadsLast24h: number
  readonly detail: string | null
}): { readonly verdict: Verdict403; readonly evidence: string } {
  const { quota, size } = input
  const said = input.detail === null ? '' : ` The service said: ${input.detail}`
  if (quota.maxFileSize.kind === 'limited') {
    const unit = quota.maxFileSize.unit === 'unknown' ? input.unit : quota.maxFileSize.unit
    const factor = FACTOR[unit]
    // With no unit learned, bytes are the plain reading; the refusal itself is the second witness.
    const bytes = quota.maxFileSize.value * (factor ?? 1)
    if (size > bytes && input.evidence.accepted <= bytes)
      return { verdict: 'too-big', evidence: `The file has ${size} bytes; the plan allows ${bytes}.${said}` }
  }
  const daily = quota.dailyUploads.kind === 'limited' ? Math.floor(quota.dailyUploads.value) : null
  const used = Math.max(input.uploadsLast24h, quota.uploadsToday ?? 0)
  if (daily !== null && used >= daily)
    return { verdict: 'daily-limit', evidence: `${used} uploads in 24 hours; the plan allows ${daily} a day.${said}` }
  if (quota.storage.kind === 'limited' && quota.totalSize !== null) {
    const factor = FACTOR[quota.storage.unit === 'unknown' ? input.unit : quota.storage.unit] ?? 1
    if (quota.totalSize * (FACTOR[input.unit] ?? 1) + size > quota.storage.value * factor)
      return { verdict: 'storage-full', evidence: `The storage of the plan is full.${said}` }
  }
  if (input.detail !== null) {
    if (/size|large|big/i.test(input.detail)) return { verdict: 'too-big', evidence: `The service said: ${input.detail}` }
    if (/daily|per day|today|quota/i.test(input.detail)) return { verdict: 'daily-limit', evidence: `The service said: ${input.detail}` }
    if (/storage|space|full/i.test(input.detail)) return { verdict: 'storage-full', evidence: `The service said: ${input.detail}` }
  }
  return { verdict: 'undetermined', evidence: `The service refused the file without a reason that can be read off the plan.${said}` }
}

export interface ForecastInput {
  readonly sizes: readonly number[]
  readonly now: number
  readonly sizeLimit: number | null
  readonly minuteLimit: number | null
  readonly minuteUsed: number
  readonly dayLimit: number | null
  readonly dayUsed: number
  readonly dailyLimit: number | null
  readonly dailyUsed: number
  /** When today's allowance is back: the oldest of today's uploads plus a day, or a day from now. */
  readonly dailyResetAt: number
  /** Bytes per second seen lately; null: not known. */
  readonly speed: number | null
}

export interface Forecast {
  readonly now: number
  readonly later: number
  readonly tooBig: number
  readonly bytes: number
  readonly doneAt: number | null
  readonly steps: readonly { readonly at: number; readonly count: number }[]
  readonly limitedBy: string | null
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** How an upload of these files would run under the plan. `now`: within what is left of today's allowance. */
export function forecast(input: ForecastInput): Forecast {
  const fits = input.sizes.filter((size) => input.sizeLimit === null || size <= input.sizeLimit)
  const bytes = fits.reduce((sum, size) => sum + size, 0)
  const tooBig = input.sizes.length - fits.length
  const perDay = Math.min(input.dayLimit ?? Number.POSITIVE_INFINITY, input.dailyLimit ?? Number.POSITIVE_INFINITY)
  const left = Math.max(
    0,
    Math.min(
      (input.dayLimit ?? Number.POSITIVE_INFINITY) - input.dayUsed,
      (input.dailyLimit ?? Number.POSITIVE_INFINITY) - input.dailyUsed,
    ),
  )
  const first = Math.min(fits.length, left)
  const steps: { at: number; count: number }[] = []
  if (first > 0) steps.push({ at: input.now, count: first })
  let rest = fits.length - first
  const later = rest
  for (let at = input.dailyResetAt; rest > 0 && perDay > 0 && steps.length < 1000; at += DAY_MS) {
    const part = Math.min(rest, perDay)
    steps.push({ at, count: part })
    rest -= part
  }
  const lastStep = steps.at(-1)
  let doneAt: number | null = null
  if (lastStep !== undefined && rest === 0) {
    const room = Math.max(0, (input.minuteLimit ?? Number.POSITIVE_INFINITY) - (steps.length === 1 ? input.minuteUsed : 0))
    const minutes = input.minuteLimit === null || lastStep.count <= room ? 0 : Math.ceil((lastStep.count - room) / input.minuteLimit)
    const byBytes = input.speed !== null && input.speed > 0 ? (bytes / input.speed) * 1000 : 0
    doneAt = Math.round(lastStep.at + Math.max(minutes * MINUTE_MS, steps.length === 1 ? byBytes : 0))
  }
  const daily = input.dailyLimit !== null && input.dailyLimit <= (input.dayLimit ?? Number.POSITIVE_INFINITY)
  const limitedBy =
    later > 0
      ? daily
        ? `${input.dailyLimit} uploads a day`
        : `${input.dayLimit} requests a day`
      : input.minuteLimit !== null && first > input.minuteLimit - input.minuteUsed
        ? `${input.minuteLimit} requests a minute`
        : null
  return { now: first, later, tooBig, bytes, doneAt, steps, limitedBy }
}
