// Runs an action on transfers, and explains a failure in a notice. Which actions a transfer has is decided in transfer-actions.ts;
// the outcome arrives as events.
import type { CallInput, CallName, CallOutput } from '../../../src-shared/app.ts'
import type { Words } from '../../lib/words.ts'
import { call } from '../../state/client.ts'
import { notify, valueOrNotice } from '../../state/notices.ts'

/** The limit of IDs per call; more are split over several calls. */
const IDS_PER_CALL = 1000

/** Resolves to the answer; null where it failed, which a notice explains. */
export function ask<K extends CallName>(words: Words, name: K, input: CallInput<K>): Promise<CallOutput<K> | null> {
  return valueOrNotice(words, call(name, input), name)
}

/** Resolves to the number of transfers that changed; null where it failed, which a notice explains. */
export async function actOn(
  words: Words,
  name: 'retry' | 'cancel' | 'pauseFiles' | 'resumeFiles' | 'sendNext',
  ids: readonly number[],
): Promise<number | null> {
  let count = 0
  for (let at = 0; at < ids.length; at += IDS_PER_CALL) {
    const done = await ask(words, name, { ids: ids.slice(at, at + IDS_PER_CALL) })
    if (done === null) return null
    count += done.count
  }
  return count
}

/** Uploads held files. The shell asks about all of them in one system dialog. */
export async function release(words: Words, ids: readonly number[]): Promise<void> {
  await ask(words, 'release', { ids: [...ids] })
}

/** Copies the links of these transfers, the first 1,000 at most. Resolves to how many were copied. */
export async function copyLinks(words: Words, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const done = await ask(words, 'copyTransferLinks', { ids: ids.slice(0, IDS_PER_CALL), style: null })
  if (done === null) return 0
  const { t, f } = words
  if (done.missing > 0) notify({ level: 'info', title: t.missingLinks(done.missing, f.count(done.missing)), hint: null })
  return done.count
}
