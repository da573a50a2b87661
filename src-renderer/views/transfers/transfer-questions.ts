// Builds the confirmations shown before transfers are cancelled or paused. transfer-actions.ts decides when
// they are needed.
import { printable } from '../../../src-shared/format.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import type { Question } from '../../lib/question.ts'
import type { Words } from '../../lib/words.ts'
import { appStore } from '../../state/store.ts'
import { mayBePublic } from './transfer-actions.ts'

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
