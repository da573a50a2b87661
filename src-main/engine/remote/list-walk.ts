// Walks the remote list by evidence: the document leaves the first page's number, the cap of `limit`, the order and the behaviour past the
// end open. Reads `pagination` back, deduplicates by id, never loops. One walk makes as few requests as the evidence allows.
import type { ApiFailure, ListPage, RemoteFile } from '../../api/types.ts'

/** What earlier walks learned; kept by the caller. */
export interface ListHabits {
  readonly firstPage: 0 | 1 | null
  /** Items a page that the service accepted. */
  readonly limit: number
}

export const UNKNOWN_HABITS: ListHabits = { firstPage: null, limit: 500 }

/** Tried from the top when a `limit` is refused. */
const LIMITS = [500, 100, 50, 20, 10] as const

/** No account needs more; a service that never ends must. */
const MOST_PAGES = 20_000

/** Pages in a row without anything new: then the service does not turn pages, whatever it claims. */
const MOST_STALE = 3
/** As many where the list grew at each: uploads of one's own push it on as fast as it is read. */
const MOST_PUSHED = 50

export interface Walk {
  readonly files: readonly RemoteFile[]
  /** Every page was read, and nothing vanished between pages: a file that is not in `files` does not exist. */
  readonly complete: boolean
  /** Enough was read to be sure about everything newer than what the caller already knew. */
  readonly recentComplete: boolean
  readonly habits: ListHabits
  readonly requests: number
}

export type WalkResult =
  | { readonly ok: true; readonly walk: Walk }
  | { readonly ok: false; readonly failure: ApiFailure; readonly requests: number }

export type FetchPage = (page: number, limit: number) => Promise<{ ok: true; value: ListPage } | { ok: false; failure: ApiFailure }>

interface State {
  readonly byId: Map<number, RemoteFile>
  readonly loose: RemoteFile[]
  requests: number
  total: number | null
  shrank: boolean
}

export interface WalkOptions {
  readonly fetch: FetchPage
  readonly habits: ListHabits
  /** With it, only what is newer matters: the walk stops once a whole page is known. Without it, everything is read. */
  readonly isKnown?: (file: RemoteFile) => boolean
}

export async function walkList(options: WalkOptions): Promise<WalkResult> {
  const state: State = { byId: new Map(), loose: [], requests: 0, total: null, shrank: false }
  let limit = options.habits.limit
  let start = options.habits.firstPage ?? 1

  let first: ListPage | null = null
  for (;;) {
    state.requests++
    const got = await options.fetch(start, limit)
    if (got.ok) {
      first = got.value
      break
    }
    const status = got.failure.kind === 'status' ? got.failure.status : 0
    const smaller = LIMITS.find((l) => l < limit)
    if ((status === 400 || status === 422) && smaller !== undefined) limit = smaller
    // Counting from 0, an account with one page has no page 1.
    else if (status === 404 && start === 1 && options.habits.firstPage === null) start = 0
    else return { ok: false, failure: got.failure, requests: state.requests }
  }
  take(state, first)
  /** The next page to read after the first; page 1 was read before page 0. */
  let following = start + 1
  // Started at 0 only where page 1 was refused.
  let firstPage: 0 | 1 | null = start === 0 ? 0 : options.habits.firstPage
  if (firstPage === null && start === 1 && ((first.files.length === 0 && state.total !== 0) || !ended(state, first, start, start, limit))) {
    // Asked once in a journal's life: counting from 1 on a service that counts from 0 would hide its newest page for ever.
    const one = first
    const zero = await next(options, state, 0, limit)
    if (zero.kind === 'failed' && zero.result.failure.kind !== 'status') return zero.result
    let apart = zero.kind === 'page' && zero.page.files.length > 0 && !alike(one, zero.page)
    if (apart && zero.kind === 'page') {
      // What was uploaded between the two requests pushes the list on as well: only a page 1 that has stayed where it was proves anything.
      const again = await next(options, state, 1, limit)
      if (again.kind === 'failed') return again.result
      apart = again.kind === 'page' && alike(one, again.page) && !alike(again.page, zero.page)
    }
    // The same page twice proves nothing: a service may bend 0 up to its first page, or 1 down to its last.
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
  const finish = (complete: boolean, recentComplete: boolean): WalkResult => ({
    ok: true,
    walk: {
      files: [...state.byId.values(), ...state.loose],
      complete: complete && !state.shrank,
      recentComplete: recentComplete && !state.shrank,
      habits: { firstPage, limit },
      requests: state.requests,
    },
  })

  // Newest first: a page of known files ends it. Oldest first: the news are at the end, so read backwards from there.
  if (known !== undefined && order === 'descending' && pageKnown(first)) return finish(false, true)
  const last = pages === null ? start : lastPage(pages, start)
  if (known !== undefined && order === 'ascending' && last > start) {
    const forward = await onward(options, state, last, start, limit)
    if (forward.kind === 'failed') return forward.result
    if (forward.first !== null && pageKnown(forward.first)) return finish(false, true)
    for (let page = last - 1; page > start; page--) {
      const got = await next(options, state, page, limit)
      if (got.kind === 'failed') return got.result
      if (got.kind === 'page' && pageKnown(got.page)) return finish(false, true)
    }
    return finish(true, true)
  }
  if (ended(state, first, start, start, limit)) return finish(true, true)
  const rest = await onward(options, state, following, start, limit, order === 'descending' ? pageKnown : undefined)
  if (rest.kind === 'failed') return rest.result
  return finish(!rest.known, true)
}

/** Reads from `page` on until the evidence says that there is no more, or `isEnough` says that the rest is known. */
async function onward(
  options: WalkOptions,
  state: State,
  page: number,
  start: number,
  limit: number,
  isEnough?: (page: ListPage) => boolean,
): Promise<Extract<Next, { kind: 'failed' }> | { readonly kind: 'read'; readonly first: ListPage | null; readonly known: boolean }> {
  let first: ListPage | null = null
  let stale = 0
  let pushed = 0
  for (let at = page; state.requests < MOST_PAGES; at++) {
    const total = state.total
    const got = await next(options, state, at, limit)
    if (got.kind === 'failed') return got
    if (got.kind === 'end') break
    first ??= got.page
    if (isEnough?.(got.page) === true) return { kind: 'read', first, known: true }
    const grew = total !== null && state.total !== null && state.total > total
    stale = got.fresh > 0 ? 0 : grew ? stale : stale + 1
    if (got.fresh === 0 && grew) pushed++
    if (ended(state, got.page, at, start, limit)) break
    // A list that was pushed on by a whole page shows one again, and the rest is still to come if the service says so.
    const enough = stale >= MOST_STALE || pushed >= MOST_PUSHED || got.page.files.length === 0
    if (got.fresh === 0 && (enough || !claimsMore(state, got.page, at, start))) break
  }
  return { kind: 'read', first, known: false }
}

/**
 * Whether this page is the last by more than one witness: what the service claims (`total`, `pages`), and a page that is not full.
 * A claim alone is not enough, since a file that is missed here would be sent a second time.
 */
function ended(state: State, page: ListPage, at: number, start: number, limit: number): boolean {
  if (claimsMore(state, page, at, start)) return false
  const claimsEnd = state.total !== null || sane(page.pagination.pages) !== null
  const cap = sane(page.pagination.limit)
  return claimsEnd && page.files.length < Math.min(cap ?? limit, limit)
}

function claimsMore(state: State, page: ListPage, at: number, start: number): boolean {
  const pages = sane(page.pagination.pages)
  return (state.total !== null && state.byId.size + state.loose.length < state.total) || (pages !== null && at < lastPage(pages, start))
}

/** Whether at least half of `b` stands in `a`: the same page, though a few files came or went meanwhile. */
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
    // Past the end some services answer 404 or 400.
    if (got.failure.kind === 'status' && (got.failure.status === 404 || got.failure.status === 400 || got.failure.status === 422))
      return { kind: 'end' }
    return { kind: 'failed', result: { ok: false, failure: got.failure, requests: state.requests } }
  }
  return { kind: 'page', page: got.value, fresh: take(state, got.value) }
}

/** Adds a page; gives how many of its files were new to this walk. */
function take(state: State, page: ListPage): number {
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
  const total = sane(page.pagination.total)
  // Something was deleted while we paged: a file may have slipped over a page's edge unseen.
  if (total !== null && state.total !== null && total < state.total) state.shrank = true
  state.total = total ?? state.total
  return fresh
}

function sane(n: number | null): number | null {
  return n !== null && Number.isSafeInteger(n) && n >= 0 && n <= 1e9 ? n : null
}

function lastPage(pages: number, start: number): number {
  return start === 0 ? pages - 1 : pages
}

/** Order of a page by id, else by date; fewer than three tell nothing. */
export function orderOf(files: readonly RemoteFile[]): 'ascending' | 'descending' | 'mixed' {
  const ids = files.map((f) => f.fileId).filter((id) => id !== null)
  const byId = monotone(ids)
  if (byId !== 'mixed') return byId
  const dates = files.map((f) => f.uploadDate).filter((d) => d !== null)
  return dates.length === files.length ? monotone(dates) : 'mixed'
}

function monotone(values: readonly (number | string)[]): 'ascending' | 'descending' | 'mixed' {
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
