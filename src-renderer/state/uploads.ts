// Uploads that the user starts in the window, and the notice that files were added.
// A newer notice about added files replaces the older one.

import { batchWords } from '../../src-shared/batch-words.ts'
import type { Batch } from '../../src-shared/window-contract.ts'
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { closeTopic, notify, notifyFailure, notifyIn, valueOrNotice } from './notices.ts'

export const BATCH_TOPIC = 'batch'

export function notifyBatch(words: Words, batch: Batch): void {
  // That the files wait for an answer is no longer true.
  if (batch.isDeclined === true) return closeTopic(BATCH_TOPIC)
  const { isProblem } = batchWords(words.t, words.f, batch)
  notifyIn(words, { topic: BATCH_TOPIC, level: isProblem ? 'warning' : 'info' }, ({ t, f }) =>
    batchWords(t, f, batch),
  )
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
