// Which section of the settings is open, so that other parts of the window can open one: `chooseSection('folders'); go('settings')`.
// It stays while another view is open.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { onAccountSwitch } from '../../state/account-switch.ts'
import type { Section } from './settings-index.ts'

const FIRST: Section = 'account'
/** The form for a key: of the account in the window, or of one to add. */
type KeyForm = 'replace' | 'add'
const store = createStore<{ readonly section: Section; readonly keyForm: KeyForm | null }>(() => ({ section: FIRST, keyForm: null }))
onAccountSwitch(closeKeyForm)

export function useSection(): Section {
  return useStore(store, (state) => state.section)
}

export function chooseSection(section: Section): void {
  store.setState({ section })
}

/** Null: closed. */
export function useKeyForm(): KeyForm | null {
  return useStore(store, (state) => state.keyForm)
}

/** Opens the form for an API key, in the account section; the settings must be open, or be opened, to show it. */
export function openKeyForm(keyForm: KeyForm = 'replace'): void {
  store.setState({ section: FIRST, keyForm })
}

export function closeKeyForm(): void {
  store.setState({ keyForm: null })
}
