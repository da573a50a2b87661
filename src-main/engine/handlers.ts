// The contract's procedures over the engine's rooms: one handler each, a failure always a value. No policy of its own: what is asked is
// read from the journal or handed to the room that knows.
import { isAbsolute } from 'node:path'
import type { Failure, Handlers, Result, UploadItem } from '../../src-shared/contract.ts'
import { fileKind } from '../../src-shared/file-kind.ts'
import type { AuditSums, PlanForecast, RemoteRow, StatsView } from '../../src-shared/model.ts'
import { isGone } from './catalog.ts'
import type { Core } from './engine.ts'
import { forecast } from './forecast.ts'
import { readHistory } from './history.ts'
import { createIgnoreRules, NO_RULES } from './ignore-rules.ts'
import type { CatalogRow } from './journal/remote.ts'
import type { TransferRow } from './journal/transfers.ts'
import { unitBytes } from './quota.ts'
import { absolute } from './rel-path.ts'
import { secretByName } from './secrets.ts'
import { expand, type Named, PERSON_PRIORITY, register } from './uploads.ts'
import { remoteView } from './views.ts'

const PAGE = 500
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

  const rulesFor = (): ReturnType<typeof createIgnoreRules> => createIgnoreRules(NO_RULES)

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
      publicLink: known?.publicLink ?? row.publicLink,
      localPath: row.path,
      sha256: row.sha256,
      kind: fileKind(filename),
      transferId: row.id,
      source: row.source,
      original: row.away ? 'gone' : 'there',
      pulse: known?.pulse ?? [],
    }
  }

  /** An id, a public link, or a path of this machine. */
  const find = async (
    selector: string,
    fresh: boolean,
  ): Promise<{ readonly fileId: number | null; readonly rows: readonly TransferRow[] } | { readonly failure: Failure }> => {
    const missing = {
      failure: {
        code: 'not-found' as const,
        title: `Nothing is known of ${selector}.`,
        hint: 'Name a file_id, a public link, or the path of an uploaded file.',
      },
    }
    if (/^\d{1,16}$/.test(selector)) {
      const fileId = Number(selector)
      const row = transfers.byFileId(fileId)
      const known = remote.get(fileId)
      if (fresh || (row === null && known === null)) {
        const got = await catalog.file(fileId, 'person', core.stop)
        if (!got.ok && isGone(got.failure)) return missing
        if (!got.ok && row === null && known === null) return { failure: core.callFailure(got.failure) }
      }
      return { fileId, rows: row === null ? [] : [row] }
    }
    if (/^https?:\/\//i.test(selector)) {
      const row = transfers.byLink(selector)
      let known = remote.byLink(selector)
      if (row === null && known === null) {
        const got = await catalog.refresh('person', core.stop)
        if (!got.ok) return { failure: core.callFailure(got.failure) }
        known = remote.byLink(selector)
      }
      const fileId = known?.fileId ?? row?.fileId ?? null
      return row === null && fileId === null ? missing : { fileId, rows: row === null ? [] : [row] }
    }
    const found = isAbsolute(selector) ? await disk.resolve(selector) : null
    const path = found !== null && !('code' in found) ? found.real : selector
    const rows = transfers.ofPath(path)
    const done = rows.find((row) => row.state === 'done')
    return rows.length === 0 ? missing : { fileId: done?.fileId ?? null, rows }
  }

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

  const resolveFolder = async (path: string): Promise<Result<string>> => {
    const found = await disk.resolve(path)
    if ('code' in found)
      return found.code === 'denied' ? fail('disk', `No permission to read ${path}.`) : fail('not-found', `There is no folder ${path}.`)
    return found.entry.kind === 'dir' ? ok(found.real) : fail('usage', `${path} is not a folder.`, 'Use `slipway upload` for single files.')
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
    upload: async ({ paths, again, token }) => {
      core.work()
      const named = await expand(disk, rulesFor(), paths, core.stop)
      const items: UploadItem[] = []
      for (let i = 0; i < named.length; i += 400) {
        items.push(
          ...register(
            { db, transfers, remote, view: core.view, now: () => clock.now(), changed: (id) => core.bus.changed(id) },
            named.slice(i, i + 400),
            again,
            token,
          ),
        )
        await Promise.resolve()
      }
      const batch = nextBatch++
      batches.set(batch, items)
      batches.delete(batch - BATCHES)
      core.pump()
      return ok(batchPage(batch, 0))
    },
    batchPage: async ({ batch, after }) =>
      batches.has(batch) ? ok(batchPage(batch, after)) : fail('not-found', 'This batch is not known any more.'),
    watch: async ({ path, existing, onChange, ignore, keep }) => {
      const root = await resolveFolder(path)
      if (!root.ok) return root
      const had = files.folderByPath(root.value)
      let id = had?.id
      if (id === undefined) id = files.addFolder({ path: root.value, existing, onChange, ignore, keep, at: clock.now() })
      else {
        const open = core.sessions().has(id)
        const same = had !== null && had.existing === existing && had.onChange === onChange && had.ignore.join('\0') === ignore.join('\0')
        files.updateFolder(id, { existing, onChange, ignore, keep: keep || had?.keep === true })
        if (open && !same) await core.closeSession(id)
      }
      core.work()
      return ok(core.openSession(id).view())
    },
    unwatch: async ({ folderId }) => {
      await core.closeSession(folderId)
      const row = files.folder(folderId)
      if (row !== null) files.updateFolder(folderId, { ...row, keep: false })
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
    folderIdle: async ({ folderId }) => {
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
      if (remote.nextRemoval() !== null) return ok({ idle: false, sums, waitsUntil: null, reason: null })
      if (!session.isQuiet()) {
        const settles = session.settlesAt()
        // Quiet but for a look after the last change.
        if (settles === null && session.view().state === 'watching') void session.rescan()
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
      const row = rows.find((r) => r.state === 'done') ?? rows[0] ?? null
      const view = fileId === null || entry === null ? (row === null ? null : fromTransfer(row)) : rowOf(fileId)
      return ok({
        remote: entry !== null && entry.goneAt !== null ? null : view,
        transfers: rows.map(core.view),
        downloads: fileId === null ? [] : [...remote.pulse(fileId)],
      })
    },
    links: async ({ selectors }) => {
      const out: { selector: string; row: RemoteRow | null }[] = []
      for (const selector of selectors) {
        const found = await find(selector, false)
        if ('failure' in found) {
          if (found.failure.code !== 'not-found') return { ok: false, failure: found.failure }
          out.push({ selector, row: null })
          continue
        }
        const done = found.rows.find((row) => row.state === 'done')
        if (done !== undefined && done.publicLink !== null) out.push({ selector, row: fromTransfer(done) })
        else {
          const entry = found.fileId === null ? null : remote.get(found.fileId)
          if (entry !== null && entry.publicLink === null) await catalog.file(entry.fileId, 'person', core.stop)
          const again = found.fileId === null ? null : remote.row(found.fileId)
          out.push({ selector, row: again === null || again.publicLink === null || again.goneAt !== null ? null : asRow(again) })
        }
      }
      return ok(out)
    },
    remove: async ({ selectors }) => {
      const out: { selector: string; ok: boolean; message: string }[] = []
      for (const selector of selectors) {
        const found = await find(selector, false)
        if ('failure' in found) {
          if (found.failure.code !== 'not-found') return { ok: false, failure: found.failure }
          out.push({ selector, ok: false, message: 'not found' })
          continue
        }
        if (found.fileId === null) {
          out.push({ selector, ok: false, message: 'not uploaded' })
          continue
        }
        const got = await catalog.remove(found.fileId, 'person', core.stop)
        if (!got.ok) return { ok: false, failure: core.callFailure(got.failure) }
        out.push({ selector, ok: true, message: got.value === 'deleted' ? 'deleted' : 'was gone already' })
      }
      return ok(out)
    },
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
      const named = await expand(disk, rulesFor(), paths, core.stop)
      if (named.every((item) => item.reason === 'missing')) return fail('not-found', 'None of these paths exists.')
      return ok(planOf(named))
    },
    audit: async ({ path, rescan }) => {
      const root = await resolveFolder(path)
      if (!root.ok) return root
      const row = files.folderByPath(root.value)
      if (row === null) return fail('not-found', `The folder ${root.value} was never watched.`, 'Watch it with `slipway watch`.')
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
      return ok({ entries: [...page.entries], next: page.next })
    },
    pause: async () => {
      core.setPaused(true)
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
      for (const id of ids) {
        const row = transfers.get(id)
        if (row === null || ['done', 'gone', 'cancelled'].includes(row.state)) continue
        count++
        db.tx(() => {
          transfers.setCancel(id)
          if (row.state !== 'uploading' && row.state !== 'unknown' && !core.isActive(id)) transfers.setState(id, 'cancelled')
        })
        core.abort(id)
        core.bus.changed(id)
      }
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

  function planOf(named: readonly Named[]): PlanForecast {
    let already = 0
    let held = 0
    let ignored = 0
    const sizes: number[] = []
    for (const item of named) {
      if (item.outcome === 'ignored') ignored++
      if (item.outcome !== 'file' || item.entry === null) continue
      if (secretByName(item.rel ?? item.entry.name) !== null) {
        held++
        continue
      }
      const done = transfers.doneVersion(item.path, item.entry.size, item.entry.mtime)
      if (done !== null && (done.fileId === null || (remote.get(done.fileId)?.goneAt ?? null) === null)) already++
      else sizes.push(item.entry.size)
    }
    const { minute, day } = budget.view()
    const daily = limits.daily()
    const free = (w: { readonly limit: number | null; readonly used: number }): number => Math.max(0, (w.limit ?? 0) - w.used)
    const result = forecast({
      sizes,
      now: clock.now(),
      minute: { limit: minute.limit ?? 1, free: free(minute) },
      day: { limit: day.limit ?? 1, free: free(day), releases: budget.dayReleases() },
      daily: limits.dailyBudget(),
      quota: limits.quota(),
      unit: limits.unit(),
      evidence: limits.evidence(),
    })
    const words = {
      'rate-minute': `${minute.limit ?? 0} requests a minute`,
      'rate-day': `${day.limit ?? 0} requests a day`,
      'daily-uploads': `${daily.limit ?? 0} uploads a day`,
    }
    return {
      files: sizes.length + already + held,
      bytes: result.bytes,
      already,
      now: result.nowCount,
      later: result.laterCount,
      tooBig: result.heldTooBig,
      held,
      ignored,
      doneAt: result.doneAt,
      steps: [...result.steps],
      limitedBy: result.limitedBy === null ? null : words[result.limitedBy],
    }
  }
}
