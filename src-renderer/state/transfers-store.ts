// Keeps the state of the transfers view while another view is open: the search, and which groups are
// expanded. The state is lost when the account changes or the window closes, but not when only the window's
// page is unloaded.
import { createStore } from 'zustand/vanilla'
import { onAccountSwitch } from './account-switch.ts'
import { keepInPlace } from './saved-place.ts'
import { go } from './store.ts'

interface TransfersState {
  readonly search: string
  readonly isWaitingOpen: boolean
  readonly foldsOpen: ReadonlySet<string>
}

export const transfersStore = createStore<TransfersState>(() => ({
  search: '',
  isWaitingOpen: false,
  foldsOpen: new Set(),
}))
keepInPlace('transfers', { take: transfersStore.getState, put: (left) => transfersStore.setState(left) })
onAccountSwitch(() => transfersStore.setState(transfersStore.getInitialState(), true))

/** Opens the transfers view with this search. */
export function showInTransfers(search: string): void {
  transfersStore.setState({ search })
  go('transfers')
}
