// The filters above the list, and the catalog query for each.
// Only one filter is active at a time. It is combined with the search.
import type { ListQuery } from '../../../src-shared/app.ts'
import { FILES_FILTERS } from '../../../src-shared/choices.ts'
import { startOfDay } from './download-days.ts'

export const FILTERS = FILES_FILTERS
export type Filter = (typeof FILTERS)[number]

/**
 * Returns the query fields of a filter. A week begins seven days before the current local day, so that the
 * query stays the same until midnight: with another query, the list is read again and its selection is
 * cleared.
 */
export function filtered(filter: Filter, now: number): Pick<ListQuery, 'kind' | 'since' | 'unopened'> {
  const none = { kind: null, since: null, unopened: false }
  switch (filter) {
    case 'all':
      return none
    case 'week':
      return { ...none, since: startOfDay(now, 7) }
    case 'unopened':
      return { ...none, unopened: true }
    default:
      return { ...none, kind: filter }
  }
}
