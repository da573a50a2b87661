// Carries out what the user chose for the watched folders of an account when they entered the key of another one: the folders stay, move to
// the other account, or are no longer watched. What waits in a folder moves with it, because the new account would take it for files that
// were there before.
import { randomUUID } from 'node:crypto'
import { MOST_PATHS, type Output, type Result } from '../../../src-shared/contract.ts'
import type { Folder, Transfer } from '../../../src-shared/model.ts'
import type { EngineLink } from '../engine/protocol.ts'

/** What to do with the folders of the previous account, in the order of the question's answers. */
export const FOLDER_PLANS = ['keep', 'move', 'stop'] as const
export type FolderPlan = (typeof FOLDER_PLANS)[number]

/** How many files another account would receive with these folders. */
export interface MovedFiles {
  /** Files of folders that upload existing files: all of them are new to the other account. Null if unknown. */
  readonly again: number | null
  /** Files still waiting in folders that skip existing ones. Null if unknown. */
  readonly waiting: number | null
}

/** Maximum number of folders per call (contract.ts, `folderSums`). */
const FOLDERS_PER_CALL = 100
/** Maximum number of rows per call (contract.ts, `transfers` and `auditPage`). */
const ROWS_PER_CALL = 500
/** Transfers that aren't over. An upload in progress isn't among them: it is finished where it began. */
const OPEN_STATES: Transfer['state'][] = ['queued', 'waiting', 'held', 'failed', 'unknown']

export async function movedFiles(link: EngineLink, folders: readonly Folder[]): Promise<MovedFiles> {
  let again = 0
  let waiting = 0
  for (let at = 0; at < folders.length; at += FOLDERS_PER_CALL) {
    const some = folders.slice(at, at + FOLDERS_PER_CALL)
    const got = await link.call('folderSums', { folderIds: some.map((folder) => folder.id) })
    if (!got.ok) return { again: folders.some(uploadsExisting) ? null : 0, waiting: folders.every(uploadsExisting) ? 0 : null }
    for (const { folderId, sums } of got.value) {
      const folder = some.find((one) => one.id === folderId)
      if (folder === undefined) continue
      if (uploadsExisting(folder)) again += sums.uploaded + sums.waiting + sums.failed
      else waiting += sums.waiting + sums.failed
    }
  }
  return { again, waiting }
}

function uploadsExisting({ existing }: Folder): boolean {
  return existing === 'upload'
}

/** Moves or stops the folders. A folder that the new account can't watch, or whose files it can't take over, stays with the old one. */
export async function carryOut(plan: FolderPlan, folders: readonly Folder[], from: EngineLink, to: EngineLink): Promise<void> {
  if (plan === 'keep') return
  for (const folder of folders) {
    const isFree = plan === 'stop' || (await move(folder, from, to))
    if (isFree) await from.call('unwatch', { folderId: folder.id })
  }
}

async function move(folder: Folder, from: EngineLink, to: EngineLink): Promise<boolean> {
  const { path, existing, onChange, ignore } = folder
  const watched = await to.call('watch', { path, existing, onChange, ignore, keep: true, changeRules: true })
  if (!watched.ok) return false
  if (uploadsExisting(folder) || (await handOver(folder.id, from, to))) return true
  await to.call('unwatch', { folderId: watched.value.id })
  return false
}

/**
 * Uploads everything in the new account that waits in this folder of the old one. Call once the new account watches it, so that each file
 * is new to one of the two.
 */
async function handOver(folderId: number, from: EngineLink, to: EngineLink): Promise<boolean> {
  // Finds what was saved just before the new account began to watch.
  await from.call('rescan', { folderId })
  const open = await openPaths(folderId, from)
  if (open === null) return false
  for (const [paths, paused] of [
    [open.due, false],
    [open.paused, true],
  ] as const)
    for (let at = 0; at < paths.length; at += MOST_PATHS) {
      const some = paths.slice(at, at + MOST_PATHS)
      const sent = await to.call('upload', { paths: some, again: false, token: randomUUID(), ...(paused ? { paused } : {}) })
      if (!sent.ok) return false
    }
  return true
}

/** The files of a folder that aren't uploaded yet. Null if the engine can't be asked. */
async function openPaths(
  folderId: number,
  from: EngineLink,
): Promise<{ readonly due: readonly string[]; readonly paused: readonly string[] } | null> {
  const due = new Set<string>()
  const paused = new Set<string>()
  for (let after: string | null = null; ; ) {
    const got: Result<Output<'auditPage'>> = await from.call('auditPage', { folderId, list: 'waiting', after, limit: ROWS_PER_CALL })
    if (!got.ok) return null
    // A file that is still being written has no transfer yet.
    for (const { path, reason } of got.value.entries) if (reason === 'settling') due.add(path)
    after = got.value.next
    if (after === null) break
  }
  for (let afterId = 0; ; ) {
    const got = await from.call('transfers', { folderId, states: OPEN_STATES, afterId, limit: ROWS_PER_CALL })
    if (!got.ok) return null
    for (const one of got.value) (one.reason === 'paused' ? paused : due).add(one.path)
    const last = got.value.at(-1)
    if (last === undefined || got.value.length < ROWS_PER_CALL) break
    afterId = last.id
  }
  return { due: [...due].filter((path) => !paused.has(path)), paused: [...paused] }
}
