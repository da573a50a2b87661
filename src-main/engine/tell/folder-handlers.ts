// Handlers for watched folders: start and stop watching, rescan, count and list files, and report whether a
// folder's work is done (queue/folder-idle.ts decides). Keeps the newest audits of folders that aren't
// watched, for paging.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { Handlers, Output } from '../../../src-shared/engine-contract.ts'
import type { AuditEntry, AuditList, AuditSums, Folder } from '../../../src-shared/model.ts'
import { absolute } from '../disk/rel-path.ts'
import { type FolderLookOptions, lookAtFolder } from '../find/folder-audit.ts'
import { FolderRegistry } from '../find/folder-registry.ts'
import { FolderSums } from '../find/folder-state.ts'
import type { Files, FolderRow } from '../journal/files.ts'
import { folderIdle } from '../queue/folder-idle.ts'
import { ok, refuse } from './answers.ts'
import { FOLDER_PAUSED, type Services } from './snapshot.ts'

type Answered =
  | 'watch'
  | 'checkWatch'
  | 'unwatch'
  | 'rescan'
  | 'bringBack'
  | 'pauseFolder'
  | 'folderSums'
  | 'folderIdle'
  | 'audit'
  | 'secondCopies'
  | 'auditPage'
  | 'auditSearch'

const CLOSING = refuse('closing', 'Slipway is closing.')
const NOT_WATCHED = refuse('not-found', "This folder isn't watched.")

export function createFolderHandlers(services: Services): Pick<Handlers, Answered> {
  const { ports, transfers, remote, folders, opens, gate } = services
  const { clock } = ports
  const registry = new FolderRegistry({ ...services, ...ports })
  const sums = new FolderSums({ ...services, clock })

  const sumsOf = (folderId: number): Promise<AuditSums | null> => {
    const { uploading, queued } = transfers.counts(folderId)
    return sums.of(folderId, uploading > 0 || (queued > 0 && gate.view() === null))
  }

  return {
    ...createWatchHandlers(services, registry),
    ...createAuditHandlers(services, registry, sums),
    rescan: async ({ folderId }) => {
      const session = folders.sessions().get(folderId)
      if (session === undefined) return NOT_WATCHED
      await session.rescan()
      return ok({})
    },
    bringBack: async ({ ids }) => ok({ count: await services.putAway.bringBack(ids) }),
    pauseFolder: async ({ folderId, paused }) => (folders.setPaused(folderId, paused) ? ok({}) : NOT_WATCHED),
    folderSums: async ({ folderIds }) => {
      const all: Output<'folderSums'> = []
      for (const folderId of folderIds) {
        const its = await sumsOf(folderId)
        if (its === null) return CLOSING
        all.push({ folderId, sums: its })
      }
      return ok(all)
    },
    folderIdle: async ({ folderId, confirm }) => {
      // Counting is asynchronous, so it comes first. Everything after it is read synchronously and describes
      // a single moment.
      const its = await sumsOf(folderId)
      if (its === null) return CLOSING
      const session = folders.sessions().get(folderId)
      if (session === undefined) return NOT_WATCHED
      const { idle, waitsUntil, reason, isUnconfirmed } = folderIdle({
        counts: transfers.counts(folderId),
        isAway: session.isAway(),
        isSilent: session.isSilent(),
        isUnanswered: opens.isFolderUnanswered(folderId),
        hasScanned: session.hasScanned(),
        isQuiet: session.isQuiet() && !services.putAway.isBusy(folderId),
        isSettling: session.settlesAt() !== null,
        gate: folders.isPaused(folderId) ? FOLDER_PAUSED : gate.view(),
        wait: { until: transfers.nextUntilOf(folderId), reason: transfers.waitReasonOf(folderId) },
        removalAt: remote.nextRemoval(false),
        now: clock.now(),
      })
      const answer = { idle, sums: its, waitsUntil, reason }
      if (isUnconfirmed === true && confirm === true) session.confirm()
      return ok(answer)
    },
  }
}

/** Handlers that list what is in a folder, watched or not. */
function createAuditHandlers(
  services: Services,
  registry: FolderRegistry,
  sums: FolderSums,
): Pick<Handlers, 'audit' | 'secondCopies' | 'auditPage' | 'auditSearch'> {
  const { ports, ids, files, doubts, admission, folders, stop } = services

  const twinsOf = (folderId: number): Pick<Output<'audit'>, 'twins'> => {
    const left = doubts.twinsLeft().filter((twin) => twin.folderId === folderId)
    return left.length === 0
      ? {}
      : {
          twins: left.map(({ fileId, path, publicLink }) => ({
            fileId: ids.shown(fileId),
            path,
            publicLink,
          })),
        }
  }

  /**
   * Reads entries step by step until there are `limit`, or until `isEnough`: finding a few may take many steps,
   * because they may be spread over a million rows. Null if the engine is closing.
   */
  const pageOf = async (
    { id: folderId, path: root }: FolderRow,
    { limit, after, ...query }: Pick<Parameters<Files['entries']>[0], 'list' | 'search' | 'after' | 'limit'>,
    isEnough = (): boolean => false,
  ): Promise<AuditPage | null> => {
    const found: AuditEntry[] = []
    let next = after
    do {
      const left = limit - found.length
      const step = files.entries({ ...query, folderId, root, after: next, limit: left, join: absolute })
      found.push(...step.entries)
      next = step.next
      if (next !== null && found.length < limit) await yieldNow()
      if (stop.aborted) return null
    } while (next !== null && found.length < limit && !isEnough())
    // An entry's `until` may have passed without effect, because no uploads are running. Times in the past
    // aren't shown.
    const now = ports.clock.now()
    const entries = found.map((entry) =>
      entry.until !== null && entry.until <= now ? { ...entry, until: null } : entry,
    )
    return { entries, next }
  }

  let searches = 0
  const looks = new AuditLooks()
  const looking: FolderLookOptions = { ...services, ...ports }

  return {
    audit: async ({ path, rescan }) => {
      const root = await registry.resolve(path)
      if (!root.ok) return root
      const row = await registry.known(root.value)
      const session = row === null ? undefined : folders.sessions().get(row.id)
      if (session !== undefined && row !== null) {
        if (rescan) await session.rescan()
        const its = await sums.of(row.id, false)
        return its === null ? CLOSING : ok({ folder: session.view(), sums: its, ...twinsOf(row.id) })
      }
      const folder = closedView(root.value.real, row)
      if (!rescan) {
        if (row === null) return refuse('not-found', `The folder ${root.value.real} was never watched.`)
        const its = await sums.of(row.id, false)
        return its === null ? CLOSING : ok({ folder, sums: its, ...twinsOf(row.id) })
      }
      const governing = admission.governing(folder.path)
      if (governing !== null) await folders.sessions().get(governing.id)?.rescan()
      const look = await lookAtFolder(folder.path, row, looking)
      return ok({
        folder,
        sums: look.sums,
        look: looks.add(look.entries),
        ...(row === null ? {} : twinsOf(row.id)),
      })
    },
    secondCopies: async () =>
      ok(doubts.twinsLeft().map((twin) => ({ ...twin, fileId: ids.shown(twin.fileId) }))),
    auditPage: async ({ folderId, list, after, limit, look }) => {
      if (look !== undefined) {
        const page = looks.page(look, { list, after, limit })
        return page === null
          ? refuse('not-found', 'This audit is no longer available.', 'Run it again.')
          : ok(page)
      }
      const row = files.folder(folderId)
      if (row === null) return refuse('not-found', 'This folder is unknown.')
      const page = await pageOf(row, { list, after, limit })
      return page === null ? CLOSING : ok(page)
    },
    auditSearch: async ({ search, limit }) => {
      const mine = ++searches
      const isEnough = (): boolean => mine !== searches
      const found: Output<'auditSearch'> = []
      for (const id of folders.sessions().keys()) {
        const row = files.folder(id)
        const left = limit - found.length
        if (row === null || left === 0 || isEnough()) continue
        const page = await pageOf(row, { list: null, search, after: null, limit: left }, isEnough)
        if (page === null) return CLOSING
        found.push(...page.entries.map((entry) => ({ ...entry, folderId: id })))
      }
      return ok(found)
    },
  }
}

/** The view of a folder that isn't being watched; `row` is null if it never was. */
function closedView(path: string, row: FolderRow | null): Folder {
  return {
    id: row?.id ?? 0,
    path: row?.path ?? path,
    existing: row?.existing ?? 'upload',
    onChange: row?.onChange ?? 'new-link',
    ignore: [...(row?.ignore ?? [])],
    ...(row === null || row.limits === null ? {} : { limits: row.limits }),
    state: 'idle',
    watching: 'off',
    message: null,
    lastScanAt: row?.lastScanAt ?? null,
  }
}

// Keeps the results of the newest LOOKS_MAX audits of folders that aren't being watched, so that their lists
// can be read page by page.
const LOOKS_MAX = 4

interface AuditPage {
  readonly entries: AuditEntry[]
  /** Offset of the next page, or null if this is the last one. */
  readonly next: string | null
}

class AuditLooks {
  readonly #looks = new Map<number, readonly AuditEntry[]>()
  #nextLook = 1

  /** Stores the entries and returns the number to pass to `page`. */
  add(entries: readonly AuditEntry[]): number {
    const look = this.#nextLook++
    this.#looks.set(look, entries)
    this.#looks.delete(look - LOOKS_MAX)
    return look
  }

  /**
   * Returns up to `limit` entries of one list (null: of all lists), beginning at the offset `after` (null: at
   * the start). Returns null if the entries are no longer kept.
   */
  page(
    look: number,
    q: { readonly list: AuditList | null; readonly after: string | null; readonly limit: number },
  ): AuditPage | null {
    const all = this.#looks.get(look)
    if (all === undefined) return null
    const entries: AuditEntry[] = []
    for (let at = q.after === null ? 0 : Number(q.after); at < all.length; at++) {
      const entry = all[at]
      if (entry === undefined || (q.list !== null && entry.list !== q.list)) continue
      if (entries.length === q.limit) return { entries, next: String(at) }
      entries.push(entry)
    }
    return { entries, next: null }
  }
}

// Handlers that start and stop watching a folder.
function createWatchHandlers(
  services: Services,
  registry: FolderRegistry,
): Pick<Handlers, 'watch' | 'checkWatch' | 'unwatch'> {
  const { files, folders, putAway, scheduler, bus } = services

  return {
    watch: async (request) => {
      const registered = await registry.register(request)
      if (!registered.ok) return registered
      const { id, isKept, since, closing } = registered.value
      if (request.watcher !== undefined) folders.join(id, request.watcher)
      scheduler.startWorking()
      const view = folders.open(id).view()
      putAway.retry()
      await closing
      return ok({ ...view, since: files.folder(id)?.since ?? since, ...(isKept ? { kept: true } : {}) })
    },
    checkWatch: async (request) => {
      const checked = await registry.check(request)
      return checked.ok ? ok({}) : checked
    },
    unwatch: async ({ folderId, watcher }) => {
      if (watcher === undefined) await folders.end(folderId)
      else await folders.leave(folderId, watcher)
      bus.touched()
      return ok({})
    },
  }
}
