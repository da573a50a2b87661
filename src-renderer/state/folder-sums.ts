// Reads the sums (numbers of files by state) of watched folders. The contract limits the number of folders per call, so this may take
// several calls. Components use the hook in hooks/use-folder-sums.ts.
import type { AuditSums } from '../../src-shared/model.ts'
import { call } from './client.ts'

/** Maximum number of folders per call (contract.ts, `folderSums`). */
const FOLDERS_PER_CALL = 100

/** Returns the sums by folder ID, or null if one of the calls fails. */
export async function readFolderSums(folderIds: readonly number[]): Promise<ReadonlyMap<number, AuditSums> | null> {
  const sums = new Map<number, AuditSums>()
  for (let at = 0; at < folderIds.length; at += FOLDERS_PER_CALL) {
    const got = await call('folderSums', { folderIds: folderIds.slice(at, at + FOLDERS_PER_CALL) })
    if (!got.ok) return null
    for (const one of got.value) sums.set(one.folderId, one.sums)
  }
  return sums
}
