// Diagnoses the cause of a 403 in response to an upload, which the API document leaves open. Pure. Checks the
// limits in `/stats` first, if it could be read, and then the service's own message. If `/stats` also returns
// 403, the plan has no API access, and remote/stats-refresh.ts blocks the account.
import { formatBytes } from '../../../src-shared/format.ts'
import { noEvidence, PLAUSIBLE_BARE_BYTES, type Quota, type SizeEvidence, sizeLimit } from './plan-limits.ts'
import { type SizeUnit, unitBytes } from './size-unit.ts'

export type Verdict403 = 'too-big' | 'daily-limit' | 'storage-full' | 'undetermined'

export interface Diagnosis {
  readonly verdict: Verdict403
  /** A sentence for the user. */
  readonly evidence: string
}

/**
 * Words in the service's message that identify the cause. `plan`: the message suggests another plan without
 * naming the limit that was reached. A message that matches `plan`, or several entries, identifies no cause.
 */
const WORDINGS: readonly (readonly [Exclude<Verdict403, 'undetermined'> | 'plan', RegExp])[] = [
  ['daily-limit', /\b(?:daily|per[ -]day|today|24[ -]?h(?:ours)?)\b/i],
  ['storage-full', /\b(?:storage|disk|space)\b/i],
  ['too-big', /\b(?:too (?:large|big)|file ?size|max(?:imum)?[ _-]?(?:file[ _-]?)?size|size limit)\b/i],
  [
    'plan',
    /\b(?:upgrade|plan (?:does not|doesn't)|not (?:available|included|supported) (?:on|in|for|by) (?:your|this) plan)\b/i,
  ],
]

export function diagnose403({
  isStatsRead,
  fileSize,
  quota,
  unit,
  evidence = noEvidence,
  uploadsLast24h,
  serverUploadsToday = null,
  detail = null,
}: {
  /** Whether the `GET /stats` made for this diagnosis succeeded. */
  readonly isStatsRead: boolean
  /** In bytes. */
  readonly fileSize: number
  readonly quota: Quota
  readonly unit: SizeUnit | null
  readonly evidence?: SizeEvidence
  readonly uploadsLast24h: number
  /** Defaults to the count in `quota`. */
  readonly serverUploadsToday?: number | null
  /** The message in the body of the 403, if there was one. */
  readonly detail?: string | null
}): Diagnosis {
  if (isStatsRead) {
    const size = sizeLimit(quota.maxFileSize, unit, evidence)
    if (size.kind === 'limited' && fileSize > size.value) {
      return {
        verdict: 'too-big',
        evidence: `The file has ${formatBytes(fileSize)}; the plan allows ${formatBytes(size.value)} a file.`,
      }
    }
    const today = Math.max(uploadsLast24h, serverUploadsToday ?? quota.uploadsToday ?? 0)
    if (quota.dailyUploads.kind === 'limited' && today >= quota.dailyUploads.value) {
      return {
        verdict: 'daily-limit',
        evidence: `${today} uploads in 24 hours; the plan allows ${quota.dailyUploads.value}.`,
      }
    }
    const full = storageFull(quota, unit, fileSize)
    if (full !== null) return { verdict: 'storage-full', evidence: full }
    // `sizeLimit` doesn't trust a limit without a unit while the unit is unknown, or if the limit is
    // implausibly small. Here, a file above the limit was refused, which confirms the limit.
    const bare = quota.maxFileSize
    const refuted =
      evidence.largestAccepted !== null && bare.kind === 'limited' && evidence.largestAccepted >= fileSize
    if (bare.kind === 'limited' && bare.unit === 'bare' && !refuted) {
      const value = bare.value * unitBytes[unit ?? 'bytes']
      const accepted = evidence.largestAccepted ?? 0
      if (fileSize > value && accepted <= value && (unit !== null || value >= PLAUSIBLE_BARE_BYTES)) {
        return {
          verdict: 'too-big',
          evidence: `The file has ${formatBytes(fileSize)}; the plan's limit reads as ${formatBytes(value)} a file.`,
        }
      }
    }
  }
  if (detail !== null) {
    const said = WORDINGS.filter(([, pattern]) => pattern.test(detail))
    const [only] = said
    if (only !== undefined && said.length === 1 && only[0] !== 'plan') {
      return { verdict: only[0], evidence: `The service says: ${detail}` }
    }
  }
  const parts = [
    isStatsRead
      ? 'The account statistics can be read, and no known limit is reached.'
      : "The account statistics couldn't be read.",
    `The file has ${formatBytes(fileSize)}; ${uploadsLast24h} uploads in 24 hours.`,
  ]
  if (detail !== null) parts.push(`The service says: ${detail}`)
  return { verdict: 'undetermined', evidence: parts.join(' ') }
}

/** Why a file of this size doesn't fit into the plan's storage; null if nothing shows that. */
export function storageFull(quota: Quota, unit: SizeUnit | null, fileSize: number): string | null {
  if (
    quota.maxFiles.kind === 'limited' &&
    quota.totalFiles !== null &&
    quota.totalFiles >= quota.maxFiles.value
  ) {
    return `${quota.totalFiles} files are stored; the plan allows ${quota.maxFiles.value}.`
  }
  const { storage, totalSize } = quota
  if (storage.kind !== 'limited' || totalSize === null) return null
  if (unit !== null) {
    const limit = storage.unit === 'bytes' ? storage.value : storage.value * unitBytes[unit]
    const taken = totalSize * unitBytes[unit]
    return taken + fileSize > limit
      ? `${formatBytes(taken)} of ${formatBytes(limit)} are used, and the file has ${formatBytes(fileSize)}.`
      : null
  }
  // If both figures are in the same unknown unit, they only show whether the storage is already full.
  return storage.unit === 'bare' && totalSize >= storage.value ? 'The storage of the plan is used up.' : null
}
