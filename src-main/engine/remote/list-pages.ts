// Walks the pages of the remote list, and reads each of them. The API document doesn't state the first page,
// the maximum `limit`, the order, or what follows the last page, so all four are inferred from the responses.
// Deduplicates files by ID and limits the number of requests.
import type { ApiFailure, ListPage, RemoteFile } from '../../api/types.ts'
import { isOrdered } from '../journal/file-ids.ts'

export const UNKNOWN_HABITS: ListHabits = { firstPage: null, limit: 500 }

/** Page sizes, tried in this order when a `limit` is refused. */
const LIMITS = [500, 100, 50, 20, 10] as const

/** Maximum number of requests of a walk, in case the list never ends. */
const MOST_PAGES = 20_000

/**
 * Like `MOST_PAGES`, but for a long walk. It is higher, because a long walk can be resumed and has to read
 * the complete lists of the largest accounts.
 */
const MOST_LONG_PAGES = 500_000

/**
 * Maximum number of times in a row that a long walk goes back because the list shrank. After that, the walk
 * counts as incomplete.
 */
const MOST_REJOINS = 10

/** A walk ends after at most this many consecutive pages without a new file, unless the list is growing. */
const MOST_STALE = 3

/**
 * Maximum number of pages without a new file that a walk tolerates while the list grows. Our own uploads can
 * shift the list as fast as it is read.
 */
const MOST_PUSHED = 50

/**
 * What earlier walks have learned about the list; the caller stores it. `firstPage`: the number of the first
 * page, null if unknown.
 */
export interface ListHabits {
  readonly firstPage: 0 | 1 | null
  /** The page size that the service accepted. */
  readonly limit: number
}

export interface Walk {
  /** The files seen. Empty for a long walk, because `fetch` stores them. */
  readonly files: readonly RemoteFile[]
  readonly count: number
  /**
   * Whether every page was read and nothing vanished between pages. If so, a file that the walk didn't find
   * doesn't exist, or was added after the walk began.
   */
  readonly complete: boolean
  /**
   * Whether every file newer than the known ones was read. Also true if the service ignores the page number
   * or refuses a page (`isPartial`), because reading again would show nothing else.
   */
  readonly recentComplete: boolean
  /**
   * Whether the service ignores the page number. If so, the walk proves nothing about files that its only
   * page doesn't show.
   */
  readonly repeats: boolean
  /**
   * Whether the list may hold files that the walk couldn't read or identify, because the service refused one
   * of its pages, left one empty, or showed files without an ID. If so, the walk isn't complete, and proves
   * nothing about files that it didn't show.
   */
  readonly isPartial: boolean
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
  /** Whether a file may have been missed because it moved to a page that had already been read. */
  readonly shrank: boolean
  /** See `Walk`. */
  readonly isPartial: boolean
  readonly requests: number
}

/**
 * A walk of the whole list that keeps no files in memory. `fetch` stores the files, and returns how many
 * files of a page this walk had not seen before. The walk resumes where an interrupted one stopped, and goes
 * back if the list has shrunk.
 */
export interface LongWalk {
  readonly from: WalkPosition | null
  readonly onPage: (position: WalkPosition) => void
}

export type WalkResult = { readonly ok: true; readonly walk: Walk } | FailedWalk

export interface WalkOptions {
  readonly fetch: FetchPage
  readonly habits: ListHabits
  /**
   * If set, only files newer than the known ones matter: in an ordered list, the walk stops at a page of
   * known files. If not set, or if the list has no order, everything is read.
   */
  readonly isKnown?: (file: RemoteFile) => boolean
  readonly long?: LongWalk
}

export async function walkList(options: WalkOptions): Promise<WalkResult> {
  const state = newWalkState(options.fetch, options.long !== undefined)
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
  take(state, first, firstFresh)
  /**
   * The next page to read after the first: 2 if page 0 turns out to be the first, because page 1 was read
   * before it.
   */
  let following = start + 1
  // Here, `start` is 0 only if that is known to be the first page, or if page 1 was refused.
  let firstPage: 0 | 1 | null = start === 0 ? 0 : options.habits.firstPage
  if (
    firstPage === null &&
    start === 1 &&
    ((first.files.length === 0 && state.total !== 0) || !isLastPage(state, first, start, start, limit))
  ) {
    // While the number of the first page is unknown, every walk that doesn't end with page 1 tries page 0: if
    // the service counts from 0, a walk from page 1 would never show its first page.
    const one = first
    const zero = await nextPage(state, 0, limit)
    if (zero.kind === 'failed' && zero.result.failure.kind !== 'status') return zero.result
    let apart = zero.kind === 'page' && zero.page.files.length > 0 && !isAlike(one, zero.page)
    if (apart && zero.kind === 'page') {
      // Uploads between the two requests shift the list as well, so only a page 1 that is still the same
      // proves anything.
      const again = await nextPage(state, 1, limit)
      if (again.kind === 'failed') return again.result
      apart = again.kind === 'page' && isAlike(one, again.page) && !isAlike(again.page, zero.page)
    }
    // The same page twice proves nothing: a service may clamp 0 to its first page, or 1 to its last.
    const refused =
      zero.kind === 'refused' ||
      (zero.kind === 'page' && zero.page.files.length === 0 && first.files.length > 0)
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
  const pageKnown = (page: ListPage): boolean =>
    known !== undefined && page.files.length > 0 && page.files.every(known)
  const finish = (complete: boolean, recentComplete: boolean, repeats = false): WalkResult =>
    done(state, { firstPage, limit }, { complete, recentComplete, repeats })

  // If the newest files come first, a page of known files ends the walk. If the oldest come first, the new
  // files are at the end, so the walk reads backwards from there.
  if (known !== undefined && order === 'descending' && pageKnown(first))
    return finish(isLastPage(state, first, start, start, limit), true)
  const last = pages === null ? start : lastPage(pages, start)
  if (known !== undefined && order === 'ascending' && last > start) {
    state.hasSkipped = true
    const forward = await onward(options, state, last, start, limit, order)
    if (forward.kind === 'failed') return forward.result
    if (forward.end === 'repeats' || forward.end === 'cut')
      return finish(false, forward.end !== 'cut', forward.end === 'repeats')
    if (forward.first !== null && pageKnown(forward.first)) return finish(false, true)
    // The service doesn't show the last page. Trying the pages before it could cost several requests each.
    if (forward.first === null && state.isPartial) return finish(false, true)
    for (let page = last - 1; page > start; page--) {
      let got = await nextPage(state, page, limit)
      if (got.kind === 'refused' || isHollow(state, got, page, start))
        got = await pageAgain(state, page, start, limit)
      if (got.kind === 'failed') return got.result
      if (got.kind === 'refused' || isHollow(state, got, page, start)) {
        state.isPartial = true
        return finish(false, true)
      }
      if (pageKnown(got.page)) return finish(false, true)
    }
    return finish(true, true)
  }
  if (isLastPage(state, first, start, start, limit)) return finish(true, true)
  tell(options, state, { page: following, firstPage: start === 0 ? 0 : 1, limit, order })
  const rest = await onward(
    options,
    state,
    following,
    start,
    limit,
    order,
    order === 'descending' ? pageKnown : undefined,
  )
  if (rest.kind === 'failed') return rest.result
  return finish(rest.end === 'all', rest.end !== 'cut', rest.end === 'repeats')
}

function done(
  state: WalkState,
  habits: ListHabits,
  { complete, recentComplete, repeats }: Pick<Walk, 'complete' | 'recentComplete' | 'repeats'>,
): WalkResult {
  return {
    ok: true,
    walk: {
      files: [...state.byId.values(), ...state.loose],
      count: state.count,
      complete: complete && !state.shrank && !state.isPartial,
      recentComplete: recentComplete && !state.shrank,
      repeats,
      isPartial: state.isPartial,
      habits,
      requests: state.requests,
    },
  }
}

/**
 * Resumes an interrupted walk. If the list has no order, files may have been missed in between, so the walk
 * counts as incomplete.
 */
async function goOn(options: WalkOptions, state: WalkState, from: WalkPosition): Promise<WalkResult> {
  const { firstPage, limit, order, count, total, requests, isPartial } = from
  Object.assign(state, { count, total, requests, isPartial, shrank: from.shrank || order === 'mixed' })
  const joined = await rejoin(state, from.page, firstPage, limit)
  if (joined.kind === 'failed') return joined.result
  const rest = await onward(options, state, joined.page, firstPage, limit, order)
  if (rest.kind === 'failed') return rest.result
  const { end } = rest
  return done(
    state,
    { firstPage, limit },
    { complete: end === 'all', recentComplete: end !== 'cut', repeats: end === 'repeats' },
  )
}

/**
 * Goes back until a page shows a file that was seen before, but no further than the first page. Reading on
 * from there misses nothing, however far the list has shifted.
 */
async function rejoin(
  state: WalkState,
  page: number,
  start: number,
  limit: number,
): Promise<Extract<NextPage, { kind: 'failed' }> | { readonly kind: 'joined'; readonly page: number }> {
  for (let back = 1; ; back *= 2) {
    const at = Math.max(start, page - back)
    let got = await nextPage(state, at, limit)
    if (got.kind === 'refused' && at > start) got = await pageAgain(state, at, start, limit)
    if (got.kind === 'failed') return got
    if (got.kind === 'refused' && at === start) return { kind: 'failed', result: got.result }
    const isSeen = got.kind === 'page' && got.fresh < got.page.files.length
    if (isSeen || at === start) return { kind: 'joined', page: at + 1 }
  }
}

function tell(
  options: WalkOptions,
  state: WalkState,
  at: Pick<WalkPosition, 'page' | 'firstPage' | 'limit' | 'order'>,
): void {
  const { count, total, shrank, isPartial, requests } = state
  options.long?.onPage({ ...at, count, total, shrank, isPartial, requests })
}

interface Onward {
  readonly kind: 'read'
  readonly first: ListPage | null
  /**
   * `all`: the list ended, or the next page can't be read (`isPartial`). `known`: `isEnough` returned true.
   * `repeats`: the service evidently ignores the page number. `cut`: the maximum number of requests was
   * reached, or the list grew as fast as it was read.
   */
  readonly end: 'all' | 'known' | 'repeats' | 'cut'
}

/**
 * Reads from `page` on until the list ends, until several pages in a row show nothing new, or until
 * `isEnough` returns true for a page.
 */
async function onward(
  options: WalkOptions,
  state: WalkState,
  page: number,
  start: number,
  limit: number,
  order: ListOrder,
  isEnough?: (page: ListPage) => boolean,
): Promise<Extract<NextPage, { kind: 'failed' }> | Onward> {
  let first: ListPage | null = null
  let end: Onward['end'] = 'cut'
  let stale = 0
  let pushed = 0
  let rejoins = 0
  const most = options.long === undefined ? MOST_PAGES : MOST_LONG_PAGES
  state.fell = false
  for (let at = page; state.requests < most; at++) {
    const total = state.total
    let got = await nextPage(state, at, limit)
    const isUnread =
      got.kind === 'refused' ? isExpected(state, at, start, limit) : isHollow(state, got, at, start)
    if (isUnread) got = await pageAgain(state, at, start, limit)
    if (got.kind === 'failed') return got
    if (state.fell && options.long !== undefined && order !== 'mixed') {
      state.fell = false
      rejoins++
      if (rejoins > MOST_REJOINS) state.shrank = true
      else {
        const joined = await rejoin(state, at, start, limit)
        if (joined.kind === 'failed') return joined
        // If the list shrank again during `rejoin`, the page that `rejoin` ended on is read once more.
        at = joined.page - (state.fell ? 1 : 0) - 1
        continue
      }
    }
    if (state.fell && options.long !== undefined) state.shrank = true
    if (got.kind === 'refused') {
      if (isClaimed(state, at, start)) state.isPartial = true
      end = 'all'
      break
    }
    if (isHollow(state, got, at, start)) {
      state.isPartial = true
      end = 'all'
      break
    }
    rejoins = 0
    state.fell = false
    tell(options, state, { page: at + 1, firstPage: start === 0 ? 0 : 1, limit, order })
    first ??= got.page
    if (isEnough?.(got.page) === true) return { kind: 'read', first, end: 'known' }
    const grew = total !== null && state.total !== null && state.total > total
    stale = got.fresh > 0 ? 0 : grew ? stale : stale + 1
    if (got.fresh === 0 && grew) pushed++
    if (isLastPage(state, got.page, at, start, limit)) {
      end = 'all'
      break
    }
    // New files shift the list, so files that were already seen are shown again. Tolerate as many more pages
    // without a new file as the new files can fill, provided that the service says that there are more files.
    const again = got.page.files.length === 0 ? 0 : Math.ceil(state.grown / got.page.files.length)
    const enough = stale >= MOST_STALE + again || pushed >= MOST_PUSHED || got.page.files.length === 0
    const hasMore = claimsMore(state, got.page, at, start)
    if (got.fresh === 0 && (enough || !hasMore)) {
      // If the walk has seen only one full page of a list that claims to be longer, the service ignores the
      // page number. If it has seen more, the service repeats its last page, and its figures are wrong.
      const isOnePage = state.count - state.grown <= got.page.files.length
      const mayBeFull = sane(got.page.pagination.limit) === null || isFull(got.page, limit)
      if (pushed < MOST_PUSHED) end = hasMore && isOnePage && mayBeFull ? 'repeats' : 'all'
      break
    }
  }
  return { kind: 'read', first, end }
}

// Infers the order of the service's list from one of its pages, because the API document doesn't state the
// order. Pure.
type ListOrder = 'ascending' | 'descending' | 'mixed'

/**
 * Returns the order of a page by ID, or by date if the IDs show none. Fewer than three files don't show an
 * order.
 */
export function orderOf(files: readonly RemoteFile[]): ListOrder {
  const ids = files.map((f) => f.fileId).filter((id) => id !== null)
  const byId = ids.every(isOrdered) ? monotone(ids) : 'mixed'
  if (byId !== 'mixed') return byId
  const dates = files.map((f) => f.uploadDate).filter((d) => d !== null)
  return dates.length === files.length ? monotone(dates) : 'mixed'
}

function monotone(values: readonly (number | string)[]): ListOrder {
  if (values.length < 3) return 'mixed'
  let up = true
  let down = true
  let moved = false
  for (let i = 1; i < values.length; i++) {
    const a = values[i - 1]
    const b = values[i]
    if (a === undefined || b === undefined) continue
    if (a < b) down = false
    if (a > b) up = false
    if (a !== b) moved = true
  }
  if (!moved) return 'mixed'
  return up ? 'ascending' : down ? 'descending' : 'mixed'
}

// Reads single pages of the remote list for a walk, and counts the files that they show. Decides whether a
// page is the last one, and whether a refused page is past the end of the list. list-pages.ts decides which
// pages a walk reads, and in which order.

/**
 * Requests one page of the list. `fresh`: for a long walk, the number of files on the page that the walk had
 * not seen before.
 */
export type FetchPage = (
  page: number,
  limit: number,
) => Promise<{ ok: true; value: ListPage; fresh?: number } | { ok: false; failure: ApiFailure }>

/** What a walk has read so far. */
interface WalkState {
  readonly fetch: FetchPage
  /** Whether `fetch` stores the files. If not, `byId` and `loose` hold them. */
  readonly isLong: boolean
  readonly byId: Map<number, RemoteFile>
  readonly loose: RemoteFile[]
  /** Number of different files seen. */
  count: number
  requests: number
  total: number | null
  /** Whether `total` has fallen since the walk last cleared this flag. */
  fell: boolean
  /**
   * Number of files added while the list was read. Each may shift a file that was already seen onto a later
   * page.
   */
  grown: number
  shrank: boolean
  /** See `Walk`. */
  isPartial: boolean
  /**
   * Whether the walk has left out pages. If so, `count` is lower than `total` even at the end of the list.
   */
  hasSkipped: boolean
  /** The page that was read last. */
  last: ListPage | null
}

function newWalkState(fetch: FetchPage, isLong: boolean): WalkState {
  return {
    fetch,
    isLong,
    byId: new Map(),
    loose: [],
    count: 0,
    requests: 0,
    total: null,
    fell: false,
    grown: 0,
    shrank: false,
    isPartial: false,
    hasSkipped: false,
    last: null,
  }
}

interface FailedWalk {
  readonly ok: false
  readonly failure: ApiFailure
  readonly requests: number
}

type NextPage =
  | { readonly kind: 'page'; readonly page: ListPage; readonly fresh: number }
  /** The service refused the page. Some services refuse every page past the end of the list. */
  | { readonly kind: 'refused'; readonly result: FailedWalk }
  | { readonly kind: 'failed'; readonly result: FailedWalk }

/** Requests a page and adds it to the walk. */
async function nextPage(state: WalkState, at: number, limit: number): Promise<NextPage> {
  state.requests++
  const got = await state.fetch(at, limit)
  if (got.ok) return { kind: 'page', page: got.value, fresh: take(state, got.value, got.fresh) }
  const result: FailedWalk = { ok: false, failure: got.failure, requests: state.requests }
  const isRefused = got.failure.kind === 'status' && [400, 404, 422].includes(got.failure.status)
  return { kind: isRefused ? 'refused' : 'failed', result }
}

/**
 * Retries a page that was refused or empty although it should exist. First reads the list's first page,
 * `start`. If that fails too, the walk has failed: during a deployment, for example, a gateway may answer 404
 * to everything. If it succeeds and the requested page is refused or empty again, callers treat that page as
 * unreadable.
 */
async function pageAgain(state: WalkState, at: number, start: number, limit: number): Promise<NextPage> {
  const first = await nextPage(state, start, limit)
  return first.kind === 'page' ? nextPage(state, at, limit) : { kind: 'failed', result: first.result }
}

/**
 * Adds a page to the walk, and returns how many of its files were new to the walk. `stored`: that number as
 * counted by `fetch`, for a long walk.
 */
function take(state: WalkState, page: ListPage, stored = 0): number {
  const isUnidentified = page.files.some((file) => file.fileId === null)
  if (isUnidentified) state.isPartial = true
  // Files without an ID may count as new each time they are seen. Without this check, a list that repeats its
  // last page would never end.
  const isRepeated = isUnidentified && JSON.stringify(page.files) === JSON.stringify(state.last?.files)
  const fresh = isRepeated ? 0 : state.isLong ? stored : keep(state, page)
  state.last = page
  state.count += fresh
  const total = sane(page.pagination.total)
  // If `total` falls, a file was deleted during the walk, so another may have moved to a page that had
  // already been read. A long walk goes back to find it.
  const fell = total !== null && state.total !== null && total < state.total
  if (fell && !state.isLong) state.shrank = true
  state.fell ||= fell
  if (total !== null && state.total !== null && total > state.total) state.grown += total - state.total
  state.total = total ?? state.total
  return fresh
}

function keep(state: WalkState, page: ListPage): number {
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

/**
 * Whether this page is the last one. The service's figures (`total`, `pages`) must say so, and the page must
 * not be full. The figures alone aren't trusted, because a file that is missed here might be uploaded a
 * second time.
 */
function isLastPage(state: WalkState, page: ListPage, at: number, start: number, limit: number): boolean {
  if (claimsMore(state, page, at, start)) return false
  const claimsEnd = state.total !== null || sane(page.pagination.pages) !== null
  return claimsEnd && !isFull(page, limit)
}

/** Whether the service's figures say that there are more files after this page. */
function claimsMore(state: WalkState, page: ListPage, at: number, start: number): boolean {
  return (state.total !== null && state.count < state.total) || claimsPage(page, at + 1, start)
}

/**
 * Whether page `at` should exist, so that its refusal doesn't mark the end of the list. Judged by the
 * service's figures or, if there are none, by whether the previous page was full.
 */
function isExpected(state: WalkState, at: number, start: number, limit: number): boolean {
  const { last } = state
  if (last === null) return false
  const hasFigures = state.total !== null || sane(last.pagination.pages) !== null
  return hasFigures ? isClaimed(state, at, start) : isFull(last, limit)
}

/** Whether page `at` should exist according to the service's figures. */
function isClaimed(state: WalkState, at: number, start: number): boolean {
  const { last } = state
  return isShort(state) || (last !== null && claimsPage(last, at, start))
}

/**
 * Whether the walk has seen fewer files than the service counts. Files added since the walk began don't
 * count, because they may be on pages that were already read.
 */
function isShort({ hasSkipped, total, count, grown }: WalkState): boolean {
  return !hasSkipped && total !== null && count < total - grown
}

/**
 * Whether page `at` is empty although it should show files according to the service's figures. This happens
 * while the service is being restarted, or when it reads from a lagging replica.
 */
function isHollow(state: WalkState, got: NextPage, at: number, start: number): boolean {
  if (got.kind !== 'page' || got.page.files.length > 0) return false
  return isShort(state) || claimsPage(got.page, at, start)
}

function claimsPage(page: ListPage, at: number, start: number): boolean {
  const pages = sane(page.pagination.pages)
  return pages !== null && at <= lastPage(pages, start)
}

function isFull(page: ListPage, limit: number): boolean {
  return page.files.length >= Math.min(sane(page.pagination.limit) ?? limit, limit)
}

/** Number of the last page, if the list has `pages` pages and the number of the first page is `start`. */
function lastPage(pages: number, start: number): number {
  return start === 0 ? pages - 1 : pages
}

/**
 * Whether at least half of `b` is in `a`. If so, they count as the same page, although a few files came or
 * went.
 */
function isAlike(a: ListPage, b: ListPage): boolean {
  const ids = new Set(a.files.map((f) => f.fileId))
  return b.files.filter((f) => ids.has(f.fileId)).length * 2 >= b.files.length
}

function sane(n: number | null): number | null {
  return n !== null && Number.isSafeInteger(n) && n >= 0 && n <= 1e9 ? n : null
}
