// The sums of watched folders, asked for in as many questions as the contract's bound on folders needs.
// When to ask, and what to do with old sums, is for whoever shows them.
import type { AuditSums } from '../../src-shared/model.ts'
import { call } from './client.ts'

/** Folders of one question (contract.ts, `folderSums`). */
const FOLDERS_AT_ONCE = 100

/** Null where the engine does not answer; sums that came before that are not given. */
export async function readFolderSums(folderIds: readonly number[]): Promise<ReadonlyMap<number, AuditSums> | null> {
  const sums = new Map<number, AuditSums>()
  for (let at = 0; at < folderIds.length; at += FOLDERS_AT_ONCE) {
    const got = await call('folderSums', { folderIds: folderIds.slice(at, at + FOLDERS_AT_ONCE) })
    if (!got.ok) return null
    for (const one of got.value) sums.set(one.folderId, one.sums)
  }
  return sums
}
