// Composes what finds out whether a file is on the service.
import { FileOpens } from '../send/file-opens.ts'
import type { Sender, Shared } from './adoption.ts'
import { Comparison } from './comparison.ts'
import { ServiceHabits } from './naming.ts'
import { ReceiptCheck } from './receipt-check.ts'
import { Reconciler } from './reconciler.ts'

export interface PresenceRoom {
  readonly opens: FileOpens
  readonly habits: ServiceHabits
  readonly receiptCheck: ReceiptCheck
  readonly compare: Comparison
  readonly reconciler: Reconciler
  /** Connects what carries out transfers. Until then, nothing is adopted. */
  attach(sender: Sender): void
}

/** `wireName`: returns the name to send for a name that may contain bytes that aren't valid UTF-8. */
export function createPresenceRoom(
  rooms: Omit<Shared, 'habits' | 'opens' | 'sender'>,
  wireName: (name: string) => string,
): PresenceRoom {
  const opens = new FileOpens({ ...rooms, ...rooms.ports })
  const habits = new ServiceHabits(rooms.remote.facts, wireName)
  const shared: Shared = { ...rooms, opens, habits, sender: null }
  const compare = new Comparison(shared)
  const reconciler = new Reconciler(shared)
  shared.identity.on('switched', () => {
    compare.reset()
    reconciler.reset()
  })
  return {
    opens,
    habits,
    receiptCheck: new ReceiptCheck(shared),
    compare,
    reconciler,
    attach: (sender) => {
      shared.sender = sender
    },
  }
}
