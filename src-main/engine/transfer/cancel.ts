// Cancels a transfer that has not ended. One that is neither in flight nor unconfirmed ends at once; a request in flight is aborted. A file
// that arrives anyway is deleted once its receipt is recorded (receipts.ts).
import type { Bus } from '../bus.ts'
import type { Database } from '../journal/open.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { Scheduler } from './scheduler.ts'

export interface CancellationOptions {
  readonly db: Database
  readonly transfers: Transfers
  readonly scheduler: Pick<Scheduler, 'isActive' | 'abort'>
  readonly bus: Pick<Bus, 'changed'>
}

export class Cancellation {
  readonly #options: CancellationOptions

  constructor(options: CancellationOptions) {
    this.#options = options
  }

  /** Cancels a transfer that hasn't ended. Returns false if it has, or if it doesn't exist. */
  cancel(id: number): boolean {
    const { db, transfers, scheduler, bus } = this.#options
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
}
