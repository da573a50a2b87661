// Reads the remote list into the catalog: all of it, or its newest part. A complete walk also marks files as
// gone that it didn't show, unless the list may only be late (`ListDelay`). Callers share a walk that began
// late enough for them. `LongWalkKeeper` stores a walk's progress, so that it continues after a restart.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { ListProgress } from '../../../src-shared/model.ts'
import { orAborted } from '../../../src-shared/or-aborted.ts'
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { Budget, Priority } from '../budget/budget.ts'
import { rank } from '../budget/request-line.ts'
import type { Database } from '../journal/database.ts'
import type { Journal } from '../journal/journal.ts'
import type { Remote } from '../journal/remote-list.ts'
import type { Facts } from '../journal/single-values.ts'
import type { Clock } from '../ports.ts'
import { YOUNG_MS } from '../presence/evidence.ts'
import { sleep } from '../sleep.ts'
import type { Bus } from '../tell/bus.ts'
import type { ListWays } from './background-jobs.ts'
import type { KnownFiles } from './known-files.ts'
import {
  type ListHabits,
  type LongWalk,
  orderOf,
  UNKNOWN_HABITS,
  type Walk,
  type WalkPosition,
  walkList,
} from './list-pages.ts'
import type { CatalogStore } from './list-store.ts'
import {
  CAPACITY_WAIT_MS,
  type CallFailure,
  type CallResult,
  type Calls,
  isBadRequest,
  readPage,
  SWITCHED,
} from './requests.ts'
import type { StoredCount } from './stats-refresh.ts'

/** How long a page may wait while more urgent requests go first. A long list takes many minutes anyway. */
const LIST_WAIT_MS = 10 * 60_000
/**
 * Number of requests that a walk sends without spacing. The rest are spread over the minute, so that files
 * dropped in the meantime can be uploaded.
 */
const AT_ONCE = 10
/** A list that takes more requests than this is too slow to reread while the user waits. */
const LONG_PAGES = 20
/**
 * Number of rows written per transaction, which takes about 5 ms. Other work can use the thread between
 * transactions.
 */
const BATCH_ROWS = 100
const ABORTED: CallResult<never> = { ok: false, failure: { kind: 'aborted' } }

/**
 * Number of the first walk. In a stored row, 0 means that no listing has contained the file, and 1 that only
 * partial reads have.
 */
const FIRST_WALK = 2

/**
 * A file that was uploaded here this recently may be missing from the list although it exists, unless the list has
 * shown it before: then a replica that is behind explains its absence only for `YOUNG_MS`, and its link is asked.
 */
const LATE_LIST_MS = 10 * 60_000

/**
 * If the difference between the wall clock and the monotonic clock changes by more than this, the wall clock
 * was set. Clock synchronization causes smaller changes.
 */
const SET_MS = 60_000

/** How a background walk yields to other work. */
export interface Pace {
  /**
   * Called before each page until the walk is urgent. Resolves to true when the page may be read, or soon
   * after the walk has become urgent. Resolves to false if the walk must end.
   */
  readonly mayGoOn: (isUrgent: () => boolean) => Promise<boolean>
  readonly onRequest: () => void
}

export interface ListingOptions {
  readonly clock: Clock
  readonly journal: Pick<Journal, 'db' | 'remote' | 'owners'>
  readonly calls: Calls
  readonly budget: Pick<Budget, 'spacing'>
  readonly single: Pick<KnownFiles, 'lives' | 'beside'>
  readonly stored: Pick<StoredCount, 'listed'>
  readonly bus: Pick<Bus, 'remoteChanged' | 'touched'>
}

interface WholeWalk {
  readonly files: number
  readonly complete: boolean
}

/** A walk of the whole list in progress, which others can join. */
interface SharedWalk {
  priority: Priority
  /** When the walk began, in epoch milliseconds. A resumed walk may have begun in an earlier process. */
  readonly startedAt: number
  /** The signal of the caller that began the walk. */
  readonly signal: AbortSignal
  readonly done: Promise<CallResult<WholeWalk>>
}

interface ReadOptions {
  readonly priority: () => Priority
  readonly signal: AbortSignal
  /** If undefined, the walk doesn't yield to other work. */
  readonly pace?: Pace | undefined
  /** If set, the walk of an ordered list ends at a page of known files. */
  readonly isKnown?: (file: RemoteFile) => boolean
  readonly onPage?: (files: number) => void
  /** Set if this is a walk of the whole list. */
  readonly walk?: LongWalkKeeper
}

export class Listing {
  readonly #options: ListingOptions
  readonly #store: CatalogStore
  readonly #walk: LongWalkKeeper
  readonly #delay: ListDelay
  #shared: SharedWalk | null = null
  #ways: ListWays | null
  #habits: ListHabits
  /** When a walk's next request after the first `AT_ONCE` may be sent, in monotonic milliseconds. */
  #spacedTo = Number.NEGATIVE_INFINITY

  constructor(options: ListingOptions, store: CatalogStore) {
    const { db, remote } = options.journal
    const { facts } = remote
    this.#options = options
    this.#store = store
    this.#walk = new LongWalkKeeper(db, remote)
    this.#delay = new ListDelay(options.clock, facts)
    this.#ways = facts.get('catalog-ways')
    this.#habits = facts.get('habits') ?? UNKNOWN_HABITS
  }

  ways(): ListWays | null {
    return this.#ways
  }

  habits(): ListHabits {
    return this.#habits
  }

  setHabits(next: ListHabits): void {
    if (next.firstPage === this.#habits.firstPage && next.limit === this.#habits.limit) return
    this.#habits = next
    this.#options.journal.remote.facts.set('habits', next)
  }

  asOf(): number | null {
    return this.#options.journal.remote.facts.get('catalog-at')
  }

  reset(): void {
    this.#shared = null
    this.#ways = null
    this.#walk.end()
    this.#habits = UNKNOWN_HABITS
    for (const key of ['catalog-at', 'catalog-ways', 'catalog-held', 'habits'] as const)
      this.#options.journal.remote.facts.set(key, null)
  }

  async refresh(priority: Priority, signal: AbortSignal, pace?: Pace): Promise<CallResult<number>> {
    // While the user waits, a long list that is already known isn't reread completely, because new files are
    // at one of its ends.
    if (priority === 'person' && this.asOf() !== null && this.#isLong()) {
      const isKnown = (f: RemoteFile): boolean =>
        f.fileId !== null && this.#options.journal.remote.isWalked(f.fileId)
      const tenure = this.#options.calls.tenure()
      const read = await this.#read({ priority: () => priority, signal, isKnown })
      if (!read.ok) return read
      const { files, recentComplete, isPartial } = read.value
      if (tenure.aborted) return SWITCHED
      if (recentComplete && !isPartial) this.#options.journal.db.tx(() => this.#walk.shown(files))
      return { ok: true, value: files.length }
    }
    const got = await this.readWhole(priority, signal, pace, () => undefined)
    return got.ok ? { ok: true, value: got.value.files } : got
  }

  #isLong(): boolean {
    return this.#ways !== null && this.#ways.pages > LONG_PAGES && this.#ways.order !== 'mixed'
  }

  /** Progress of the first walk of the whole list; null if it has finished or hasn't begun. */
  progress(): ListProgress | null {
    return this.asOf() === null ? this.#walk.progress() : null
  }

  async newest(since: number, signal: AbortSignal, pace: Pace): Promise<CallResult<number>> {
    // The walk may end at a page of files that were all uploaded before `since`. `walkList` decides which end
    // of the list to read from.
    const isKnown = (f: RemoteFile): boolean =>
      f.fileId !== null && this.#options.journal.remote.isBefore(f.fileId, since)
    const got = await this.#read({ priority: () => 'spare', signal, pace, isKnown })
    return got.ok ? { ok: true, value: got.value.files.length } : got
  }

  async readForComparison(
    {
      newerThan,
      since,
      priority,
    }: { readonly newerThan: number | null; readonly since: number; readonly priority: Priority },
    onPage: (files: number) => void,
    signal: AbortSignal,
  ): Promise<CallResult<{ readonly isComplete: boolean }>> {
    if (newerThan === null) {
      // If this joins a walk in progress, `onPage` isn't called.
      const got = await this.readWhole(priority, signal, undefined, onPage, since)
      return got.ok ? { ok: true, value: { isComplete: got.value.complete } } : got
    }
    const isKnown = (f: RemoteFile): boolean =>
      f.fileId !== null && this.#options.journal.remote.isBefore(f.fileId, newerThan)
    const got = await this.#read({ priority: () => priority, signal, isKnown, onPage })
    return got.ok
      ? { ok: true, value: { isComplete: got.value.recentComplete && !got.value.isPartial } }
      : got
  }

  /**
   * Reads the whole list, or joins a walk in progress and raises its priority if necessary. A walk that began
   * before `since` (epoch milliseconds) isn't joined or resumed, because its first pages may be outdated.
   * While such a walk is in progress, the new walk waits for its end.
   */
  async readWhole(
    priority: Priority,
    signal: AbortSignal,
    pace: Pace | undefined,
    onPage: (files: number) => void,
    since = 0,
  ): Promise<CallResult<WholeWalk>> {
    const tenure = this.#options.calls.tenure()
    while (this.#shared !== null && this.#shared.startedAt < since) {
      const shared = this.#shared.done.catch(() => undefined)
      await orAborted(shared, AbortSignal.any([signal, tenure]), () => undefined)
      if (tenure.aborted) return SWITCHED
      if (signal.aborted) return ABORTED
    }
    const shared = this.#shared
    if (shared !== null) {
      if (rank(priority) < rank(shared.priority)) shared.priority = priority
      const got = await orAborted(shared.done, signal, () => ABORTED)
      // The caller that began the walk may have stopped waiting for it. In that case, continue the walk for
      // this caller.
      const isLeft = !got.ok && shared.signal.aborted && !signal.aborted && !tenure.aborted
      return isLeft ? this.readWhole(priority, signal, pace, onPage, since) : got
    }
    const own: { priority: Priority } = { priority }
    const done = this.#readAll({ priority: () => own.priority, signal, pace, onPage }, since).finally(() => {
      if (this.#shared === own) this.#shared = null
    })
    this.#shared = Object.assign(own, { done, signal, startedAt: this.#walk.get().startedAt })
    return done
  }

  async #readAll(options: ReadOptions, since: number): Promise<CallResult<WholeWalk>> {
    const { clock, journal, calls, stored, bus } = this.#options
    const { db, remote } = journal
    const tenure = calls.tenure()
    this.#walk.begin(clock.now(), since)
    const seen = this.#walk.progress()
    if (seen !== null) options.onPage?.(seen.read)
    const got = await this.#read({ ...options, walk: this.#walk })
    if (!got.ok) {
      // The service may have refused the page size. A resumed walk would keep that size, so the next walk
      // starts over.
      if (isBadRequest(got.failure)) this.#walk.end()
      return got
    }
    const { count, complete, requests, habits, first } = got.value
    const { no, startedAt, perPage, counts, position } = this.#walk.get()
    if (complete) await this.#closeUnlisted(no, startedAt, tenure)
    if (tenure.aborted) return SWITCHED
    const ways: ListWays = {
      pages: requests,
      perPage: Math.max(1, Math.min(habits.limit, perPage)),
      order: position?.order ?? (first === null ? 'mixed' : orderOf(first.files)),
      counts,
      ...this.#walk.unnumbered(),
    }
    this.#ways = ways
    db.tx(() => {
      this.#walk.end()
      remote.facts.set('catalog-at', startedAt)
      remote.facts.set('catalog-ways', ways)
      if (!complete) return
      remote.noteFirstList()
      remote.facts.set('catalog-held', { at: startedAt, ...remote.held() })
    })
    if (complete) stored.listed()
    bus.remoteChanged(0)
    bus.touched()
    return { ok: true, value: { files: count, complete } }
  }

  /** Walks the list and stores every page immediately, so that an interrupted walk isn't wasted. */
  async #read(options: ReadOptions): Promise<CallResult<Walk & { readonly first: ListPage | null }>> {
    const tenure = this.#options.calls.tenure()
    const signal = AbortSignal.any([options.signal, tenure])
    let failure: CallFailure | null = null
    let first: ListPage | null = null
    let requests = 0
    const result = await walkList({
      habits: this.#habits,
      ...(options.isKnown === undefined ? {} : { isKnown: options.isKnown }),
      ...(options.walk === undefined ? {} : { long: this.#told(options.walk.long(), tenure) }),
      fetch: async (page, limit) => {
        const asked = await this.#fetchPage(page, limit, requests++, { ...options, signal })
        const answer = asked.ok ? { ok: true as const, value: this.#identify(asked.value) } : asked
        const fresh = answer.ok ? await this.#storePage(answer.value, options.walk, tenure) : 0
        const got = tenure.aborted ? SWITCHED : answer
        if (got.ok) {
          first ??= got.value
          options.onPage?.(got.value.files.length)
          return { ...got, fresh }
        }
        failure = got.failure
        return { ok: false, failure: got.failure.kind === 'api' ? got.failure.failure : unsent(got.failure) }
      },
    })
    if (tenure.aborted) return SWITCHED
    this.#store.reportFirstDownloads()
    if (!result.ok) return { ok: false, failure: failure ?? { kind: 'api', failure: result.failure } }
    this.setHabits(result.walk.habits)
    return { ok: true, value: { ...result.walk, first } }
  }

  /**
   * Requests a page. While the walk isn't urgent, the page may use only spare budget. If that request can't
   * be sent and the walk has become urgent in the meantime, the page is requested again at the walk's
   * priority.
   */
  async #fetchPage(
    page: number,
    limit: number,
    before: number,
    options: ReadOptions,
  ): Promise<CallResult<ListPage>> {
    const { calls } = this.#options
    const { priority, signal, pace } = options
    const isUrgent = (): boolean => pace === undefined || priority() !== 'spare'
    let got: CallResult<ListPage> | null = null
    if (!isUrgent()) {
      got =
        (await pace?.mayGoOn(isUrgent)) === false
          ? ABORTED
          : await readPage(calls, page, limit, 'spare', signal, 0)
      if (!got.ok && got.failure.kind !== 'api' && isUrgent()) got = null
    }
    if (got === null) {
      if (before >= AT_ONCE) await this.#untilSpaced(signal)
      // The user waits for the first page. The following pages have a lower priority than what the user does
      // in the meantime.
      const asked = priority()
      const asList = asked === 'person' && before > 0
      got = await readPage(
        calls,
        page,
        limit,
        asList ? 'list' : asked,
        signal,
        asked === 'spare' ? CAPACITY_WAIT_MS : LIST_WAIT_MS,
      )
    }
    if (got.ok || got.failure.kind === 'api') pace?.onRequest()
    return got
  }

  async #untilSpaced(signal: AbortSignal): Promise<void> {
    const { clock, budget } = this.#options
    const at = Math.max(clock.mono(), this.#spacedTo)
    const ms = at - clock.mono()
    this.#spacedTo = at + budget.spacing()
    if (ms > 0) await sleep(clock, ms, signal)
  }

  /**
   * Wraps a long walk so that each page is also reported as progress. Once `tenure` aborts, no page is
   * recorded or reported.
   */
  #told({ from, onPage }: LongWalk, tenure: AbortSignal): LongWalk {
    return {
      from,
      onPage: (position) => {
        if (tenure.aborted) return
        onPage(position)
        this.#options.bus.touched()
      },
    }
  }

  /** Fills in the IDs of files that the list shows without an ID but whose links are known. */
  #identify(page: ListPage): ListPage {
    const { remote } = this.#options.journal
    if (page.files.every((file) => file.fileId !== null)) return page
    const idOf = ({ fileId, publicLink }: RemoteFile): number | null =>
      fileId ?? (publicLink === null ? null : (remote.byLink(publicLink)?.fileId ?? null))
    return { ...page, files: page.files.map((file) => ({ ...file, fileId: idOf(file) })) }
  }

  /**
   * Stores the page unless `tenure` aborts. Returns how many of its files are new to `walk`; 0 without
   * `walk`.
   */
  async #storePage(page: ListPage, walk: LongWalkKeeper | undefined, tenure: AbortSignal): Promise<number> {
    const now = this.#options.clock.now()
    let fresh = 0
    for (let i = 0; i < page.files.length && !tenure.aborted; i += BATCH_ROWS) {
      const rows = page.files.slice(i, i + BATCH_ROWS)
      const beside = await this.#options.single.beside(rows, tenure)
      const batch = rows.filter((file) => !beside.has(file))
      if (tenure.aborted) break
      this.#options.journal.db.tx(() => {
        for (const f of batch) if (f.fileId !== null) this.#store.put({ ...f, fileId: f.fileId }, now, true)
        fresh += walk?.shown(batch) ?? 0
      })
      await yieldNow()
    }
    if (!tenure.aborted) walk?.learn(page)
    return fresh
  }

  /**
   * Marks as gone the files that are missing from a complete listing. Stops if `tenure` aborts. `before`:
   * when that walk began.
   */
  async #closeUnlisted(walk: number, before: number, tenure: AbortSignal): Promise<void> {
    const { clock, single } = this.#options
    const { db, remote, owners } = this.#options.journal
    const isMaybeLate = this.#delay.rule(before)
    for (let after: number | null = null; !tenure.aborted; ) {
      const rows = remote.live(after, BATCH_ROWS)
      const last = rows.at(-1)
      if (last === undefined) return
      after = last.fileId
      // A recent upload of ours may appear in the list late. Until then, only requests for the file itself
      // may show that it is gone.
      const mayBeLate = (row: (typeof rows)[number]): boolean =>
        isMaybeLate(row) && !owners.isFree(row.fileId)
      // The walk may have missed files that were added after it began, so these aren't marked.
      const unlisted = rows.filter((row) => row.firstSeen < before && row.walk < walk && !mayBeLate(row))
      const lives = await single.lives(unlisted.map((row) => row.fileId))
      if (tenure.aborted) return
      const gone = unlisted.filter((row) => !lives.has(row.fileId))
      if (gone.length > 0)
        db.tx(() => {
          for (const row of gone) remote.markGone(row.fileId, clock.now())
        })
      await yieldNow()
    }
  }
}

/** The failure of a request that was not sent, in the form that a walk expects. */
function unsent(failure: CallFailure): {
  readonly kind: 'aborted'
  readonly phase: 'unsent'
  readonly message: string
} {
  return { kind: 'aborted', phase: 'unsent', message: failure.kind }
}

// A walk of the whole list whose progress is persisted in the journal: its number, its position, and what it
// has learned about the list. Each row of the cached list contains the number of the last walk that found its
// file, so a walk keeps no files in memory and can continue after a restart.

interface Saved {
  readonly no: number
  readonly startedAt: number
  readonly perPage: number
  /** Whether the list shows download counts. */
  readonly counts: boolean
  /** Null if the walk has ended, or hasn't read its first page. */
  readonly position: WalkPosition | null
}

class LongWalkKeeper {
  readonly #db: Database
  readonly #remote: Remote
  #walk: Saved
  /**
   * The links, or else the other data, of the files without a usable ID that this process has read in the
   * walk.
   */
  readonly #unnumbered = new Set<string>()

  constructor(db: Database, remote: Remote) {
    this.#db = db
    this.#remote = remote
    this.#walk = remote.facts.get('catalog-walk') ?? ended(FIRST_WALK - 1)
  }

  /** Continues the unfinished walk if it began between `since` and `now`; otherwise begins a new one. */
  begin(now: number, since: number): void {
    const { no, startedAt, position } = this.#walk
    this.#unnumbered.clear()
    if (position === null || startedAt < since || startedAt > now)
      this.#walk = { ...ended(no + 1), startedAt: now }
  }

  /** The walk in progress, or the last one. */
  get(): Saved {
    return this.#walk
  }

  long(): LongWalk {
    return { from: this.#walk.position, onPage: (position) => this.#set({ ...this.#walk, position }) }
  }

  /**
   * Records that the walk has found these files, and returns how many of them are new to it; files without an
   * ID always count. Call inside a transaction.
   */
  shown(files: ListPage['files']): number {
    return files.filter((file) => file.fileId === null || this.#remote.setWalked(file.fileId, this.#walk.no))
      .length
  }

  /**
   * The number of files without a usable ID that this process has read in the walk; absent if there are none.
   */
  unnumbered(): { readonly unnumbered?: number } {
    return this.#unnumbered.size === 0 ? {} : { unnumbered: this.#unnumbered.size }
  }

  learn({ files }: ListPage): void {
    for (const file of files)
      if (file.fileId === null) this.#unnumbered.add(file.publicLink ?? JSON.stringify(file))
    const counts = this.#walk.counts || files.some((file) => file.downloadCount !== null)
    this.#walk = { ...this.#walk, perPage: Math.max(this.#walk.perPage, files.length), counts }
  }

  /** Ends the walk. Call when the list has been read to its end, or when the walk must not be resumed. */
  end(): void {
    this.#set(ended(this.#walk.no))
  }

  /**
   * Progress of an unfinished walk, even if it was interrupted; null if there is none, or if it hasn't read a
   * page yet.
   */
  progress(): ListProgress | null {
    const { position } = this.#walk
    return position === null ? null : { read: position.count, total: position.total }
  }

  #set(walk: Saved): void {
    this.#walk = walk
    this.#db.tx(() => this.#remote.facts.set('catalog-walk', walk))
  }
}

function ended(no: number): Saved {
  return { no, startedAt: 0, perPage: 0, counts: false, position: null }
}

// Decides whether a file may be missing from a complete list only because the list is late. Ages derived from
// the wall clock aren't trusted for a while after it was set, because an upload that is seconds old may then
// look hours old.

interface MissingFile {
  /** When the file was stored in the catalog, in epoch milliseconds. */
  readonly firstSeen: number
  /** Number of the last walk that found the file; 0 if no listing has contained it. */
  readonly walk: number
}

class ListDelay {
  readonly #clock: Clock
  readonly #facts: Facts
  /** When this was created, in monotonic milliseconds. */
  readonly #startedAt: number
  /** The wall clock minus the monotonic clock when they were last compared. */
  #apart: number
  /**
   * When the wall clock was last found to have been set, in monotonic milliseconds; null if that hasn't
   * happened since the start.
   */
  #setAt: number | null = null

  constructor(clock: Clock, facts: Facts) {
    this.#clock = clock
    this.#facts = facts
    this.#startedAt = clock.mono()
    this.#apart = clock.now() - clock.mono()
  }

  /**
   * Returns a predicate that says whether a list that doesn't show an upload of ours may be late. `before`:
   * when the walk of that list began, in epoch milliseconds.
   */
  rule(before: number): (file: MissingFile) => boolean {
    const isSteady = this.#isSteady()
    return ({ firstSeen, walk }) =>
      walk === 0 ? firstSeen >= before - LATE_LIST_MS || !isSteady : firstSeen >= before - YOUNG_MS
  }

  /** Whether uploads that look older than LATE_LIST_MS really are. */
  #isSteady(): boolean {
    const mono = this.#clock.mono()
    const apart = this.#clock.now() - mono
    if (Math.abs(apart - this.#apart) > SET_MS) this.#setAt = mono
    this.#apart = apart
    const isDoubted = this.#facts.get('clock-set') !== null
    if (!isDoubted && this.#setAt === null) return true
    if (mono - (this.#setAt ?? this.#startedAt) < LATE_LIST_MS) return false
    this.#setAt = null
    if (isDoubted) this.#facts.set('clock-set', null)
    return true
  }
}
