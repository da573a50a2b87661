// The current section of the settings, so that other parts of the window can open a section: `chooseSection('folders'); go('settings')`.
// It is kept while another view is open.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { onAccountSwitch } from '../../state/account-switch.ts'
import { keepInPlace } from '../../state/place.ts'
import type { Section } from './settings-index.ts'

const FIRST: Section = 'account'
/** What the form for a key does: replace the current account's key, or add an account. */
type KeyForm = 'replace' | 'add'
const store = createStore<{ readonly section: Section; readonly keyForm: KeyForm | null }>(() => ({ section: FIRST, keyForm: null }))
onAccountSwitch(closeKeyForm)
keepInPlace('settings', { take: store.getState, put: (left) => store.setState(left) })

export function useSection(): Section {
  return useStore(store, (state) => state.section)
}

export function chooseSection(section: Section): void {
  store.setState({ section })
}

/** Returns what the form for a key does; null while it is closed. */
export function useKeyForm(): KeyForm | null {
  return useStore(store, (state) => state.keyForm)
}

/** Opens the form for an API key in the account section. It becomes visible once the settings view is open. */
export function openKeyForm(keyForm: KeyForm = 'replace'): void {
  store.setState({ section: FIRST, keyForm })
}

export function closeKeyForm(): void {
  store.setState({ keyForm: null })
}
