// Texts that several views share: failures, reasons with their times, and plan names.
// Pure; the caller passes the texts and formats of the language.

import type { Failure } from '../../src-shared/engine-contract.ts'
import { printable } from '../../src-shared/format.ts'
import type { Formats } from '../../src-shared/i18n/formats.ts'
import type { Texts } from '../../src-shared/i18n/texts.ts'
import type { AuditEntry, ListProgress, Reason, Transfer } from '../../src-shared/model.ts'
import type { CallName } from '../../src-shared/window-contract.ts'

/** Texts and formats of one language. */
export interface Words {
  readonly t: Texts
  readonly f: Formats
}

const PLAN_NAME_MAX_LENGTH = 40

/**
 * Describes a failure in the window's language. `asked` is the call that failed, or `start` if the engine
 * couldn't be started. It matters because the same code can mean different things for different calls.
 */
export function failureWords(
  { t, f }: Words,
  { code, refusal, tooLarge }: Pick<Failure, 'code' | 'refusal' | 'tooLarge'>,
  asked?: CallName | 'start',
): { readonly title: string; readonly hint: string } {
  if (refusal !== undefined) return t.folderRefusals[refusal]
  if (tooLarge !== undefined)
    return {
      title: t.clipboardTooLarge[tooLarge.what](f.bytes(tooLarge.bytes)),
      hint: t.clipboardTooLarge.hint,
    }
  const own: Texts['failuresOf'] = t.failuresOf
  return (asked === undefined ? undefined : own[asked]?.[code]) ?? t.failures[code]
}

/** Says in one line why a transfer has no link yet. `now` is in epoch ms. */
export function openSentence(words: Words, { state, reason, until }: Transfer, now: number): string {
  const own = words.t.transfersView
  if (state === 'uploading') return own.groups.uploading
  if (reason === null && state !== 'unknown') return own.ready
  return reasonSentence(words, reason ?? 'checking', until, now)
}

/**
 * Says why a file of a watched folder isn't uploaded. `isRule`: because of one of the folder's rules, which the
 * user can change.
 */
export function leftOutReason(
  words: Words,
  { reason, until }: AuditEntry,
  now: number,
): { readonly text: string; readonly isRule: boolean } {
  const { t } = words
  const own = t.leftOut
  const known: string | undefined =
    reason === null
      ? t.transfersView.ready
      : Object.hasOwn(t.reasons, reason)
        ? reasonSentence(words, reason as Reason, until, now)
        : { ...t.transfersView.ended, ...own.reasons }[reason]
  if (known !== undefined) return { text: known, isRule: false }
  const rule = printable(reason ?? '')
  const size = /^larger than (.+)$/.exec(rule)?.[1]
  const [, pattern = '', why = ''] = /^(.+) \((.+)\)$/.exec(rule) ?? []
  const group = t.settingsView.folderForm.defaultWhys[why]
  const text =
    size !== undefined ? own.larger(size) : group === undefined ? own.rule(rule) : own.group(group, pattern)
  return { text, isRule: true }
}

/** Says how much of the list of remote files has been read. */
export function readWords({ t, f }: Words, { read, total }: ListProgress): string {
  return t.filesView.reading(total ?? read, f.count(read), total === null ? '' : f.count(total))
}

/** Returns the sentence for a reason. Mentions `until` (epoch ms) if it is known and in the future. */
export function reasonSentence({ t, f }: Words, reason: Reason, until: number | null, now: number): string {
  return t.reasons[reason](until === null || until <= now ? '' : f.when(until, now))
}

/**
 * Capitalizes a plan's name for display: `pro` becomes `Pro`. Returns null if the service didn't name a plan.
 */
export function planName(plan: string | null): string | null {
  const [first, ...rest] = printable((plan ?? '').trim().slice(0, PLAN_NAME_MAX_LENGTH))
  return first === undefined ? null : `${first.toUpperCase()}${rest.join('')}`
}
