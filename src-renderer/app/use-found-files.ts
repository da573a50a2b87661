// The newest files in the catalog that match the text typed in the palette.
// Searches the engine's catalog. The service isn't asked, because that would take a request at almost every letter.
import { useEffect, useState } from 'react'
import type { RemoteRow } from '../../src-shared/model.ts'
import { useDebounced } from '../hooks/use-debounced.ts'
import { call } from '../state/client.ts'

const FILES_MAX = 6
const SEARCH_MAX_LENGTH = 1000
/** How long typing must pause before a search, because results for every letter would flash by unread. */
const PAUSE_MS = 60
const NO_FILES: readonly RemoteRow[] = []

/** Returns no files while the field is empty. Earlier matches are kept until new ones arrive. */
export function useFoundFiles(typed: string): readonly RemoteRow[] {
  const [rows, setRows] = useState(NO_FILES)
  const search = useDebounced(typed.trim(), PAUSE_MS)
  useEffect(() => {
    setRows((rowsBefore) => (search === '' ? NO_FILES : rowsBefore))
    if (search === '') return undefined
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
      if (!stopped && got.ok) setRows(got.value.rows)
    })
    return () => {
      stopped = true
    }
  }, [search])
  return typed.trim() === '' ? NO_FILES : rows
}
