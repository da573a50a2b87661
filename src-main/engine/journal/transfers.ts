// The table `transfers`, one row a version of a file: lookups, the queue, and its writes brought together.
// Only rows and queries; what a state means is decided in transfer/.
import type { Database } from './open.ts'
import { createTransferFields, type TransferFields } from './transfer-fields.ts'
import { createTransferLookup, type TransferLookup } from './transfer-lookup.ts'
import { createTransferQueue, type TransferQueue, type UnknownHint } from './transfer-queue.ts'
import { createTransferStates, type TransferStates } from './transfer-states.ts'

export type { Loss, TransferRow } from './transfer-row.ts'

export type Transfers = TransferLookup & TransferQueue & TransferStates & TransferFields

export function createTransfers(db: Database): Transfers {
  const hint: UnknownHint = { mayExist: true }
  return {
    ...createTransferLookup(db),
    ...createTransferQueue(db, hint),
    ...createTransferStates(db, hint),
    ...createTransferFields(db),
  }
}
