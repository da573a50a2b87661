// The data of the usage view: the service's figures, this computer's history, and the number of held files
// over the size limit. Old data is kept while newer data loads, or if loading fails. It also outlives the
// view, so that figures appear at once when the view is reopened.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { History, StatsView } from '../../../src-shared/model.ts'
import { onAccountSwitch } from '../../state/account-switch.ts'
import { call } from '../../state/client.ts'

interface UsageData {
  readonly stats: StatsView | null
  readonly statsFailure: Failure | null
  readonly refreshing: boolean
  readonly history: History | null
  readonly historyFailure: Failure | null
  /**
   * The number of held files that exceed the plan's file size limit. `more`: the real number may be higher.
   * Null if not counted yet.
   */
  readonly over: { readonly count: number; readonly more: boolean } | null
}

const store = createStore<UsageData>(() => ({
  stats: null,
  statsFailure: null,
  refreshing: false,
  history: null,
  historyFailure: null,
  over: null,
}))
onAccountSwitch(() => store.setState(store.getInitialState(), true))

export function useUsage<T>(select: (data: UsageData) => T): T {
  return useStore(store, select)
}

/**
 * Reads `/stats`, which uses one of the plan's requests. If that fails, stores the failure and keeps the last
 * result.
 */
export async function loadStats(): Promise<void> {
  if (store.getState().refreshing) return
  store.setState({ refreshing: true })
  const got = await call('stats', {})
  store.setState(
    got.ok
      ? { stats: got.value, statsFailure: null, refreshing: false }
      : { statsFailure: got.failure, refreshing: false },
  )
}

/** Like `loadStats`, if that failed the last time. Call when the cause is over. */
export async function reloadFailedStats(): Promise<void> {
  if (store.getState().statsFailure !== null) await loadStats()
}

/**
 * Reads the history of this computer, without a request to the service. If that fails, stores the failure and
 * keeps the last result.
 */
export async function loadHistory(): Promise<void> {
  const got = await call('history', {})
  store.setState(got.ok ? { history: got.value, historyFailure: null } : { historyFailure: got.failure })
}

const PAGE = 500
const PAGES_MOST = 4
/**
 * Incremented with each call of `loadOver`, so that a slow earlier call doesn't replace the result of a later
 * one.
 */
let counts = 0

/**
 * Counts the files over the size limit among the first 2,000 held files, page by page. If more are held, the
 * exact number doesn't matter. If a call fails, the last count stays.
 */
export async function loadOver(held: number): Promise<void> {
  const mine = ++counts
  if (held === 0) {
    store.setState({ over: { count: 0, more: false } })
    return
  }
  let count = 0
  let afterId = 0
  for (let page = 0; page < PAGES_MOST; page++) {
    const got = await call('transfers', { folderId: null, states: ['held'], afterId, limit: PAGE })
    if (!got.ok || mine !== counts) return
    count += got.value.filter((one) => one.reason === 'too-big').length
    const last = got.value.at(-1)
    if (last === undefined || got.value.length < PAGE) {
      store.setState({ over: { count, more: false } })
      return
    }
    afterId = last.id
  }
  store.setState({ over: { count, more: count > 0 } })
}
