// One row of the table `transfers`: a version of a file, from the moment it settled to its link.
// What a state means is decided in transfer/.
import type { Ended, FailedReason, HeldReason, TransferState, WaitReason } from '../../../src-shared/model.ts'
import type { Row } from './open.ts'
import { flag, number, numberOrNull, text, textOrNull } from './rows.ts'

/** States that a row can have in the journal; `settling` lives in the files table. */
export type RowState = Exclude<TransferState, 'settling'>
export type RowReason = WaitReason | HeldReason | FailedReason
export type { Ended }
/** How an answer was lost. `partly`: before the last byte was out. `gateway`: 502, 503, 504 or a timeout, after which the service may go on. */
export type Loss = 'partly' | 'cut' | 'gateway'

export interface TransferRow {
  readonly id: number
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  /** The path as the user typed it, where that leads to `path` through a symbolic link. */
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
  /** Comma-separated held reasons that the user has approved. */
  readonly released: string | null
  readonly token: string | null
  readonly again: boolean
  /** Its content may have been uploaded already: hash before anything is sent. */
  readonly hashFirst: boolean
  readonly sha256: string | null
  readonly intentAt: number | null
  /** By the service's clock, null where that was not known. */
  readonly intentServer: number | null
  /** The high-water mark of intents when it was sent: what was known before has a lower mark. Null where that is not known. */
  readonly intentMark: number | null
  /** Highest id among the newest own receipts when it was sent; null if there was none. */
  readonly intentAbove: number | null
  /** Its name when the last request went out; null where none did. The file may have been renamed since. */
  readonly sentName: string | null
  readonly checks: number
  /** How the answer to the last request was lost; null: it was not. */
  readonly lost: Loss | null
  /** When; null where that is not known, as after the end of the process. */
  readonly lostAt: number | null
  /** How often this version was given up as not arrived without proof. */
  readonly unproved: number
  readonly fileId: number | null
  readonly publicLink: string | null
  readonly filename: string | null
  readonly adopted: boolean
  readonly replaces: number | null
  readonly away: boolean
  readonly cancel: boolean
  /** Its claim on the remote file has ended (see claims.ts); null while it is live, or if there never was one. */
  readonly ended: Ended | null
  readonly endedAt: number | null
  readonly createdAt: number
  readonly doneAt: number | null
  /** By the service's clock, from the Date of the answer; null where there was none. */
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
