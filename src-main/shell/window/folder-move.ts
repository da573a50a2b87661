// Carries out what the user chose for the watched folders of an account when they entered the key of another
// one: the folders stay, move to the other account, or are no longer watched. Files that wait in a folder
// move with it, because the new account might otherwise skip them as existing files. Files that are being
// sent stay with the old account, unless it turns out that they weren't stored.

import { randomUUID } from 'node:crypto'
import { NO_LIMITS } from '../../../src-shared/choices.ts'
import { type Input, MOST_PATHS, type Output, type Result } from '../../../src-shared/engine-contract.ts'
import type { Folder, Transfer } from '../../../src-shared/model.ts'
import { WITHDRAWN } from '../../engine/journal/transfer-states.ts'
import type { EngineLink } from '../engine/protocol.ts'

/** What to do with the folders of the previous account, in the order of the question's answers. */
export const FOLDER_PLANS = ['keep', 'move', 'stop'] as const
export type FolderPlan = (typeof FOLDER_PLANS)[number]

/** How many files another account would receive with these folders. */
export interface MovedFiles {
  /**
   * Files of folders that upload existing files: all of them are new to the other account. Null if unknown.
   */
  readonly again: number | null
  /** Files that aren't uploaded yet, in folders that skip existing ones. Null if unknown. */
  readonly waiting: number | null
}

/** Maximum number of folders per call (engine-contract.ts, `folderSums`). */
const FOLDERS_PER_CALL = 100
/** Maximum number of rows per call (engine-contract.ts, `transfers` and `auditPage`). */
const ROWS_PER_CALL = 500
/** States of transfers that can still be sent, and whose file can't have been stored yet. */
const OPEN_STATES: Transfer['state'][] = ['queued', 'waiting', 'held', 'failed']
/**
 * States of transfers that are being sent or may have been stored. The account in which they began finishes
 * them.
 */
const SENT_STATES: Transfer['state'][] = ['uploading', 'unknown']
/** All states but `settling`, because `transfers` returns no row in that state. */
const ALL_STATES: Transfer['state'][] = [...OPEN_STATES, ...SENT_STATES, 'done', 'cancelled', 'gone']

/**
 * A file that the old account was sending during the move. The new account's transfer is paused until the old
 * account's has ended.
 */
interface Sent {
  /** The transfer in the old account. */
  readonly from: number
  /** The transfer in the new account. */
  readonly to: number
}

export async function movedFiles(link: EngineLink, folders: readonly Folder[]): Promise<MovedFiles> {
  let again = 0
  let waiting = 0
  for (let at = 0; at < folders.length; at += FOLDERS_PER_CALL) {
    const some = folders.slice(at, at + FOLDERS_PER_CALL)
    const got = await link.call('folderSums', { folderIds: some.map((folder) => folder.id) })
    if (!got.ok)
      return {
        again: folders.some(uploadsExisting) ? null : 0,
        waiting: folders.every(uploadsExisting) ? 0 : null,
      }
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

/**
 * Moves the folders to the account `to`, stops watching them, or leaves them alone, depending on `plan`. In a
 * move, a folder stays with the old account if the new one can't watch it or can't take over its files.
 * `allPause` returns a number that identifies the current pause of all accounts; null if there is none.
 */
export async function carryOut(
  plan: FolderPlan,
  folders: readonly Folder[],
  {
    from,
    to,
    allPause,
  }: { readonly from: EngineLink; readonly to: EngineLink; readonly allPause: () => number | null },
): Promise<void> {
  if (plan === 'keep') return
  if (plan === 'stop' || folders.every(uploadsExisting)) {
    for (const folder of folders)
      if (plan === 'stop' || (await watch(folder, to)) !== null) await unwatch(folder, from)
    return
  }
  // While the files are handed over, the old account starts no uploads. Otherwise both accounts could send
  // the same file.
  const pauseBefore = allPause()
  const before = await from.call('snapshot', {})
  if (!before.ok) return
  const paused = await from.call('pause', {})
  if (!paused.ok) return
  try {
    for (const folder of folders) await move(folder, from, to, before.value.paused)
  } finally {
    // If the user has paused all accounts in the meantime, this one stays paused.
    const pause = allPause()
    if (!before.value.paused && (pause === null || pause === pauseBefore)) await from.call('resume', {})
  }
}

async function unwatch({ id }: Folder, from: EngineLink): Promise<void> {
  await from.call('unwatch', { folderId: id })
}

/** What watches the folder with the same rules, elsewhere or again. */
export function sameWatch(folder: Folder): Input<'watch'> {
  const { path, existing, onChange, ignore, limits = NO_LIMITS, graceSeconds = 0 } = folder
  const { after = 'keep', paused = false } = folder
  const rules = { existing, onChange, ignore, limits, graceSeconds, after, paused }
  return { path, ...rules, keep: true, changeRules: true }
}

/**
 * Makes the account `to` watch the folder. Resolves to the folder's ID there, or to null if the account can't
 * watch it.
 */
async function watch(folder: Folder, to: EngineLink): Promise<number | null> {
  const watched = await to.call('watch', sameWatch(folder))
  return watched.ok ? watched.value.id : null
}

/**
 * Moves one folder with its waiting files. `wasPaused`: whether the old account was paused before the move;
 * if so, these files stay paused.
 */
async function move(folder: Folder, from: EngineLink, to: EngineLink, wasPaused: boolean): Promise<void> {
  const before = await to.call('snapshot', {})
  if (!before.ok) return
  const newest = await newestId(to)
  if (newest === null) return
  const watched = await watch(folder, to)
  if (watched === null) return
  const handed: number[] = []
  const sent = uploadsExisting(folder) ? [] : await handOver(folder.id, { from, to, wasPaused }, handed)
  if (sent !== null) {
    await unwatch(folder, from)
    const added = sent.filter((one) => one.to > newest)
    if (added.length > 0) followSent(added, from, to)
    return
  }
  // Keep the transfers that the new account had before the move. If it already watched this folder, it
  // continues to do so.
  const added = handed.filter((id) => id > newest)
  if (added.length > 0) await to.call('cancel', { ids: added })
  if (!before.value.folders.some((one) => one.id === watched)) await to.call('unwatch', { folderId: watched })
}

/** The highest ID of a transfer, 0 if there is none. Null if the request fails. */
async function newestId(link: EngineLink): Promise<number | null> {
  const beforeId = Number.MAX_SAFE_INTEGER
  const got = await link.call('transfers', {
    folderId: null,
    states: ALL_STATES,
    afterId: 0,
    beforeId,
    limit: 1,
  })
  return got.ok ? (got.value[0]?.id ?? 0) : null
}

/**
 * Uploads to the new account everything that waits in this folder of the old one, and adds the IDs of the new
 * transfers to `handed`. Call once the new account watches the folder, so that each file saved during the
 * move is found by one of the two accounts. Resolves to the files that the old account is still sending; null
 * if not everything could be handed over.
 */
async function handOver(
  folderId: number,
  {
    from,
    to,
    wasPaused,
  }: { readonly from: EngineLink; readonly to: EngineLink; readonly wasPaused: boolean },
  handed: number[],
): Promise<readonly Sent[] | null> {
  // The scan finds files that were saved just before the new account began to watch.
  await from.call('rescan', { folderId })
  // List the transfers in progress before the waiting ones. An upload that is interrupted in between is then
  // in both lists, and counts as waiting.
  const sending = await rowsOf(folderId, SENT_STATES, from)
  if (sending === null) return null
  const open = await openPaths(folderId, from, wasPaused)
  if (open === null) return null
  // A path may also be in both lists because a newer version waits while the older one is sent. The newer one
  // is uploaded in any case.
  const waiting = new Set([...open.due, ...open.paused])
  const sentOf = new Map(sending.filter((one) => !waiting.has(one.path)).map((one) => [one.path, one.id]))
  const sent: Sent[] = []
  for (const [paths, paused] of [
    [open.due, false],
    [[...open.paused, ...sentOf.keys()], true],
  ] as const)
    for (let at = 0; at < paths.length; at += MOST_PATHS) {
      const rows = await uploadPaths(paths.slice(at, at + MOST_PATHS), paused, to, handed)
      if (rows === null) return null
      for (const row of rows) {
        const id = sentOf.get(row.path)
        if (id !== undefined) sent.push({ from: id, to: row.id })
      }
    }
  return sent
}

/**
 * Uploads the files, and adds the IDs of their transfers to `handed`. Null if they couldn't be registered.
 */
export async function uploadPaths(
  paths: readonly string[],
  paused: boolean,
  to: EngineLink,
  handed: number[] = [],
): Promise<readonly Transfer[] | null> {
  const rows: Transfer[] = []
  let page = await to.call('upload', {
    paths: [...paths],
    again: false,
    token: randomUUID(),
    ...(paused ? { paused } : {}),
  })
  for (;;) {
    if (!page.ok) return null
    for (const { transfer, outcome } of page.value.items)
      if (transfer !== null && outcome === 'queued') {
        rows.push(transfer)
        handed.push(transfer.id)
      }
    const { batch, next } = page.value
    if (next === null) return rows
    page = await to.call('batchPage', { batch, after: next })
  }
}

/**
 * Waits for the end of each transfer that the old account was still sending, then resumes or cancels the new
 * account's transfer of the file. It is resumed if the old transfer was withdrawn with its folder. It is
 * cancelled if the old transfer ended in any other way. If the app quits first, the files stay paused in the
 * new account, where the user sees them.
 */
function followSent(sent: readonly Sent[], from: EngineLink, to: EngineLink): void {
  const open = new Map(sent.map((one) => [one.from, one.to]))
  const stops: (() => void)[] = []
  const decide = ({ id, state, message }: Transfer): void => {
    const there = open.get(id)
    if (there === undefined || (state !== 'done' && state !== 'gone' && state !== 'cancelled')) return
    open.delete(id)
    if (open.size === 0) for (const stop of stops) stop()
    void (state === 'cancelled' && message === WITHDRAWN
      ? to.call('resumeFiles', { ids: [there] })
      : to.call('cancel', { ids: [there] }))
  }
  const look = async (): Promise<void> => {
    for (const id of open.keys()) {
      const got = await from.call('transfers', {
        folderId: null,
        states: ALL_STATES,
        afterId: id - 1,
        limit: 1,
      })
      if (got.ok) for (const row of got.value) decide(row)
    }
  }
  stops.push(
    from.onEvent((event) => {
      if (event.kind === 'transfers') for (const item of event.items) decide(item)
    }),
    // Events may be missed while an engine is replaced, so look the transfers up afterwards.
    from.onState(({ up }) => {
      if (up) void look()
    }),
  )
  void look()
}

/**
 * Returns the paths in a folder that aren't uploaded yet: those to upload, and those that stay paused. Null
 * if a request fails.
 */
export async function openPaths(
  folderId: number,
  from: EngineLink,
  wasPaused: boolean,
): Promise<{ readonly due: readonly string[]; readonly paused: readonly string[] } | null> {
  const due = new Set<string>()
  const paused = new Set<string>()
  for (let after: string | null = null; ; ) {
    const got: Result<Output<'auditPage'>> = await from.call('auditPage', {
      folderId,
      list: 'waiting',
      after,
      limit: ROWS_PER_CALL,
    })
    if (!got.ok) return null
    // A file that is still being written has no transfer yet.
    for (const { path, reason } of got.value.entries) if (reason === 'settling') due.add(path)
    after = got.value.next
    if (after === null) break
  }
  const rows = await rowsOf(folderId, OPEN_STATES, from)
  if (rows === null) return null
  for (const one of rows) {
    // During the move, every waiting file is shown as paused. A row with a message is paused only because its
    // account is. A row without one was paused by the user.
    // One that could still be cancelled must not be sent without the rest of its time.
    const isPaused =
      one.reason === 'grace' || (one.reason === 'paused' && (wasPaused || one.message === null))
    ;(isPaused ? paused : due).add(one.path)
  }
  return { due: [...due].filter((path) => !paused.has(path)), paused: [...paused] }
}

/** The folder's transfers in these states. Null if a request fails. */
async function rowsOf(
  folderId: number,
  states: Transfer['state'][],
  from: EngineLink,
): Promise<readonly Transfer[] | null> {
  const rows: Transfer[] = []
  for (;;) {
    const got = await from.call('transfers', {
      folderId,
      states,
      afterId: rows.at(-1)?.id ?? 0,
      limit: ROWS_PER_CALL,
    })
    if (!got.ok) return null
    rows.push(...got.value)
    if (got.value.length < ROWS_PER_CALL) return rows
  }
}
