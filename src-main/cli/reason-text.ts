// Why a file waits, is held or failed, as the command line says it: English, with the time of the next step and with plain apostrophes.
// The sentences themselves are written in src-shared/i18n/en/reasons.ts.
import { formatWhen } from '../../src-shared/format.ts'
import { reasonWords } from '../../src-shared/i18n/en/reasons.ts'
import { namedReasons, rowReasons } from '../../src-shared/i18n/reasons.ts'
import { FailedReason, type HeldReason, type Reason } from '../../src-shared/model.ts'

const ON_ROW = rowReasons(reasonWords)
const AFTER_NAME = namedReasons(reasonWords)

/** A terminal's font and a script's pattern know the apostrophe of the keyboard. */
function plain(text: string): string {
  return text.replaceAll('’', "'")
}

/** A sentence without its full stop; `until`: when the next step happens, null if that isn't a matter of time. */
export function reasonText(reason: Reason, until: number | null, now: number): string {
  const failed = FailedReason.safeParse(reason).data
  if (failed !== undefined) return `Failed: ${plain(reasonWords.failed[failed].clause)}`
  return plain(ON_ROW[reason](until === null ? '' : formatWhen(until, now)))
}

/** A whole sentence, where "failed" is said already. */
export function failedMessage(reason: FailedReason): string {
  return `${plain(ON_ROW[reason](''))}.`
}

/** Follows the file's name: `looks like a secret`. */
export function afterName(reason: HeldReason | FailedReason): string {
  return plain(AFTER_NAME[reason])
}
