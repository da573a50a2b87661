// Describes an unconfirmed upload for its lookup on the service. Also defines the options that the modules of this folder share.
import type { RemoteFile } from '../../api/types.ts'
import type { Doubts, OpenDoubt } from '../journal/doubts.ts'
import { byNewestId } from '../journal/file-ids.ts'
import type { Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { UploadLimits } from '../limits/plan/upload-limits.ts'
import type { Disk, Ports } from '../ports.ts'
import type { Catalog } from '../remote/catalog.ts'
import type { ServiceHabits } from './habits.ts'
import type { LinkDownloads } from './link-downloads.ts'
import type { LossAges } from './loss-ages.ts'
import type { NameHabits } from './naming.ts'
import { nameRank } from './naming.ts'

/** A remote file with a known ID. */
export type Listed = RemoteFile & { readonly fileId: number }

export interface LostUpload {
  readonly rowId: number
  /** The name under which it was sent. */
  readonly name: string
  readonly size: number
  /** `intentMark`, `intentAbove` and `intentServer` of the first request (see `TransferRow`); null if unknown. */
  readonly mark: number | null
  readonly above: number | null
  readonly server: number | null
}

export interface ReconcilerOptions {
  readonly ports: Ports
  /** Returns a disk that opens the transfer's file. Opening the file fails if the drive doesn't respond in time, or if `signal` aborts. */
  readonly diskOf: (row: TransferRow, signal: AbortSignal) => Pick<Disk, 'open'>
  readonly db: Database
  readonly transfers: Transfers
  readonly doubts: Doubts
  readonly remote: Remote
  readonly likes: Likes
  readonly habits: ServiceHabits
  readonly ages: LossAges
  readonly catalog: Pick<Catalog, 'list' | 'file' | 'habits' | 'setHabits'>
  readonly limits: Pick<UploadLimits, 'unit' | 'learnSize' | 'sizesTell' | 'zone' | 'learnDate' | 'idsGrow'>
  /** The account's number of files according to a new read of `/stats`; null if unknown. */
  readonly countFiles: () => Promise<number | null>
  readonly downloads: LinkDownloads
  /** The name under which the lost request was sent. */
  readonly sentName: (row: TransferRow) => string
  /** Whether the folder of this row can't be reached right now, so that a missing file may still be there. */
  readonly isAway: (row: TransferRow) => Promise<boolean>
  /**
   * Queues the deletion of an upload's file, unless the file might be in use by others. Returns false if it is kept. `at`: when the upload
   * was sent, in epoch milliseconds. Call inside a transaction.
   */
  readonly discard: (fileId: number, why: 'torn' | 'cancelled' | 'twin', at: number) => boolean
  /** Confirms the transfer with this file. `isOlder`: the file existed before the upload, so it might be in use by others. */
  readonly adopt: (row: TransferRow, file: RemoteFile, sha256: string | null, isOlder: boolean) => Promise<void>
  /** Called when the outcome of an upload is known. */
  readonly proved: () => void
  readonly changed: (id: number) => void
}

/**
 * Describes the upload by the first request for the same content, as far as known, because any file that has appeared since then may be
 * the upload. `doubts` are the row's open doubts, oldest first.
 */
export function lostUpload(row: TransferRow, doubts: readonly OpenDoubt[], name: string): LostUpload {
  const first = doubts.find((d) => d.size === row.size && (d.sha256 === null || row.sha256 === null || d.sha256 === row.sha256))
  return first === undefined
    ? { rowId: row.id, name, size: row.size, mark: row.intentMark, above: row.intentAbove, server: row.intentServer }
    : { rowId: row.id, name, size: row.size, mark: first.mark, above: first.above, server: first.server }
}

/** Sorts files by how likely their names are, the likeliest first. Among equals, the newest come first. */
export function byLikelihood(files: readonly Listed[], name: string, habits: NameHabits): readonly Listed[] {
  return files.toSorted((a, b) => nameRank(name, a.filename, habits) - nameRank(name, b.filename, habits) || byNewestId(a.fileId, b.fileId))
}
