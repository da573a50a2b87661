// Determines which bytes an unconfirmed upload sent. A file on the service is compared with these bytes; a local file that has changed
// since can't show them any more.
import { hashFile } from '../disk/content.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { DiskError } from '../ports.ts'
import type { ReconcilerOptions } from './lost-upload.ts'

/** `changed`: the version that was sent is no longer there. `unreadable`: that can't be determined now. */
type LocalVersion = { readonly sha256: string } | 'changed' | 'unreadable'

/** The hash of what was sent: recorded with the intent, or computed from the file if it is still the same version. */
export async function localVersion(
  { ports, isAway }: Pick<ReconcilerOptions, 'ports' | 'isAway'>,
  row: TransferRow,
  signal: AbortSignal,
): Promise<LocalVersion> {
  if (row.sha256 !== null) return { sha256: row.sha256 }
  try {
    const hashed = await hashFile(ports.disk, ports.hashing, row.path, signal)
    const isSame = hashed !== null && hashed.entry.size === row.size && hashed.entry.mtime === row.mtime
    return isSame ? { sha256: hashed.sha256 } : 'changed'
  } catch (error) {
    if (signal.aborted) return 'unreadable'
    if (!(error instanceof DiskError)) throw error
    const isMissing = error.failure.code === 'gone' || error.failure.code === 'not-a-directory'
    return isMissing && !(await isAway(row)) ? 'changed' : 'unreadable'
  }
}
