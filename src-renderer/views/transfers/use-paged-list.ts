// Reads the pages of a list as they are needed, one request at a time: visible pages, the next page when the
// end of the rows read so far is near, and the first page again after a change. Changed transfers are put
// into the pages at once; pages that may have changed are read again at most four times a second.
// paged-list.ts decides which page is next.
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import type { Transfer, TransferState } from '../../../src-shared/model.ts'
import { call } from '../../state/client.ts'
import { appStore } from '../../state/store.ts'
import { isFoundBy, isPaused } from './groups.ts'
import {
  dropFarPages,
  emptyList,
  markStale,
  nextStart,
  nextToRead,
  PAGE_ROWS,
  type PagedList,
  putChanged,
  type ShownList,
  takeRows,
} from './paged-list.ts'

/**
 * Minimum time between reads of changed pages: short enough to look live, but long enough not to slow down a
 * busy engine.
 */
const READ_EVERY_MS = 250
/** Minimum time between the previous request and a request for a page without rows. */
const FIRST_READ_AFTER_MS = 60
const AFTER_FAILURE_MS = 2000

interface PagedListStore {
  readonly search: string
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => PagedList
  /**
   * Reports what is visible: the starts of the visible pages, and whether the end of the rows read so far is
   * near.
   */
  readonly look: (seen: readonly number[], atEnd: boolean) => void
  /** Reads the page after the last one, even if the end of the list isn't visible. */
  readonly readMore: () => void
  readonly close: () => void
}

/** Creates a list and begins to read it. */
export function createPagedListStore(query: {
  readonly states: readonly TransferState[]
  readonly search: string
  readonly newestFirst: boolean
  /** Only transfers that the user has paused, or only the others. */
  readonly paused?: boolean | undefined
}): PagedListStore {
  const store = createStore<PagedList>(() => emptyList(query.newestFirst))
  let seen: ReadonlySet<number> = new Set()
  let atEnd = true
  /** Whether the user has asked for the next page. */
  let isMoreWanted = false
  /**
   * Transfers that changed while the current request was in flight; its response may lack these changes. Null
   * if nothing has changed.
   */
  let meanwhile: readonly Transfer[] | null = null
  let busy = false
  let closed = false
  /**
   * In monotonic ms: a pause measured by the clock would grow with a clock rollback. 0 before the first read.
   */
  let lastAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const put = (next: PagedList): void => store.setState(next, true)
  const belongs = (row: Transfer): boolean =>
    query.states.includes(row.state) &&
    (query.paused === undefined || query.paused === isPaused(row)) &&
    isFoundBy(query.search, row)
  const changed = (paged: PagedList, rows: readonly Transfer[]): PagedList =>
    markStale(putChanged(paged, rows, belongs))

  const read = async (start: number): Promise<void> => {
    busy = true
    lastAt = performance.now()
    meanwhile = null
    if (start === nextStart(store.getState())) isMoreWanted = false
    const got = await call('transfers', {
      folderId: null,
      states: [...query.states],
      limit: PAGE_ROWS,
      ...(query.paused === undefined ? {} : { paused: query.paused }),
      ...(query.search === '' ? {} : { search: query.search }),
      ...(query.newestFirst ? { afterId: 0, beforeId: start } : { afterId: start }),
    })
    busy = false
    if (closed) return
    if (got.ok) {
      const taken = takeRows(store.getState(), start, got.value)
      put(dropFarPages(meanwhile === null ? taken : changed(taken, meanwhile), seen))
    } else lastAt = performance.now() + AFTER_FAILURE_MS
    pump()
  }

  /**
   * Schedules the next read, if one is needed. A page without rows is read almost at once, because it is
   * shown as placeholders.
   */
  const pump = (): void => {
    if (closed || busy || timer !== undefined) return
    const paged = store.getState()
    const start = nextToRead(paged, seen, atEnd || isMoreWanted)
    if (start === null) return
    const isNew = !paged.pages.some((page) => page.start === start && page.rows !== null)
    const wait =
      isNew && lastAt === 0
        ? 0
        : Math.max(0, lastAt + (isNew ? FIRST_READ_AFTER_MS : READ_EVERY_MS) - performance.now())
    timer = setTimeout(() => {
      timer = undefined
      const now = nextToRead(store.getState(), seen, atEnd || isMoreWanted)
      if (now !== null && !busy) void read(now)
    }, wait)
  }

  const stop = appStore.subscribe((state, before) => {
    if (state.transfersVersion === before.transfersVersion) return
    const rows = state.changedTransfers === before.changedTransfers ? [] : state.changedTransfers
    if (busy) meanwhile = [...(meanwhile ?? []), ...rows]
    put(changed(store.getState(), rows))
    pump()
  })
  pump()

  return {
    search: query.search,
    subscribe: store.subscribe,
    get: store.getState,
    look: (starts, end) => {
      if (end === atEnd && starts.length === seen.size && starts.every((start) => seen.has(start))) return
      seen = new Set(starts)
      atEnd = end
      pump()
    },
    readMore: () => {
      isMoreWanted = true
      pump()
    },
    close: () => {
      closed = true
      clearTimeout(timer)
      stop()
    },
  }
}

const NOTHING = emptyList(false)
const EMPTY: PagedListStore = {
  search: '',
  subscribe: () => () => {},
  get: () => NOTHING,
  look: () => {},
  readMore: () => {},
  close: () => {},
}

/**
 * Returns the transfers in these states that match the search. Pass the same `states` array each time: a new
 * array starts a new list.
 */
export function usePagedList(
  states: readonly TransferState[],
  search: string,
  newestFirst: boolean,
  paused?: boolean,
): ShownList & Pick<PagedListStore, 'look' | 'readMore'> {
  const [store, setStore] = useState<PagedListStore>(EMPTY)
  useEffect(() => {
    const made = createPagedListStore({ states, search, newestFirst, paused })
    setStore(made)
    return made.close
  }, [states, search, newestFirst, paused])
  const paged = useSyncExternalStore(store.subscribe, store.get)
  const newest = useMemo<ShownList>(() => ({ paged, search: store.search }), [paged, store])
  // Until the first response to a new search arrives, show the rows of the previous one.
  const shown = useRef(newest)
  useEffect(() => {
    if (newest.paged.pages.length > 0) shown.current = newest
  }, [newest])
  return { ...(paged.pages.length > 0 ? newest : shown.current), look: store.look, readMore: store.readMore }
}
