// The rows of a catalog query, which the engine sorts and searches. They are loaded in pages by offset as
// they are scrolled into view. Old pages stay until newer ones have been read, so that nothing flickers.
// Transfers are paged by ID instead; see views/transfers/paged-list.ts.
import { createStore } from 'zustand/vanilla'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { FileId, RemoteRow } from '../../../src-shared/model.ts'
import type { CallInput, ListQuery } from '../../../src-shared/window-contract.ts'
import type { Range } from '../../lib/range-selection.ts'
import { call } from '../../state/client.ts'

export const PAGE_ROWS = 100
/**
 * Maximum number of pages kept per query: many more than are visible, but far fewer than a large account has.
 */
const PAGES_KEPT = 60
/**
 * Maximum number of pages that a selection may cover for its rows to be handed over when the renderer is
 * unloaded (state/page-release.ts).
 */
const PAGES_LEFT = 12

export interface PagesState {
  readonly total: number
  /**
   * When the last complete read of the service's list began, in epoch ms; null before the first response or
   * the first complete read.
   */
  readonly asOf: number | null
  readonly answered: boolean
  readonly failure: Failure | null
  /** The rows of the pages in memory, by page number, starting at 0. */
  readonly pages: ReadonlyMap<number, readonly RemoteRow[]>
  /** The list's revision (see `catalog`) according to the last response; null before the first one. */
  readonly revision: string | null
  /**
   * The revision with which each page was read. If it differs from `revision`, the rows of the page may have
   * moved.
   */
  readonly revisions: ReadonlyMap<number, string | null>
  /** Incremented with every response, including failures. */
  readonly version: number
}

export interface OffsetPages {
  readonly query: ListQuery
  get(): PagesState
  subscribe(listener: (after: PagesState, before: PagesState) => void): () => void
  /** Returns the row at an index of the query; undefined if its page isn't in memory. */
  at(index: number): RemoteRow | undefined
  /** Sets which rows are visible, so that their pages are read. */
  want(first: number, last: number): void
  /** Reads the visible pages again. Old rows stay until the response arrives. */
  renew(): void
  /**
   * Returns the rows to hand over when the renderer is unloaded: the loaded rows of the visible pages and, if
   * `ranges` cover at most PAGES_LEFT pages, of those pages. The next renderer starts with them.
   */
  left(ranges: readonly Range[]): LeftRows
}

type LeftRows = Pick<PagesState, 'total' | 'asOf' | 'pages' | 'revision' | 'revisions'>

const EMPTY: PagesState = {
  total: 0,
  asOf: null,
  answered: false,
  failure: null,
  pages: new Map(),
  revision: null,
  revisions: new Map(),
  version: 0,
}

/** Returns the row at an index of the query; undefined if its page isn't in memory. */
export function rowAt({ pages }: Pick<PagesState, 'pages'>, index: number): RemoteRow | undefined {
  return pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS]
}

/**
 * Returns where a file is now, for a file that was at `index` if that is known; null if its row isn't in memory.
 * Pages that were read with an earlier revision than the last response count only if it is in no other.
 */
export function indexOf(
  { pages, revision, revisions }: Pick<PagesState, 'pages' | 'revision' | 'revisions'>,
  fileId: FileId,
  index = -1,
): number | null {
  if (rowAt({ pages }, index)?.fileId === fileId) return index
  let stale: number | null = null
  for (const [page, rows] of pages) {
    const at = rows.findIndex((row) => row.fileId === fileId)
    if (at === -1) continue
    if (revisions.get(page) === revision) return page * PAGE_ROWS + at
    stale = page * PAGE_ROWS + at
  }
  return stale
}

/** Whether the query is known to have no rows. Returns false until a page has been read. */
export function isEmpty({ total, pages }: Pick<PagesState, 'total' | 'pages'>): boolean {
  return total === 0 && pages.size > 0
}

/** Builds the contract's input for a page of a query. */
export function catalogInput(query: ListQuery, offset: number, limit: number): CallInput<'catalog'> {
  const { kind, since, folderId, ...rest } = query
  return {
    ...rest,
    ...(kind === null ? {} : { kind }),
    ...(since === null ? {} : { since }),
    ...(folderId === null ? {} : { folderId }),
    offset,
    limit,
    fresh: 'cache',
  }
}

/**
 * Creates the pages of one query; a new query needs a new object. Nothing is read before `want` or `renew` is
 * called. `left` contains the rows handed over by the previous renderer.
 */
export function createOffsetPages(query: ListQuery, left?: LeftRows): OffsetPages {
  const store = createStore<PagesState>(() =>
    left === undefined
      ? EMPTY
      : {
          ...EMPTY,
          total: left.total,
          asOf: left.asOf,
          pages: left.pages,
          revision: left.revision,
          revisions: left.revisions,
          answered: true,
        },
  )
  const asking = new Set<number>()
  const stale = new Set<number>()
  let sight: readonly [number, number] = [0, 0]

  const set = (next: Partial<PagesState>): void =>
    store.setState((state) => ({ ...next, version: state.version + 1 }))

  const ask = async (page: number): Promise<void> => {
    if (asking.has(page)) return
    asking.add(page)
    stale.delete(page)
    const got = await call('catalog', catalogInput(query, page * PAGE_ROWS, PAGE_ROWS))
    asking.delete(page)
    if (!got.ok) {
      set({ failure: got.failure, answered: true })
      return
    }
    const { total, asOf, rows, revision = null } = got.value
    const pages = new Map(store.getState().pages)
    const revisions = new Map(store.getState().revisions)
    // Insert the page at the end, so that the pages that were read longest ago are dropped first.
    pages.delete(page)
    pages.set(page, rows)
    revisions.set(page, revision)
    for (const old of pages.keys()) {
      if (pages.size <= PAGES_KEPT) break
      if (old >= sight[0] && old <= sight[1]) continue
      pages.delete(old)
      revisions.delete(old)
    }
    set({ pages, revision, revisions, total, asOf, answered: true, failure: null })
    // The page became outdated again before the response arrived.
    if (stale.has(page)) void ask(page)
  }

  return {
    query,
    get: store.getState,
    subscribe: store.subscribe,
    at: (index) => rowAt(store.getState(), index),
    want: (first, last) => {
      sight = [Math.floor(Math.max(0, first) / PAGE_ROWS), Math.floor(Math.max(0, last) / PAGE_ROWS)]
      for (let page = sight[0]; page <= sight[1]; page++)
        if (!store.getState().pages.has(page) || stale.has(page)) void ask(page)
    },
    renew: () => {
      for (const page of store.getState().pages.keys()) stale.add(page)
      for (const page of asking) stale.add(page)
      for (let page = sight[0]; page <= sight[1]; page++) if (!asking.has(page)) void ask(page)
    },
    left: (ranges) => {
      const { total, asOf, pages, revision, revisions } = store.getState()
      const chosen = new Set<number>()
      for (const [first, last] of ranges)
        for (
          let page = Math.floor(first / PAGE_ROWS);
          page <= last / PAGE_ROWS && chosen.size <= PAGES_LEFT;
          page++
        )
          chosen.add(page)
      if (chosen.size > PAGES_LEFT) chosen.clear()
      const isLeft = ([page]: readonly [number, unknown]): boolean =>
        (page >= sight[0] && page <= sight[1]) || chosen.has(page)
      return {
        total,
        asOf,
        pages: new Map([...pages].filter(isLeft)),
        revision,
        revisions: new Map([...revisions].filter(isLeft)),
      }
    },
  }
}
