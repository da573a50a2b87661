// Converts journal rows into the contract's types. A transfer that is queued, or can still be cancelled, and
// that a gate (for example a pause or the rate limit) holds back is shown as waiting, with the gate's reason.
// A queued or waiting transfer whose folder isn't watched is shown as waiting with the reason `not-watched`.
// One that the scheduler has started is shown as uploading. The functions are pure.
import { fileKind } from '../../../src-shared/file-kind.ts'
import type { Ended, Gate, PutAway, RemoteRow, Transfer } from '../../../src-shared/model.ts'
import { type SizeUnit, unitBytes } from '../budget/size-unit.ts'
import type { FileIds } from '../journal/file-ids.ts'
import type { CatalogRow, Remote } from '../journal/remote-list.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { leftPublic } from '../journal/transitions.ts'
import { readUploadDate } from '../journal/upload-date.ts'

/**
 * Whether the link of this version may be shown, copied or returned. Queries of the journal express the same
 * condition in SQL.
 */
export function isTellable(row: Pick<TransferRow, 'state' | 'ended' | 'publicLink'>): boolean {
  return isStored(row) && row.publicLink !== null
}

/**
 * Whether this version is on the service and may be deleted or reused, as far as the row shows. Its link may
 * be unknown.
 */
export function isStored(row: Pick<TransferRow, 'state' | 'ended'>): boolean {
  return row.state === 'done' && row.ended === null
}

/** Whether, as far as is known, this version's remote file exists and no deletion of it is queued. */
export function isLive(
  row: Pick<TransferRow, 'state' | 'ended' | 'fileId'>,
  remote: Pick<Remote, 'get' | 'isRemoval'>,
): boolean {
  if (!isStored(row)) return false
  return (
    row.fileId === null ||
    ((remote.get(row.fileId)?.goneAt ?? null) === null && !remote.isRemoval(row.fileId))
  )
}

/**
 * Whether a transfer that isn't done has left a public file that Slipway can't delete because its ID is
 * unknown. The final message of a cancelled transfer then names the link (`nextState` in
 * journal/transitions.ts), so a cancelled row without a message doesn't count.
 */
export function isLeftPublic(row: Pick<TransferRow, 'state' | 'fileId' | 'publicLink' | 'message'>): boolean {
  if (row.state === 'done' || row.fileId !== null || row.publicLink === null) return false
  // A cancelled row can have a dead link: when the service reuses the ID of its deleted file, the journal
  // clears only the row's ID.
  return row.state !== 'cancelled' || row.message !== null
}

/**
 * The message about a file that this transfer has left public (see `isLeftPublic`); null if there is none.
 * Uses the row's own message if it contains the link, otherwise a standard one.
 */
export function leftMessage(
  row: Pick<TransferRow, 'state' | 'fileId' | 'publicLink' | 'message'>,
): string | null {
  if (row.publicLink === null || !isLeftPublic(row)) return null
  return row.message?.includes(row.publicLink) === true ? row.message : leftPublic(row.publicLink)
}

export interface TransferFrame {
  readonly gate: Gate | null
  /** Whether the scheduler has started the upload. */
  readonly isActive: boolean
  /** Bytes sent so far. */
  readonly sent: number
  /** False if the transfer's folder isn't being watched, so that nothing in it is sent. */
  readonly due: boolean
  readonly ended: Ended | null
  /** Where the file was moved after its upload. */
  readonly putAway: PutAway | null
}

/** Converts the engine's number of a file ID into the ID that the service sent (`FileIds.shown`). */
type Shown = FileIds['shown']

export function transferView(
  row: TransferRow,
  { gate: accountGate, isActive, sent, due, ended, putAway }: TransferFrame,
  shown: Shown,
): Transfer {
  const idle = !due && (row.state === 'queued' || row.state === 'waiting')
  const gate: Gate | null = idle ? { reason: 'not-watched', until: null, message: null } : accountGate
  // The end of a chance to cancel uploads nothing while something else holds the file back.
  const gated = (row.state === 'queued' || idle || row.reason === 'grace') && gate !== null
  const isStarted = isActive && row.state === 'queued' && !gated
  return {
    id: row.id,
    path: row.path,
    name: row.name,
    folderId: row.folderId,
    source: row.source,
    size: row.size,
    state: gated ? 'waiting' : isStarted ? 'uploading' : row.state,
    reason: gated ? gate.reason : row.reason,
    message: gated ? gate.message : row.message,
    until: gated ? gate.until : row.until,
    sent,
    attempts: row.attempts,
    sha256: row.sha256,
    fileId: row.fileId === null ? null : shown(row.fileId),
    publicLink: isTellable(row) ? row.publicLink : null,
    filename: row.filename,
    adopted: row.adopted,
    createdAt: row.createdAt,
    doneAt: row.doneAt,
    ...(ended === null ? {} : { ended }),
    ...(putAway === null ? {} : { putAway }),
    ...(row.state === 'done' && !row.isSent ? { unsent: true } : {}),
    ...(row.state === 'cancelled' && isLeftPublic(row) ? { leftPublic: true } : {}),
    ...(row.publicLink !== null && isLeftPublic(row) ? { leftLink: row.publicLink } : {}),
  }
}

export function remoteView(
  row: CatalogRow,
  unit: SizeUnit | null,
  zone: number | null,
  shown: Shown,
): RemoteRow {
  const factor = unit === null ? null : unitBytes[unit]
  const date = row.uploadDate === null ? null : readUploadDate(row.uploadDate)
  return {
    fileId: shown(row.fileId),
    filename: row.filename,
    size: row.size,
    // If the service reports no size, or its unit isn't known yet, the size of our own upload is used.
    bytes: row.size === null || factor === null ? (row.local?.bytes ?? null) : row.size * factor,
    uploadDate: row.uploadDate,
    uploadedAt:
      date === null
        ? (row.local?.doneAt ?? null)
        : date.zoned
          ? date.at
          : zone === null
            ? (row.local?.doneAt ?? null)
            : date.at - zone,
    downloadCount: row.downloadCount,
    publicLink: row.goneAt === null && !row.deleting ? row.publicLink : null,
    localPath: row.local?.path ?? null,
    sha256: row.local?.sha256 ?? null,
    kind: fileKind(row.filename),
    transferId: row.local?.id ?? null,
    source: row.local?.source ?? null,
    original:
      row.local === null ? null : row.local.away && row.local.putAway?.path == null ? 'gone' : 'there',
    ...(row.local?.putAway == null ? {} : { putAway: row.local.putAway }),
    pulse: [...row.pulse],
    ...(row.deleting ? { deleting: true } : {}),
  }
}

/**
 * The remote file of a transfer. Gaps in the list's row (`known`) are filled from the upload receipt. `known`
 * is null if the list doesn't show the file yet. Returns null if the transfer has neither a file ID nor a
 * link.
 */
export function receiptView(row: TransferRow, known: RemoteRow | null, shown: Shown): RemoteRow | null {
  if (row.fileId === null && row.publicLink === null) return null
  const filename = known?.filename ?? row.filename ?? (row.fileId === null ? row.name : null)
  return {
    fileId: row.fileId === null ? 0 : shown(row.fileId),
    filename,
    size: known?.size ?? null,
    bytes: known?.bytes ?? row.size,
    uploadDate: known?.uploadDate ?? null,
    uploadedAt: known?.uploadedAt ?? row.doneAt,
    downloadCount: known?.downloadCount ?? null,
    publicLink: known?.publicLink ?? (isTellable(row) ? row.publicLink : null),
    localPath: row.path,
    sha256: row.sha256,
    kind: fileKind(filename),
    transferId: row.id,
    source: row.source,
    original: row.away && known?.putAway?.path == null ? 'gone' : 'there',
    ...(known?.putAway === undefined ? {} : { putAway: known.putAway }),
    pulse: known?.pulse ?? [],
  }
}
