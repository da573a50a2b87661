// Builds the message shown after files were added. It says how many will be uploaded, were uploaded before or
// need approval, and how many were left out. The window shows the message as a notice, the shell as a
// notification.

import type { Formats } from './i18n/formats.ts'
import type { Texts } from './i18n/texts.ts'
import { counted, inWords } from './upload-words.ts'
import type { Batch } from './window-contract.ts'

export interface BatchWords {
  readonly title: string
  readonly hint: string | null
  /**
   * True if some files couldn't be read, the engine failed midway, or the files wait for an answer. They appear
   * in no list, so the message should stay.
   */
  readonly isProblem: boolean
}

export function batchWords(t: Texts, f: Formats, batch: Batch): BatchWords {
  const { queued, already, held, failed, ignored, rest: left, isPaused, awaits } = batch
  if (awaits !== undefined)
    return { title: t.batchAwaits(awaits, f.count(awaits)), hint: t.batchAwaitsHint, isProblem: true }
  const said = (words: (n: number, shown: string) => string, n: number): string[] =>
    n === 0 ? [] : [words(n, f.count(n))]
  const added = [...said(t.batchQueued, queued), ...said(t.batchAlready, already), ...said(t.batchHeld, held)]
  const leftOut = [...counted(f, failed, t.dropFailed), ...counted(f, ignored, t.dropIgnored)].map(inWords)
  const [title = t.dropNothing, ...rest] = added
  const hints = [...(isPaused === true && queued > 0 ? [t.batchPaused] : []), ...rest, ...leftOut]
  if (left !== undefined) {
    const why = t.failures[left.code]
    hints.push(t.batchRest(left.count, f.count(left.count), `${why.title} ${why.hint}`))
  }
  return {
    title,
    hint: hints.length === 0 ? null : hints.join(' · '),
    isProblem: failed > 0 || left !== undefined,
  }
}
