// What can be done with a transfer, in the order it is offered, and which of it has a button in the row. Pure; run-actions.ts does it.
// A new state has to be decided here first: the compiler insists.
import type { Transfer } from '../../../src-shared/model.ts'

export type Action =
  | 'copy'
  | 'open'
  | 'show'
  | 'send-first'
  | 'cancel'
  | 'retry'
  | 'ignore'
  | 'upload-anyway'
  | 'leave'
  | 'try-anyway'
  | 'upload-again'
  | 'look'

/** From this size on, cancelling a started upload asks first: it took seconds on a good connection. */
const LARGE_BYTES = 100_000_000
/** Cancelling more than this asks first, whatever they are. */
const MANY = 20

export function actionsOf(transfer: Transfer): readonly Action[] {
  switch (transfer.state) {
    case 'uploading':
    case 'settling':
      return ['cancel', 'show']
    case 'queued':
      return ['send-first', 'cancel', 'show']
    case 'waiting':
      return waitingActions(transfer.reason)
    case 'unknown':
      return ['cancel', 'show']
    case 'held':
      if (transfer.reason === 'too-big') return ['ignore', 'try-anyway', 'show']
      if (transfer.reason === 'ambiguous') return ['look', 'upload-again', 'ignore', 'show']
      return ['upload-anyway', 'leave', 'show']
    case 'failed':
      return ['retry', 'ignore', 'show']
    case 'done':
      return transfer.publicLink === null ? ['show'] : transfer.fileId === null ? ['copy', 'show'] : ['copy', 'open', 'show']
    case 'cancelled':
      return ['show']
    case 'gone':
      return []
    default:
      return transfer.state satisfies never
  }
}

/** What is in the queue can be moved to its front. What waits for a time of its own can be retried, and what waits for its file has to wait. */
function waitingActions(reason: Transfer['reason']): readonly Action[] {
  if (reason === 'backoff' || reason === 'storage-full' || reason === 'limit') return ['retry', 'cancel', 'show']
  if (reason === 'settling' || reason === 'folder-away' || reason === 'not-watched' || reason === 'checking') return ['cancel', 'show']
  return ['send-first', 'cancel', 'show']
}

export interface Buttons {
  /** With a button in the row itself. */
  readonly shown: readonly Action[]
  /** Behind one "Review" button: what should be thought about first. */
  readonly review: boolean
}

export function buttonsOf(transfer: Transfer): Buttons {
  const actions = actionsOf(transfer)
  if (transfer.state === 'held' && transfer.reason !== 'too-big') return { shown: [], review: true }
  const many = transfer.state === 'queued' || transfer.state === 'waiting'
  return { shown: actions.filter((one) => one !== 'show' && one !== 'open').slice(0, many ? 2 : 1), review: false }
}

/** What Enter does; `menu`: it opens the menu. Enter alone never throws work away or publishes something. */
export function mainAction(transfer: Transfer): Action | 'menu' | null {
  if (transfer.state === 'held') return 'menu'
  const first = actionsOf(transfer)[0] ?? null
  return first === 'cancel' ? 'show' : first
}

export function canCancel(transfer: Transfer): boolean {
  return !['done', 'gone', 'cancelled'].includes(transfer.state)
}

export function canGoFirst(transfer: Transfer): boolean {
  return actionsOf(transfer).includes('send-first')
}

export function hasLink(transfer: Transfer): boolean {
  return transfer.state === 'done' && transfer.publicLink !== null
}

/** True where cancelling would throw away much that took time. */
export function needsConfirm(transfers: readonly Transfer[]): boolean {
  return transfers.length > MANY || transfers.some((one) => one.state === 'uploading' && one.size >= LARGE_BYTES && one.sent > 0)
}
