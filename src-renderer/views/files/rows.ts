// The pages of the list that the window has seen, by query: asked for as they scroll into sight, kept while newer ones are on their way, so
// nothing flickers. The engine sorts and searches; nothing is sorted here.
import type { CallInput, ListQuery } from '../../../src-shared/app.ts'
import type { Failure } from '../../../src-shared/contract.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { call } from '../../app/client.ts'

export const PAGE = 100
/** Pages kept of one query: far more than a screen, far less than all. */
const PAGES_MOST = 60

export interface RowsState {
  readonly total: number
  /** null: nothing was answered yet. */
  readonly asOf: number | null
  readonly answered: boolean
  readonly failure: Failure | null
  readonly pages: ReadonlyMap<number, readonly RemoteRow[]>
  /** Grows with every answer. */
  readonly version: number
}

export interface Rows {
  readonly query: ListQuery
  get(): RowsState
  subscribe(listener: () => void): () => void
  at(index: number): RemoteRow | undefined
  /** Rows that are in sight now. */
  want(first: number, last: number): void
  /** Asks anew for what is in sight; what is shown stays until the answer is there. */
  renew(): void
}

const EMPTY: RowsState = { total: 0, asOf: null, answered: false, failure: null, pages: new Map(), version: 0 }

export function catalogInput(query: ListQuery, offset: number, limit: number): CallInput<'catalog'> {
  const { kind, since, ...rest } = query
  return { ...rest, ...(kind === null ? {} : { kind }), ...(since === null ? {} : { since }), offset, limit, fresh: 'cache' }
}

export function createRows(query: ListQuery): Rows {
  let state = EMPTY
  const listeners = new Set<() => void>()
  const asking = new Set<number>()
  const stale = new Set<number>()
  let sight: readonly [number, number] = [0, 0]

  const set = (next: Partial<RowsState>): void => {
    state = { ...state, ...next, version: state.version + 1 }
    for (const listener of listeners) listener()
  }

  const ask = async (page: number): Promise<void> => {
    if (asking.has(page)) return
    asking.add(page)
    stale.delete(page)
    const got = await call('catalog', catalogInput(query, page * PAGE, PAGE))
    asking.delete(page)
    if (!got.ok) {
      set({ failure: got.failure, answered: true })
      return
    }
    const pages = new Map(state.pages)
    // Set anew at the end, so that the oldest answers are dropped first.
    pages.delete(page)
    pages.set(page, got.value.rows)
    for (const old of pages.keys()) {
      if (pages.size <= PAGES_MOST) break
      if (old < sight[0] || old > sight[1]) pages.delete(old)
    }
    set({ pages, total: got.value.total, asOf: got.value.asOf, answered: true, failure: null })
    // It changed again while the answer was on its way.
    if (stale.has(page)) void ask(page)
  }

  return {
    query,
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    at: (index) => state.pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    want: (first, last) => {
      sight = [Math.floor(Math.max(0, first) / PAGE), Math.floor(Math.max(0, last) / PAGE)]
      for (let page = sight[0]; page <= sight[1]; page++) if (!state.pages.has(page) || stale.has(page)) void ask(page)
    },
    renew: () => {
      for (const page of state.pages.keys()) stale.add(page)
      for (const page of asking) stale.add(page)
      for (let page = sight[0]; page <= sight[1]; page++) if (!asking.has(page)) void ask(page)
    },
  }
}
