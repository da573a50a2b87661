// The actions of a transfer in the order in which they are offered, and which of them have a button in the
// row, with the confirmations for some of them. run-actions.ts makes the calls.
import { printable } from '../../../src-shared/format.ts'
import type { Reason, Transfer } from '../../../src-shared/model.ts'
import type { Question } from '../../lib/question.ts'
import type { Words } from '../../lib/words.ts'
import { appStore } from '../../state/store.ts'

export type Action =
  | 'copy'
  | 'open'
  | 'show'
  | 'send-first'
  | 'upload-now'
  | 'cancel'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'ignore'
  | 'upload-anyway'
  | 'decide'
  | 'leave'
  | 'try-anyway'
  | 'upload-again'
  | 'look'

/**
 * Cancelling or pausing a started upload of at least this size needs confirmation, because an interrupted
 * upload starts over.
 */
const LARGE_BYTES = 100_000_000
/** Cancelling more transfers than this needs confirmation. */
const MANY = 20

/** Returns all actions of a transfer, in the order of its menu. */
export function actionsOf(transfer: Transfer): readonly Action[] {
  switch (transfer.state) {
    case 'uploading':
      return ['pause', 'cancel', 'show']
    case 'settling':
      return ['cancel', 'show']
    case 'queued':
      return ['send-first', 'pause', 'cancel', 'show']
    case 'waiting':
      return waitingActions(transfer.reason)
    case 'unknown':
      return ['cancel', 'retry', 'show']
    case 'held':
      if (transfer.reason === 'too-big') return ['ignore', 'try-anyway', 'show']
      if (transfer.reason === 'ambiguous' || transfer.reason === 'unconfirmed')
        return ['look', 'upload-again', 'ignore', 'show']
      return transfer.reason === 'changed' ? ['decide', 'leave', 'show'] : ['upload-anyway', 'leave', 'show']
    case 'failed':
      return ['retry', 'ignore', 'show']
    case 'done':
      return transfer.publicLink === null
        ? ['show']
        : transfer.fileId === null
          ? ['copy', 'show']
          : ['copy', 'open', 'show']
    case 'cancelled':
      return ['show']
    case 'gone':
      return []
    default:
      return transfer.state satisfies never
  }
}

/**
 * While a transfer waits for one of these reasons, neither a retry nor moving it to the front has an effect.
 */
const HELPLESS: ReadonlySet<Reason> = new Set<Reason>([
  'settling',
  'folder-away',
  'drive-silent',
  'not-watched',
  'folder-paused',
  'checking',
  'comparing',
  'earlier-upload',
])

/**
 * Offers only actions that can have an effect. A retry helps if the transfer is in back-off, waits for
 * storage or for a limit, or its file keeps changing. While the transfer is paused or waits for one of the
 * reasons in `HELPLESS`, neither a retry nor moving it to the front has an effect. All other reasons hold
 * back every upload, so moving the transfer to the front helps, but a retry doesn't.
 */
function waitingActions(reason: Transfer['reason']): readonly Action[] {
  if (reason === 'paused') return ['resume', 'cancel', 'show']
  if (reason === 'grace') return ['upload-now', 'cancel', 'pause', 'show']
  if (reason === 'backoff' || reason === 'changing' || reason === 'storage-full' || reason === 'limit')
    return ['retry', 'pause', 'cancel', 'show']
  if (reason !== null && HELPLESS.has(reason)) return ['cancel', 'show']
  return ['send-first', 'pause', 'cancel', 'show']
}

/** The shell asks before it carries these out, and says why the file is held. */
const ASKING: ReadonlySet<Action> = new Set<Action>(['upload-anyway', 'decide'])

export interface Buttons {
  /** Actions with their own button in the row. */
  readonly shown: readonly Action[]
  /**
   * The row's single "Review" button, for actions that need a closer look first: the action whose system dialog
   * shows what it is about, or `menu`. Null if there is none.
   */
  readonly review: Action | 'menu' | null
}

/**
 * Returns the actions that have a button in the row, at most two. Only running uploads have a Pause button,
 * because pausing one frees bandwidth at once. For others, pausing is in the menu.
 */
export function buttonsOf(transfer: Transfer): Buttons {
  const actions = actionsOf(transfer)
  if (transfer.state === 'held' && transfer.reason !== 'too-big')
    return { shown: [], review: actions.find((one) => ASKING.has(one)) ?? 'menu' }
  if (transfer.state === 'uploading') return { shown: ['pause', 'cancel'], review: null }
  const many = transfer.state === 'queued' || transfer.state === 'waiting'
  return {
    shown: actions
      .filter((one) => one !== 'show' && one !== 'open' && one !== 'pause')
      .slice(0, many ? 2 : 1),
    review: null,
  }
}

/**
 * Returns what Enter does: an action, `menu` to open the menu, or null for nothing. Enter alone never
 * cancels, pauses or releases a file, nor ends the chance to cancel it.
 */
export function mainAction(transfer: Transfer): Action | 'menu' | null {
  if (transfer.state === 'held' || transfer.reason === 'grace') return 'menu'
  const first = actionsOf(transfer)[0] ?? null
  return first === 'cancel' || first === 'pause' ? 'show' : first
}

export function canCancel(transfer: Transfer): boolean {
  return !['done', 'gone', 'cancelled'].includes(transfer.state)
}

export function canGoFirst(transfer: Transfer): boolean {
  return actionsOf(transfer).includes('send-first')
}

export function canPause(transfer: Transfer): boolean {
  return actionsOf(transfer).includes('pause')
}

export function canResume(transfer: Transfer): boolean {
  return actionsOf(transfer).includes('resume')
}

export function hasLink(transfer: Transfer): boolean {
  return transfer.state === 'done' && transfer.publicLink !== null
}

/** Whether the transfer has no link yet, but may get one. */
export function mayGetLink(transfer: Transfer): boolean {
  const { state, ended } = transfer
  return !hasLink(transfer) && ended === undefined && state !== 'cancelled' && state !== 'gone'
}

/** Whether the transfer is held or has failed, so that it stays in this state until the user acts. */
export function isStopped({ state }: Transfer): boolean {
  return state === 'held' || state === 'failed'
}

/**
 * Whether the transfer is held although its file may be on the service, so that cancelling it may come too
 * late.
 */
function mayBePublic({ state, reason }: Transfer): boolean {
  return state === 'held' && (reason === 'unconfirmed' || reason === 'ambiguous')
}

/**
 * Whether cancelling these transfers needs confirmation, because there are many, much progress would be lost,
 * or a file may be public.
 */
export function needsConfirm(transfers: readonly Transfer[]): boolean {
  return transfers.length > MANY || startsOver(transfers) || transfers.some(mayBePublic)
}

/** Whether interrupting these transfers would discard much progress. An interrupted upload starts over. */
export function startsOver(transfers: readonly Transfer[]): boolean {
  return transfers.some((one) => one.state === 'uploading' && one.size >= LARGE_BYTES && one.sent > 0)
}

// The confirmations shown before transfers are cancelled or paused.

export function cancelQuestion(words: Words, open: readonly Transfer[], run: () => void): Question {
  const { t, f } = words
  const own = t.transfersView
  const [first] = open
  const sent = first === undefined ? 0 : (appStore.getState().live.get(first.id)?.sent ?? first.sent)
  return {
    title: own.confirmCancelTitle(open.length, f.count(open.length)),
    text: [
      open.length === 1 && first !== undefined
        ? own.confirmCancelSent(printable(first.name), f.bytes(sent), f.bytes(first.size))
        : own.confirmCancelMany(open.length, f.count(open.length)),
      ...publicText(words, open),
    ],
    confirm: own.confirmCancelGo(open.length),
    cancel: own.confirmCancelBack,
    run,
  }
}

/**
 * Like `cancelQuestion`, but for transfers that are held or have failed, for which no progress can be lost.
 */
export function leaveQuestion(words: Words, open: readonly Transfer[], run: () => void): Question {
  const { t, f } = words
  const own = t.transfersView
  return {
    title: own.confirmLeaveTitle(open.length, f.count(open.length)),
    text: [...publicText(words, open), own.confirmLeaveText(open.length)],
    confirm: own.actions.leave,
    cancel: t.cancel,
    run,
  }
}

export function pauseQuestion({ t, f }: Words, open: readonly Transfer[], run: () => void): Question {
  const own = t.transfersView
  return {
    title: own.confirmPauseTitle(open.length, f.count(open.length)),
    text: [own.confirmPauseText],
    confirm: t.pause,
    cancel: own.confirmCancelBack,
    run,
  }
}

/** Says how many of the files may already be public. Returns an empty list if there are none. */
function publicText({ t, f }: Words, open: readonly Transfer[]): readonly string[] {
  const count = open.filter(mayBePublic).length
  return count === 0 ? [] : [t.transfersView.confirmMayBePublic(count, f.count(count))]
}
