// The search, filters and sort order of the list, which are restored when the view opens again.
// They are combined into the query for the engine.
import { useEffect, useMemo, useState } from 'react'
import type { ListQuery } from '../../../src-shared/app.ts'
import { useNow } from '../../hooks/use-now.ts'
import { appStore, keepPlace } from '../../state/store.ts'
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
  const query = useMemo<ListQuery>(
    () => ({ search: search.trim(), ...filtered(filter), ...dated(date, today), ...sort }),
    [search, filter, date, sort, today],
  )
  useEffect(() => filesStore.setState({ filter, date }), [filter, date])
  useEffect(() => keepPlace({ ...sort, filter }), [sort, filter])
  return {
    query,
    search,
    filter,
    date,
    setDate,
    setSearch,
    setFilter,
    setSort,
    toggleSort: (column) =>
      setSort((now) => ({
        sort: column,
        descending: now.sort === column ? !now.descending : column !== 'name',
      })),
    showAll: () => {
      setSearch('')
      setFilter('all')
      setDate(ANY_TIME)
    },
  }
}

/** Whether the query has a search or a filter. */
export function isFiltered({ search, kind, since, until, unopened }: ListQuery): boolean {
  return search !== '' || kind !== null || since !== null || until !== undefined || unopened
}
