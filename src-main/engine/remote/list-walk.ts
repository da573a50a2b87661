// Pages through the remote list. The API document doesn't state the first page's number, the maximum `limit`, the order, or what comes
// after the last page, so these are found out from the responses. Deduplicates by ID, and limits the number of requests.
import type { ApiFailure, ListPage, RemoteFile } from '../../api/types.ts'
import { type ListOrder, orderOf } from './list-order.ts'

/** What earlier walks have learned about the list; stored by the caller. */
export interface ListHabits {
  readonly firstPage: 0 | 1 | null
  /** The page size that the service accepted. */
  readonly limit: number
}

export const UNKNOWN_HABITS: ListHabits = { firstPage: null, limit: 500 }

/** Page sizes, tried in this order when a `limit` is refused. */
const LIMITS = [500, 100, 50, 20, 10] as const

/** Maximum number of requests of a walk, in case the list never ends. */
const MOST_PAGES = 20_000
/** Like `MOST_PAGES`, for a long walk. Higher, because a long walk can be resumed, and reads the complete lists of the largest accounts. */
const MOST_LONG_PAGES = 500_000
/** Maximum number of times in a row that a long walk goes back because the list shrank. After that, the walk counts as incomplete. */
const MOST_REJOINS = 10

/** After this many pages in a row without a new file, the service evidently ignores the page number. */
const MOST_STALE = 3
/** Maximum number of pages without a new file during which the list grew: our own uploads can shift it as fast as it is read. */
const MOST_PUSHED = 50

export interface Walk {
  /** Empty for a long walk. */
  readonly files: readonly RemoteFile[]
  readonly count: number
  /**
   * Every page was read, and nothing vanished between pages: a file that the walk didn't show doesn't exist, or was added after it began.
   */
  readonly complete: boolean
  /**
   * Everything newer than what the caller already knew was read, or the service ignores the page number, so that reading again would show
   * nothing else.
   */
  readonly recentComplete: boolean
  /** The service ignores the page number, so the walk proves nothing about files that its only page doesn't show. */
  readonly repeats: boolean
  readonly habits: ListHabits
  readonly requests: number
}

/** The progress of a long walk, with everything needed to resume it, even in another process. */
export interface WalkPosition {
  /** The page to read next. */
  readonly page: number
  readonly firstPage: 0 | 1
  readonly limit: number
  readonly order: ListOrder
  /** Number of files seen. */
  readonly count: number
  /** Number of files according to the service. */
  readonly total: number | null
  /** A file may have slipped over a page edge unseen. */
  readonly shrank: boolean
  readonly requests: number
}

/**
 * A walk of the whole list that keeps no files in memory: `fetch` stores them and returns how many files of a page this walk had not seen
 * before. It resumes where an earlier one stopped, and goes back if the list has shrunk.
 */
export interface LongWalk {
  readonly from: WalkPosition | null
  readonly onPage: (position: WalkPosition) => void
}

export type WalkResult =
  | { readonly ok: true; readonly walk: Walk }
  | { readonly ok: false; readonly failure: ApiFailure; readonly requests: number }

/** `fresh`: number of files on the page that a long walk had not seen. */
export type FetchPage = (
  page: number,
  limit: number,
) => Promise<{ ok: true; value: ListPage; fresh?: number } | { ok: false; failure: ApiFailure }>

interface State {
  readonly byId: Map<number, RemoteFile>
  readonly loose: RemoteFile[]
  /** Number of files seen. */
  count: number
  requests: number
  total: number | null
  /** The total has fallen since the previous page. */
  fell: boolean
  /** Files added while the list was read: each shifts a file that was already seen onto a later page. */
  grown: number
  shrank: boolean
}

export interface WalkOptions {
  readonly fetch: FetchPage
  readonly habits: ListHabits
  /**
   * If set, only files newer than the known ones matter: in an ordered list, the walk stops at a page of known files. If not set, or if the
   * list has no order, everything is read.
   */
  readonly isKnown?: (file: RemoteFile) => boolean
  readonly long?: LongWalk
}

export async function walkList(options: WalkOptions): Promise<WalkResult> {
  const state: State = { byId: new Map(), loose: [], count: 0, requests: 0, total: null, fell: false, grown: 0, shrank: false }
  const from = options.long?.from ?? null
  if (from !== null) return goOn(options, state, from)
  let limit = options.habits.limit
  let start = options.habits.firstPage ?? 1

  let first: ListPage | null = null
  let firstFresh = 0
  for (;;) {
    state.requests++
    const got = await options.fetch(start, limit)
    if (got.ok) {
      first = got.value
      firstFresh = got.fresh ?? 0
      break
    }
    const status = got.failure.kind === 'status' ? got.failure.status : 0
    const smaller = LIMITS.find((l) => l < limit)
    if ((status === 400 || status === 422) && smaller !== undefined) limit = smaller
    // If pages are counted from 0, an account with one page has no page 1.
    else if (status === 404 && start === 1 && options.habits.firstPage === null) start = 0
    else return { ok: false, failure: got.failure, requests: state.requests }
  }
  take(state, first, options, firstFresh)
  /** The next page to read after the first: 2 if page 0 turns out to be the first, because page 1 was read before it. */
  let following = start + 1
  // Here, `start` is 0 only if that is known to be the first page, or if page 1 was refused.
  let firstPage: 0 | 1 | null = start === 0 ? 0 : options.habits.firstPage
  if (firstPage === null && start === 1 && ((first.files.length === 0 && state.total !== 0) || !ended(state, first, start, start, limit))) {
    // While the number of the first page is unknown, every walk that doesn't end with page 1 tries page 0: if the service counts from 0, a
    // walk from page 1 would never show its first page.
    const one = first
    const zero = await next(options, state, 0, limit)
    if (zero.kind === 'failed' && zero.result.failure.kind !== 'status') return zero.result
    let apart = zero.kind === 'page' && zero.page.files.length > 0 && !alike(one, zero.page)
    if (apart && zero.kind === 'page') {
      // Uploads between the two requests shift the list as well, so only a page 1 that is still the same proves anything.
      const again = await next(options, state, 1, limit)
      if (again.kind === 'failed') return again.result
      apart = again.kind === 'page' && alike(one, again.page) && !alike(again.page, zero.page)
    }
    // The same page twice proves nothing: a service may clamp 0 to its first page, or 1 to its last.
    const refused = zero.kind === 'end' || (zero.kind === 'page' && zero.page.files.length === 0 && first.files.length > 0)
    firstPage = apart ? 0 : refused ? 1 : null
    if (apart && zero.kind === 'page') {
      start = 0
      following = 2
      first = zero.page
    }
  }
  const pages = sane(first.pagination.pages)
  const order = orderOf(first.files)
  const known = options.isKnown
  const pageKnown = (page: ListPage): boolean => known !== undefined && page.files.length > 0 && page.files.every(known)
  const finish = (complete: boolean, recentComplete: boolean, repeats = false): WalkResult =>
    done(state, { firstPage, limit }, { complete, recentComplete, repeats })

  // Newest first: a page of known files ends the walk. Oldest first: new files are at the end, so read backwards from there.
  if (known !== undefined && order === 'descending' && pageKnown(first)) return finish(ended(state, first, start, start, limit), true)
  const last = pages === null ? start : lastPage(pages, start)
  if (known !== undefined && order === 'ascending' && last > start) {
    const forward = await onward(options, state, last, start, limit, order)
    if (forward.kind === 'failed') return forward.result
    if (forward.end === 'repeats' || forward.end === 'cut') return finish(false, forward.end !== 'cut', forward.end === 'repeats')
    if (forward.first !== null && pageKnown(forward.first)) return finish(false, true)
    for (let page = last - 1; page > start; page--) {
      const got = await next(options, state, page, limit)
      if (got.kind === 'failed') return got.result
      if (got.kind === 'page' && pageKnown(got.page)) return finish(false, true)
    }
    return finish(true, true)
  }
  if (ended(state, first, start, start, limit)) return finish(true, true)
  tell(options, state, { page: following, firstPage: start === 0 ? 0 : 1, limit, order })
  const rest = await onward(options, state, following, start, limit, order, order === 'descending' ? pageKnown : undefined)
  if (rest.kind === 'failed') return rest.result
  return finish(rest.end === 'all', rest.end !== 'cut', rest.end === 'repeats')
}

function done(
  state: State,
  habits: ListHabits,
  { complete, recentComplete, repeats }: Pick<Walk, 'complete' | 'recentComplete' | 'repeats'>,
): WalkResult {
  return {
    ok: true,
    walk: {
      files: [...state.byId.values(), ...state.loose],
      count: state.count,
      complete: complete && !state.shrank,
      recentComplete: recentComplete && !state.shrank,
      repeats,
      habits,
      requests: state.requests,
    },
  }
}

/** Resumes an interrupted walk. If the list has no order, nothing proves that no file was missed in between. */
async function goOn(options: WalkOptions, state: State, from: WalkPosition): Promise<WalkResult> {
  const { firstPage, limit, order } = from
  Object.assign(state, { count: from.count, total: from.total, requests: from.requests, shrank: from.shrank || order === 'mixed' })
  const joined = await rejoin(options, state, from.page, firstPage, limit)
  if (joined.kind === 'failed') return joined.result
  const rest = await onward(options, state, joined.page, firstPage, limit, order)
  if (rest.kind === 'failed') return rest.result
  const { end } = rest
  return done(state, { firstPage, limit }, { complete: end === 'all', recentComplete: end !== 'cut', repeats: end === 'repeats' })
}

/**
 * Goes back until a page shows a file that was seen before, at most to the first page. Reading on from there misses nothing, however far
 * the list has shifted.
 */
async function rejoin(
  options: WalkOptions,
  state: State,
  page: number,
  start: number,
  limit: number,
): Promise<Extract<Next, { kind: 'failed' }> | { readonly kind: 'joined'; readonly page: number }> {
  for (let back = 1; ; back *= 2) {
    const at = Math.max(start, page - back)
    const got = await next(options, state, at, limit)
    if (got.kind === 'failed') return got
    const isSeen = got.kind === 'page' && got.fresh < got.page.files.length
    if (isSeen || at === start) return { kind: 'joined', page: at + 1 }
  }
}

function tell(options: WalkOptions, state: State, at: Pick<WalkPosition, 'page' | 'firstPage' | 'limit' | 'order'>): void {
  const { count, total, shrank, requests } = state
  options.long?.onPage({ ...at, count, total, shrank, requests })
}

interface Onward {
  readonly kind: 'read'
  readonly first: ListPage | null
  /**
   * `all`: the list ended. `known`: `isEnough` returned true. `repeats`: the service evidently ignores the page number. `cut`: no more
   * requests were left, or more files came in than were read.
   */
  readonly end: 'all' | 'known' | 'repeats' | 'cut'
}

/** Reads from `page` on until the list ends, until several pages in a row show nothing new, or until `isEnough` returns true for a page. */
async function onward(
  options: WalkOptions,
  state: State,
  page: number,
  start: number,
  limit: number,
  order: ListOrder,
  isEnough?: (page: ListPage) => boolean,
): Promise<Extract<Next, { kind: 'failed' }> | Onward> {
  let first: ListPage | null = null
  let end: Onward['end'] = 'cut'
  let stale = 0
  let pushed = 0
  let rejoins = 0
  const most = options.long === undefined ? MOST_PAGES : MOST_LONG_PAGES
  state.fell = false
  for (let at = page; state.requests < most; at++) {
    const total = state.total
    const got = await next(options, state, at, limit)
    if (got.kind === 'failed') return got
    if (got.kind === 'end') {
      end = 'all'
      break
    }
    if (state.fell && options.long !== undefined && order !== 'mixed') {
      state.fell = false
      rejoins++
      if (rejoins > MOST_REJOINS) state.shrank = true
      else {
        const joined = await rejoin(options, state, at, start, limit)
        if (joined.kind === 'failed') return joined
        // The list may have shrunk again while going back; if so, the page that was found is read once more.
        at = joined.page - (state.fell ? 1 : 0) - 1
        continue
      }
    }
    if (state.fell && options.long !== undefined) state.shrank = true
    rejoins = 0
    state.fell = false
    tell(options, state, { page: at + 1, firstPage: start === 0 ? 0 : 1, limit, order })
    first ??= got.page
    if (isEnough?.(got.page) === true) return { kind: 'read', first, end: 'known' }
    const grew = total !== null && state.total !== null && state.total > total
    stale = got.fresh > 0 ? 0 : grew ? stale : stale + 1
    if (got.fresh === 0 && grew) pushed++
    if (ended(state, got.page, at, start, limit)) {
      end = 'all'
      break
    }
    // New files shift the list. For each page of them, the next request returns a page that was already seen. Tolerate that many more such
    // pages if the service says that there are more files.
    const again = got.page.files.length === 0 ? 0 : Math.ceil(state.grown / got.page.files.length)
    const enough = stale >= MOST_STALE + again || pushed >= MOST_PUSHED || got.page.files.length === 0
    const hasMore = claimsMore(state, got.page, at, start)
    if (got.fresh === 0 && (enough || !hasMore)) {
      // Nothing but one full page of a list that claims to be longer. If there were other pages, the service repeats its last page, and
      // its figures are wrong.
      const isOnePage = state.count - state.grown <= got.page.files.length
      const mayBeFull = sane(got.page.pagination.limit) === null || isFull(got.page, limit)
      if (pushed < MOST_PUSHED) end = hasMore && isOnePage && mayBeFull ? 'repeats' : 'all'
      break
    }
  }
  return { kind: 'read', first, end }
}

/**
 * Whether this page is the last one, by two independent signs: the service's figures (`total`, `pages`), and a page that isn't full. The
 * figures alone are not enough, because a file that is missed here might be uploaded a second time.
 */
function ended(state: State, page: ListPage, at: number, start: number, limit: number): boolean {
  if (claimsMore(state, page, at, start)) return false
  const claimsEnd = state.total !== null || sane(page.pagination.pages) !== null
  return claimsEnd && !isFull(page, limit)
}

function isFull(page: ListPage, limit: number): boolean {
  return page.files.length >= Math.min(sane(page.pagination.limit) ?? limit, limit)
}

function claimsMore(state: State, page: ListPage, at: number, start: number): boolean {
  const pages = sane(page.pagination.pages)
  return (state.total !== null && state.count < state.total) || (pages !== null && at < lastPage(pages, start))
}

/** Whether at least half of `b` is in `a`. If so, they count as the same page, although a few files came or went. */
function alike(a: ListPage, b: ListPage): boolean {
  const ids = new Set(a.files.map((f) => f.fileId))
  return b.files.filter((f) => ids.has(f.fileId)).length * 2 >= b.files.length
}

type Next =
  | { readonly kind: 'page'; readonly page: ListPage; readonly fresh: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly result: { readonly ok: false; readonly failure: ApiFailure; readonly requests: number } }

async function next(options: WalkOptions, state: State, page: number, limit: number): Promise<Next> {
  state.requests++
  const got = await options.fetch(page, limit)
  if (!got.ok) {
    // Some services answer 404, 400 or 422 past the end.
    if (got.failure.kind === 'status' && (got.failure.status === 404 || got.failure.status === 400 || got.failure.status === 422))
      return { kind: 'end' }
    return { kind: 'failed', result: { ok: false, failure: got.failure, requests: state.requests } }
  }
  return { kind: 'page', page: got.value, fresh: take(state, got.value, options, got.fresh) }
}

/** Adds a page. Returns how many of its files were new to this walk. `stored`: that number for a long walk, as counted by its `fetch`. */
function take(state: State, page: ListPage, { long }: WalkOptions, stored = 0): number {
  const fresh = long === undefined ? keep(state, page) : stored
  state.count += fresh
  const total = sane(page.pagination.total)
  // A file was deleted during the walk, so another may have slipped over a page edge unseen. A long walk goes back to find it.
  const fell = total !== null && state.total !== null && total < state.total
  if (fell && long === undefined) state.shrank = true
  state.fell ||= fell
  if (total !== null && state.total !== null && total > state.total) state.grown += total - state.total
  state.total = total ?? state.total
  return fresh
}

function keep(state: State, page: ListPage): number {
  let fresh = 0
  for (const file of page.files) {
    if (file.fileId === null) {
      if (file.publicLink !== null && state.loose.some((f) => f.publicLink === file.publicLink)) continue
      state.loose.push(file)
      fresh++
    } else if (!state.byId.has(file.fileId)) {
      state.byId.set(file.fileId, file)
      fresh++
    }
  }
  return fresh
}

function sane(n: number | null): number | null {
  return n !== null && Number.isSafeInteger(n) && n >= 0 && n <= 1e9 ? n : null
}

function lastPage(pages: number, start: number): number {
  return start === 0 ? pages - 1 : pages
}
