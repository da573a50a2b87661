// Remembers which section of the settings is open, even while another view is shown. Also holds the current
// search and whether the form for the API key is open. Other parts of the window open a section with
// `chooseSection('folders'); go('settings')`.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { SettingsPatch } from '../../../src-shared/settings.ts'
import { onAccountSwitch } from '../../state/account-switch.ts'
import { keepInPlace } from '../../state/saved-place.ts'
import { go } from '../../state/store.ts'
import type { RowId, Section } from './settings-index.ts'

const FIRST: Section = 'account'
/** Purpose of the API key form: replace the current account's key, or add an account. */
type KeyForm = 'replace' | 'add'
/** The row whose typed value was saved last, and the values before that. */
interface SavedRow {
  readonly id: RowId
  readonly before: SettingsPatch
}
const store = createStore<{
  readonly section: Section
  readonly query: string
  readonly keyForm: KeyForm | null
  readonly saved: SavedRow | null
}>(() => ({
  section: FIRST,
  query: '',
  keyForm: null,
  saved: null,
}))
onAccountSwitch(() => {
  // A new account begins with its files, wherever it was added.
  if (store.getState().keyForm === 'add') go('files')
  closeKeyForm()
  searchSettings('')
})
keepInPlace('settings', { take: store.getState, put: (left) => store.setState(left) })

export function useSection(): Section {
  return useStore(store, (state) => state.section)
}

/** Opens a section. Ends the search, whose results would hide it. */
export function chooseSection(section: Section): void {
  store.setState({ section, query: '', saved: null })
}

/** What the user searches for in the settings; empty if nothing. */
export function useSettingsQuery(): string {
  return useStore(store, (state) => state.query)
}

export function searchSettings(query: string): void {
  store.setState({ query, saved: null })
}

/** The values before this row's were saved; null if another row's were saved last, or none. */
export function useSavedBefore(id: RowId): SettingsPatch | null {
  return useStore(store, ({ saved }) => (saved?.id === id ? saved.before : null))
}

export function markSaved(saved: SavedRow | null): void {
  store.setState({ saved })
}

/**
 * Whether the API key form replaces the current account's key or adds an account; null while it is closed.
 * Re-renders when this changes.
 */
export function useKeyForm(): KeyForm | null {
  return useStore(store, (state) => state.keyForm)
}

/** Opens the API key form over the current view. */
export function openKeyForm(keyForm: KeyForm = 'replace'): void {
  store.setState({ keyForm })
}

export function closeKeyForm(): void {
  store.setState({ keyForm: null })
}
