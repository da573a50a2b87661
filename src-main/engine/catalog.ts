// The cached remote list: refreshed within the budget, completed where the list leaves fields out, and the deletions that are still to do
// (torn uploads, replaced versions). The service is the truth; rows are closed only when a complete listing did not show them.
import type { ListPage, RemoteFile } from '../api/types.ts'
import type { CallFailure, CallResult, Calls } from './calls.ts'
import type { Database } from './journal/open.ts'
import type { Remote, RemoteEntry } from './journal/remote.ts'
import { type ListHabits, walkList } from './list-walk.ts'
import { callVerdict } from './outcome.ts'
import type { Clock, Log } from './ports.ts'

const WAIT_MS = 65_000
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
  readonly changed: (count: number) => void
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { clock, db, remote, calls } = options
  let held = readHeld(remote.fact('catalog-held'))
  let scan = Number(remote.fact('catalog-scan') ?? '0')

  const list: Catalog['list'] = (page, limit, priority, signal) =>
    calls.run({ kind: 'list', priority, maxWaitMs: WAIT_MS, signal }, (api, s) => api.list({ page, limit, signal: s }))

  const file: Catalog['file'] = async (fileId, priority, signal) => {
    const got = await calls.run({ kind: 'file', priority, maxWaitMs: WAIT_MS, signal }, (api, s) => api.file(fileId, s))
    if (got.ok) {
      db.tx(() => remote.put({ ...got.value, fileId }, clock.now(), 0))
      if (got.value.uploadDate !== null) options.learnDate(fileId, got.value.uploadDate)
    } else if (isGone(got.failure)) db.tx(() => remote.markGone(fileId, clock.now()))
    return got
  }

  const store = (files: readonly RemoteFile[], mark: number): number => {
    let count = 0
    const now = clock.now()
    for (let i = 0; i < files.length; i += 500)
      db.tx(() => {
        for (const f of files.slice(i, i + 500)) {
          if (f.fileId === null) continue
          remote.put({ ...f, fileId: f.fileId }, now, mark)
          if (f.uploadDate !== null) options.learnDate(f.fileId, f.uploadDate)
          count++
        }
      })
    return count
  }

  const remove: Catalog['remove'] = async (fileId, priority, signal) => {
    const got = await calls.run({ kind: 'delete', priority, maxWaitMs: WAIT_MS, signal }, (api, s) => api.remove(fileId, s))
    if (!got.ok && !isGone(got.failure)) return got
    db.tx(() => remote.markGone(fileId, clock.now()))
    options.changed(1)
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
      const count = store(result.walk.files, mark)
      db.tx(() => {
        remote.setFact('catalog-scan', String(mark))
        remote.setFact('catalog-at', String(startedAt))
        if (!result.walk.complete) return
        remote.closeUnseen(mark, startedAt, clock.now())
        held = { at: startedAt, ...remote.held() }
        remote.setFact('catalog-held', JSON.stringify(held))
      })
      options.changed(count)
      return { ok: true, value: count }
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
