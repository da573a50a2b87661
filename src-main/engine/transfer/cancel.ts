// Calls off a transfer that has not ended: what waits ends at once, what is on its way is broken off, and what arrives all the same is
// deleted by the propagator.
import type { Bus } from '../bus.ts'
import type { Database } from '../journal/open.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { Scheduler } from './scheduler.ts'

export interface CancelOptions {
  readonly db: Database
  readonly transfers: Transfers
  readonly scheduler: Pick<Scheduler, 'isActive' | 'abort'>
  readonly bus: Bus
}

/** False: it has ended already, or is not known. */
export function cancelTransfer({ db, transfers, scheduler, bus }: CancelOptions, id: number): boolean {
  const row = transfers.get(id)
  if (row === null || ['done', 'gone', 'cancelled'].includes(row.state)) return false
  db.tx(() => {
    transfers.setCancel(id)
    if (row.state !== 'uploading' && row.state !== 'unknown' && !scheduler.isActive(id)) transfers.transition(id, { kind: 'cancelled' })
  })
  scheduler.abort(id)
  bus.changed(id)
  return true
}
