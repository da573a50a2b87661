// The cached remote list: refreshed within the budget, completed where the list leaves fields out, and the deletions that are still to do
// (torn uploads, replaced versions). The service is the truth; rows are closed only when a complete listing did not show them.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { ListPage, RemoteFile } from '../api/types.ts'
import type { CallFailure, CallResult, Calls } from './calls.ts'
import type { Database } from './journal/open.ts'
import type { Remote, RemoteEntry } from './journal/remote.ts'
import { type ListHabits, walkList } from './list-walk.ts'
import { callVerdict } from './outcome.ts'
import type { Clock, Log } from './ports.ts'

const WAIT_MS = 65_000
/** Rows written in one transaction, 5 ms: others get the thread in between. */
const TOGETHER = 100
/** A deletion that fails is tried again after these. */
const REMOVAL_MS = [2000, 10_000, 60_000, 300_000, 3_600_000] as const

export interface Catalog {
  /** Reads the whole list. */
  refresh(priority: 'person' | 'background', signal: AbortSignal): Promise<CallResult<number>>
  list(page: number, limit: number, priority: 'person' | 'background', signal: AbortSignal): Promise<CallResult<ListPage>>
  file(fileId: number, priority: 'person' | 'background', signal: AbortSignal): Promise<CallResult<RemoteFile>>
  /** A receipt that lacks link or id is made whole, where the service can tell. */
  complete(file: RemoteFile, signal: AbortSignal): Promise<RemoteFile>
  remove(fileId: number, priority: 'person' | 'background', signal: AbortSignal): Promise<CallResult<'deleted' | 'was-gone'>>
  /** Carries out deletions that are due. Gives when to come again, null if none is left. */
  removals(signal: AbortSignal): Promise<number | null>
  asOf(): number | null
  /** What the last whole list showed; `size` in the service's unit, null where not every file told one. */
  held(): { readonly at: number; readonly files: number; readonly size: number | null } | null
}

export interface CatalogOptions {
  readonly clock: Clock
  readonly log: Log
  readonly db: Database
  readonly remote: Remote
  readonly calls: Calls
  readonly habits: () => ListHabits
  readonly setHabits: (habits: ListHabits) => void
  readonly learnDate: (fileId: number, shown: string) => void
  /** Files that somebody has downloaded for the first time. */
  readonly firstDownloads: (files: readonly { readonly fileId: number; readonly filename: string | null }[]) => void
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { clock, db, remote, calls } = options
  let held = readHeld(remote.fact('catalog-held'))
  let scan = Number(remote.fact('catalog-scan') ?? '0')

  let firsts: { readonly fileId: number; readonly filename: string | null }[] = []
  const put = (f: RemoteFile & { readonly fileId: number }, at: number, mark: number): void => {
    if (remote.put(f, at, mark).first) firsts.push({ fileId: f.fileId, filename: f.filename ?? remote.get(f.fileId)?.filename ?? null })
    if (f.uploadDate !== null) options.learnDate(f.fileId, f.uploadDate)
  }
  const tellFirsts = (): void => {
    const told = firsts
    firsts = []
    if (told.length > 0) options.firstDownloads(told)
  }

  const list: Catalog['list'] = (page, limit, priority, signal) =>
    calls.run({ kind: 'list', priority, maxWaitMs: WAIT_MS, signal }, (api, s) => api.list({ page, limit, signal: s }))

  const file: Catalog['file'] = async (fileId, priority, signal) => {
    const got = await calls.run({ kind: 'file', priority, maxWaitMs: WAIT_MS, signal }, (api, s) => api.file(fileId, s))
    if (got.ok) {
      db.tx(() => put({ ...got.value, fileId }, clock.now(), 0))
      tellFirsts()
    } else if (isGone(got.failure)) db.tx(() => remote.markGone(fileId, clock.now()))
    return got
  }

  const store = async (files: readonly RemoteFile[], mark: number): Promise<void> => {
    const now = clock.now()
    for (let i = 0; i < files.length; i += TOGETHER) {
      db.tx(() => {
        for (const f of files.slice(i, i + TOGETHER)) {
          if (f.fileId !== null) put({ ...f, fileId: f.fileId }, now, mark)
        }
      })
      await yieldNow()
    }
  }

  /** Closes what a complete listing did not show. */
  const close = async (mark: number, before: number): Promise<void> => {
    for (let after = -1; ; ) {
      const ids = remote.unseen(mark, before, after, TOGETHER)
      const last = ids.at(-1)
      if (last === undefined) return
      after = last
      db.tx(() => {
        for (const id of ids) remote.markGone(id, clock.now())
      })
      await yieldNow()
    }
  }

  const remove: Catalog['remove'] = async (fileId, priority, signal) => {
    const got = await calls.run({ kind: 'delete', priority, maxWaitMs: WAIT_MS, signal }, (api, s) => api.remove(fileId, s))
    if (!got.ok && !isGone(got.failure)) return got
    db.tx(() => remote.markGone(fileId, clock.now()))
    return { ok: true, value: got.ok ? 'deleted' : 'was-gone' }
  }

  return {
    list,
    file,
    remove,
    refresh: async (priority, signal) => {
      const startedAt = clock.now()
      let failure: CallFailure | null = null
      const result = await walkList({
        habits: options.habits(),
        fetch: async (page, limit) => {
          const got = await list(page, limit, priority, signal)
          if (got.ok) return got
          failure = got.failure
          return {
            ok: false,
            failure: got.failure.kind === 'api' ? got.failure.failure : { kind: 'aborted', phase: 'unsent', message: got.failure.kind },
          }
        },
      })
      if (!result.ok) return { ok: false, failure: failure ?? { kind: 'api', failure: result.failure } }
      options.setHabits(result.walk.habits)
      scan++
      const mark = scan
      await store(result.walk.files, mark)
      if (result.walk.complete) await close(mark, startedAt)
      db.tx(() => {
        remote.setFact('catalog-scan', String(mark))
        remote.setFact('catalog-at', String(startedAt))
        if (!result.walk.complete) return
        held = { at: startedAt, ...remote.held() }
        remote.setFact('catalog-held', JSON.stringify(held))
      })
      tellFirsts()
      return { ok: true, value: result.walk.files.length }
    },
    complete: async (receipt, signal) => {
      if (receipt.fileId !== null && receipt.publicLink !== null) return receipt
      if (receipt.fileId !== null) {
        const got = await file(receipt.fileId, 'background', signal)
        return got.ok ? { ...receipt, publicLink: got.value.publicLink, filename: receipt.filename ?? got.value.filename } : receipt
      }
      const known = receipt.publicLink === null ? null : remote.byLink(receipt.publicLink)
      if (known !== null) return { ...receipt, fileId: known.fileId }
      const walk = await walkList({
        habits: options.habits(),
        fetch: async (page, limit) => {
          const got = await list(page, limit, 'background', signal)
          return got.ok ? got : { ok: false, failure: { kind: 'aborted', phase: 'unsent', message: got.failure.kind } }
        },
      })
      if (!walk.ok) return receipt
      options.setHabits(walk.walk.habits)
      let found: RemoteFile | RemoteEntry | undefined = walk.walk.files.find(
        (f) => f.publicLink === receipt.publicLink && f.fileId !== null,
      )
      // The list may leave links out; then the newest files are asked for theirs.
      for (const f of found === undefined ? walk.walk.files.toSorted((a, b) => (b.fileId ?? 0) - (a.fileId ?? 0)).slice(0, 20) : []) {
        if (f.fileId === null || f.publicLink !== null || remote.get(f.fileId)?.publicLink != null) continue
        const got = await file(f.fileId, 'background', signal)
        if (!got.ok || got.value.publicLink !== receipt.publicLink) continue
        found = { ...got.value, fileId: f.fileId }
        break
      }
      return found === undefined ? receipt : { ...receipt, fileId: found.fileId, filename: receipt.filename ?? found.filename }
    },
    removals: async (signal) => {
      for (const row of remote.removals(clock.now(), 50)) {
        if (signal.aborted) break
        const got = await remove(row.fileId, 'background', signal)
        if (got.ok) {
          db.tx(() => remote.dropRemoval(row.fileId))
          options.log.info('removal.done', { fileId: row.fileId, reason: row.reason })
          continue
        }
        const step = REMOVAL_MS[Math.min(row.attempts, REMOVAL_MS.length - 1)] ?? 3_600_000
        db.tx(() => remote.delayRemoval(row.fileId, got.failure.kind === 'waits' ? got.failure.until : clock.now() + step))
        if (got.failure.kind === 'blocked') return clock.now() + 60_000
      }
      return remote.nextRemoval()
    },
    held: () => held,
    asOf: () => {
      const at = remote.fact('catalog-at')
      return at === null ? null : Number(at)
    },
  }
}

function readHeld(json: string | null): ReturnType<Catalog['held']> {
  const value: unknown = json === null ? null : JSON.parse(json)
  if (typeof value !== 'object' || value === null) return null
  const at: unknown = Reflect.get(value, 'at')
  const files: unknown = Reflect.get(value, 'files')
  const size: unknown = Reflect.get(value, 'size')
  return typeof at === 'number' && typeof files === 'number' ? { at, files, size: typeof size === 'number' ? size : null } : null
}

export function isGone(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'gone'
}
