// What the files view remembers while another view is open, so that coming back finds the list as it was left: the rows with their query, the
// filter and the selection. It is gone when the window closes.
import { createStore } from 'zustand/vanilla'
import { NOTHING_SELECTED, type RowSelection } from '../../lib/range-selection.ts'
import type { Filter } from './filters.ts'
import type { OffsetPages } from './offset-pages.ts'

interface FilesState {
  readonly pages: OffsetPages | null
  readonly filter: Filter
  readonly selection: RowSelection
}

export const filesStore = createStore<FilesState>(() => ({ pages: null, filter: 'all', selection: NOTHING_SELECTED }))
