// Uploads that the user starts in the window, and the notice that files were added.
// A newer notice about added files replaces the older one.

import { batchWords } from '../../src-shared/batch-words.ts'
import type { Batch } from '../../src-shared/window-contract.ts'
import { IS_SHELF } from '../lib/page.ts'
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { closeTopic, notify, notifyFailure, notifyIn, valueOrNotice } from './notices.ts'
import { go } from './store.ts'

export const BATCH_TOPIC = 'batch'

export function notifyBatch(words: Words, batch: Batch): void {
  // That the files wait for an answer is no longer true.
  if (batch.isDeclined === true) return closeTopic(BATCH_TOPIC)
  const { isProblem, hint } = batchWords(words.t, words.f, batch)
  const { firstHeld, held } = batch
  const review = { label: words.t.transfersView.review, run: () => go('transfers') }
  const kept = {
    topic: BATCH_TOPIC,
    level: isProblem ? 'warning' : 'info',
    action: held === 0 || IS_SHELF ? null : review,
  } as const
  if (firstHeld?.reason == null || held !== 1 || hint !== null)
    return notifyIn(words, kept, ({ t, f }) => batchWords(t, f, batch))
  const title = words.t.reasons[firstHeld.reason]('')
  const card = {
    name: firstHeld.name,
    count: 1,
    fileId: null,
    transferId: firstHeld.id,
    fileIds: [],
    undo: null,
  }
  notify({ ...kept, title, hint: null, card })
}

/** Like `notifyBatch`, but shows nothing if all files are new and go up: their rows appear in the list. */
export function notifyUnseen(words: Words, batch: Batch): void {
  const { queued, already, held, failed, ignored, rest, isPaused } = batch
  const isPartly = already + held + failed + ignored > 0 || rest !== undefined
  if (queued === 0 || isPartly || isPaused === true) notifyBatch(words, batch)
}

/** Lets the user choose files, or folders, and uploads them. */
export async function uploadChosen(words: Words, folders: boolean): Promise<void> {
  const batch = await valueOrNotice(words, call('uploadChosen', { folders }))
  if (batch !== null) notifyUnseen(words, batch)
}

/** Lets the user take a picture of a part of the screen, and uploads it. */
export async function uploadRegion(words: Words): Promise<void> {
  const batch = await valueOrNotice(words, call('takeRegion', {}), 'takeRegion')
  if (batch !== null) notifyUnseen(words, batch)
}

/**
 * Uploads the clipboard's content. Shows a notice if there is nothing to upload. Resolves to true if the
 * shell accepted the content, even if it is held for approval or was uploaded before.
 */
export function uploadClipboard(words: Words): Promise<boolean> {
  return uploadFrom(words, false, true)
}

/**
 * Like `uploadClipboard`, but the shell asks before it uploads text. `isText`: the page got nothing but text,
 * so that without an upload, the user declined.
 */
export function uploadPasted(words: Words, isText: boolean): Promise<boolean> {
  return uploadFrom(words, true, !isText)
}

async function uploadFrom(words: Words, asksForText: boolean, saysNothing: boolean): Promise<boolean> {
  const got = await call('uploadClipboard', { asksForText })
  if (!got.ok) notifyFailure(words, got.failure, 'uploadClipboard')
  else if (got.value !== null) notifyUnseen(words, got.value)
  else if (saysNothing) notify({ level: 'info', title: words.t.nothingOnClipboard, hint: null })
  return got.ok && got.value !== null
}
