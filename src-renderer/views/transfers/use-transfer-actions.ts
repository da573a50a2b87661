// Carries out the user's actions on transfers, after a confirmation if an action needs one.
// transfer-actions.ts decides which actions a transfer has, and builds the confirmations. run-actions.ts
// makes the calls and handles failures.
import { useState } from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { Question } from '../../lib/question.ts'
import { notify, notifyMissing, notifyNothingSelected } from '../../state/notices.ts'
import { go } from '../../state/store.ts'
import { actOn, ask, cancelTransfers, copyLinksOf, release, tellTooLate } from './run-actions.ts'
import {
  type Action,
  canCancel,
  cancelQuestion,
  canGoFirst,
  canPause,
  canResume,
  isStopped,
  leaveQuestion,
  needsConfirm,
  pauseQuestion,
  startsOver,
} from './transfer-actions.ts'

export interface TransferActions {
  readonly act: (action: Action, transfers: readonly Transfer[]) => void
  readonly cancel: (transfers: readonly Transfer[]) => void
  /**
   * Copies the links. A notice shows their number; a single link is confirmed in its row instead. If `style`
   * is null, uses the style from the settings.
   */
  readonly copy: (transfers: readonly Transfer[], style: LinkStyle | null) => Promise<void>
  readonly pause: (transfers: readonly Transfer[]) => void
  readonly resume: (transfers: readonly Transfer[]) => void
  readonly sendFirst: (transfers: readonly Transfer[]) => Promise<void>
  /** IDs of the transfers that were moved to the front since the view was opened. */
  readonly movedFirst: ReadonlySet<number>
  readonly question: Question | null
  readonly closeQuestion: () => void
}

/**
 * Returns the actions and the open confirmation, if any. `clearSelection` is called when `cancel` starts to
 * cancel transfers.
 */
export function useTransferActions(clearSelection: () => void): TransferActions {
  const words = useLanguage()
  const [question, setQuestion] = useState<Question | null>(null)
  const [movedFirst, setMovedFirst] = useState<ReadonlySet<number>>(new Set())

  const cancel = (transfers: readonly Transfer[]): void => {
    if (transfers.length === 0) return notifyNothingSelected(words)
    const open = transfers.filter(canCancel)
    if (open.length === 0) {
      // The links of deleted and replaced files no longer work.
      const done = transfers.filter((one) => one.state === 'done' && one.ended === undefined).length
      if (done > 0) return tellTooLate(words, done)
      const { nothingToCancel: title, nothingToCancelHint: hint } = words.t.transfersView
      return notify({ topic: 'selection', level: 'info', title, hint })
    }
    const run = (): void => {
      clearSelection()
      void cancelTransfers(words, idsOf(open))
    }
    if (needsConfirm(open))
      setQuestion((open.every(isStopped) ? leaveQuestion : cancelQuestion)(words, open, run))
    else run()
  }
  /** Cancels transfers that are held or have failed. */
  const leave = (transfers: readonly Transfer[]): void => {
    const run = (): void => void cancelTransfers(words, idsOf(transfers))
    if (needsConfirm(transfers)) setQuestion(leaveQuestion(words, transfers, run))
    else run()
  }
  const pause = (transfers: readonly Transfer[]): void => {
    const open = transfers.filter(canPause)
    if (open.length === 0) return
    const run = (): void => void actOn(words, 'pauseFiles', idsOf(open))
    if (startsOver(open)) setQuestion(pauseQuestion(words, open, run))
    else run()
  }
  const resume = (transfers: readonly Transfer[]): void => {
    const ids = idsOf(transfers.filter(canResume))
    if (ids.length > 0) void actOn(words, 'resumeFiles', ids)
  }
  const sendFirst = async (transfers: readonly Transfer[]): Promise<void> => {
    const ids = idsOf(transfers.filter(canGoFirst))
    if (ids.length === 0) return
    const count = await actOn(words, 'sendNext', ids)
    if (count === 0) notify({ level: 'info', title: words.t.transfersView.notFirst, hint: null })
    else if (count !== null) setMovedFirst((had) => new Set([...had, ...ids]))
  }
  const copy = async (transfers: readonly Transfer[], style: LinkStyle | null): Promise<void> => {
    if (transfers.length === 0) return notifyNothingSelected(words)
    const copied = await copyLinksOf(words, transfers, style)
    if (copied !== null) notifyMissing(words, copied)
  }
  const act = (action: Action, transfers: readonly Transfer[]): void => {
    const ids = idsOf(transfers)
    const [first] = transfers
    if (first === undefined) return notifyNothingSelected(words)
    switch (action) {
      case 'copy':
        return void copy(transfers, null)
      case 'open':
        return first.fileId === null ? undefined : void ask(words, 'openLink', { fileId: first.fileId })
      case 'show':
        return void ask(words, 'showInFolder', { transferId: first.id })
      case 'send-first':
        return void sendFirst(transfers)
      case 'upload-now':
        return void actOn(words, 'sendNext', ids)
      case 'cancel':
        return cancel(transfers)
      case 'pause':
        return pause(transfers)
      case 'resume':
        return resume(transfers)
      case 'ignore':
      case 'leave':
        return leave(transfers)
      case 'retry':
        return void actOn(words, 'retry', ids)
      case 'try-anyway':
      case 'upload-again':
      case 'upload-anyway':
      case 'decide':
        return void release(words, ids)
      case 'look':
        return go('files')
      default:
        return action satisfies never
    }
  }
  return {
    act,
    cancel,
    copy,
    pause,
    resume,
    sendFirst,
    movedFirst,
    question,
    closeQuestion: () => setQuestion(null),
  }
}

function idsOf(transfers: readonly Transfer[]): readonly number[] {
  return transfers.map((one) => one.id)
}
