// Decides which versions of a path the user means by deleting it: those with a working link, and those still to be uploaded, which would
// otherwise appear a second later. Pure.
import type { WhichVersions } from '../../../src-shared/contract.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { isTellable } from '../views.ts'

export type Version =
  | { readonly kind: 'uploaded'; readonly fileId: number; readonly row: TransferRow }
  /** The service never sent its ID, so it can't be deleted. */
  | { readonly kind: 'nameless'; readonly row: TransferRow }
  | { readonly kind: 'pending'; readonly row: TransferRow }

export interface DeletionPlan {
  readonly versions: readonly Version[]
  /** Why there are none. `deleted`: already deleted. `older`: there is only one version. `never`: none was ever uploaded. */
  readonly none: 'deleted' | 'older' | 'never' | null
}

/** Whether the outcome of the upload is unknown, so that its file may be on the service. A partly sent file isn't stored. */
export function mayHaveArrived(row: Pick<TransferRow, 'state' | 'lost' | 'reason'>): boolean {
  if (row.state === 'held') return row.reason === 'unconfirmed' || row.reason === 'ambiguous'
  return row.state === 'uploading' || (row.state === 'unknown' && row.lost !== 'partly')
}

const PENDING: ReadonlySet<TransferRow['state']> = new Set(['queued', 'uploading', 'waiting', 'held', 'unknown', 'failed'])

/** `rows`: all transfers of one path, newest first. */
export function planDeletion(rows: readonly TransferRow[], which: WhichVersions): DeletionPlan {
  const all: Version[] = []
  const seen = new Set<number>()
  for (const row of rows) {
    // An upload that was already cancelled may still have arrived.
    if (PENDING.has(row.state) && (!row.cancel || mayHaveArrived(row))) all.push({ kind: 'pending', row })
    else if (!isTellable(row)) continue
    else if (row.fileId === null) all.push({ kind: 'nameless', row })
    else if (!seen.has(row.fileId)) {
      seen.add(row.fileId)
      all.push({ kind: 'uploaded', fileId: row.fileId, row })
    }
  }
  const versions = which === 'all' ? all : which === 'latest' ? all.slice(0, 1) : all.slice(1)
  if (versions.length > 0) return { versions, none: null }
  if (all.length > 0) return { versions, none: 'older' }
  return { versions, none: rows.some((row) => row.ended === 'deleted' || row.ended === 'gone') ? 'deleted' : 'never' }
}
