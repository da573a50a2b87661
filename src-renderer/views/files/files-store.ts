// What the files view remembers while another view is open: the rows with their query, the filter, the selection, and the link style in the
// details. It is lost when the window closes, but not when only its renderer is unloaded; sorting and filter are also saved in the
// settings.
import { createStore } from 'zustand/vanilla'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { clear, NOTHING_SELECTED, type RowSelection, selectedCount } from '../../lib/range-selection.ts'
import { onAccountSwitch } from '../../state/account-switch.ts'
import { keepInPlace } from '../../state/place.ts'
import type { Filter } from './filters.ts'
import { createOffsetPages, type OffsetPages } from './offset-pages.ts'

interface FilesState {
  readonly pages: OffsetPages | null
  /** Null until the view is opened for the first time. It then starts with the filter that is saved in the settings. */
  readonly filter: Filter | null
  readonly selection: RowSelection
  /** The link style in the details; null for the style from the settings. */
  readonly linkStyle: LinkStyle | null
}

export const filesStore = createStore<FilesState>(() => ({ pages: null, filter: null, selection: NOTHING_SELECTED, linkStyle: null }))
// Filter and link style are the user's choice and stay the same for all accounts.
onAccountSwitch(() => filesStore.setState({ pages: null, selection: NOTHING_SELECTED }))

keepInPlace('files', {
  take: () => {
    const { pages, filter, selection, linkStyle } = filesStore.getState()
    const rows = pages?.left(selection.ranges) ?? null
    // Drop the selection if the next renderer couldn't check whether the same rows are still at these indexes.
    const isSafe = rows !== null && (rows.isComplete || selectedCount(selection) === rows.total)
    return { query: pages?.query ?? null, rows, filter, selection: isSafe ? selection : clear(selection), linkStyle }
  },
  put: ({ query, rows, ...left }) =>
    filesStore.setState({ ...left, pages: query === null || rows === null ? null : createOffsetPages(query, rows) }),
})
