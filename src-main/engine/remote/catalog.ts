// The cached remote list: refreshed within the budget, completed where the list leaves fields out, and the deletions that are still to do
// (torn uploads, replaced versions). The service is the truth; rows are closed only when a complete listing did not show them.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { Database } from '../journal/open.ts'
import type { Remote, RemoteEntry, RemovalRow } from '../journal/remote.ts'
import type { Clock, Log } from '../ports.ts'
import { callVerdict } from '../transfer/outcome.ts'
import type { ListWays } from './background-jobs.ts'
import { type ListHabits, orderOf, UNKNOWN_HABITS, type Walk, walkList } from './list-walk.ts'
import type { CallFailure, CallResult, Calls } from './requests.ts'

const WAIT_MS = 65_000
/** Rows written in one transaction, 5 ms: others get the thread in between. */
const TOGETHER = 100
/** A list read while a file was deleted, or one from a stale copy, still shows it. */
const STALE_LIST_MS = 10 * 60_000
/** A deletion that fails is tried again after these. */
const REMOVAL_MS = [2000, 10_000, 60_000, 300_000, 3_600_000] as const

export interface Pace {
  /** Asked before every page; true at once where it has become urgent. */
  readonly mayGoOn: (isUrgent: () => boolean) => Promise<boolean>
  readonly onRequest: () => void
}

export interface Catalog {
  /**
   * Reads all of the list, or what came after the newest file that is known, and waits for room; `onPage` hears how many files each page
   * held. `isComplete`: nothing of that part can be missing.
   */
  readForComparison(
    part: { readonly newerThan: number | null; readonly priority: 'person' | 'background' },
    onPage: (files: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<{ readonly isComplete: boolean }>>
  /** Reads the whole list; gives the number of files. With a `pace`, it gives way unless a person waits for it. */
  refresh(priority: 'person' | 'background', signal: AbortSignal, pace?: Pace): Promise<CallResult<number>>
  /** Reads the part of the list with the files uploaded since then (by the service's own time line). */
  newest(since: number, signal: AbortSignal, pace: Pace): Promise<CallResult<number>>
  /** How the list behaves; null: not read yet. */
  ways(): ListWays | null
  list(
    page: number,
    limit: number,
    priority: 'person' | 'background',
    signal: AbortSignal,
    maxWaitMs?: number,
  ): Promise<CallResult<ListPage>>
  file(fileId: number, priority: 'person' | 'background', signal: AbortSignal, maxWaitMs?: number): Promise<CallResult<RemoteFile>>
  /** A receipt that lacks link or id is made whole, where the service can tell. */
  complete(file: RemoteFile, signal: AbortSignal): Promise<RemoteFile>
  /**
   * Carries out one deletion that is queued. `kept`: the file found an owner meanwhile, and stays. A failure leaves it queued, to be tried again
   * later.
   */
  carry(
    removal: Pick<RemovalRow, 'fileId' | 'reason' | 'attempts'>,
    priority: 'person' | 'background',
    signal: AbortSignal,
  ): Promise<CallResult<'deleted' | 'was-gone' | 'kept'>>
  /** Its DELETE is on its way. */
  isSending(fileId: number): boolean
  /** Carries out deletions that are due. Gives when to come again, null if none is left. */
  removals(signal: AbortSignal): Promise<number | null>
  asOf(): number | null
  /** What walks of the list have learned about its pages. */
  habits(): ListHabits
  setHabits(habits: ListHabits): void
  /** Another account: nothing that was known holds. */
  reset(): void
  /** What the last whole list showed; `size` in the service's unit, null where not every file told one. */
  held(): { readonly at: number; readonly files: number; readonly size: number | null } | null
}

export interface CatalogOptions {
  readonly clock: Clock
  readonly log: Log
  readonly db: Database
  readonly remote: Remote
  readonly calls: Calls
  readonly learnDate: (fileId: number, shown: string) => void
  /** The whole list was read. */
  readonly listed: () => void
  /** A file was deleted; its size in the service's unit, null where it was not known. */
  readonly removed: (size: number | null) => void
  /** No local file has a claim on this remote one. */
  readonly isFree: (fileId: number) => boolean
  /** Uploads that were answered with a file just as it was deleted: they have no remote file, and are sent again. */
  readonly orphaned: (fileId: number) => void
  /** Files that somebody has downloaded for the first time. */
  readonly firstDownloads: (files: readonly { readonly fileId: number; readonly filename: string | null }[]) => void
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { clock, db, remote, calls } = options
  let reading: { priority: 'person' | 'background'; readonly done: Promise<CallResult<Pick<Walk, 'files' | 'complete'>>> } | null = null
  let ways = remote.facts.get('catalog-ways')
  let listHabits: ListHabits = remote.facts.get('habits') ?? UNKNOWN_HABITS
  const setHabits = (next: ListHabits): void => {
    if (next.firstPage === listHabits.firstPage && next.limit === listHabits.limit) return
    listHabits = next
    remote.facts.set('habits', next)
  }
  let held = remote.facts.get('catalog-held')

  const stopped: CallResult<never> = { ok: false, failure: { kind: 'aborted' } }
  let firsts: { readonly fileId: number; readonly filename: string | null }[] = []
  /** What this process deleted lately, and when. */
  const deleted = new Map<number, number>()
  const put = (f: RemoteFile & { readonly fileId: number }, at: number, listed: boolean): void => {
    const deletedAt = deleted.get(f.fileId)
    if (listed && deletedAt !== undefined && at - deletedAt < STALE_LIST_MS) return
    if (remote.put(f, at, listed).first) firsts.push({ fileId: f.fileId, filename: f.filename ?? remote.get(f.fileId)?.filename ?? null })
    if (f.uploadDate !== null) options.learnDate(f.fileId, f.uploadDate)
  }
  const tellFirsts = (): void => {
    const told = firsts
    firsts = []
    if (told.length > 0) options.firstDownloads(told)
  }

  const list: Catalog['list'] = (page, limit, priority, signal, maxWaitMs = WAIT_MS) =>
    calls.run({ kind: 'list', priority, maxWaitMs, signal }, (api, s) => api.list({ page, limit, signal: s }))

  const file: Catalog['file'] = async (fileId, priority, signal, maxWaitMs = WAIT_MS) => {
    const got = await calls.run({ kind: 'file', priority, maxWaitMs, signal }, (api, s) => api.file(fileId, s))
    if (got.ok) {
      db.tx(() => {
        put({ ...got.value, fileId }, clock.now(), false)
        remote.setAsked(fileId, clock.now())
      })
      tellFirsts()
      if (remote.facts.get('single-files') === null) remote.facts.set('single-files', true)
    } else if (isGone(got.failure)) {
      const isProof = await knowsSingleFiles(fileId, priority, signal, maxWaitMs)
      db.tx(() => (isProof ? remote.markGone(fileId, clock.now()) : remote.setAsked(fileId, clock.now())))
    }
    return got
  }

  /** Whether a 404 for `except` says that it is gone: a service that tells of no single file answers so for every one. */
  const knowsSingleFiles = async (
    except: number,
    priority: 'person' | 'background',
    signal: AbortSignal,
    maxWaitMs: number,
  ): Promise<boolean> => {
    if (remote.facts.get('single-files') !== null) return true
    if (priority === 'background') return false
    const witness = remote.live(-1, 2).find((row) => row.fileId !== except)
    if (witness === undefined) {
      // Few files: the list itself closes what is gone.
      await readShared('person', signal, undefined, () => undefined)
      return false
    }
    const got = await calls.run({ kind: 'file', priority, maxWaitMs, signal }, (api, s) => api.file(witness.fileId, s))
    if (got.ok) remote.facts.set('single-files', true)
    return got.ok
  }

  const store = async (files: readonly RemoteFile[]): Promise<void> => {
    const now = clock.now()
    for (let i = 0; i < files.length; i += TOGETHER) {
      db.tx(() => {
        for (const f of files.slice(i, i + TOGETHER)) {
          if (f.fileId !== null) put({ ...f, fileId: f.fileId }, now, true)
        }
      })
      await yieldNow()
    }
  }

  /** Closes what a complete listing did not show. */
  const close = async (shown: ReadonlySet<number | null>, before: number): Promise<void> => {
    for (let after = -1; ; ) {
      const rows = remote.live(after, TOGETHER)
      const last = rows.at(-1)
      if (last === undefined) return
      after = last.fileId
      // What came after the walk began it may have passed by.
      const gone = rows.filter((row) => row.firstSeen < before && !shown.has(row.fileId))
      if (gone.length > 0)
        db.tx(() => {
          for (const row of gone) remote.markGone(row.fileId, clock.now())
        })
      await yieldNow()
    }
  }

  /** Walks the list and keeps every page at once: a walk that is broken off has not been in vain. */
  const read = async (o: {
    readonly priority: () => 'person' | 'background'
    readonly signal: AbortSignal
    readonly pace: Pace | undefined
    readonly isKnown?: (file: RemoteFile) => boolean
    readonly onPage?: (files: number) => void
  }): Promise<CallResult<Walk & { readonly first: ListPage | null }>> => {
    let failure: CallFailure | null = null
    let first: ListPage | null = null
    const result = await walkList({
      habits: listHabits,
      ...(o.isKnown === undefined ? {} : { isKnown: o.isKnown }),
      fetch: async (page, limit) => {
        const isUrgent = (): boolean => o.pace === undefined || o.priority() === 'person'
        let got: CallResult<ListPage> | null = null
        if (!isUrgent()) {
          got = (await o.pace?.mayGoOn(isUrgent)) === false ? stopped : await list(page, limit, 'background', o.signal, 0)
          if (!got.ok && got.failure.kind !== 'api' && isUrgent()) got = null
        }
        got ??= await list(page, limit, o.priority(), o.signal)
        if (got.ok || got.failure.kind === 'api') o.pace?.onRequest()
        if (got.ok) {
          first ??= got.value
          await store(got.value.files)
          o.onPage?.(got.value.files.length)
          return got
        }
        failure = got.failure
        return {
          ok: false,
          failure: got.failure.kind === 'api' ? got.failure.failure : { kind: 'aborted', phase: 'unsent', message: got.failure.kind },
        }
      },
    })
    tellFirsts()
    if (!result.ok) return { ok: false, failure: failure ?? { kind: 'api', failure: result.failure } }
    setHabits(result.walk.habits)
    return { ok: true, value: { ...result.walk, first } }
  }

  const readAll = async (
    priority: () => 'person' | 'background',
    signal: AbortSignal,
    pace: Pace | undefined,
    onPage: (files: number) => void,
  ): Promise<CallResult<Pick<Walk, 'files' | 'complete'>>> => {
    const startedAt = clock.now()
    const got = await read({ priority, signal, pace, onPage })
    if (!got.ok) return got
    const { files, complete, requests, habits, first } = got.value
    if (complete) await close(new Set(files.map((f) => f.fileId)), startedAt)
    ways = {
      pages: requests,
      perPage: Math.max(1, Math.min(habits.limit, first?.files.length ?? habits.limit)),
      order: first === null ? 'mixed' : orderOf(first.files),
      counts: files.some((f) => f.downloadCount !== null),
    }
    db.tx(() => {
      remote.facts.set('catalog-at', startedAt)
      remote.facts.set('catalog-ways', ways)
      if (!complete) return
      held = { at: startedAt, ...remote.held() }
      remote.facts.set('catalog-held', held)
    })
    options.listed()
    return { ok: true, value: { files, complete } }
  }

  const later = (row: Pick<RemovalRow, 'fileId' | 'attempts'>, failure: CallFailure): void => {
    const step = REMOVAL_MS[Math.min(row.attempts, REMOVAL_MS.length - 1)] ?? 3_600_000
    // While nobody can be reached the account decides when to try; no attempt is charged.
    const until = failure.kind === 'waits' ? failure.until : isUnreached(failure) ? clock.now() + 1000 : clock.now() + step
    db.tx(() => remote.delayRemoval(row.fileId, until, failure.kind === 'api' && !isUnreached(failure)))
  }

  const sending = new Map<number, ReturnType<Catalog['carry']>>()
  const carry: Catalog['carry'] = (row, priority, signal) => {
    const under = sending.get(row.fileId)
    if (under !== undefined) return under
    const done = send(row, priority, signal).finally(() => sending.delete(row.fileId))
    sending.set(row.fileId, done)
    return done
  }

  const send: Catalog['carry'] = async (row, priority, signal) => {
    const { fileId } = row
    // An old version goes only once the receipt of the new one can't be lost any more.
    if ((await db.durable()) === false) return stopped
    /** In one go with sending: between this and the request nothing else runs. */
    const mayGo = (): boolean => {
      if (!remote.isRemoval(fileId)) return false
      if (options.isFree(fileId)) return true
      db.tx(() => remote.dropRemoval(fileId))
      options.log.info('removal.kept', { fileId, reason: row.reason })
      return false
    }
    if (!mayGo()) return { ok: true, value: 'kept' }
    let kept = false
    const got = await calls.run({ kind: 'delete', priority, maxWaitMs: WAIT_MS, signal }, async (api, s) => {
      // It may have waited for room for a minute.
      kept = !mayGo()
      return kept ? { ok: false, failure: { kind: 'aborted', phase: 'unsent', message: 'the file has an owner' } } : api.remove(fileId, s)
    })
    if (kept) return { ok: true, value: 'kept' }
    if (!got.ok && !isGone(got.failure)) {
      later(row, got.failure)
      return got
    }
    const had = remote.get(fileId)
    db.tx(() => {
      remote.dropRemoval(fileId)
      if (!options.isFree(fileId)) options.orphaned(fileId)
      remote.markGone(fileId, clock.now())
    })
    if (deleted.size > 10_000) deleted.clear()
    deleted.set(fileId, clock.now())
    if (had !== null && had.goneAt === null) options.removed(had.size)
    options.log.info('removal.done', { fileId, reason: row.reason })
    return { ok: true, value: got.ok ? 'deleted' : 'was-gone' }
  }

  const readShared = (
    priority: 'person' | 'background',
    signal: AbortSignal,
    pace: Pace | undefined,
    onPage: (files: number) => void,
  ): NonNullable<typeof reading>['done'] => {
    if (reading !== null) {
      // One walk serves all who want it; a person's wish makes it theirs.
      if (priority === 'person') reading.priority = 'person'
      return reading.done
    }
    const own: { priority: 'person' | 'background' } = { priority }
    const done = readAll(() => own.priority, signal, pace, onPage).finally(() => {
      reading = null
    })
    reading = Object.assign(own, { done })
    return done
  }

  return {
    list,
    file,
    carry,
    isSending: (fileId) => sending.has(fileId),
    newest: async (since, signal, pace) => {
      const got = await read({
        priority: () => 'background',
        signal,
        pace,
        // The service's own order decides where to stop: at a page of files that were there a day ago.
        isKnown: (f) => f.fileId !== null && remote.isBefore(f.fileId, since),
      })
      return got.ok ? { ok: true, value: got.value.files.length } : got
    },
    readForComparison: async ({ newerThan, priority }, onPage, signal) => {
      if (newerThan === null) {
        // A walk that is under way began after the gap too, but is not told of page by page.
        const got = await readShared(priority, signal, undefined, onPage)
        return got.ok ? { ok: true, value: { isComplete: got.value.complete } } : got
      }
      const isKnown = (f: RemoteFile): boolean => f.fileId !== null && remote.isBefore(f.fileId, newerThan)
      const got = await read({ priority: () => priority, signal, pace: undefined, isKnown, onPage })
      return got.ok ? { ok: true, value: { isComplete: got.value.recentComplete } } : got
    },
    refresh: async (priority, signal, pace) => {
      const got = await readShared(priority, signal, pace, () => undefined)
      return got.ok ? { ok: true, value: got.value.files.length } : got
    },
    ways: () => ways,
    complete: async (receipt, signal) => {
      if (receipt.fileId !== null && receipt.publicLink !== null) return receipt
      if (receipt.fileId !== null) {
        const got = await file(receipt.fileId, 'background', signal)
        return got.ok ? { ...receipt, publicLink: got.value.publicLink, filename: receipt.filename ?? got.value.filename } : receipt
      }
      const known = receipt.publicLink === null ? null : remote.byLink(receipt.publicLink)
      if (known !== null) return { ...receipt, fileId: known.fileId }
      const walk = await walkList({
        habits: listHabits,
        fetch: async (page, limit) => {
          const got = await list(page, limit, 'background', signal)
          return got.ok ? got : { ok: false, failure: { kind: 'aborted', phase: 'unsent', message: got.failure.kind } }
        },
      })
      if (!walk.ok) return receipt
      setHabits(walk.walk.habits)
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
        const got = await carry(row, 'background', signal)
        if (!got.ok && got.failure.kind === 'blocked') return clock.now() + 60_000
        // All others would meet the same.
        if (!got.ok && (got.failure.kind === 'waits' || isUnreached(got.failure))) break
      }
      return remote.nextRemoval()
    },
    held: () => held,
    habits: () => listHabits,
    setHabits,
    reset: () => {
      held = null
      listHabits = UNKNOWN_HABITS
      ways = null
      for (const key of ['catalog-at', 'catalog-ways', 'catalog-held', 'single-files', 'habits'] as const) remote.facts.set(key, null)
      remote.forgetLooks()
      remote.forgetFiles()
      remote.forgetCounts()
    },
    asOf: () => {
      return remote.facts.get('catalog-at')
    },
  }
}

function isUnreached(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'offline'
}

export function isGone(failure: CallFailure): boolean {
  return failure.kind === 'api' && callVerdict(failure.failure) === 'gone'
}
