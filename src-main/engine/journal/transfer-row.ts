// A row of the table `transfers`: one version of a file, from the moment it settled to its link. What the states mean is decided in
// transfer/.
import type { Ended, FailedReason, HeldReason, TransferState, WaitReason } from '../../../src-shared/model.ts'
import type { Row } from './open.ts'
import { flag, number, numberOrNull, text, textOrNull } from './rows.ts'

/** The states that a row can have; `settling` exists only in the table `files`. */
export type RowState = Exclude<TransferState, 'settling'>
export type RowReason = WaitReason | HeldReason | FailedReason
export type { Ended }
/**
 * How an answer was lost. `partly`: before the last byte was sent. `gateway`: 502, 503, 504 or a timeout, after which the service may still
 * be working.
 */
export type Loss = 'partly' | 'cut' | 'gateway'

export interface TransferRow {
  readonly id: number
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  /** The path as typed, if it leads to `path` through a symbolic link. */
  readonly named: string | null
  readonly name: string
  readonly size: number
  readonly mtime: number
  readonly state: RowState
  readonly reason: RowReason | null
  readonly message: string | null
  readonly until: number | null
  readonly priority: number
  readonly attempts: number
  /** Comma-separated reasons for holding that the user has approved. */
  readonly released: string | null
  readonly token: string | null
  readonly again: boolean
  /** The content may have been uploaded already: hash it before sending. */
  readonly hashFirst: boolean
  readonly sha256: string | null
  readonly intentAt: number | null
  /** When the intent was written, by the service's clock; null if unknown. */
  readonly intentServer: number | null
  /** Running number of this intent; whatever was known before it has a lower mark. Null if it wasn't recorded. */
  readonly intentMark: number | null
  /** The highest file ID among this journal's newest receipts when the request was sent, or null if there were none. */
  readonly intentAbove: number | null
  /** The name in the last request, since the file may have been renamed, or null if none was sent. */
  readonly sentName: string | null
  readonly checks: number
  /** How the answer to the last request was lost, or null if it wasn't. */
  readonly lost: Loss | null
  /** When it was lost, or null if unknown, for example because the process ended. */
  readonly lostAt: number | null
  /** How often this version was assumed not to have arrived, without proof. */
  readonly unproved: number
  readonly fileId: number | null
  readonly publicLink: string | null
  readonly filename: string | null
  readonly adopted: boolean
  /** Whether its content was sent in an upload; false until it is done. */
  readonly isSent: boolean
  readonly replaces: number | null
  readonly away: boolean
  readonly cancel: boolean
  /** How the claim on the remote file ended (see claims.ts), or null if it is live, or if there never was one. */
  readonly ended: Ended | null
  readonly endedAt: number | null
  readonly createdAt: number
  readonly doneAt: number | null
  /** When the upload was done, by the `Date` header of its response, or null if it had none. */
  readonly doneServer: number | null
}

export interface NewTransfer {
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  readonly named?: string | null
  readonly name: string
  readonly size: number
  readonly mtime: number
  readonly state: RowState
  readonly reason: RowReason | null
  readonly message: string | null
  readonly priority: number
  readonly token: string | null
  readonly again: boolean
  readonly hashFirst: boolean
  readonly replaces: number | null
  readonly createdAt: number
}

export interface Receipt {
  readonly fileId: number | null
  readonly publicLink: string | null
  readonly filename: string | null
}

export function readTransfer(row: Row): TransferRow {
  return {
    id: number(row, 'id'),
    source: text(row, 'source') as TransferRow['source'],
    folderId: numberOrNull(row, 'folder_id'),
    path: text(row, 'path'),
    named: textOrNull(row, 'named'),
    name: text(row, 'name'),
    size: number(row, 'size'),
    mtime: number(row, 'mtime'),
    state: text(row, 'state') as RowState,
    reason: textOrNull(row, 'reason') as RowReason | null,
    message: textOrNull(row, 'message'),
    until: numberOrNull(row, 'until'),
    priority: number(row, 'priority'),
    attempts: number(row, 'attempts'),
    released: textOrNull(row, 'released'),
    token: textOrNull(row, 'token'),
    again: flag(row, 'again'),
    hashFirst: flag(row, 'hash_first'),
    sha256: textOrNull(row, 'sha256'),
    intentAt: numberOrNull(row, 'intent_at'),
    intentServer: numberOrNull(row, 'intent_server'),
    intentMark: numberOrNull(row, 'intent_mark'),
    intentAbove: numberOrNull(row, 'intent_above'),
    sentName: textOrNull(row, 'sent_name'),
    checks: number(row, 'checks'),
    lost: textOrNull(row, 'lost') as Loss | null,
    lostAt: numberOrNull(row, 'lost_at'),
    unproved: number(row, 'unproved'),
    fileId: numberOrNull(row, 'file_id'),
    publicLink: textOrNull(row, 'public_link'),
    filename: textOrNull(row, 'filename'),
    adopted: flag(row, 'adopted'),
    isSent: flag(row, 'sent'),
    replaces: numberOrNull(row, 'replaces'),
    away: flag(row, 'away'),
    cancel: flag(row, 'cancel'),
    ended: textOrNull(row, 'ended') as Ended | null,
    endedAt: numberOrNull(row, 'ended_at'),
    createdAt: number(row, 'created_at'),
    doneAt: numberOrNull(row, 'done_at'),
    doneServer: numberOrNull(row, 'done_server'),
  }
}
