// Carries out the user's action on transfers. Asks for confirmation before cancelling many transfers, and if cancelling or pausing would
// discard much progress. transfer-actions.ts decides which actions a transfer has; run-actions.ts makes the calls and handles failures.
import { useState } from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import type { Question } from '../../components/confirm-dialog.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { Words } from '../../lib/words.ts'
import { notify, notifyNothingSelected } from '../../state/notices.ts'
import { appStore, go } from '../../state/store.ts'
import { actOn, ask, copyLinks, release } from './run-actions.ts'
import { type Action, canCancel, canGoFirst, canPause, canResume, hasLink, needsConfirm, startsOver } from './transfer-actions.ts'

export interface TransferActions {
  readonly act: (action: Action, transfers: readonly Transfer[]) => void
  readonly cancel: (transfers: readonly Transfer[]) => void
  readonly copy: (transfers: readonly Transfer[]) => Promise<void>
  readonly pause: (transfers: readonly Transfer[]) => void
  readonly resume: (transfers: readonly Transfer[]) => void
  readonly sendFirst: (transfers: readonly Transfer[]) => Promise<void>
  /** IDs of the transfers that were moved to the front since the view was opened. */
  readonly movedFirst: ReadonlySet<number>
  readonly question: Question | null
  readonly closeQuestion: () => void
}

function cancelQuestion({ t, f }: Words, open: readonly Transfer[], run: () => void): Question {
  const own = t.transfersView
  const [first] = open
  const sent = first === undefined ? 0 : (appStore.getState().live.get(first.id)?.sent ?? first.sent)
  return {
    title: own.confirmCancelTitle(open.length, f.count(open.length)),
    text: [
      open.length === 1 && first !== undefined
        ? own.confirmCancelSent(first.name, f.bytes(sent), f.bytes(first.size))
        : own.confirmCancelMany(open.length, f.count(open.length)),
    ],
    confirm: own.confirmCancelGo(open.length),
    cancel: own.confirmCancelBack,
    run,
  }
}

function pauseQuestion({ t, f }: Words, open: readonly Transfer[], run: () => void): Question {
  const own = t.transfersView
  return {
    title: own.confirmPauseTitle(open.length, f.count(open.length)),
    text: [own.confirmPauseText],
    confirm: t.pause,
    cancel: own.confirmCancelBack,
    run,
  }
}

/** Returns the actions and the question that is open, if any. `clearSelection` is called when a cancellation starts. */
export function useTransferActions(clearSelection: () => void): TransferActions {
  const words = useLanguage()
  const [question, setQuestion] = useState<Question | null>(null)
  const [movedFirst, setMovedFirst] = useState<ReadonlySet<number>>(new Set())

  const cancel = (transfers: readonly Transfer[]): void => {
    if (transfers.length === 0) return notifyNothingSelected(words)
    const open = transfers.filter(canCancel)
    if (open.length === 0) return
    const run = (): void => {
      clearSelection()
      void actOn(words, 'cancel', idsOf(open))
    }
    if (needsConfirm(open)) setQuestion(cancelQuestion(words, open, run))
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
  const copy = async (transfers: readonly Transfer[]): Promise<void> => {
    const linked = transfers.filter(hasLink)
    if (transfers.length === 0) return notifyNothingSelected(words)
    if (linked.length === 0)
      notify({ level: 'info', title: words.t.missingLinks(transfers.length, words.f.count(transfers.length)), hint: null })
    else await copyLinks(words, idsOf(linked))
  }
  const act = (action: Action, transfers: readonly Transfer[]): void => {
    const ids = idsOf(transfers)
    const [first] = transfers
    if (first === undefined) return notifyNothingSelected(words)
    switch (action) {
      case 'copy':
        return void copy(transfers)
      case 'open':
        return first.fileId === null ? undefined : void ask(words, 'openLink', { fileId: first.fileId })
      case 'show':
        return void ask(words, 'showInFolder', { transferId: first.id })
      case 'send-first':
        return void sendFirst(transfers)
      case 'cancel':
        return cancel(transfers)
      case 'pause':
        return pause(transfers)
      case 'resume':
        return resume(transfers)
      case 'ignore':
      case 'leave':
        return void actOn(words, 'cancel', ids)
      case 'retry':
        return void actOn(words, 'retry', ids)
      case 'try-anyway':
      case 'upload-again':
      case 'upload-anyway':
        return void release(words, ids)
      case 'look':
        return go('files')
      default:
        return action satisfies never
    }
  }
  return { act, cancel, copy, pause, resume, sendFirst, movedFirst, question, closeQuestion: () => setQuestion(null) }
}

function idsOf(transfers: readonly Transfer[]): readonly number[] {
  return transfers.map((one) => one.id)
}
