// What the parts of this folder share: the rooms of the engine that they ask, and how a file that was found on
// the service is adopted.
import type { RemoteFile } from '../../api/types.ts'
import type { BudgetRoom } from '../budget/compose.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Journal } from '../journal/journal.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import type { RemoteRoom } from '../remote/compose.ts'
import type { FileOpens } from '../send/file-opens.ts'
import type { Bus } from '../tell/bus.ts'
import type { Unread } from './bytes.ts'
import type { ServiceHabits } from './naming.ts'

/**
 * `sent`: whether this journal sent the file. `isOlder`: the remote file existed before that, so other people
 * may have its link. It is then deleted only if the user asks for it, not when a newer version replaces it.
 */
export interface Adoption {
  readonly sha256: string | null
  readonly sent: boolean
  readonly isOlder: boolean
}

/** What carries out transfers (send/propagator.ts), and is composed later. */
export interface Sender {
  /** Confirms a transfer with a remote file that was found on the service. */
  finish(
    row: TransferRow,
    file: RemoteFile,
    how: Adoption & { readonly adopted: true; readonly server: null },
  ): Promise<unknown>
  /** Ends or defers a transfer whose file couldn't be read. */
  unread(row: TransferRow, why: Unread): Promise<void>
}

export interface Shared extends Journal, BudgetRoom, RemoteRoom {
  readonly ports: Ports
  readonly habits: ServiceHabits
  readonly opens: FileOpens
  readonly folders: WatchedFolders
  readonly bus: Bus
  readonly stop: AbortSignal
  /** Null until `PresenceRoom.attach`. */
  sender: Sender | null
}

/** Confirms a transfer with a file that was found on the service. Changes nothing once `signal` has aborted. */
export async function adopt(
  shared: Shared,
  row: TransferRow,
  file: RemoteFile,
  how: Adoption,
  signal: AbortSignal,
): Promise<void> {
  const { catalog, transfers, limits, stored, folders, bus, sender } = shared
  const whole = await catalog.complete(file, signal)
  if (signal.aborted) return
  const now = transfers.get(row.id)
  // If the transfer was sent again or cancelled while the rest of the receipt was being fetched, don't adopt
  // the file.
  if (now === null || now.state === 'uploading' || now.state === 'done' || now.state === 'cancelled') return
  if (now.state === 'unknown' && now.intentMark !== row.intentMark) return
  await sender?.finish(row, whole, { ...how, adopted: true, server: null })
  if (how.sent) limits.uploaded()
  if (how.sent && !how.isOlder) stored.uploaded(row.size)
  bus.touched()
  folders.ended(row, row.folderId)
}
