// Cancels transfers. If some had already been uploaded, warns the user that their links are public.
// use-transfer-actions.ts asks for confirmation first.
import type { Words } from '../../lib/words.ts'
import { notifyIn } from '../../state/notices.ts'
import { ask, IDS_PER_CALL } from './run-actions.ts'

/**
 * Cancels these transfers in calls of up to IDS_PER_CALL IDs. If a call fails, shows a notice and makes no
 * more calls. The earlier calls have taken effect.
 */
export async function cancelTransfers(words: Words, ids: readonly number[]): Promise<void> {
  let uploaded = 0
  for (let at = 0; at < ids.length; at += IDS_PER_CALL) {
    const done = await ask(words, 'cancel', { ids: ids.slice(at, at + IDS_PER_CALL) })
    if (done === null) break
    uploaded += done.uploaded ?? 0
  }
  if (uploaded > 0) tellTooLate(words, uploaded)
}

/**
 * Warns that this many files had already been uploaded, and that their links work until the files are
 * deleted.
 */
export function tellTooLate(words: Words, count: number): void {
  notifyIn(words, { level: 'warning' }, ({ t, f }) => ({
    title: t.transfersView.cancelTooLate(count, f.count(count)),
    hint: t.transfersView.cancelTooLateHint(count),
  }))
}
