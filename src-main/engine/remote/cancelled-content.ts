// Records the hash of a local file whose pending upload the user has deleted in Slipway, so that touching the file later doesn't publish
// the same bytes.
import { hashFile } from '../disk/content.ts'
import type { Claims } from '../journal/claims.ts'
import type { Database } from '../journal/open.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { type Disk, DiskError, type Ports } from '../ports.ts'

/** Larger files aren't hashed. */
const HASH_MAX_BYTES = 512 * 1024 * 1024

export interface CancelledContentOptions {
  readonly ports: Pick<Ports, 'hashing'>
  /** Opens files with a time limit, because a network drive may never answer. */
  readonly opens: { readonly diskOf: (row: TransferRow, signal: AbortSignal) => Pick<Disk, 'open'> }
  readonly db: Database
  readonly claims: Pick<Claims, 'noteContent'>
  readonly stop: AbortSignal
}

/** Records the hash of a file whose upload was cancelled, unless it is too large, can't be read or has changed. */
export async function noteContent({ ports, opens, db, claims, stop }: CancelledContentOptions, row: TransferRow): Promise<void> {
  if (row.size > HASH_MAX_BYTES) return
  try {
    const got = await hashFile(opens.diskOf(row, stop), ports.hashing, row.path, stop)
    if (got === null || got.entry.size !== row.size || got.entry.mtime !== row.mtime) return
    db.tx(() => claims.noteContent(row.id, got.sha256))
  } catch (error) {
    if (!(error instanceof DiskError) && !stop.aborted) throw error
  }
}
