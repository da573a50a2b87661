// Defines every event of a transfer and the state that follows. No other code decides a next state. Pure. The
// journal uses it for every state change (journal/state-writer.ts).
import type { FailedReason, HeldReason, WaitReason } from '../../../src-shared/model.ts'
import { ROW_STATES, type RowState } from './transfer-row.ts'

export type TransferEvent =
  /**
   * The transfer returns to the queue: nothing holds it any more, it wasn't sent after all, or it has to be
   * sent again.
   */
  | { readonly kind: 'requeued' }
  /** The transfer's wait is over. */
  | { readonly kind: 'woken' }
  /** The user requested a retry. */
  | { readonly kind: 'retried' }
  /** The user paused this transfer alone. */
  | { readonly kind: 'paused' }
  /** The user resumed this transfer. */
  | { readonly kind: 'resumed' }
  /** The user approved the transfer, so it is no longer held. */
  | { readonly kind: 'released' }
  /** The intent is recorded; the request goes out next. */
  | { readonly kind: 'sent' }
  /** The service sent a receipt, or the file was found on it. */
  | { readonly kind: 'confirmed' }
  /**
   * The request was sent, but it isn't known whether the file arrived. `until`: when it is looked up, in
   * epoch milliseconds.
   */
  | { readonly kind: 'answer-lost'; readonly message: string | null; readonly until: number | null }
  /** The process ended while the transfer was in flight. */
  | { readonly kind: 'interrupted' }
  /**
   * The transfer is retried automatically at `until` (epoch milliseconds) or, if that is null, when the
   * reason no longer applies.
   */
  | {
      readonly kind: 'deferred'
      readonly reason: WaitReason
      readonly message: string | null
      readonly until: number | null
    }
  /** The user has to decide. */
  | { readonly kind: 'held'; readonly reason: HeldReason; readonly message: string | null }
  /** A retry would have the same result. */
  | { readonly kind: 'failed'; readonly reason: FailedReason; readonly message: string | null }
  /** The transfer's file was deleted before it was uploaded. */
  | { readonly kind: 'vanished' }
  /**
   * The user cancelled or deleted the transfer, or stopped watching its folder; or a rule ignores its file,
   * or an upload of the same content from its path was deleted before.
   */
  | { readonly kind: 'cancelled'; readonly message?: string }
  /** The transfer's remote file is gone, and the local file has to be sent again. */
  | { readonly kind: 'orphaned' }

export interface Before {
  readonly state: RowState
  /** The user cancelled the transfer while it was in flight or unconfirmed. */
  readonly isCalledOff: boolean
  /** The user paused the transfer, so events that would queue it leave it waiting instead. */
  readonly isPaused: boolean
  /**
   * Link of the transfer's published file if that file can't be deleted because its ID isn't known; otherwise
   * null.
   */
  readonly leftLink: string | null
  /** The row is held because it isn't known whether its upload arrived. */
  readonly isUnproved: boolean
}

/** What is stored: the state, why, and until when (epoch milliseconds). */
export interface After {
  readonly state: RowState
  readonly reason: WaitReason | HeldReason | FailedReason | null
  readonly message: string | null
  readonly until: number | null
}

/** A late result never undoes a receipt, so it may change only these states. */
const NOT_DONE: readonly RowState[] = ROW_STATES.filter((state) => state !== 'done')
/**
 * A transfer that the user called off (see `isCalledOff`) becomes cancelled instead of entering any of these.
 */
export const MAY_GO_OUT: readonly RowState[] = ['queued', 'waiting', 'held', 'failed']

const PAUSED = { reason: 'paused', message: null, until: null } as const

const TABLE: Readonly<
  Record<TransferEvent['kind'], { readonly from: readonly RowState[]; readonly to: RowState }>
> = {
  requeued: { from: NOT_DONE, to: 'queued' },
  woken: { from: ['waiting'], to: 'queued' },
  retried: { from: ['waiting', 'failed'], to: 'queued' },
  paused: { from: ['queued', 'waiting'], to: 'waiting' },
  resumed: { from: ['waiting'], to: 'queued' },
  released: { from: ['held'], to: 'queued' },
  sent: { from: ['queued'], to: 'uploading' },
  confirmed: { from: ROW_STATES, to: 'done' },
  'answer-lost': { from: NOT_DONE, to: 'unknown' },
  interrupted: { from: ['uploading'], to: 'unknown' },
  deferred: { from: NOT_DONE, to: 'waiting' },
  held: { from: NOT_DONE, to: 'held' },
  failed: { from: NOT_DONE, to: 'failed' },
  vanished: { from: NOT_DONE, to: 'gone' },
  // Also from `done`: if a receipt arrives after the user has cancelled, it is recorded before the transfer
  // ends.
  cancelled: { from: ROW_STATES, to: 'cancelled' },
  orphaned: { from: ['done'], to: 'queued' },
}

/**
 * Returns what to store after `event`, or null if the event doesn't apply in this state and changes nothing.
 */
export function nextState(before: Before, event: TransferEvent): After | null {
  const { from, to } = TABLE[event.kind]
  if (!from.includes(before.state)) return null
  const isCalledOff = before.isCalledOff && MAY_GO_OUT.includes(to)
  // No other row stores this link, so the message of the ended transfer must name it.
  if (before.leftLink !== null && (isCalledOff || to === 'cancelled' || to === 'gone'))
    return { state: 'cancelled', reason: null, message: leftPublic(before.leftLink), until: null }
  // The file may have been published. The reason `ambiguous` records that, even if the local file was
  // deleted.
  if (before.isUnproved && to === 'gone')
    return { state: 'cancelled', reason: 'ambiguous', message: null, until: null }
  if (before.isUnproved && to === 'cancelled')
    return { state: 'cancelled', ...detailsOf(event), reason: 'ambiguous' }
  if (isCalledOff) return { state: 'cancelled', ...detailsOf(event) }
  if (before.isPaused && (to === 'queued' || to === 'waiting')) return { state: 'waiting', ...PAUSED }
  return { state: to, ...detailsOf(event) }
}

/** The message for a file that is published although its transfer isn't done. */
export function leftPublic(link: string): string {
  return `It is published as ${link}, and Slipway can't delete it: its ID isn't known. Delete it on the service.`
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
    case 'paused':
      return PAUSED
    case 'cancelled':
      return { reason: null, message: event.message ?? null, until: null }
    default:
      return { reason: null, message: null, until: null }
  }
}
