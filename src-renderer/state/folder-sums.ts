// Reads the sums of watched folders, in as many calls as the contract's limit of folders per call needs.
// Components use the hook in hooks/use-folder-sums.ts.
import type { AuditSums } from '../../src-shared/model.ts'
import { call } from './client.ts'

/** Folders of one call (contract.ts, `folderSums`). */
const FOLDERS_PER_CALL = 100

/** By folder ID. Null where one of the calls fails. */
export async function readFolderSums(folderIds: readonly number[]): Promise<ReadonlyMap<number, AuditSums> | null> {
  const sums = new Map<number, AuditSums>()
  for (let at = 0; at < folderIds.length; at += FOLDERS_PER_CALL) {
    const got = await call('folderSums', { folderIds: folderIds.slice(at, at + FOLDERS_PER_CALL) })
    if (!got.ok) return null
    for (const one of got.value) sums.set(one.folderId, one.sums)
  }
  return sums
}
