// An upload whose answer was lost, as it is looked for on the service.
// Beside it, what looking for it needs from around it.
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { Doubts, OpenDoubt } from '../journal/doubts.ts'
import type { Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { SizeUnit } from '../limits/size-unit.ts'
import type { Ports } from '../ports.ts'
import type { ListHabits } from '../remote/list-walk.ts'
import type { CallResult } from '../remote/requests.ts'
import type { ServiceHabits } from './habits.ts'
import type { NameHabits } from './naming.ts'
import { nameRank } from './naming.ts'

/** A remote file that has an id. */
export type Listed = RemoteFile & { readonly fileId: number }

export interface LostUpload {
  readonly rowId: number
  /** The name under which it was sent. */
  readonly name: string
  readonly size: number
  /** Of its first intent, see `TransferRow`; null: not known. */
  readonly mark: number | null
  readonly above: number | null
  readonly server: number | null
}

export interface ReconcilerOptions {
  readonly ports: Ports
  readonly db: Database
  readonly transfers: Transfers
  readonly doubts: Doubts
  readonly remote: Remote
  readonly likes: Likes
  readonly habits: ServiceHabits
  readonly list: (page: number, limit: number, signal: AbortSignal) => Promise<CallResult<ListPage>>
  /** How many files the account has by `/stats`, read now; null: not known. */
  readonly countFiles: () => Promise<number | null>
  readonly file: (fileId: number, signal: AbortSignal) => Promise<CallResult<RemoteFile>>
  /** Gives the bytes behind a link to `onChunk`. `later`: not now, but perhaps in a while; `never`: this link leads to no bytes. */
  readonly download: (
    link: string,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ) => Promise<'whole' | 'later' | 'never'>
  readonly listHabits: () => ListHabits
  readonly setListHabits: (habits: ListHabits) => void
  readonly unit: () => SizeUnit | null
  readonly zone: () => number | null
  readonly learnDate: (fileId: number, shown: string) => void
  /** Ids of own uploads only ever grew. */
  readonly idsGrow: () => boolean
  /** The name under which the lost request went out. */
  readonly sentName: (row: TransferRow) => string
  /** Queues the deletion of a file that must not stay, unless it belongs to another one. False: it is kept. Called inside a transaction. */
  readonly discard: (fileId: number, why: 'torn' | 'cancelled' | 'twin') => boolean
  readonly adopt: (row: TransferRow, file: RemoteFile, sha256: string | null) => Promise<void>
  /** It is known what became of an upload. */
  readonly proved: () => void
  readonly changed: (id: number) => void
}

/** By its first request: what turned up since then may be it, however often it was sent. */
export function lostUpload(row: TransferRow, doubts: readonly OpenDoubt[], name: string): LostUpload {
  const first = doubts.find((d) => d.size === row.size && (d.sha256 === null || row.sha256 === null || d.sha256 === row.sha256))
  return first === undefined
    ? { rowId: row.id, name, size: row.size, mark: row.intentMark, above: row.intentAbove, server: row.intentServer }
    : { rowId: row.id, name, size: row.size, mark: first.mark, above: first.above, server: first.server }
}

/** The likeliest by name first, and the newest of those. */
export function byLikelihood(files: readonly Listed[], name: string, habits: NameHabits): readonly Listed[] {
  return files.toSorted((a, b) => nameRank(name, a.filename, habits) - nameRank(name, b.filename, habits) || b.fileId - a.fileId)
}
