// Keeps the state of the files view while another view is open: the rows with their query, the filters, the
// selection, and the link style in the details. The state is lost when the window closes, but not when only
// its renderer is unloaded; sorting and filter are also saved in the settings.
import { createStore } from 'zustand/vanilla'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { onAccountSwitch } from '../../state/account-switch.ts'
import { keepInPlace } from '../../state/saved-place.ts'
import { type FileSelection, followed, NO_FILES_SELECTED, type SelectionChange } from './file-selection.ts'
import { ANY_TIME, type DateFilter, type Filter } from './filters.ts'
import { createOffsetPages, type OffsetPages } from './offset-pages.ts'

interface FilesState {
  readonly pages: OffsetPages | null
  /**
   * Null until the view is opened for the first time. It then starts with the filter that is saved in the
   * settings.
   */
  readonly filter: Filter | null
  readonly date: DateFilter
  /** The selection among the rows of `pages`. */
  readonly selection: FileSelection
  /** The link style in the details; null for the style from the settings. */
  readonly linkStyle: LinkStyle | null
}

export const filesStore = createStore<FilesState>(() => ({
  pages: null,
  filter: null,
  date: ANY_TIME,
  selection: NO_FILES_SELECTED,
  linkStyle: null,
}))

/** Changes what is selected in the list that is shown. */
export function selectRows(change: SelectionChange): void {
  filesStore.setState(({ pages, selection }) =>
    pages === null ? {} : { selection: change(selection, pages.get()) },
  )
}

// The store itself moves the selection with its rows, because responses may also arrive while another view is
// open.
let stopFollowing = (): void => undefined
filesStore.subscribe(({ pages }, before) => {
  if (pages === before.pages) return
  stopFollowing()
  stopFollowing =
    pages?.subscribe((now, was) =>
      filesStore.setState(({ selection }) => ({ selection: followed(selection, was, now) })),
    ) ?? (() => undefined)
  // The selection doesn't apply to the rows of another query.
  if (before.pages !== null) filesStore.setState({ selection: NO_FILES_SELECTED })
})

// Filter and link style are the user's choice and stay the same for all accounts.
onAccountSwitch(() => filesStore.setState({ pages: null, selection: NO_FILES_SELECTED }))

keepInPlace('files', {
  take: () => {
    const { pages, filter, date, selection, linkStyle } = filesStore.getState()
    return {
      query: pages?.query ?? null,
      rows: pages?.left(selection.ranges) ?? null,
      filter,
      date,
      selection,
      linkStyle,
    }
  },
  // The selection contains IDs or the revision of the list, so that it stays correct in the next renderer
  // even if rows have moved.
  put: ({ query, rows, ...left }) =>
    filesStore.setState({
      ...left,
      pages: query === null || rows === null ? null : createOffsetPages(query, rows),
    }),
})
