// The command line's sentences for why a file waits, is held or has failed: in English, with the time of the
// next step and plain apostrophes. The sentences themselves are in src-shared/i18n/en/reasons.ts.
import { formatWhen } from '../../../src-shared/format.ts'
import { reasonWords } from '../../../src-shared/i18n/en/reasons.ts'
import { namedReasons, rowReasons } from '../../../src-shared/i18n/reasons.ts'
import { FailedReason, type HeldReason, type Reason } from '../../../src-shared/model.ts'

const ON_ROW = rowReasons(reasonWords)
const AFTER_NAME = namedReasons(reasonWords)

/** Replaces typographic apostrophes, which terminal fonts may lack and scripts wouldn't search for. */
function plain(text: string): string {
  return text.replaceAll('’', "'")
}

/** Removes the full stop of a sentence that becomes part of another one. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/**
 * Returns a sentence without a full stop. `until` is when the next step happens; null if that is unknown or
 * doesn't depend on time.
 */
export function reasonText(reason: Reason, until: number | null, now: number): string {
  const failed = FailedReason.safeParse(reason).data
  if (failed !== undefined) return `Failed: ${plain(reasonWords.failed[failed].clause)}`
  return plain(ON_ROW[reason](whenText(until, now)))
}

function whenText(until: number | null, now: number): string {
  return until === null ? '' : formatWhen(until, now)
}

/** Returns a complete sentence, for places that already say "failed". */
export function failedMessage(reason: FailedReason): string {
  return `${plain(ON_ROW[reason](''))}.`
}

/** Returns a phrase that follows the file's name, for example `looks like a secret`. */
export function afterName(reason: HeldReason | FailedReason): string {
  return plain(AFTER_NAME[reason])
}
