// Defines the plan's limits and the account's usage as `/stats` reports them, and decides whether a file fits
// the size limit. Pure; an unknown limit never refuses a file.
import type { StatedRates } from './rate-limits.ts'
import { type SizeUnit, unitBytes } from './size-unit.ts'

export type Limit =
  | { readonly kind: 'limited'; readonly value: number }
  | { readonly kind: 'unlimited' }
  /** Missing, unreadable or ambiguous. */
  | { readonly kind: 'unknown' }

/** A size as the service sent it: in bytes if it had a unit, otherwise in the service's own unit. */
export type SizeLimit =
  | { readonly kind: 'limited'; readonly value: number; readonly unit: 'bytes' | 'bare' }
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'unknown' }

export interface Quota {
  readonly maxFileSize: SizeLimit
  readonly dailyUploads: Limit
  readonly storage: SizeLimit
  readonly maxFiles: Limit
  /** Today's uploads according to the service. */
  readonly uploadsToday: number | null
  /** Today's requests by the service's own count. */
  readonly requestsToday: number | null
  readonly totalFiles: number | null
  /** In the service's own unit, like the `size` of a file. */
  readonly totalSize: number | null
  readonly rates: StatedRates
}

export const UNLIMITED = { kind: 'unlimited' } as const
export const UNKNOWN = { kind: 'unknown' } as const
export const noQuota: Quota = {
  maxFileSize: UNKNOWN,
  dailyUploads: UNKNOWN,
  storage: UNKNOWN,
  maxFiles: UNKNOWN,
  uploadsToday: null,
  requestsToday: null,
  totalFiles: null,
  totalSize: null,
  rates: { perMinute: null, perDay: null },
}

/** What uploads have shown about the size limit. */
export interface SizeEvidence {
  /** The largest file that the service accepted, in bytes. */
  readonly largestAccepted: number | null
  /** The smallest file that the service refused as too large (413, or a 403 diagnosed as such), in bytes. */
  readonly smallestRefused: number | null
}
export const noEvidence: SizeEvidence = { largestAccepted: null, smallestRefused: null }

/**
 * A size limit without a unit counts as unknown if it is below this, unless the refusal of a bigger file
 * confirms it.
 */
const PLAUSIBLE_MIN_BYTES = 1_048_576
/** A limit below this that has no unit is as likely to be in kilobytes as in bytes. */
export const PLAUSIBLE_BARE_BYTES = 10 * PLAUSIBLE_MIN_BYTES

/** The size limit in bytes; unknown if the unit or the figure is uncertain. */
export function sizeLimit(
  limit: SizeLimit,
  unit: SizeUnit | null,
  evidence: SizeEvidence = noEvidence,
): Limit {
  if (limit.kind !== 'limited') return limit
  if (limit.unit === 'bare' && unit === null) return UNKNOWN
  const value = limit.unit === 'bytes' ? limit.value : limit.value * unitBytes[unit ?? 'bytes']
  if (evidence.largestAccepted !== null && evidence.largestAccepted > value) return UNKNOWN
  if (
    limit.unit === 'bare' &&
    value < PLAUSIBLE_MIN_BYTES &&
    (evidence.smallestRefused === null || evidence.smallestRefused <= value)
  )
    return UNKNOWN
  return { kind: 'limited', value }
}

/** What is known about a file's size and the plan's limit on it. */
export interface SizeQuestion {
  /** In bytes. */
  readonly size: number
  readonly quota: Quota
  readonly unit: SizeUnit | null
  readonly evidence?: SizeEvidence
}

/**
 * Compares a file with the plan's size limit. Returns `too-big` only if the limit is certain (see
 * `sizeLimit`). A size up to the largest accepted one always fits. An earlier refusal alone doesn't make a
 * file too big here; see `heldBy`.
 */
export function fits({
  size,
  quota,
  unit,
  evidence = noEvidence,
}: SizeQuestion): 'fits' | 'too-big' | 'unknown' {
  if (evidence.largestAccepted !== null && size <= evidence.largestAccepted) return 'fits'
  const limit = sizeLimit(quota.maxFileSize, unit, evidence)
  if (limit.kind === 'unlimited') return 'fits'
  if (limit.kind === 'limited') return size <= limit.value ? 'fits' : 'too-big'
  // Bytes are the smallest unit, so a file that fits the figure in bytes also fits it in any other unit.
  if (quota.maxFileSize.kind === 'limited' && size <= quota.maxFileSize.value) return 'fits'
  return 'unknown'
}

/**
 * Why a file of this size is held without asking the service: `plan` if it exceeds a certain limit of the
 * plan, `refusal` if the plan's limit is unknown and the service has refused a file of this size or a smaller
 * one. Null if the file isn't held.
 */
export function heldBy(question: SizeQuestion): 'plan' | 'refusal' | null {
  if (fits(question) === 'too-big') return 'plan'
  const { size, quota, unit, evidence = noEvidence } = question
  const { largestAccepted, smallestRefused } = evidence
  if (smallestRefused === null || size < smallestRefused || size <= (largestAccepted ?? -1)) return null
  return sizeLimit(quota.maxFileSize, unit, evidence).kind === 'unknown' ? 'refusal' : null
}
