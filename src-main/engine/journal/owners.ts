// Decides whether a remote file may be deleted, based on the local files that it belongs to. Several local
// files can share one remote file, because the service deduplicates content or because a local file took over
// the link of equal content. A remote file is deleted only if no local file has a claim on it. This is
// checked when the deletion is queued and again right before the request.
import type { Claims } from '../journal/claims.ts'
import type { Ended } from '../journal/transfer-row.ts'
import type { Remote } from './remote-list.ts'

/**
 * Why a remote file should be deleted. `asked`: the user requested the deletion. `replaced`: a newer version
 * replaced the file. `torn`: it may mix two versions of its local file. `cancelled`: its upload was
 * cancelled, or its file was renamed during the upload and the new name is held or can't be checked. `twin`:
 * a duplicate of one of our uploads.
 */
export type RemovalReason = 'asked' | 'replaced' | 'torn' | 'cancelled' | 'twin'

/** Whether a receipt refers to a file that its upload created, or to one that existed before. */
export type Origin = 'new' | 'older' | 'unknown'

/** Tolerance in milliseconds, for dates without fractions of a second and for slow responses. */
const DATE_SLACK_MS = 2000
/** Time zones differ by multiples of a quarter of an hour. */
const QUARTER_MS = 15 * 60_000

export function originOf(evidence: {
  /** Whether the receipt of another transfer of this journal names this file. */
  readonly isKnownReceipt: boolean
  /**
   * Number of upload intents recorded when this upload was sent, and when the file was first seen. Null if
   * unknown.
   */
  readonly intentMark: number | null
  readonly firstMark: number | null
  /** The file's date as the service wrote it, read as UTC if it has no zone; null if unknown. */
  readonly uploadedAt: number | null
  /** The UTC offset to subtract from `uploadedAt`, in milliseconds; null if unknown. */
  readonly zone: number | null
  /**
   * When the upload began, and the current time, according to the service's clock in epoch milliseconds; null
   * if unknown.
   */
  readonly intentServer: number | null
  readonly nowServer: number | null
}): Origin {
  const { isKnownReceipt, intentMark, firstMark, uploadedAt, zone, intentServer, nowServer } = evidence
  if (isKnownReceipt) return 'older'
  if (intentMark !== null && firstMark !== null && firstMark < intentMark) return 'older'
  if (uploadedAt === null || intentServer === null) return 'unknown'
  const since = uploadedAt - (intentServer - DATE_SLACK_MS)
  if (zone !== null) return since - zone < 0 ? 'older' : 'new'
  // Whatever the zone, a file that this upload created is dated between the upload's start and now.
  const tookMs = (nowServer ?? intentServer) - intentServer + 2 * DATE_SLACK_MS
  const past = ((since % QUARTER_MS) + QUARTER_MS) % QUARTER_MS
  return past > tookMs ? 'older' : 'unknown'
}

export function mayDelete(question: {
  readonly reason: RemovalReason
  /** Number of local files with a live claim on the remote file. */
  readonly owners: number
  /**
   * Whether the remote file existed before one of our uploads was answered with it, so that it might be in
   * use by others.
   */
  readonly borrowed: boolean
  readonly origin: Origin
  /** Whether the service answers known bytes with the existing file. */
  readonly deduplicates: boolean
}): boolean {
  const { reason, owners, borrowed, origin, deduplicates } = question
  if (owners > 0) return false
  // The user means this file, no matter who uploaded it.
  if (reason === 'asked') return true
  if (borrowed || origin === 'older') return false
  // If the service deduplicates, a file of unclear origin is kept unless it was replaced. Keeping a torn or
  // cancelled upload leaves only a file whose link was never shown, whereas deleting someone's file breaks
  // its link permanently.
  return origin === 'new' || reason === 'replaced' || !deduplicates
}

export interface Owners {
  /**
   * Ends the claim of `path` (null: every claim) and queues the deletion if the file may then be deleted.
   * Returns the transfers whose claim ended, and the paths that still have one. Call inside a transaction.
   */
  release(
    fileId: number,
    path: string | null,
    why: 'asked' | 'replaced',
    at: number,
  ): { readonly ended: readonly number[]; readonly keptFor: readonly string[] }
  /**
   * Queues the deletion of an upload that must not stay published, unless the file might be in use by others.
   * Returns false if it is kept.
   */
  discard(fileId: number, why: 'torn' | 'cancelled' | 'twin', origin: Origin, at: number): boolean
  /** Whether no local file has a live claim on the file. */
  isFree(fileId: number): boolean
  /**
   * If an upload was answered with a file that is older than the upload, records that the service
   * deduplicates. Unless an upload of this journal created that file, also records that it might be in use by
   * others. Call before the receipt is written, inside its transaction.
   */
  note(transferId: number, fileId: number, origin: Origin): void
}

export function createOwners(claims: Claims, remote: Remote): Owners {
  const deduplicates = (): boolean => remote.facts.get('deduplicates') === true
  return {
    release: (fileId, path, why, at) => {
      const reason: Ended = why === 'asked' ? 'deleted' : 'replaced'
      const ended = claims.end(fileId, path, reason, at)
      const keptFor = claims.owners(fileId)
      const borrowed = claims.isBorrowed(fileId)
      if (
        mayDelete({
          reason: why,
          owners: keptFor.length,
          borrowed,
          origin: 'unknown',
          deduplicates: deduplicates(),
        })
      )
        remote.addRemoval(fileId, why, at)
      return { ended, keptFor }
    },
    discard: (fileId, why, origin, at) => {
      const owners = claims.owners(fileId).length
      if (
        !mayDelete({
          reason: why,
          owners,
          borrowed: claims.isBorrowed(fileId),
          origin,
          deduplicates: deduplicates(),
        })
      )
        return false
      remote.addRemoval(fileId, why, at)
      return true
    },
    isFree: (fileId) => claims.owners(fileId).length === 0,
    note: (transferId, fileId, origin) => {
      if (origin !== 'older') return
      if (!deduplicates()) remote.facts.set('deduplicates', true)
      // All owners of a file are known if Slipway uploaded it with this journal. Who uses any other file is
      // unknown.
      if (!claims.isOwn(fileId)) claims.setBorrowed(transferId)
    },
  }
}
