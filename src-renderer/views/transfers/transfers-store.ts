// What the transfers view remembers while another view is open: the search, and which groups are expanded.
// It is lost when the window closes.
import { createStore } from 'zustand/vanilla'
import { onAccountSwitch } from '../../state/account-switch.ts'

interface TransfersState {
  readonly search: string
  readonly isWaitingOpen: boolean
  readonly foldsOpen: ReadonlySet<string>
}

export const transfersStore = createStore<TransfersState>(() => ({ search: '', isWaitingOpen: false, foldsOpen: new Set() }))
onAccountSwitch(() => transfersStore.setState(transfersStore.getInitialState(), true))
