// What the parts of this folder share: the rooms of the engine that they ask, and what they report.
import type { RemoteFile } from '../../api/types.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Doubts } from '../journal/doubts.ts'
import type { Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import type { Catalog } from '../remote/catalog.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'
import type { FileOpens } from '../send/file-opens.ts'
import type { Unread } from './bytes.ts'
import type { PastKeeper } from './gap.ts'
import type { ServiceHabits } from './habits.ts'
import type { Links } from './links.ts'

/**
 * `sent`: whether this journal sent the file. `isOlder`: the remote file existed before that, so other people may have its link. It is then
 * deleted only if the user asks for it, not when a newer version replaces it.
 */
export interface Adoption {
  readonly sha256: string | null
  readonly sent: boolean
  readonly isOlder: boolean
}

export interface Room {
  readonly ports: Ports
  readonly db: Database
  readonly transfers: Transfers
  readonly doubts: Doubts
  readonly remote: Remote
  readonly likes: Likes
  readonly habits: ServiceHabits
  readonly links: Links
  readonly catalog: Catalog
  readonly stats: StatsRefresh
  readonly limits: UploadLimits
  readonly opens: FileOpens
  readonly folders: WatchedFolders
  /** Call when a transfer has changed. */
  readonly changed: (id: number) => void
  readonly sendName: (row: Pick<TransferRow, 'name'>) => string
  /** The name under which the lost request was sent. */
  readonly sentName: (row: TransferRow) => string
  /** Confirms a transfer with a file that was found on the service. Changes nothing once `signal` has aborted. */
  readonly adopt: (row: TransferRow, file: RemoteFile, how: Adoption, signal: AbortSignal) => Promise<void>
}

export interface ReconcilerOptions extends Room {
  /**
   * Queues the deletion of an upload's file, unless the file might be in use by others. Returns false if it is kept. `at`: when the upload
   * was sent, in epoch milliseconds. Call inside a transaction.
   */
  readonly discard: (fileId: number, why: 'torn' | 'cancelled' | 'twin', at: number) => boolean
  /** Called when the outcome of an upload is known. */
  readonly proved: () => void
}

export interface ComparisonOptions extends Room {
  readonly past: PastKeeper
  /** Ends or defers a transfer whose file couldn't be read (send/propagator.ts). */
  readonly unread: (row: TransferRow, why: Unread) => Promise<void>
  /** Called when something may be sent now, or when what is shown has changed. */
  readonly moved: () => void
  /** Called when a comparison failed because the journal couldn't be written. */
  readonly journalFailed: (error: unknown) => void
  /** Aborts when the account changes (`IdentityKeeper.tenure`). */
  readonly tenure: () => AbortSignal
  readonly stop: AbortSignal
}
