// The search, filters and sort order of the list, which are restored when the view opens again.
// They are combined into the query for the engine.
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { Folder } from '../../../src-shared/model.ts'
import type { ListQuery } from '../../../src-shared/window-contract.ts'
import { useNow } from '../../hooks/use-now.ts'
import { folderFilter } from '../../state/folder-filter.ts'
import { appStore, keepPlace, useApp } from '../../state/store.ts'
import { startOfDay } from './download-days.ts'
import { filesStore } from './files-store.ts'
import { ANY_TIME, type DateFilter, dated, type Filter, filtered } from './filters.ts'

export type Sort = Pick<ListQuery, 'sort' | 'descending'>

const NEWEST_FIRST: Sort = { sort: 'date', descending: true }
const placeLeft = (): Sort & { readonly filter: Filter } =>
  appStore.getState().settings?.place ?? { ...NEWEST_FIRST, filter: 'all' }

export interface FilesQuery {
  readonly query: ListQuery
  readonly search: string
  readonly filter: Filter
  /** The folder whose files are shown; null for all files. */
  readonly folder: Folder | null
  readonly setSearch: (change: string | ((search: string) => string)) => void
  readonly setFilter: (filter: Filter) => void
  readonly date: DateFilter
  readonly setDate: (date: DateFilter) => void
  readonly setSort: (sort: Sort) => void
  /**
   * Sorts by the column: names ascending, other columns descending. Reverses the direction if the column is
   * already the sort column.
   */
  readonly toggleSort: (column: Sort['sort']) => void
  /** Searches all files. */
  readonly find: (search: string) => void
  readonly showAll: () => void
}

export function useFilesQuery(): FilesQuery {
  const [kept] = useState(() => filesStore.getState())
  const [search, setSearch] = useState(kept.pages?.query.search ?? '')
  const [filter, setFilter] = useState<Filter>(kept.filter ?? placeLeft().filter)
  const [date, setDate] = useState(kept.date)
  const [sort, setSort] = useState<Sort>(() => {
    const { sort: column, descending } = kept.pages?.query ?? placeLeft()
    return { sort: column, descending }
  })
  const today = startOfDay(useNow(30_000))
  const wanted = useStore(folderFilter, (state) => state.folderId)
  // A folder that is no longer watched can't be named.
  const folder = useApp((state) => state.snapshot?.folders.find((one) => one.id === wanted)) ?? null
  const folderId = folder?.id ?? null
  const query = useMemo<ListQuery>(
    () => ({ search: search.trim(), ...filtered(filter), ...dated(date, today), folderId, ...sort }),
    [search, filter, date, folderId, sort, today],
  )
  useEffect(() => filesStore.setState({ filter, date }), [filter, date])
  useEffect(() => keepPlace({ ...sort, filter }), [sort, filter])
  const find = (text: string): void => {
    setSearch(text)
    setFilter('all')
    setDate(ANY_TIME)
    folderFilter.setState({ folderId: null })
  }
  return {
    query,
    search,
    filter,
    date,
    setDate,
    folder,
    setSearch,
    setFilter,
    setSort,
    toggleSort: (column) =>
      setSort((now) => ({
        sort: column,
        descending: now.sort === column ? !now.descending : column !== 'name',
      })),
    find,
    showAll: () => find(''),
  }
}

/** Whether the query has a search or a filter. */
export function isFiltered({ search, kind, since, until, unopened, folderId }: ListQuery): boolean {
  return (
    search !== '' || kind !== null || since !== null || until !== undefined || unopened || folderId !== null
  )
}
