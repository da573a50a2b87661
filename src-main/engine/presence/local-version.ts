// Determines the hash of what an unconfirmed upload sent, so that files on the service can be compared with it. This fails if the hash
// wasn't recorded and the local file has changed since.
import { hashFile } from '../disk/content.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { DiskError } from '../ports.ts'
import type { ReconcilerOptions } from './lost-upload.ts'

/** `changed`: the local file has changed or is gone. `unreadable`: the file can't be read now. */
type LocalVersion = { readonly sha256: string } | 'changed' | 'unreadable'

/** Returns the hash of what was sent: the one recorded with the intent, or one computed from the file if it is still the same version. */
export async function localVersion(
  { ports, diskOf, isAway }: Pick<ReconcilerOptions, 'ports' | 'diskOf' | 'isAway'>,
  row: TransferRow,
  signal: AbortSignal,
): Promise<LocalVersion> {
  if (row.sha256 !== null) return { sha256: row.sha256 }
  try {
    const hashed = await hashFile(diskOf(row, signal), ports.hashing, row.path, signal)
    const isSame = hashed !== null && hashed.entry.size === row.size && hashed.entry.mtime === row.mtime
    return isSame ? { sha256: hashed.sha256 } : 'changed'
  } catch (error) {
    if (signal.aborted) return 'unreadable'
    if (!(error instanceof DiskError)) throw error
    const isMissing = error.failure.code === 'gone' || error.failure.code === 'not-a-directory'
    return isMissing && !(await isAway(row)) ? 'changed' : 'unreadable'
  }
}
