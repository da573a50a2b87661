// The watched folder whose files the list shows, which can be chosen in the sidebar and in the palette. It is
// lost when the account changes or the window closes, but not when only the window's page is unloaded.
import { createStore } from 'zustand/vanilla'
import { onAccountSwitch } from './account-switch.ts'
import { keepInPlace } from './saved-place.ts'
import { go } from './store.ts'

interface FolderFilter {
  /** Null while the files of all folders are shown. */
  readonly folderId: number | null
}

export const folderFilter = createStore<FolderFilter>(() => ({ folderId: null }))
keepInPlace('folder filter', { take: folderFilter.getState, put: (left) => folderFilter.setState(left) })
onAccountSwitch(() => folderFilter.setState({ folderId: null }))

/** Shows only the files of this folder, or all files if it is null. */
export function showFolder(folderId: number | null): void {
  folderFilter.setState({ folderId })
  go('files')
}
