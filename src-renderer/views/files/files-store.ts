// What the files view remembers while another view is open, so that coming back finds the list as it was left: the rows with their query, the
// filter and the selection. It is gone when the window closes; how the list is sorted and filtered is kept in the settings as well.
import { createStore } from 'zustand/vanilla'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { NOTHING_SELECTED, type RowSelection } from '../../lib/range-selection.ts'
import { onAccountSwitch } from '../../state/account-switch.ts'
import type { Filter } from './filters.ts'
import type { OffsetPages } from './offset-pages.ts'

interface FilesState {
  readonly pages: OffsetPages | null
  /** Null: not set since the window opened. */
  readonly filter: Filter | null
  readonly selection: RowSelection
  /** The form of the link in the details. Null: the one of the settings. */
  readonly linkStyle: LinkStyle | null
}

export const filesStore = createStore<FilesState>(() => ({ pages: null, filter: null, selection: NOTHING_SELECTED, linkStyle: null }))
// How the list is filtered and shown is the user's, and stays.
onAccountSwitch(() => filesStore.setState({ pages: null, selection: NOTHING_SELECTED }))
