// Reads the remote list into the catalog: all of it, or its newest part. Rows are closed only when a complete listing did not show them.
// One walk of the whole list serves everyone who asks for it meanwhile; how a walk turns pages is in list-walk.ts.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { Priority } from '../limits/budget.ts'
import type { Clock } from '../ports.ts'
import type { ListWays } from './background-jobs.ts'
import type { CatalogStore } from './catalog-store.ts'
import { type ListHabits, orderOf, UNKNOWN_HABITS, type Walk, walkList } from './list-walk.ts'
import type { CallFailure, CallResult, Calls } from './requests.ts'

/** The longest that a request waits for capacity. */
export const CAPACITY_WAIT_MS = 65_000
/** Rows written in one transaction, 5 ms: others get the thread in between. */
const BATCH_ROWS = 100
/** A list may lag behind by this much. */
const LATE_LIST_MS = 10 * 60_000

/** How a background walk gives way to other work. */
export interface Pace {
  /** Asked before every page; true at once where it has become urgent. */
  readonly mayGoOn: (isUrgent: () => boolean) => Promise<boolean>
  readonly onRequest: () => void
}

/** What the last whole list held; `size` in the service's unit, null where not every file showed one. */
export interface HeldFiles {
  readonly at: number
  readonly files: number
  readonly size: number | null
}

export interface ListingOptions {
  readonly clock: Clock
  readonly db: Database
  readonly remote: Remote
  readonly calls: Calls
  /** No upload of this journal owns the file. */
  readonly isFree: (fileId: number) => boolean
  /** The whole list was read. */
  readonly listed: () => void
}

type WholeWalk = Pick<Walk, 'files' | 'complete'>

/** A walk of the whole list that is under way. */
interface SharedWalk {
  priority: Priority
  readonly done: Promise<CallResult<WholeWalk>>
}

interface ReadOptions {
  readonly priority: () => Priority
  readonly signal: AbortSignal
  /** Undefined: it goes as fast as the budget allows. */
  readonly pace?: Pace | undefined
  /** With it, the walk ends at a page of known files. */
  readonly isKnown?: (file: RemoteFile) => boolean
  readonly onPage?: (files: number) => void
}

const ABORTED: CallResult<never> = { ok: false, failure: { kind: 'aborted' } }

export class Listing {
  readonly #options: ListingOptions
  readonly #store: CatalogStore
  #shared: SharedWalk | null = null
  #ways: ListWays | null
  #held: HeldFiles | null
  #habits: ListHabits

  constructor(options: ListingOptions, store: CatalogStore) {
    const { facts } = options.remote
    this.#options = options
    this.#store = store
    this.#ways = facts.get('catalog-ways')
    this.#held = facts.get('catalog-held')
    this.#habits = facts.get('habits') ?? UNKNOWN_HABITS
  }

  ways(): ListWays | null {
    return this.#ways
  }

  held(): HeldFiles | null {
    return this.#held
  }

  habits(): ListHabits {
    return this.#habits
  }

  setHabits(next: ListHabits): void {
    if (next.firstPage === this.#habits.firstPage && next.limit === this.#habits.limit) return
    this.#habits = next
    this.#options.remote.facts.set('habits', next)
  }

  asOf(): number | null {
    return this.#options.remote.facts.get('catalog-at')
  }

  reset(): void {
    this.#held = null
    this.#ways = null
    this.#habits = UNKNOWN_HABITS
    for (const key of ['catalog-at', 'catalog-ways', 'catalog-held', 'habits'] as const) this.#options.remote.facts.set(key, null)
  }

  /** One page, as it is. */
  page(page: number, limit: number, priority: Priority, signal: AbortSignal, maxWaitMs = CAPACITY_WAIT_MS): Promise<CallResult<ListPage>> {
    return this.#options.calls.run({ kind: 'list', priority, maxWaitMs, signal }, (api, s) => api.list({ page, limit, signal: s }))
  }

  async refresh(priority: Priority, signal: AbortSignal, pace?: Pace): Promise<CallResult<number>> {
    const got = await this.readWhole(priority, signal, pace, () => undefined)
    return got.ok ? { ok: true, value: got.value.files.length } : got
  }

  async newest(since: number, signal: AbortSignal, pace: Pace): Promise<CallResult<number>> {
    // The service's own order decides where to stop: at a page of files that were there at `since`.
    const isKnown = (f: RemoteFile): boolean => f.fileId !== null && this.#options.remote.isBefore(f.fileId, since)
    const got = await this.#read({ priority: () => 'background', signal, pace, isKnown })
    return got.ok ? { ok: true, value: got.value.files.length } : got
  }

  async readForComparison(
    { newerThan, priority }: { readonly newerThan: number | null; readonly priority: Priority },
    onPage: (files: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<{ readonly isComplete: boolean }>> {
    if (newerThan === null) {
      // A walk that is under way began after the gap too, but doesn't report its pages.
      const got = await this.readWhole(priority, signal, undefined, onPage)
      return got.ok ? { ok: true, value: { isComplete: got.value.complete } } : got
    }
    const isKnown = (f: RemoteFile): boolean => f.fileId !== null && this.#options.remote.isBefore(f.fileId, newerThan)
    const got = await this.#read({ priority: () => priority, signal, isKnown, onPage })
    return got.ok ? { ok: true, value: { isComplete: got.value.recentComplete } } : got
  }

  /** Joins a walk that is under way; a user who waits raises its priority. */
  readWhole(
    priority: Priority,
    signal: AbortSignal,
    pace: Pace | undefined,
    onPage: (files: number) => void,
  ): Promise<CallResult<WholeWalk>> {
    if (this.#shared !== null) {
      if (priority === 'person') this.#shared.priority = 'person'
      return this.#shared.done
    }
    const own: { priority: Priority } = { priority }
    const done = this.#readAll(() => own.priority, signal, pace, onPage).finally(() => {
      this.#shared = null
    })
    this.#shared = Object.assign(own, { done })
    return done
  }

  async #readAll(
    priority: () => Priority,
    signal: AbortSignal,
    pace: Pace | undefined,
    onPage: (files: number) => void,
  ): Promise<CallResult<WholeWalk>> {
    const { clock, db, remote } = this.#options
    const startedAt = clock.now()
    const got = await this.#read({ priority, signal, pace, onPage })
    if (!got.ok) return got
    const { files, complete, requests, habits, first } = got.value
    if (complete) await this.#closeUnlisted(new Set(files.map((f) => f.fileId)), startedAt)
    const ways: ListWays = {
      pages: requests,
      perPage: Math.max(1, Math.min(habits.limit, first?.files.length ?? habits.limit)),
      order: first === null ? 'mixed' : orderOf(first.files),
      counts: files.some((f) => f.downloadCount !== null),
    }
    this.#ways = ways
    db.tx(() => {
      remote.facts.set('catalog-at', startedAt)
      remote.facts.set('catalog-ways', ways)
      if (!complete) return
      this.#held = { at: startedAt, ...remote.held() }
      remote.facts.set('catalog-held', this.#held)
    })
    this.#options.listed()
    return { ok: true, value: { files, complete } }
  }

  /** Walks the list and stores every page at once: a walk that is interrupted has not been in vain. */
  async #read(options: ReadOptions): Promise<CallResult<Walk & { readonly first: ListPage | null }>> {
    let failure: CallFailure | null = null
    let first: ListPage | null = null
    const result = await walkList({
      habits: this.#habits,
      ...(options.isKnown === undefined ? {} : { isKnown: options.isKnown }),
      fetch: async (page, limit) => {
        const got = await this.#fetchPage(page, limit, options)
        if (got.ok) {
          first ??= got.value
          await this.#storePage(got.value.files)
          options.onPage?.(got.value.files.length)
          return got
        }
        failure = got.failure
        return { ok: false, failure: got.failure.kind === 'api' ? got.failure.failure : unsent(got.failure) }
      },
    })
    this.#store.reportFirstDownloads()
    if (!result.ok) return { ok: false, failure: failure ?? { kind: 'api', failure: result.failure } }
    this.setHabits(result.walk.habits)
    return { ok: true, value: { ...result.walk, first } }
  }

  /** In the background as long as nothing makes it urgent: then it is asked for again with the priority that it has now. */
  async #fetchPage(page: number, limit: number, { priority, signal, pace }: ReadOptions): Promise<CallResult<ListPage>> {
    const isUrgent = (): boolean => pace === undefined || priority() === 'person'
    let got: CallResult<ListPage> | null = null
    if (!isUrgent()) {
      got = (await pace?.mayGoOn(isUrgent)) === false ? ABORTED : await this.page(page, limit, 'background', signal, 0)
      if (!got.ok && got.failure.kind !== 'api' && isUrgent()) got = null
    }
    got ??= await this.page(page, limit, priority(), signal)
    if (got.ok || got.failure.kind === 'api') pace?.onRequest()
    return got
  }

  async #storePage(files: readonly RemoteFile[]): Promise<void> {
    const now = this.#options.clock.now()
    for (let i = 0; i < files.length; i += BATCH_ROWS) {
      this.#options.db.tx(() => {
        for (const f of files.slice(i, i + BATCH_ROWS)) {
          if (f.fileId !== null) this.#store.put({ ...f, fileId: f.fileId }, now, true)
        }
      })
      await yieldNow()
    }
  }

  /** Closes what a complete listing did not show. */
  async #closeUnlisted(shown: ReadonlySet<number | null>, before: number): Promise<void> {
    const { clock, db, remote, isFree } = this.#options
    for (let after = -1; ; ) {
      const rows = remote.live(after, BATCH_ROWS)
      const last = rows.at(-1)
      if (last === undefined) return
      after = last.fileId
      // An own upload that is this young may be shown late, unless the service says singly as well that it is not there.
      const mayBeLate = (row: (typeof rows)[number]): boolean =>
        row.firstSeen >= before - LATE_LIST_MS && !this.#store.wasNotFound(row.fileId) && !isFree(row.fileId)
      // The walk may have missed what was added after it began.
      const gone = rows.filter((row) => row.firstSeen < before && !shown.has(row.fileId) && !mayBeLate(row))
      if (gone.length > 0)
        db.tx(() => {
          for (const row of gone) remote.markGone(row.fileId, clock.now())
        })
      await yieldNow()
    }
  }
}

/** For the walk, which knows failures of the API only: no request was sent. */
export function unsent(failure: CallFailure): { readonly kind: 'aborted'; readonly phase: 'unsent'; readonly message: string } {
  return { kind: 'aborted', phase: 'unsent', message: failure.kind }
}
