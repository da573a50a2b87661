// The filters above the list, and the catalog query for each: one by kind or downloads, and one by date. Both
// are combined with the search.

import { type DATE_FILTERS, FILES_FILTERS } from '../../../src-shared/choices.ts'
import type { ListQuery } from '../../../src-shared/window-contract.ts'
import { startOfDay } from './download-days.ts'

export const FILTERS = FILES_FILTERS
export type Filter = (typeof FILTERS)[number]

/** A span of local days, both included, as `YYYY-MM-DD`; empty at an open end. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

export interface DateFilter {
  readonly name: (typeof DATE_FILTERS)[number]
  /** Used while `name` is `range`. */
  readonly range: DayRange
}

export const ANY_TIME: DateFilter = { name: 'any', range: { from: '', to: '' } }

/** Days that `week` and `month` include before today. */
const DAYS_BACK = { today: 0, week: 6, month: 29 } as const

/** Returns the query fields of a filter. */
export function filtered(filter: Filter): Pick<ListQuery, 'kind' | 'unopened'> {
  const none = { kind: null, unopened: false }
  if (filter === 'all') return none
  return filter === 'unopened' ? { ...none, unopened: true } : { ...none, kind: filter }
}

/**
 * Returns the query fields of a date filter. They are starts of local days, so that the query stays the same
 * until midnight: with another query, the list is read again and its selection is cleared.
 */
export function dated({ name, range }: DateFilter, now: number): Pick<ListQuery, 'since' | 'until'> {
  if (name === 'any') return { since: null }
  if (name !== 'range') return { since: startOfDay(now, DAYS_BACK[name]) }
  const to = dayStart(range.to)
  return { since: dayStart(range.from), ...(to === null ? {} : { until: startOfDay(to, -1) }) }
}

/** Returns the start of a local day in epoch ms; null if the text is no date. */
function dayStart(day: string): number | null {
  const at = new Date(`${day}T00:00`).getTime()
  return Number.isFinite(at) ? at : null
}

/** Returns the local day as `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
