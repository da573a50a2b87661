// Finds the newest files that match the text typed in the palette. Searches the engine's catalog rather than the service, which would need
// a request for almost every letter typed.
import { useEffect, useState } from 'react'
import type { RemoteRow } from '../../src-shared/model.ts'
import { useDebounced } from '../hooks/use-debounced.ts'
import { call } from '../state/client.ts'

const FILES_MAX = 6
const SEARCH_MAX_LENGTH = 1000
/** Debounces the search. With a search for every letter, the results would flicker. */
const PAUSE_MS = 60

interface Found {
  readonly search: string
  readonly rows: readonly RemoteRow[]
}
const NOTHING: Found = { search: '', rows: [] }

/**
 * Returns the files found for the current text. Returns null until they have arrived, so that Enter can't apply to a result for an earlier
 * text. While the field is empty, returns no files.
 */
export function useFoundFiles(typed: string): readonly RemoteRow[] | null {
  const [found, setFound] = useState(NOTHING)
  const search = useDebounced(typed.trim(), PAUSE_MS)
  useEffect(() => {
    if (search === '') {
      setFound(NOTHING)
      return undefined
    }
    let stopped = false
    const input = {
      search: search.slice(0, SEARCH_MAX_LENGTH),
      sort: 'date',
      descending: true,
      offset: 0,
      limit: FILES_MAX,
      fresh: 'cache',
    } as const
    void call('catalog', input).then((got) => {
      if (!stopped) setFound({ search, rows: got.ok ? got.value.rows : [] })
    })
    return () => {
      stopped = true
    }
  }, [search])
  const wanted = typed.trim()
  if (wanted === '') return NOTHING.rows
  return found.search === wanted ? found.rows : null
}
