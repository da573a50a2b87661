// Provides the list with the pages of the current query. The old rows stay until the first response to a new
// query, so that the list doesn't flash with each typed letter. When the catalog changes, the visible pages
// are read again.
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ListQuery } from '../../../src-shared/window-contract.ts'
import { useApp } from '../../state/store.ts'
import { filesStore } from './files-store.ts'
import { createOffsetPages, type OffsetPages, type PagesState } from './offset-pages.ts'

/** Minimum time between reads while the catalog keeps changing. */
const RENEW_EVERY_MS = 500

function isSameQuery(a: ListQuery, b: ListQuery): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/**
 * `isPending`: the rows still belong to an earlier query, because the first response to `query` hasn't
 * arrived yet.
 */
export function useOffsetPages(query: ListQuery): {
  readonly pages: OffsetPages
  readonly state: PagesState
  readonly isPending: boolean
} {
  const wanted = useMemo(() => {
    const kept = filesStore.getState().pages
    if (kept !== null && isSameQuery(kept.query, query)) return kept
    const fresh = createOffsetPages(query)
    // Request the first page before the view is laid out, so that the response can arrive during layout.
    fresh.want(0, 0)
    return fresh
  }, [query])
  const [shown, setShown] = useState(() => filesStore.getState().pages ?? wanted)
  useEffect(() => {
    if (wanted === shown) return undefined
    const showOnceAnswered = (): void => {
      if (!wanted.get().answered) return
      filesStore.setState({ pages: wanted })
      setShown(wanted)
    }
    const stop = wanted.subscribe(showOnceAnswered)
    wanted.want(0, 0)
    showOnceAnswered()
    return stop
  }, [wanted, shown])
  useEffect(() => filesStore.setState({ pages: shown }), [shown])

  const version = useApp((app) => app.catalogVersion)
  /** In monotonic ms: a pause measured by the clock would grow with a clock rollback. */
  const renewedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        renewedAt.current = performance.now()
        shown.renew()
      },
      Math.max(0, renewedAt.current + RENEW_EVERY_MS - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [version, shown])

  return {
    pages: shown,
    isPending: wanted !== shown,
    state: useSyncExternalStore(shown.subscribe, shown.get),
  }
}
