// The filters above the list, and the catalog query for each.
// Only one filter is active at a time. It is combined with the search.
import type { ListQuery } from '../../../src-shared/app.ts'
import { FILES_FILTERS } from '../../../src-shared/choices.ts'

export const FILTERS = FILES_FILTERS
export type Filter = (typeof FILTERS)[number]

const DAY = 86_400_000

/** The query fields of a filter. `since` (epoch ms) is rounded down to the hour, so that the query changes at most once an hour. */
export function filtered(filter: Filter, now: number): Pick<ListQuery, 'kind' | 'since' | 'unopened'> {
  const none = { kind: null, since: null, unopened: false }
  switch (filter) {
    case 'all':
      return none
    case 'week':
      return { ...none, since: Math.floor((now - 7 * DAY) / 3_600_000) * 3_600_000 }
    case 'unopened':
      return { ...none, unopened: true }
    default:
      return { ...none, kind: filter }
  }
}
