// Finds transfers that have no link yet: a search for a file must also find it while it waits, is held or has
// failed.
import { useEffect, useState } from 'react'
import type { Transfer, TransferState } from '../../src-shared/model.ts'
import { call } from '../state/client.ts'
import { useApp } from '../state/store.ts'
import { useDebounced } from './use-debounced.ts'

const OPEN: readonly TransferState[] = ['queued', 'uploading', 'waiting', 'unknown', 'held', 'failed']
/** Maximum length of a search, in characters, that the engine accepts. */
const SEARCH_MAX_LENGTH = 1000
const PAUSE_MS = 60

interface Found {
  readonly search: string
  readonly rows: readonly Transfer[]
}
const NOTHING: Found = { search: '', rows: [] }

/**
 * Returns the transfers without a link whose path contains the text, at most `limit`; null until they are
 * known. While the text is empty, returns none.
 */
export function useOpenTransfers(typed: string, limit: number): readonly Transfer[] | null {
  const [found, setFound] = useState(NOTHING)
  const search = useDebounced(typed.trim().slice(0, SEARCH_MAX_LENGTH), PAUSE_MS)
  // Read again when a transfer has changed its state.
  const counts = useApp((state) => Object.values(state.snapshot?.counts ?? {}).join(' '))
  useEffect(() => {
    if (search === '') {
      setFound(NOTHING)
      return undefined
    }
    let stopped = false
    void call('transfers', { folderId: null, states: [...OPEN], afterId: 0, limit, search }).then((got) => {
      if (!stopped) setFound({ search, rows: got.ok ? got.value : [] })
    })
    return () => {
      stopped = true
    }
  }, [search, limit, counts])
  const wanted = typed.trim().slice(0, SEARCH_MAX_LENGTH)
  if (wanted === '') return NOTHING.rows
  return found.search === wanted ? found.rows : null
}
