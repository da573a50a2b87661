// A row of the table `transfers`: one version of a file, from the moment it settled to its link. What the states mean is decided in
// transfer/.

import type { SQLOutputValue } from 'node:sqlite'
import type { Ended, FailedReason, HeldReason, TransferState, WaitReason } from '../../../src-shared/model.ts'
import { numberAt, numberOrNullAt, textAt, textOrNullAt } from './rows.ts'

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

/** The columns that `readTransfer` expects, in its order. */
export const TRANSFER_COLUMNS =
  'id, source, folder_id, path, named, name, size, mtime, state, reason, message, until, priority, attempts, released, token, again, hash_first, sha256, intent_at, intent_server, intent_mark, intent_above, sent_name, checks, lost, lost_at, unproved, file_id, public_link, filename, adopted, sent, replaces, away, cancel, ended, ended_at, created_at, done_at, done_server'

/** Reads a row of `TRANSFER_COLUMNS`, by index instead of by name, because each upload reads its row several times. */
export function readTransfer(v: readonly SQLOutputValue[]): TransferRow {
  return {
    id: numberAt(v, 0),
    source: textAt(v, 1) as TransferRow['source'],
    folderId: numberOrNullAt(v, 2),
    path: textAt(v, 3),
    named: textOrNullAt(v, 4),
    name: textAt(v, 5),
    size: numberAt(v, 6),
    mtime: numberAt(v, 7),
    state: textAt(v, 8) as RowState,
    reason: textOrNullAt(v, 9) as RowReason | null,
    message: textOrNullAt(v, 10),
    until: numberOrNullAt(v, 11),
    priority: numberAt(v, 12),
    attempts: numberAt(v, 13),
    released: textOrNullAt(v, 14),
    token: textOrNullAt(v, 15),
    again: numberAt(v, 16) !== 0,
    hashFirst: numberAt(v, 17) !== 0,
    sha256: textOrNullAt(v, 18),
    intentAt: numberOrNullAt(v, 19),
    intentServer: numberOrNullAt(v, 20),
    intentMark: numberOrNullAt(v, 21),
    intentAbove: numberOrNullAt(v, 22),
    sentName: textOrNullAt(v, 23),
    checks: numberAt(v, 24),
    lost: textOrNullAt(v, 25) as Loss | null,
    lostAt: numberOrNullAt(v, 26),
    unproved: numberAt(v, 27),
    fileId: numberOrNullAt(v, 28),
    publicLink: textOrNullAt(v, 29),
    filename: textOrNullAt(v, 30),
    adopted: numberAt(v, 31) !== 0,
    isSent: numberAt(v, 32) !== 0,
    replaces: numberOrNullAt(v, 33),
    away: numberAt(v, 34) !== 0,
    cancel: numberAt(v, 35) !== 0,
    ended: textOrNullAt(v, 36) as Ended | null,
    endedAt: numberOrNullAt(v, 37),
    createdAt: numberAt(v, 38),
    doneAt: numberOrNullAt(v, 39),
    doneServer: numberOrNullAt(v, 40),
  }
}
