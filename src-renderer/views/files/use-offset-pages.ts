// The pages of the present query, for the list. Until the first answer of a new query the old rows stay, so that no letter typed makes the list
// flash. When the catalog changes, what is in sight is read again.
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ListQuery } from '../../../src-shared/app.ts'
import { useApp } from '../../state/store.ts'
import { filesStore } from './files-store.ts'
import { createOffsetPages, type OffsetPages, type PagesState } from './offset-pages.ts'

/** A catalog that changes four times a second is read twice a second. */
const RENEW_EVERY_MS = 500

function isSameQuery(a: ListQuery, b: ListQuery): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export function useOffsetPages(query: ListQuery): { readonly pages: OffsetPages; readonly state: PagesState } {
  const wanted = useMemo(() => {
    const kept = filesStore.getState().pages
    return kept !== null && isSameQuery(kept.query, query) ? kept : createOffsetPages(query)
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
  const renewedAt = useRef(0)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        renewedAt.current = Date.now()
        shown.renew()
      },
      Math.max(0, renewedAt.current + RENEW_EVERY_MS - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [version, shown])

  return { pages: shown, state: useSyncExternalStore(shown.subscribe, shown.get) }
}
