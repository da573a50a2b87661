// Who a remote file belongs to, and so whether it may be deleted. One remote file may serve several local ones: on a service that answers
// the same bytes with the file that is there already, and where an upload was answered with a link of equal content. It is deleted only when the
// last of them goes, asked when the deletion is queued and again right before the request.
import type { Ended } from '../../../src-shared/model.ts'
import type { Claims } from '../journal/claims.ts'
import type { Remote } from '../journal/remote.ts'

/** Why a remote file should go. `asked`: a person said so. */
export type RemovalReason = 'asked' | 'replaced' | 'torn' | 'cancelled'

/** Whether a receipt names a file that this upload made, or one that had been there before. */
export type Origin = 'new' | 'older' | 'unknown'

/** A date without fractions, and an answer that took its time. Milliseconds. */
const DATE_SLACK_MS = 2000
/** Zones of the world lie whole quarters of an hour apart, and an upload takes its time before it is dated. */
const QUARTER_MS = 15 * 60_000

export function originOf(evidence: {
  /** Another transfer of this journal has it as its receipt. */
  readonly isKnownReceipt: boolean
  /** The number of the upload's intent, and how many intents there had been when the file was first seen; null: not known. */
  readonly intentMark: number | null
  readonly firstMark: number | null
  /** The file's date as the service wrote it, read as UTC where it names no zone; null: not known. */
  readonly uploadedAt: number | null
  /** What is to be taken off it, milliseconds; null: the zone is not known. */
  readonly zone: number | null
  /** By the service's clock, epoch milliseconds, when the upload began and now; null: not known. */
  readonly intentServer: number | null
  readonly nowServer: number | null
}): Origin {
  const { isKnownReceipt, intentMark, firstMark, uploadedAt, zone, intentServer, nowServer } = evidence
  if (isKnownReceipt) return 'older'
  if (intentMark !== null && firstMark !== null && firstMark < intentMark) return 'older'
  if (uploadedAt === null || intentServer === null) return 'unknown'
  const since = uploadedAt - (intentServer - DATE_SLACK_MS)
  if (zone !== null) return since - zone < 0 ? 'older' : 'new'
  // In any zone, a file that this upload made is dated between its beginning and now.
  const tookMs = (nowServer ?? intentServer) - intentServer + 2 * DATE_SLACK_MS
  const past = ((since % QUARTER_MS) + QUARTER_MS) % QUARTER_MS
  return past > tookMs ? 'older' : 'unknown'
}

export function mayDelete(question: {
  readonly reason: RemovalReason
  /** Local files with a living claim on it. */
  readonly owners: number
  /** It had been there before one of our uploads was answered with it: someone else may use it. */
  readonly borrowed: boolean
  readonly origin: Origin
  /** The service was seen to answer the same bytes with the file that is there already. */
  readonly deduplicates: boolean
}): boolean {
  const { reason, owners, borrowed, origin, deduplicates } = question
  if (owners > 0) return false
  // A person means this file, whoever else uploaded it.
  if (reason === 'asked') return true
  if (borrowed || origin === 'older') return false
  // Left behind, a mixture or a cancelled upload is a file that nobody was given a link to; deleted by mistake, a link is lost for good.
  return origin === 'new' || reason === 'replaced' || !deduplicates
}

export interface Owners {
  /** Ends the claim of `path` (null: every claim) and queues the deletion if no claim is left. Call it inside a transaction. */
  release(
    fileId: number,
    path: string | null,
    why: 'asked' | 'replaced',
    at: number,
  ): { readonly ended: readonly number[]; readonly keptFor: readonly string[] }
  /** Queues the deletion of an upload that must not stay published, unless the file may be someone else's. False: it is kept. */
  discard(fileId: number, why: 'torn' | 'cancelled', origin: Origin, at: number): boolean
  /** Asked right before the DELETE goes out: a file that found an owner meanwhile stays. */
  isFree(fileId: number): boolean
  /** An upload was answered with this file. Call it before the receipt is written, inside its transaction. */
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
      if (mayDelete({ reason: why, owners: keptFor.length, borrowed, origin: 'unknown', deduplicates: deduplicates() }))
        remote.addRemoval(fileId, why, at)
      return { ended, keptFor }
    },
    discard: (fileId, why, origin, at) => {
      const owners = claims.owners(fileId).length
      if (!mayDelete({ reason: why, owners, borrowed: claims.isBorrowed(fileId), origin, deduplicates: deduplicates() })) return false
      remote.addRemoval(fileId, why, at)
      return true
    },
    isFree: (fileId) => claims.owners(fileId).length === 0,
    note: (transferId, fileId, origin) => {
      if (origin !== 'older') return
      if (!deduplicates()) remote.facts.set('deduplicates', true)
      // A file of this journal's own has its owners in it; of any other nobody here knows who uses it.
      if (!claims.isOwn(fileId)) claims.setBorrowed(transferId)
    },
  }
}
