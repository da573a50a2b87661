// Reads the pages of a book as they are needed: one request at a time, at most four a second, and only for what is in sight. It keeps no
// more rows than the book does and decides nothing about them.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { TransferState } from '../../../src-shared/model.ts'
import { call } from '../../app/client.ts'
import { appStore } from '../../app/store.ts'
import { type Book, letGo, markStale, openBook, PAGE_ROWS, takeRows, wanted } from './book.ts'

/** 4 a second: fast enough to look live, slow enough that a busy engine is not asked all the time. */
const EVERY_MS = 250
const AFTER_FAILURE_MS = 2000

interface BookStore {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => Book
  /** What is in sight: the starts of its pages, and whether the end of what was read is near. */
  readonly look: (seen: readonly number[], atEnd: boolean) => void
  readonly close: () => void
}

function createBookStore(query: {
  readonly states: readonly TransferState[]
  readonly search: string
  readonly newestFirst: boolean
}): BookStore {
  let book = openBook(query.newestFirst)
  let seen: ReadonlySet<number> = new Set()
  let atEnd = true
  let busy = false
  let closed = false
  let lastAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const put = (next: Book): void => {
    if (next === book) return
    book = next
    for (const listener of listeners) listener()
  }

  const read = async (start: number): Promise<void> => {
    busy = true
    lastAt = Date.now()
    const got = await call('transfers', {
      folderId: null,
      states: [...query.states],
      limit: PAGE_ROWS,
      ...(query.search === '' ? {} : { search: query.search }),
      ...(query.newestFirst ? { afterId: 0, beforeId: start } : { afterId: start }),
    })
    busy = false
    if (closed) return
    if (got.ok) put(letGo(takeRows(book, start, got.value), seen))
    else lastAt = Date.now() + AFTER_FAILURE_MS
    pump()
  }

  /** A page that was never here is read at once; one that is only stale waits its turn. */
  const pump = (): void => {
    if (closed || busy || timer !== undefined) return
    const start = wanted(book, seen, atEnd)
    if (start === null) return
    const fresh = !book.pages.some((page) => page.start === start && page.rows !== null)
    const wait = fresh && lastAt === 0 ? 0 : Math.max(0, lastAt + (fresh ? 60 : EVERY_MS) - Date.now())
    timer = setTimeout(() => {
      timer = undefined
      const now = wanted(book, seen, atEnd)
      if (now !== null && !busy) void read(now)
    }, wait)
  }

  const stop = appStore.subscribe((state, before) => {
    if (state.transfersVersion === before.transfersVersion) return
    put(markStale(book))
    pump()
  })
  pump()

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: () => book,
    look: (starts, end) => {
      if (end === atEnd && starts.length === seen.size && starts.every((start) => seen.has(start))) return
      seen = new Set(starts)
      atEnd = end
      pump()
    },
    close: () => {
      closed = true
      clearTimeout(timer)
      stop()
    },
  }
}

const NOTHING = openBook(false)
const EMPTY: BookStore = { subscribe: () => () => {}, get: () => NOTHING, look: () => {}, close: () => {} }

/** A book of these states and this search. `states` must be one and the same array each time. */
export function useBook(
  states: readonly TransferState[],
  search: string,
  newestFirst: boolean,
): { readonly book: Book; readonly look: BookStore['look'] } {
  const [store, setStore] = useState<BookStore>(EMPTY)
  useEffect(() => {
    const made = createBookStore({ states, search, newestFirst })
    setStore(made)
    return made.close
  }, [states, search, newestFirst])
  const book = useSyncExternalStore(store.subscribe, store.get)
  // Until the first rows of a new search are here, those of the last one stay.
  const shown = useRef(book)
  useEffect(() => {
    if (book.pages.length > 0) shown.current = book
  }, [book])
  return { book: book.pages.length > 0 ? book : shown.current, look: store.look }
}
