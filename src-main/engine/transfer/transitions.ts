// What may happen to a transfer, and the state that it has afterwards: the only place that decides a next state. Pure. The journal asks it at
// every write (journal/transfer-states.ts), so a state that is not in this table can't be stored.
import type { FailedReason, HeldReason, TransferState, WaitReason } from '../../../src-shared/model.ts'

/** States that the journal stores; `settling` is a file that is no transfer yet. */
type State = Exclude<TransferState, 'settling'>

export type TransferEvent =
  /** It may go out: nothing holds it any more, or it was not sent after all. */
  | { readonly kind: 'requeued' }
  /** The time that it waited for has come. */
  | { readonly kind: 'woken' }
  /** A person asks for another try. */
  | { readonly kind: 'retried' }
  /** A person lets it go although it was held. */
  | { readonly kind: 'released' }
  /** Its intent is written down; the request goes out next. */
  | { readonly kind: 'sent' }
  /** The service's receipt is here, or the file was found there. */
  | { readonly kind: 'confirmed' }
  /** Sent, and whether it arrived is not known. `until`: when it is looked up, epoch milliseconds. */
  | { readonly kind: 'answer-lost'; readonly message: string | null; readonly until: number | null }
  /** The process ended while it was on its way. */
  | { readonly kind: 'interrupted' }
  /** Tried again by itself at `until`, epoch milliseconds; null: once what it waits for is over. */
  | { readonly kind: 'deferred'; readonly reason: WaitReason; readonly message: string | null; readonly until: number | null }
  /** A person has to decide. */
  | { readonly kind: 'held'; readonly reason: HeldReason; readonly message: string | null }
  /** No other try of the same would end differently. */
  | { readonly kind: 'failed'; readonly reason: FailedReason; readonly message: string | null }
  /** Its file was deleted before it was uploaded. */
  | { readonly kind: 'vanished' }
  /** A person called it off, ended watching its folder, or deleted it; or a rule leaves it out. */
  | { readonly kind: 'cancelled'; readonly message?: string }
  /** The remote file that it was answered with is gone, and it has to be sent again. */
  | { readonly kind: 'orphaned' }

export interface Before {
  readonly state: State
  /** A person called it off while it was on its way. */
  readonly isCalledOff: boolean
}

/** What is stored: the state, why, and until when (epoch milliseconds). */
export interface After {
  readonly state: State
  readonly reason: WaitReason | HeldReason | FailedReason | null
  readonly message: string | null
  readonly until: number | null
}

const ALL: readonly State[] = ['queued', 'uploading', 'waiting', 'held', 'unknown', 'failed', 'cancelled', 'gone', 'done']
/** A receipt is never undone by an answer that comes late. */
const NOT_DONE: readonly State[] = ALL.filter((state) => state !== 'done')
/** What a person called off does not come back to one of these. */
const MAY_GO_OUT: readonly State[] = ['queued', 'waiting', 'held', 'failed']

const TABLE: Readonly<Record<TransferEvent['kind'], { readonly from: readonly State[]; readonly to: State }>> = {
  requeued: { from: NOT_DONE, to: 'queued' },
  woken: { from: ['waiting'], to: 'queued' },
  retried: { from: ['waiting', 'failed'], to: 'queued' },
  released: { from: ['held'], to: 'queued' },
  sent: { from: ALL, to: 'uploading' },
  confirmed: { from: ALL, to: 'done' },
  'answer-lost': { from: NOT_DONE, to: 'unknown' },
  interrupted: { from: ['uploading'], to: 'unknown' },
  deferred: { from: NOT_DONE, to: 'waiting' },
  held: { from: NOT_DONE, to: 'held' },
  failed: { from: NOT_DONE, to: 'failed' },
  vanished: { from: NOT_DONE, to: 'gone' },
  // A receipt that came after all stays a row: its file is deleted by the propagator.
  cancelled: { from: ALL, to: 'cancelled' },
  orphaned: { from: ['done'], to: 'queued' },
}

/** null: nothing changes, since this can't happen to a transfer in that state. */
export function nextState(before: Before, event: TransferEvent): After | null {
  const { from, to } = TABLE[event.kind]
  if (!from.includes(before.state)) return null
  const state = before.isCalledOff && MAY_GO_OUT.includes(to) ? 'cancelled' : to
  return { state, ...detailsOf(event) }
}

function detailsOf(event: TransferEvent): Omit<After, 'state'> {
  switch (event.kind) {
    case 'deferred':
      return { reason: event.reason, message: event.message, until: event.until }
    case 'held':
    case 'failed':
      return { reason: event.reason, message: event.message, until: null }
    case 'answer-lost':
      return { reason: 'checking', message: event.message, until: event.until }
    case 'interrupted':
      return { reason: 'checking', message: null, until: null }
    case 'vanished':
      return { reason: 'missing', message: 'The file was deleted before it was uploaded.', until: null }
    case 'cancelled':
      return { reason: null, message: event.message ?? null, until: null }
    default:
      return { reason: null, message: null, until: null }
  }
}
