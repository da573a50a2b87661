// Undoes in the window: what the user did last, or what a card offers to undo. The shell knows what can be
// undone; the result is reported here.

import { printable } from '../../src-shared/format.ts'
import { undoneWords } from '../../src-shared/undone-words.ts'
import type { Undoable, Undone } from '../../src-shared/window-contract.ts'
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { closeNotice, closeTopic, notify, notifyFailure } from './notices.ts'
import { appStore } from './store.ts'
import { BATCH_TOPIC } from './uploads.ts'

/** Names what is undone, such as `Undo delete of a.txt`. `last`: null if there is nothing. */
export function undoTitle({ t, f }: Words, last: Undoable | null): string {
  if (last === null) return t.undoOf.nothing
  return t.undoOf[last.what](last.count, f.count(last.count), printable(last.name))
}

/** `token`: what to undo; null for what happened last. */
export async function undo(words: Words, token: string | null): Promise<void> {
  const { t } = words
  const undoing = token ?? appStore.getState().undo?.token
  const got = await call('undo', { token })
  if (!got.ok) return notifyFailure(words, got.failure, 'undo')
  const undone = got.value
  if (undone === null) return notify({ topic: 'undo', level: 'info', title: t.undoOf.nothing, hint: null })
  for (const { id, card } of appStore.getState().notices)
    if (card !== undefined && card.undo !== null && card.undo === undoing) closeNotice(id)
  // That files were added is no longer true.
  if (undone.what === 'upload') closeTopic(BATCH_TOPIC)
  notifyUndone(words, undone)
}

/** Says what was undone, unless the card of a deletion says it. */
export function notifyUndone({ t, f }: Words, undone: Undone): void {
  const { name, count } = undone
  const title = undoneWords(t, f, undone)
  if (title === null) return
  notify({
    topic: 'undo',
    level: 'info',
    title,
    hint: null,
    card: { name, count, fileId: null, transferId: null, fileIds: [], undo: undone.redo ?? null },
  })
}
