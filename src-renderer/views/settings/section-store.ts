// Which section of the settings is open, so that other parts of the window can open one: `chooseSection('folders'); go('settings')`.
// Closing the settings resets it to the account.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Section } from './settings-index.ts'

const FIRST: Section = 'account'
const store = createStore<{ readonly section: Section }>(() => ({ section: FIRST }))

export function useSection(): Section {
  return useStore(store, (state) => state.section)
}

/** Without an argument: the first section. */
export function chooseSection(section: Section = FIRST): void {
  store.setState({ section })
}
