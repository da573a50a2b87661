// Asks the engine for what a search finds, while the text is being typed.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDebounced } from './use-debounced.ts'

/** Maximum length of a search, in characters, that the engine accepts. */
const SEARCH_MAX_LENGTH = 1000
/** Debounces the search. With a search for every letter, the results would flicker. */
const PAUSE_MS = 60

/**
 * Returns what `ask` finds for the current text. Returns null until it has arrived, so that Enter can't apply to
 * a result for an earlier text. While the text is empty, returns nothing. Asks again when `version` changes.
 */
export function useFound<T>(
  typed: string,
  ask: (search: string) => Promise<readonly T[]>,
  version = '',
): readonly T[] | null {
  const [found, setFound] = useState<{ readonly search: string; readonly rows: readonly T[] }>({
    search: '',
    rows: [],
  })
  const wanted = typed.trim().slice(0, SEARCH_MAX_LENGTH)
  const search = useDebounced(wanted, PAUSE_MS)
  const find = useEffectEvent(ask)
  useEffect(() => {
    let stopped = false
    if (search === '') setFound({ search, rows: [] })
    else
      void find(search).then((rows) => {
        if (!stopped) setFound({ search, rows })
      })
    return () => {
      stopped = true
    }
  }, [search, version])
  if (wanted === '') return []
  return found.search === wanted ? found.rows : null
}

/**
 * Returns what was found last while the next result is awaited, so that an answer doesn't blink with every key
 * press. Returns null before the first result, and while the text is empty.
 */
export function useLastFound<T>(typed: string, found: readonly T[] | null): readonly T[] | null {
  const last = useRef<readonly T[] | null>(null)
  last.current = typed.trim() === '' ? null : (found ?? last.current)
  return last.current
}
