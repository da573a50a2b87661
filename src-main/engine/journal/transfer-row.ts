// A row of the table `transfers`: one version of a file, from its registration to its link. The code in send/
// decides what each state means.

import type { SQLOutputValue } from 'node:sqlite'
import {
  type FailedReason,
  type HeldReason,
  TransferState,
  type Ended as ViewEnded,
  type WaitReason,
} from '../../../src-shared/model.ts'
import { numberAt, numberOrNullAt, textAt, textOrNullAt } from './column-values.ts'

/** The states that a row can have; `settling` exists only in the table `files`. */
export type RowState = Exclude<TransferState, 'settling'>
export const ROW_STATES: readonly RowState[] = TransferState.options.filter((state) => state !== 'settling')
export type RowReason = WaitReason | HeldReason | FailedReason
/**
 * How the claim on a remote file ended. Whether a requested deletion has been carried out is in `removals`,
 * not in the row.
 */
export type Ended = Exclude<ViewEnded, 'deleting' | 'kept'>
/**
 * How an answer was lost. `partly`: before the last byte was sent. `gateway`: 408, 502, 503, 504 or a
 * timeout, after which the service may still be working on the request. `error`: any other status that
 * doesn't show that nothing was stored. `receipt`: the service says that it stored the file, but its receipt
 * doesn't fit. `cut`: in any other way after the last byte.
 */
export type Loss = 'partly' | 'cut' | 'gateway' | 'error' | 'receipt'

/** How urgent an upload is; the most urgent goes first, and the oldest among equals. */
export const PRIORITY = {
  /** Found in a watched folder, among many. */
  found: 0,
  /** Saved in a watched folder as one of a few, so a person probably waits for its link. */
  saved: 1,
  /** Named by the user. */
  named: 10,
  /** The user asked to send it first. */
  next: 20,
} as const

export interface TransferRow {
  readonly id: number
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  /** The path as typed, if it differs from `path`, for example because of a symbolic link. */
  readonly named: string | null
  readonly name: string
  readonly size: number
  readonly mtime: number
  readonly state: RowState
  readonly reason: RowReason | null
  readonly message: string | null
  readonly until: number | null
  /** One of `PRIORITY`. */
  readonly priority: number
  readonly attempts: number
  /** Comma-separated reasons for holding that the user has approved. */
  readonly released: string | null
  readonly token: string | null
  readonly again: boolean
  /**
   * Whether the file must be hashed before it is sent, because its content may have been uploaded already.
   */
  readonly hashFirst: boolean
  /**
   * Whether the file is an existing one that its folder skips. Such a file may take over the link of an
   * upload with its bytes, but isn't sent.
   */
  readonly reuseOnly: boolean
  /**
   * Whether the file was found in a folder that the user named, so content that they deleted there isn't sent
   * again.
   */
  readonly isInside: boolean
  readonly sha256: string | null
  readonly intentAt: number | null
  /** When the intent was written, according to the service's clock; null if unknown. */
  readonly intentServer: number | null
  /**
   * Number of this version's last intent, counted over all uploads. A remote file that was first seen before
   * the intent has a lower `firstMark`. Null if no intent of this version was recorded.
   */
  readonly intentMark: number | null
  /**
   * The highest file ID among this journal's newest receipts when the intent was recorded, or null if there
   * were none.
   */
  readonly intentAbove: number | null
  /**
   * The file's name when the last intent was recorded; it may have been renamed since. Null if unknown or if
   * there was none.
   */
  readonly sentName: string | null
  readonly checks: number
  /** How the answer to the last request was lost; null if it wasn't, or if the process ended first. */
  readonly lost: Loss | null
  /** When the answer was lost, or null if unknown, for example because the process ended. */
  readonly lostAt: number | null
  /** The system's uptime in milliseconds when the answer was lost; null if unknown. */
  readonly lostUp: number | null
  /** Number of times this version was assumed, without proof, not to have arrived. */
  readonly unproved: number
  /**
   * Number of times this version was sent again after a whole request whose outcome was unknown, with proof
   * or without. Only a new version resets it.
   */
  readonly resent: number
  readonly fileId: number | null
  readonly publicLink: string | null
  readonly filename: string | null
  readonly adopted: boolean
  /**
   * Whether the row's last confirmation was that of an upload, rather than of an existing file with the same
   * content. False until the row is first confirmed; kept if the row is queued again.
   */
  readonly isSent: boolean
  readonly replaces: number | null
  readonly away: boolean
  readonly cancel: boolean
  /**
   * How the claim on the remote file ended (see claims.ts); null if the claim is live or never existed. If
   * this is set on a cancelled row, the row's content isn't sent again automatically.
   */
  readonly ended: Ended | null
  readonly endedAt: number | null
  readonly createdAt: number
  readonly doneAt: number | null
  /**
   * The `Date` header of the response to the upload, in epoch milliseconds; null if there was no such
   * response or header.
   */
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
  /** One of `PRIORITY`. */
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

const COLUMNS = [
  'id',
  'source',
  'folder_id',
  'path',
  'named',
  'name',
  'size',
  'mtime',
  'state',
  'reason',
  'message',
  'until',
  'priority',
  'attempts',
  'released',
  'token',
  'again',
  'hash_first',
  'reuse_only',
  'inside',
  'sha256',
  'intent_at',
  'intent_server',
  'intent_mark',
  'intent_above',
  'sent_name',
  'checks',
  'lost',
  'lost_at',
  'lost_up',
  'unproved',
  'resent',
  'file_id',
  'public_link',
  'filename',
  'adopted',
  'sent',
  'replaces',
  'away',
  'cancel',
  'ended',
  'ended_at',
  'created_at',
  'done_at',
  'done_server',
] as const

/** The columns that `readTransfer` expects, in this order. */
export const TRANSFER_COLUMNS = COLUMNS.join(', ')

/** The index of each column in a row that was read as an array. */
const AT = Object.fromEntries(COLUMNS.map((column, i) => [column, i])) as Readonly<
  Record<(typeof COLUMNS)[number], number>
>

/**
 * Reads a row of `TRANSFER_COLUMNS` by index, which is faster than by name: each upload reads its row several
 * times.
 */
export function readTransfer(v: readonly SQLOutputValue[]): TransferRow {
  return {
    id: numberAt(v, AT.id),
    source: textAt(v, AT.source) as TransferRow['source'],
    folderId: numberOrNullAt(v, AT.folder_id),
    path: textAt(v, AT.path),
    named: textOrNullAt(v, AT.named),
    name: textAt(v, AT.name),
    size: numberAt(v, AT.size),
    mtime: numberAt(v, AT.mtime),
    state: textAt(v, AT.state) as RowState,
    reason: textOrNullAt(v, AT.reason) as RowReason | null,
    message: textOrNullAt(v, AT.message),
    until: numberOrNullAt(v, AT.until),
    priority: numberAt(v, AT.priority),
    attempts: numberAt(v, AT.attempts),
    released: textOrNullAt(v, AT.released),
    token: textOrNullAt(v, AT.token),
    again: numberAt(v, AT.again) !== 0,
    hashFirst: numberAt(v, AT.hash_first) !== 0,
    reuseOnly: numberOrNullAt(v, AT.reuse_only) === 1,
    isInside: numberOrNullAt(v, AT.inside) === 1,
    sha256: textOrNullAt(v, AT.sha256),
    intentAt: numberOrNullAt(v, AT.intent_at),
    intentServer: numberOrNullAt(v, AT.intent_server),
    intentMark: numberOrNullAt(v, AT.intent_mark),
    intentAbove: numberOrNullAt(v, AT.intent_above),
    sentName: textOrNullAt(v, AT.sent_name),
    checks: numberAt(v, AT.checks),
    lost: textOrNullAt(v, AT.lost) as Loss | null,
    lostAt: numberOrNullAt(v, AT.lost_at),
    lostUp: numberOrNullAt(v, AT.lost_up),
    unproved: numberAt(v, AT.unproved),
    resent: numberAt(v, AT.resent),
    fileId: numberOrNullAt(v, AT.file_id),
    publicLink: textOrNullAt(v, AT.public_link),
    filename: textOrNullAt(v, AT.filename),
    adopted: numberAt(v, AT.adopted) !== 0,
    isSent: numberAt(v, AT.sent) !== 0,
    replaces: numberOrNullAt(v, AT.replaces),
    away: numberAt(v, AT.away) !== 0,
    cancel: numberAt(v, AT.cancel) !== 0,
    ended: textOrNullAt(v, AT.ended) as Ended | null,
    endedAt: numberOrNullAt(v, AT.ended_at),
    createdAt: numberAt(v, AT.created_at),
    doneAt: numberOrNullAt(v, AT.done_at),
    doneServer: numberOrNullAt(v, AT.done_server),
  }
}
