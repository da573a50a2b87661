// The table `transfers`, one row per version of a file: combines lookups, queue and writes. The code in send/ decides what each state
// means.
import type { Database } from './open.ts'
import { createTransferFields, type TransferFields } from './transfer-fields.ts'
import { createTransferLookup, type TransferLookup } from './transfer-lookup.ts'
import { createTransferQueue, type TransferQueue } from './transfer-queue.ts'
import { createTransferStates, type TransferStates } from './transfer-states.ts'

export type { Loss, TransferRow } from './transfer-row.ts'

export type Transfers = TransferLookup & TransferQueue & TransferStates & TransferFields

export function createTransfers(db: Database): Transfers {
  return {
    ...createTransferLookup(db),
    ...createTransferQueue(db),
    ...createTransferStates(db),
    ...createTransferFields(db),
  }
}
