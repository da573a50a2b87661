// What the transfers view remembers while another view is open: the search, and which groups are expanded.
// It is lost when the account changes or the window closes, but not when only its page is unloaded.
import { createStore } from 'zustand/vanilla'
import { onAccountSwitch } from '../../state/account-switch.ts'
import { keepInPlace } from '../../state/place.ts'

interface TransfersState {
  readonly search: string
  readonly isWaitingOpen: boolean
  readonly foldsOpen: ReadonlySet<string>
}

export const transfersStore = createStore<TransfersState>(() => ({ search: '', isWaitingOpen: false, foldsOpen: new Set() }))
keepInPlace('transfers', { take: transfersStore.getState, put: (left) => transfersStore.setState(left) })
onAccountSwitch(() => transfersStore.setState(transfersStore.getInitialState(), true))
