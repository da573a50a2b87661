// Words of the questions that the main process asks in a dialog of the system, where a page must not decide.
// Pure; the dialog itself is the desk's.

import { printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import { HeldReason, type Transfer } from '../../../src-shared/model.ts'
import type { AppSettings, SettingsPatch } from '../../../src-shared/settings.ts'

export interface Question {
  readonly title: string
  readonly detail: string
  /** Label of the button that goes ahead; the default button is the other one. */
  readonly confirm: string
  readonly cancel: string
}

/** Files named in one question; the rest is counted. */
const NAMED_MOST = 10

interface Language {
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
}

/** Whether held files, each with its reason, may be uploaded after all. `rows` holds at least one. */
export function releaseQuestion(rows: readonly Transfer[], { texts, formats }: Language): Question {
  const own = texts.release
  const [only] = rows
  const lines = rows.slice(0, NAMED_MOST).map((row) => whyHeld(row, texts))
  const more = rows.length - lines.length
  if (more > 0) lines.push(own.more(more, formats.count(more)))
  return {
    title: own.title(rows.length, formats.count(rows.length), rows.length === 1 && only !== undefined ? printable(only.name) : ''),
    detail: [...lines, '', own.publish(rows.length)].join('\n'),
    confirm: own.confirm,
    cancel: own.cancel,
  }
}

function whyHeld(row: Transfer, texts: ShellTexts): string {
  const own = texts.release
  const name = printable(row.name)
  if (row.reason === 'secret' && row.message !== null) return own.secret(name, printable(row.message))
  const reason = HeldReason.safeParse(row.reason).data
  return reason === undefined ? name : own.why(name, texts.notice.needs[reason])
}

/** Whether `count` files may be deleted on the service; an undo of a few seconds is too little for so many. */
export function deleteQuestion(count: number, { texts, formats }: Language): Question {
  const own = texts.deletion
  const shown = formats.count(count)
  return { title: own.title(count, shown), detail: own.detail(count), confirm: own.confirm(count, shown), cancel: own.cancel(count) }
}

/** Whether uploads go to another service from now on. Both are `host` or `host:port`. */
export function moveQuestion(from: string, to: string, { texts }: Pick<Language, 'texts'>): Question {
  const own = texts.move
  return { title: own.title(to), detail: own.detail(from, to), confirm: own.confirm, cancel: own.cancel(from) }
}

/** Patterns of `before` that `after` lacks, or has in another order. */
function missing(before: readonly string[], after: readonly string[]): readonly string[] {
  let at = 0
  return before.filter((pattern) => {
    const found = after.indexOf(pattern, at)
    if (found >= 0) at = found + 1
    return found < 0
  })
}

/** Whether fewer files may be held than now, null where the change holds no file less. */
export function guardQuestion(now: AppSettings, patch: SettingsPatch, { texts }: Pick<Language, 'texts'>): Question | null {
  const holds = patch.guardHold ?? now.guardHold
  const allows = patch.guardAllow ?? now.guardAllow
  const isNot = (pattern: string): boolean => pattern.startsWith('!')
  const noLonger = [...missing(now.guardHold, holds).filter((one) => !isNot(one)), ...missing(holds, now.guardHold).filter(isNot)]
  const exceptions = [...missing(allows, now.guardAllow).filter((one) => !isNot(one)), ...missing(now.guardAllow, allows).filter(isNot)]
  if (noLonger.length === 0 && exceptions.length === 0) return null
  const own = texts.guard
  const list = (patterns: readonly string[]): string =>
    patterns.slice(0, NAMED_MOST).map(printable).join(', ') + (patterns.length > NAMED_MOST ? ' …' : '')
  return {
    title: own.title,
    detail: [
      ...(exceptions.length === 0 ? [] : [own.allow(list(exceptions))]),
      ...(noLonger.length === 0 ? [] : [own.hold(list(noLonger))]),
      '',
      own.detail,
    ].join('\n'),
    confirm: own.confirm,
    cancel: own.cancel,
  }
}
