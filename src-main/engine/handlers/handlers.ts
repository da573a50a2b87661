// The contract's procedures over the engine's rooms: one handler each, a failure always a value. No policy of its own: what is asked is
// read from the journal or handed to the room that knows.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { Failure, Handlers, Output, Result, UploadItem } from '../../../src-shared/contract.ts'
import { fileKind } from '../../../src-shared/file-kind.ts'
import type { AuditSums, RemoteRow, StatsView } from '../../../src-shared/model.ts'
import { OWN_RULE } from '../admission/admission.ts'
import type { Core } from '../core.ts'
import { absolute } from '../discovery/rel-path.ts'
import { expand, PERSON_PRIORITY, register } from '../discovery/uploads.ts'
import type { FolderRow } from '../journal/files.ts'
import type { CatalogRow } from '../journal/remote.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { unitBytes } from '../limits/size-unit.ts'
import type { Entry } from '../ports.ts'
import { createDeleter } from '../remote/deleter.ts'
import { readHistory } from '../remote/history.ts'
import { cancelTransfer } from '../transfer/cancel.ts'
import { isTellable, remoteView } from '../views.ts'
import { planOf } from './plan.ts'
import { createFinder } from './selector.ts'

const PAGE = 500
/** Files that are compared with the journal in one go: a few milliseconds. */
const AT_ONCE = 200
const PERSON_WAIT_MS = 65_000
/** A window that asks again and again for a list that can't be read. */
const WANTED_EVERY_MS = 30_000
/** Batches kept for paging; older ones are forgotten. */
const BATCHES = 50

function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

function fail(code: Failure['code'], title: string, hint: string | null = null): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code, title, hint } }
}

const CLOSING = fail('closing', 'Slipway is closing.')

export function createHandlers(core: Core): Handlers {
  const { db, transfers, files, remote, catalog, limits, account, budget } = core
  const { clock, disk } = core.options.ports
  const batches = new Map<number, readonly UploadItem[]>()
  let nextBatch = 1
  let wantedAt = Number.NEGATIVE_INFINITY
  const sumsOf = new Map<number, { readonly at: number; readonly writes: number; readonly sums: AuditSums }>()

  /** Counting a large folder out takes its time (40 ms for 100,000 files), so while it works the sums may be two seconds old. */
  const sumsFor = (folderId: number, n: ReturnType<typeof transfers.counts>): AuditSums => {
    const busy = n.uploading > 0 || (n.queued > 0 && core.gate() === null)
    const had = sumsOf.get(folderId)
    if (had !== undefined && (had.writes === db.writes() || (busy && clock.mono() - had.at < 2000))) return had.sums
    const sums = files.sums(folderId)
    sumsOf.set(folderId, { at: clock.mono(), writes: db.writes(), sums })
    return sums
  }

  const batchPage = (batch: number, after: number): { batch: number; items: UploadItem[]; next: number | null } => {
    const all = batches.get(batch) ?? []
    // Rows may have moved on since they were registered.
    const items = all.slice(after, after + PAGE).map((item): UploadItem => {
      const row = item.transfer === null ? null : transfers.get(item.transfer.id)
      return row === null ? item : { ...item, transfer: core.view(row) }
    })
    return { batch, items, next: after + PAGE < all.length ? after + PAGE : null }
  }

  const asRow = (row: CatalogRow): RemoteRow => remoteView(row, limits.unit(), limits.zone())
  const rowOf = (fileId: number): RemoteRow | null => {
    const row = remote.row(fileId)
    return row === null ? null : asRow(row)
  }

  const linked = (row: RemoteRow | null): RemoteRow | null => (row === null || row.publicLink === null ? null : row)

  const fromTransfer = (row: TransferRow): RemoteRow | null => {
    if (row.fileId === null && row.publicLink === null) return null
    const known = row.fileId === null ? null : rowOf(row.fileId)
    const filename = known?.filename ?? row.filename ?? (row.fileId === null ? row.name : null)
    return {
      fileId: row.fileId ?? 0,
      filename,
      size: known?.size ?? null,
      bytes: known?.bytes ?? row.size,
      uploadDate: known?.uploadDate ?? null,
      uploadedAt: known?.uploadedAt ?? row.doneAt,
      downloadCount: known?.downloadCount ?? null,
      publicLink: known?.publicLink ?? (isTellable(row) ? row.publicLink : null),
      localPath: row.path,
      sha256: row.sha256,
      kind: fileKind(filename),
      transferId: row.id,
      source: row.source,
      original: row.away ? 'gone' : 'there',
      pulse: known?.pulse ?? [],
    }
  }

  const find = createFinder(core)
  const deleter = createDeleter(core, find)

  const statsView = (): StatsView => {
    const read = account.stats()
    const { minute, day } = budget.view()
    const daily = limits.daily()
    return {
      plan: read?.stats.plan ?? null,
      totalFiles: limits.quota().totalFiles,
      totalSize: limits.quota().totalSize,
      stats: { ...read?.stats.stats },
      limits: { ...read?.stats.limits },
      maxFileSize: limits.maxFileSizeView(),
      minute,
      day,
      dailyUploads: daily,
    }
  }

  const resolveFolder = async (path: string): Promise<Result<{ readonly real: string; readonly entry: Entry }>> => {
    const found = await disk.resolve(path)
    if ('code' in found)
      return found.code === 'denied' ? fail('disk', `No permission to read ${path}.`) : fail('not-found', `There is no folder ${path}.`)
    return found.entry.kind === 'dir' ? ok(found) : fail('usage', `${path} is not a folder.`, 'Use `slipway upload` for single files.')
  }

  /** The folder that is known under another spelling: another letter case, a second mount. */
  const sameFolder = async (entry: Entry): Promise<FolderRow | null> => {
    for (const folder of files.folders()) {
      if (entry.ino === 0 || folder.rootIno !== entry.ino || folder.rootDev !== entry.dev) continue
      const there = await disk.resolve(folder.path)
      if (!('code' in there) && there.entry.ino === entry.ino && there.entry.dev === entry.dev) return folder
    }
    return null
  }

  const states = (list: readonly TransferRow['state'][], ids: readonly number[] | null): number => {
    const changed = transfers.requeueAll(list, ids)
    for (const id of changed) core.bus.changed(id)
    core.pump()
    return changed.length
  }

  return {
    snapshot: async () => ok(core.snapshot()),
    presence: async ({ person }) => {
      budget.setPersonPresent(person)
      return ok({})
    },
    work: async () => {
      core.attend()
      return ok(core.snapshot())
    },
    configure: async (options) => {
      core.configure(options)
      return ok({})
    },
    history: async () => {
      const unit = limits.unit()
      return ok(
        readHistory({ db, remote, now: clock.now(), paceOffset: budget.offset(), unitBytes: unit === null ? null : unitBytes[unit] }),
      )
    },
    reloadKey: async () => {
      const failure = await core.loadIdentity()
      if (failure !== null && failure.code !== 'no-key') return { ok: false, failure }
      if (failure === null) await core.refreshStats('person', PERSON_WAIT_MS)
      return ok(core.snapshot())
    },
    upload: async ({ paths, again, token, pasted }) => {
      core.work()
      const named = await expand(disk, core.admission, paths, pasted === true, core.stop)
      const items: UploadItem[] = []
      for (let i = 0; i < named.length; i += AT_ONCE) {
        items.push(
          ...register(
            {
              db,
              transfers,
              remote,
              claims: core.claims,
              guard: core.guard,
              view: core.view,
              now: () => clock.now(),
              changed: (id) => core.bus.changed(id),
              isOpen: (folderId) => core.sessions().has(folderId),
            },
            named.slice(i, i + AT_ONCE),
            again,
            token,
          ),
        )
        // A signal, a question of the window, an answer of the service: all of them come in between.
        await yieldNow()
        if (core.stop.aborted) return CLOSING
      }
      const batch = nextBatch++
      batches.set(batch, items)
      batches.delete(batch - BATCHES)
      core.pump()
      return ok(batchPage(batch, 0))
    },
    batchPage: async ({ batch, after }) =>
      batches.has(batch) ? ok(batchPage(batch, after)) : fail('not-found', 'This batch is not known any more.'),
    watch: async ({ path, existing, onChange, ignore, keep, changeRules, since, watcher }) => {
      const root = await resolveFolder(path)
      if (!root.ok) return root
      const { real, entry } = root.value
      await core.admission.own.refresh()
      if ((await core.admission.chain(real)).own)
        return fail('usage', `${path} is ${OWN_RULE}, which is never uploaded.`, 'Choose another folder.')
      // Asked again after the look at the disk: another command may have added it by then.
      const had = files.folderByPath(real) ?? (await sameFolder(entry)) ?? files.folderByPath(real)
      const begin = since ?? clock.now()
      const named = path === real ? null : path
      let id = had?.id
      let kept = false
      let closing: Promise<void> | null = null
      if (had === null || id === undefined)
        id = files.addFolder({ path: real, existing, onChange, ignore, keep, at: clock.now(), named, since: begin })
      else {
        const open = core.sessions().has(id)
        // The app watches it whenever it runs, so its rules are those of a running watch.
        kept = changeRules !== true && (open || (had.keep && had.withdrawnAt === null))
        const same = had.existing === existing && had.onChange === onChange && had.ignore.join('\0') === ignore.join('\0')
        const rules = kept ? had : { existing, onChange, ignore }
        files.updateFolder(id, { ...rules, keep: keep || had.keep })
        if (named !== null) files.setNamed(id, named)
        files.setWithdrawn(id, null)
        // The same command after a change of engines gives the same moment, and moves no line.
        if (!kept && begin !== had.since && (open ? had.existing !== existing : true)) files.setSince(id, begin)
        // The old session ends while the new one begins: no moment passes in which the folder looks as if it were not watched.
        if (open && !kept && !same) closing = core.closeSession(id)
      }
      if (watcher !== undefined) core.join(id, watcher)
      core.work()
      const view = core.openSession(id).view()
      await closing
      return ok({ ...view, since: files.folder(id)?.since ?? begin, ...(kept ? { kept } : {}) })
    },
    unwatch: async ({ folderId, watcher }) => {
      if (watcher === undefined) await core.endWatching(folderId)
      else await core.letGo(folderId, watcher)
      core.bus.touched()
      return ok({})
    },
    rescan: async ({ folderId }) => {
      const session = core.sessions().get(folderId)
      if (session === undefined) return fail('not-found', 'This folder is not watched.')
      await session.rescan()
      return ok({})
    },
    transfers: async (query) => ok(transfers.page(query).map(core.view)),
    folderSums: async ({ folderIds }) =>
      ok(folderIds.map((folderId) => ({ folderId, sums: sumsFor(folderId, transfers.counts(folderId)) }))),
    folderIdle: async ({ folderId, confirm }) => {
      const session = core.sessions().get(folderId)
      if (session === undefined) return fail('not-found', 'This folder is not watched.')
      const n = transfers.counts(folderId)
      const sums = sumsFor(folderId, n)
      const gate = core.gate()
      const moving = n.uploading + n.unknown
      const waits = n.queued + n.waiting
      // A folder that was never seen is not one in which there is nothing to do.
      if (session.isAway())
        return ok({ idle: waits === 0 && moving === 0 && session.hasScanned(), sums, waitsUntil: null, reason: 'folder-away' })
      if (n.uploading > 0) return ok({ idle: false, sums, waitsUntil: null, reason: null })
      // What is in doubt waits for what holds back the account, if anything does; else it is being looked up.
      if (n.unknown > 0 && waits === 0) return ok({ idle: false, sums, waitsUntil: gate?.until ?? null, reason: gate?.reason ?? null })
      if (n.unknown > 0 && gate === null) return ok({ idle: false, sums, waitsUntil: null, reason: null })
      if (waits > 0) {
        // All that is left waits: for the gate of the account, or for its own time.
        const own = n.queued > 0 ? null : transfers.nextUntilOf(folderId)
        const until = n.queued > 0 ? (gate?.until ?? null) : own
        const reason = n.queued > 0 ? (gate?.reason ?? null) : (transfers.waitReasonOf(folderId) ?? 'backoff')
        return ok({ idle: false, sums, waitsUntil: until, reason })
      }
      // Torn and replaced versions are part of the folder's work; what a person deleted elsewhere is not.
      const removal = remote.nextRemoval(false)
      if (removal !== null && removal > clock.now())
        return ok({ idle: false, sums, waitsUntil: removal, reason: gate?.reason ?? 'backoff' })
      // One that is due goes out now, unless the account waits: a reason without a time would be taken for a wait without an end.
      if (removal !== null) return ok({ idle: false, sums, waitsUntil: gate?.until ?? null, reason: gate?.reason ?? null })
      if (!session.isQuiet()) {
        const settles = session.settlesAt()
        if (confirm === true) session.confirm()
        return ok({ idle: false, sums, waitsUntil: null, reason: settles === null ? null : 'settling' })
      }
      return ok({ idle: true, sums, waitsUntil: null, reason: null })
    },
    catalog: async (query) => {
      const unread = catalog.asOf() === null
      if (query.fresh === 'cache' && unread && core.isAttended()) {
        // The window shows what is known and hears of the rest.
        if (clock.mono() - wantedAt > WANTED_EVERY_MS) {
          wantedAt = clock.mono()
          catalog
            .refresh('person', core.stop)
            .catch((error: unknown) => core.options.ports.log.error('catalog.defect', { message: String(error) }))
        }
      } else if (query.fresh === 'need' || unread) {
        const got = await catalog.refresh('person', core.stop)
        if (!got.ok && query.fresh === 'need') return { ok: false, failure: core.callFailure(got.failure) }
      }
      const since = query.since === undefined ? undefined : query.since + (limits.zone() ?? 0)
      const { rows, total } = remote.query({ ...query, since })
      return ok({ rows: rows.map(asRow), total, asOf: catalog.asOf() })
    },
    info: async ({ selector, cached }) => {
      const found = await find(selector, cached !== true)
      if ('failure' in found) return { ok: false, failure: found.failure }
      const { fileId, rows } = found
      if (cached !== true && fileId !== null && !/^\d+$/.test(selector)) await catalog.file(fileId, 'person', core.stop)
      const entry = fileId === null ? null : remote.get(fileId)
      const row = rows.find(isTellable) ?? null
      const view = fileId === null || entry === null ? (row === null ? null : fromTransfer(row)) : rowOf(fileId)
      return ok({
        remote: entry !== null && entry.goneAt !== null ? null : view,
        transfers: rows.map(core.view),
        downloads: fileId === null ? [] : [...remote.pulse(fileId)],
      })
    },
    links: async ({ selectors }) => {
      const out: Output<'links'> = []
      for (const selector of selectors) {
        const found = await find(selector, false)
        if ('failure' in found) {
          if (found.failure.code !== 'not-found') return { ok: false, failure: found.failure }
          out.push({ selector, row: null })
          continue
        }
        const done = found.rows.find(isTellable)
        if (done !== undefined) out.push({ selector, row: linked(fromTransfer(done)) })
        // A path whose versions were all deleted has no link, also where the remote file serves another one.
        else if (found.by === 'path' && found.fileId === null)
          out.push({ selector, row: null, ...(found.rows.some((row) => row.ended !== null) ? { deleted: true } : {}) })
        else {
          const entry = found.fileId === null ? null : remote.get(found.fileId)
          if (entry !== null && entry.goneAt === null && entry.publicLink === null) await catalog.file(entry.fileId, 'person', core.stop)
          const row = found.fileId === null ? null : linked(rowOf(found.fileId))
          const gone = entry !== null && (entry.goneAt !== null || remote.isRemoval(entry.fileId))
          out.push({ selector, row, ...(row === null && gone ? { deleted: true } : {}) })
        }
      }
      return ok(out)
    },
    versions: async ({ selectors, which }) => deleter.versions(selectors, which ?? 'all'),
    remove: async ({ selectors, which, later }) => deleter.remove(selectors, which ?? 'all', later === true),
    keepFiles: async ({ fileIds }) => ok({ count: deleter.keep(fileIds) }),
    stats: async () => {
      const failure = await core.refreshStats('person', 10_000)
      // The last known ones serve while there is no room or no line; what blocks the account is said.
      if (failure !== null && (account.stats() === null || !['waits', 'no-connection', 'server'].includes(failure.code)))
        return { ok: false, failure }
      return ok(statsView())
    },
    plan: async ({ paths }) => {
      if (account.stats() === null) {
        const failure = await core.refreshStats('person', 10_000)
        if (failure !== null && account.stats() === null && ['no-key', 'key-refused', 'no-api', 'no-connection'].includes(failure.code))
          return { ok: false, failure }
      }
      const named = await expand(disk, core.admission, paths, false, core.stop)
      if (named.every((item) => item.reason === 'missing')) return fail('not-found', 'None of these paths exists.')
      return ok(await planOf(named, core))
    },
    audit: async ({ path, rescan }) => {
      const root = await resolveFolder(path)
      if (!root.ok) return root
      const row = files.folderByPath(root.value.real) ?? (await sameFolder(root.value.entry))
      if (row === null) return fail('not-found', `The folder ${root.value.real} was never watched.`, 'Watch it with `slipway watch`.')
      const session = core.sessions().get(row.id)
      if (session !== undefined && rescan) await session.rescan()
      const view = session?.view() ?? {
        id: row.id,
        path: row.path,
        existing: row.existing,
        onChange: row.onChange,
        ignore: [...row.ignore],
        state: 'idle' as const,
        watching: 'off' as const,
        message: null,
        lastScanAt: row.lastScanAt,
      }
      return ok({ folder: view, sums: files.sums(row.id) })
    },
    auditPage: async ({ folderId, list, after, limit }) => {
      const row = files.folder(folderId)
      if (row === null) return fail('not-found', 'This folder is not known.')
      const page = files.entries({ folderId, root: row.path, list, after, limit, join: absolute })
      // Where nothing is at work, a time may pass with nobody to act on it.
      const now = clock.now()
      const entries = page.entries.map((entry) => (entry.until !== null && entry.until <= now ? { ...entry, until: null } : entry))
      return ok({ entries, next: page.next })
    },
    pause: async ({ now }) => {
      core.setPaused(true)
      if (now === true) await core.breakOff()
      return ok(core.snapshot())
    },
    resume: async () => {
      core.setPaused(false)
      return ok(core.snapshot())
    },
    retry: async ({ ids }) => {
      const reason = core.gate()?.reason
      account.retry()
      limits.retry()
      if (ids === null) budget.forgive()
      // Who asks again at a limit of the plan may have another plan by now.
      const byPlan = reason === 'daily-uploads' || reason === 'limit' || reason === 'storage-full'
      if (byPlan || account.stats() === null || account.view().state === 'unproved') await core.refreshStats('person', 10_000)
      return ok({ count: states(['failed', 'waiting'], ids) })
    },
    cancel: async ({ ids }) => {
      let count = 0
      for (const id of ids) if (cancelTransfer(core, id)) count++
      core.pump()
      return ok({ count })
    },
    release: async ({ ids }) => {
      let count = 0
      db.tx(() => {
        for (const id of ids) {
          const row = transfers.get(id)
          if (row === null || row.state !== 'held' || row.reason === null) continue
          transfers.setReleased(id, [...new Set([...(row.released?.split(',') ?? []), row.reason])].join(','))
          transfers.setState(id, 'queued')
          core.bus.changed(id)
          count++
        }
      })
      core.pump()
      return ok({ count })
    },
    sendNext: async ({ ids }) => {
      let count = 0
      db.tx(() => {
        for (const id of ids) {
          const row = transfers.get(id)
          if (row === null || (row.state !== 'queued' && row.state !== 'waiting')) continue
          transfers.setPriority(id, PERSON_PRIORITY * 2)
          // A pause after a failure is cut short; what waits for something else goes first once that is there.
          if (row.state === 'waiting' && row.reason === 'backoff') transfers.setState(id, 'queued')
          core.bus.changed(id)
          count++
        }
      })
      core.pump()
      return ok({ count })
    },
  }
}
