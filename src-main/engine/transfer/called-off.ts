// Ends a transfer that was cancelled while it was active, if its outcome leaves it in a state from which it would be sent later.
// Without this, a file that the user has cancelled could be uploaded after the account or the plan stops blocking it.
import type { Bus } from '../bus.ts'
import type { DiskTrouble } from '../journal/disk-trouble.ts'
import type { Transfers } from '../journal/transfers.ts'
import { MAY_GO_OUT } from './transitions.ts'

interface CalledOffParts {
  readonly transfers: Pick<Transfers, 'standing' | 'transition'>
  readonly bus: Pick<Bus, 'changed' | 'touched'>
  readonly disk: Pick<DiskTrouble, 'note'>
}

/** Ends a transfer that was cancelled while it was active, if its state is one of `MAY_GO_OUT`. Does nothing to other transfers. */
export function endCalledOff({ transfers, bus, disk }: CalledOffParts, id: number): void {
  const standing = transfers.standing(id)
  if (standing?.isCalledOff !== true || !MAY_GO_OUT.includes(standing.state)) return
  try {
    transfers.transition(id, { kind: 'cancelled' })
  } catch (error) {
    // If the disk fails here, the cancellation takes effect when the transfer is checked before it is sent (last-check.ts).
    if (!disk.note(error)) throw error
  }
  bus.changed(id)
  bus.touched()
}
