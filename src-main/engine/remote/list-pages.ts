// Reads single pages of the remote list for a walk, and counts the files that they show. Decides whether a page is the last one, and
// whether a refused page is past the end of the list. list-walk.ts decides which pages a walk reads, and in which order.
import type { ApiFailure, ListPage, RemoteFile } from '../../api/types.ts'

/** Requests one page of the list. `fresh`: for a long walk, the number of files on the page that the walk had not seen before. */
export type FetchPage = (
  page: number,
  limit: number,
) => Promise<{ ok: true; value: ListPage; fresh?: number } | { ok: false; failure: ApiFailure }>

/** What a walk has read so far. */
export interface WalkState {
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
  /** Number of files added while the list was read. Each may shift a file that was already seen onto a later page. */
  grown: number
  shrank: boolean
  /** See `Walk`. */
  isPartial: boolean
  /** Whether the walk has left out pages. If so, `count` is lower than `total` even at the end of the list. */
  hasSkipped: boolean
  /** The page that was read last. */
  last: ListPage | null
}

export function newWalkState(fetch: FetchPage, isLong: boolean): WalkState {
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

export interface FailedWalk {
  readonly ok: false
  readonly failure: ApiFailure
  readonly requests: number
}

export type NextPage =
  | { readonly kind: 'page'; readonly page: ListPage; readonly fresh: number }
  /** The service refused the page. Some services refuse every page past the end of the list. */
  | { readonly kind: 'refused'; readonly result: FailedWalk }
  | { readonly kind: 'failed'; readonly result: FailedWalk }

/** Requests a page and adds it to the walk. */
export async function nextPage(state: WalkState, at: number, limit: number): Promise<NextPage> {
  state.requests++
  const got = await state.fetch(at, limit)
  if (got.ok) return { kind: 'page', page: got.value, fresh: take(state, got.value, got.fresh) }
  const result: FailedWalk = { ok: false, failure: got.failure, requests: state.requests }
  const isRefused = got.failure.kind === 'status' && [400, 404, 422].includes(got.failure.status)
  return { kind: isRefused ? 'refused' : 'failed', result }
}

/**
 * Retries a page that was refused or empty although it should exist. First reads the list's first page, `start`. If that fails too, the
 * walk has failed: during a deployment, for example, a gateway may answer 404 to everything. If it succeeds and the requested page is
 * refused or empty again, callers treat that page as unreadable.
 */
export async function pageAgain(state: WalkState, at: number, start: number, limit: number): Promise<NextPage> {
  const first = await nextPage(state, start, limit)
  return first.kind === 'page' ? nextPage(state, at, limit) : { kind: 'failed', result: first.result }
}

/**
 * Adds a page to the walk, and returns how many of its files were new to the walk. `stored`: that number as counted by `fetch`, for a long
 * walk.
 */
export function take(state: WalkState, page: ListPage, stored = 0): number {
  const isUnidentified = page.files.some((file) => file.fileId === null)
  if (isUnidentified) state.isPartial = true
  // Files without an ID may count as new each time they are seen. Without this check, a list that repeats its last page would never end.
  const isRepeated = isUnidentified && JSON.stringify(page.files) === JSON.stringify(state.last?.files)
  const fresh = isRepeated ? 0 : state.isLong ? stored : keep(state, page)
  state.last = page
  state.count += fresh
  const total = sane(page.pagination.total)
  // If `total` falls, a file was deleted during the walk, so another may have moved to a page that had already been read. A long walk goes
  // back to find it.
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
 * Whether this page is the last one. The service's figures (`total`, `pages`) must say so, and the page must not be full. The figures alone
 * aren't trusted, because a file that is missed here might be uploaded a second time.
 */
export function isLastPage(state: WalkState, page: ListPage, at: number, start: number, limit: number): boolean {
  if (claimsMore(state, page, at, start)) return false
  const claimsEnd = state.total !== null || sane(page.pagination.pages) !== null
  return claimsEnd && !isFull(page, limit)
}

/** Whether the service's figures say that there are more files after this page. */
export function claimsMore(state: WalkState, page: ListPage, at: number, start: number): boolean {
  return (state.total !== null && state.count < state.total) || claimsPage(page, at + 1, start)
}

/**
 * Whether page `at` should exist, so that its refusal doesn't mark the end of the list. Judged by the service's figures or, if there are
 * none, by whether the previous page was full.
 */
export function isExpected(state: WalkState, at: number, start: number, limit: number): boolean {
  const { last } = state
  if (last === null) return false
  const hasFigures = state.total !== null || sane(last.pagination.pages) !== null
  return hasFigures ? isClaimed(state, at, start) : isFull(last, limit)
}

/** Whether page `at` should exist according to the service's figures. */
export function isClaimed(state: WalkState, at: number, start: number): boolean {
  const { last } = state
  return isShort(state) || (last !== null && claimsPage(last, at, start))
}

/**
 * Whether the walk has seen fewer files than the service counts. Files added since the walk began don't count, because they may be on pages
 * that were already read.
 */
function isShort({ hasSkipped, total, count, grown }: WalkState): boolean {
  return !hasSkipped && total !== null && count < total - grown
}

/**
 * Whether page `at` is empty although it should show files according to the service's figures. This happens while the service is being
 * restarted, or when it reads from a lagging replica.
 */
export function isHollow(state: WalkState, got: NextPage, at: number, start: number): boolean {
  if (got.kind !== 'page' || got.page.files.length > 0) return false
  return isShort(state) || claimsPage(got.page, at, start)
}

function claimsPage(page: ListPage, at: number, start: number): boolean {
  const pages = sane(page.pagination.pages)
  return pages !== null && at <= lastPage(pages, start)
}

export function isFull(page: ListPage, limit: number): boolean {
  return page.files.length >= Math.min(sane(page.pagination.limit) ?? limit, limit)
}

/** Number of the last page, if the list has `pages` pages and the number of the first page is `start`. */
export function lastPage(pages: number, start: number): number {
  return start === 0 ? pages - 1 : pages
}

/** Whether at least half of `b` is in `a`. If so, they count as the same page, although a few files came or went. */
export function isAlike(a: ListPage, b: ListPage): boolean {
  const ids = new Set(a.files.map((f) => f.fileId))
  return b.files.filter((f) => ids.has(f.fileId)).length * 2 >= b.files.length
}

export function sane(n: number | null): number | null {
  return n !== null && Number.isSafeInteger(n) && n >= 0 && n <= 1e9 ? n : null
}
