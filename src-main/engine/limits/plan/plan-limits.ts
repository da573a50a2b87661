// The plan's limits as `/stats` states them, with the account's current figures. Decides which files fit. Pure; an unknown limit never
// refuses a file.
import type { StatedRates } from '../requests/rate-limits.ts'
import { type SizeUnit, unitBytes } from './size-unit.ts'

export type Limit =
  | { readonly kind: 'limited'; readonly value: number }
  | { readonly kind: 'unlimited' }
  /** Not sent, or sent in a form that could mean several things. */
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
  /** Today's uploads by the service's own count. */
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

/** A limit per file that was sent without a unit counts as unknown if it is below this, unless a refusal confirms it. */
const PLAUSIBLE_MIN_BYTES = 1_048_576
/** A smaller figure without a unit is as likely to be kilobytes as bytes. */
export const PLAUSIBLE_BARE_BYTES = 10 * PLAUSIBLE_MIN_BYTES

/** The size limit in bytes; unknown if the unit or the figure is uncertain. */
export function sizeLimit(limit: SizeLimit, unit: SizeUnit | null, evidence: SizeEvidence = noEvidence): Limit {
  if (limit.kind !== 'limited') return limit
  if (limit.unit === 'bare' && unit === null) return UNKNOWN
  const value = limit.unit === 'bytes' ? limit.value : limit.value * unitBytes[unit ?? 'bytes']
  if (evidence.largestAccepted !== null && evidence.largestAccepted > value) return UNKNOWN
  if (limit.unit === 'bare' && value < PLAUSIBLE_MIN_BYTES && (evidence.smallestRefused === null || evidence.smallestRefused <= value))
    return UNKNOWN
  return { kind: 'limited', value }
}

/**
 * Returns `too-big` only for a trusted limit. A size up to the largest accepted one fits. A refusal alone doesn't make a size too big here.
 */
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
  // Bytes are the smallest unit: a size that fits a limit in bytes also fits the same figure in any other unit.
  if (quota.maxFileSize.kind === 'limited' && size <= quota.maxFileSize.value) return 'fits'
  return 'unknown'
}
