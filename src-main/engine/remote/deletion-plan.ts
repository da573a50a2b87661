// Decides which versions of a path the user means by deleting it. These are the versions with a working link, and those that are still to
// be uploaded, which would otherwise be published after the deletion. Pure.
import type { WhichVersions } from '../../../src-shared/contract.ts'
import type { RemoteEntry } from '../journal/catalog-rows.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { isLeftPublic, isStored } from '../tell/views.ts'

export type Version =
  | { readonly kind: 'uploaded'; readonly fileId: number; readonly row: TransferRow }
  /** The service has neither sent the file's ID nor listed the file with its link, so the file can't be deleted. */
  | { readonly kind: 'nameless'; readonly row: TransferRow }
  | { readonly kind: 'pending'; readonly row: TransferRow }

export interface DeletionPlan {
  readonly versions: readonly Version[]
  /**
   * Why `versions` is empty; null if it isn't. `deleted`: they were deleted before. `older`: only older versions were selected, but there
   * is only one version. `never`: none was ever uploaded.
   */
  readonly none: 'deleted' | 'older' | 'never' | null
}

/** Whether the upload's outcome is unknown, so that its file may be on the service. False for a partly sent file, which isn't stored. */
export function mayHaveArrived(row: Pick<TransferRow, 'state' | 'lost' | 'reason' | 'intentAt' | 'publicLink'>): boolean {
  // A file can also be held as ambiguous before it is sent; it then has no intent. If the row has a link, its file has certainly arrived.
  if (row.state === 'held')
    return (row.reason === 'unconfirmed' || row.reason === 'ambiguous') && row.intentAt !== null && row.publicLink === null
  return row.state === 'uploading' || (row.state === 'unknown' && row.lost !== 'partly')
}

/**
 * Whether the search for the file of a cancelled upload has ended without a clear result. If so, the file may still be on the service.
 */
export function endedUnproved(row: Pick<TransferRow, 'state' | 'reason'>): boolean {
  return row.state === 'cancelled' && row.reason === 'ambiguous'
}

const PENDING: ReadonlySet<TransferRow['state']> = new Set(['queued', 'uploading', 'waiting', 'held', 'unknown', 'failed'])

/**
 * Selects the versions of one path to delete. `rows`: all transfers of the path, newest first. `byLink`: returns the file that the list has
 * shown with this link, or null. `isListed`: whether the service shows the file; if so, its deletion is asked for again.
 */
export function planDeletion(
  rows: readonly TransferRow[],
  which: WhichVersions,
  byLink: (link: string) => Pick<RemoteEntry, 'fileId' | 'goneAt'> | null,
  isListed: (fileId: number) => boolean,
): DeletionPlan {
  const all: Version[] = []
  const seen = new Set<number>()
  let isGone = false
  for (const row of rows) {
    // An upload that was already cancelled may still have arrived.
    if (PENDING.has(row.state) && (!row.cancel || mayHaveArrived(row))) all.push({ kind: 'pending', row })
    else if (isLeftPublic(row) || isStored(row) || (row.ended === 'deleted' && row.fileId !== null && isListed(row.fileId))) {
      const listed = row.fileId === null && row.publicLink !== null ? byLink(row.publicLink) : null
      const fileId = row.fileId ?? listed?.fileId ?? null
      if (listed !== null && listed.goneAt !== null) isGone = true
      else if (fileId === null) all.push({ kind: 'nameless', row })
      else if (!seen.has(fileId)) {
        seen.add(fileId)
        all.push({ kind: 'uploaded', fileId, row })
      }
    }
  }
  const versions = which === 'all' ? all : which === 'latest' ? all.slice(0, 1) : all.slice(1)
  if (versions.length > 0) return { versions, none: null }
  if (all.length > 0) return { versions, none: 'older' }
  return { versions, none: isGone || rows.some((row) => row.ended === 'deleted' || row.ended === 'gone') ? 'deleted' : 'never' }
}
