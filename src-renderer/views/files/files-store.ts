// What the files view remembers while another view is open: the rows with their query, the filter and the selection. It is lost when the
// window closes, but sorting and filter are also saved in the settings.
import { createStore } from 'zustand/vanilla'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { NOTHING_SELECTED, type RowSelection } from '../../lib/range-selection.ts'
import { onAccountSwitch } from '../../state/account-switch.ts'
import type { Filter } from './filters.ts'
import type { OffsetPages } from './offset-pages.ts'

interface FilesState {
  readonly pages: OffsetPages | null
  /** Null if not set since the window opened. */
  readonly filter: Filter | null
  readonly selection: RowSelection
  /** The link style in the details; null for the style from the settings. */
  readonly linkStyle: LinkStyle | null
}

export const filesStore = createStore<FilesState>(() => ({ pages: null, filter: null, selection: NOTHING_SELECTED, linkStyle: null }))
// Filter and appearance are the user's choice and stay the same for all accounts.
onAccountSwitch(() => filesStore.setState({ pages: null, selection: NOTHING_SELECTED }))
