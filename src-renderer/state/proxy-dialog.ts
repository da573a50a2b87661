// Whether the proxy settings are open in a separate dialog, on top of the form of a connection that failed.
// The dialog itself is in app/proxy-dialog.tsx.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const store = createStore<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

export function useProxyDialog(): boolean {
  return useStore(store, (state) => state.isOpen)
}

export function openProxyDialog(): void {
  store.setState({ isOpen: true })
}

export function closeProxyDialog(): void {
  store.setState({ isOpen: false })
}
