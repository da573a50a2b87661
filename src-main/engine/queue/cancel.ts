// Cancels transfers that have not ended. A transfer that is neither active nor unconfirmed ends at once. A
// request in flight is aborted. If the file arrives anyway, it is deleted once its receipt is recorded
// (receipts.ts) or the reconciler has found it.
import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { AccountState } from '../budget/account-state.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import type { Database } from '../journal/database.ts'
import type { Remote } from '../journal/remote-list.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import { mayHaveArrived } from '../remote/delete-request.ts'
import { sleep } from '../sleep.ts'
import type { Bus } from '../tell/bus.ts'
import { isLeftPublic } from '../tell/views.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * How long a command waits for the outcome. Proof that a file didn't arrive usually takes about five seconds.
 */
const CONFIRM_MS = 20_000
const STEP_MS = 100
const LATER_HINT =
  'Slipway goes on looking with the app, `slipway watch` or `upload`, or the same command again.'

export interface CancellationOptions {
  readonly ports: Pick<Ports, 'clock'>
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Pick<Remote, 'isRemoval'>
  readonly account: Pick<AccountState, 'isBlocked' | 'outageUntil'>
  readonly scheduler: Pick<Scheduler, 'isActive' | 'abort' | 'lookUp'>
  readonly bus: Pick<Bus, 'changed'>
  readonly identity: Pick<IdentityKeeper, 'explain'>
  readonly stop: AbortSignal
}

/**
 * Uploads that may still be public. `failure`: why their outcome is unknown or their files aren't deleted
 * yet.
 */
export interface OpenUploads {
  readonly ids: ReadonlySet<number>
  readonly failure: Failure
}

export class Cancellation {
  readonly #options: CancellationOptions

  constructor(options: CancellationOptions) {
    this.#options = options
  }

  /** Cancels a transfer. Returns false if it has already ended, or doesn't exist. */
  cancel(id: number): boolean {
    const { db, transfers, scheduler, bus } = this.#options
    const row = transfers.get(id)
    if (row === null || ['done', 'gone', 'cancelled'].includes(row.state)) return false
    db.tx(() => {
      transfers.setCancel(id, true)
      if (row.state !== 'uploading' && row.state !== 'unknown' && !scheduler.isActive(id))
        transfers.transition(id, { kind: 'cancelled' })
    })
    scheduler.abort(id)
    bus.changed(id)
    return true
  }

  /**
   * Whether this upload may be on the service: it is being prepared or sent, its outcome is unknown, it has
   * left a file published and isn't cancelled yet, or it is cancelled and the deletion of its file is queued.
   */
  mayBeStored(id: number): boolean {
    const { transfers, remote, scheduler } = this.#options
    const row = transfers.get(id)
    if (row === null) return false
    if (mayHaveArrived(row) || (row.state !== 'cancelled' && isLeftPublic(row)) || scheduler.isActive(id))
      return true
    return row.state === 'cancelled' && row.fileId !== null && remote.isRemoval(row.fileId)
  }

  /**
   * Waits until none of these cancelled uploads is left on the service, but no longer than `CONFIRM_MS`.
   * Meanwhile, they are looked up and deleted, even in an engine that sends nothing else. Returns the uploads
   * that are still open; null if there are none. Returns early if the engine closes, the account is blocked,
   * or the service can't be reached.
   */
  async confirm(ids: readonly number[]): Promise<OpenUploads | null> {
    const { ports, account, scheduler, identity, stop } = this.#options
    const { clock } = ports
    let open = ids.filter((id) => this.mayBeStored(id))
    if (open.length === 0) return null
    const end = clock.mono() + CONFIRM_MS
    const endLookup = scheduler.lookUp()
    try {
      for (;;) {
        open = open.filter((id) => this.mayBeStored(id))
        if (open.length === 0) return null
        const rest = new Set(open)
        const failure = (found: Failure): OpenUploads => ({ ids: rest, failure: found })
        if (stop.aborted) return failure(identity.explain({ kind: 'aborted' }))
        if (account.isBlocked()) return failure(identity.explain({ kind: 'blocked' }))
        if (account.outageUntil() !== null)
          return failure({ code: 'no-connection', title: "The service can't be reached.", hint: LATER_HINT })
        if (clock.mono() >= end)
          return failure({
            code: 'waits',
            title: "The service doesn't show yet whether the upload arrived.",
            hint: LATER_HINT,
          })
        await sleep(clock, STEP_MS, stop)
      }
    } finally {
      endLookup()
    }
  }
}
