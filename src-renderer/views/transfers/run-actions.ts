// Makes the calls for actions on transfers, such as retrying, cancelling and copying links. If a call fails,
// a notice is shown; new states of the transfers arrive as events. transfer-actions.ts decides which actions
// a transfer has.

import type { Transfer } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/window-contract.ts'
import type { Words } from '../../lib/words.ts'
import { call } from '../../state/client.ts'
import { notifyIn, valueOrNotice } from '../../state/notices.ts'
import { notifyUndone } from '../../state/undo.ts'
import { canResume, hasLink, mayGetLink } from './transfer-actions.ts'

/**
 * Maximum number of IDs per call; more IDs take several calls. `release`, `cancel` and `copyLinks` need a single
 * call, so they ignore it.
 */
const IDS_PER_CALL = 1000

/** Makes a call and resolves to its result. If the call fails, shows a notice and resolves to null. */
export function ask<K extends CallName>(
  words: Words,
  name: K,
  input: CallInput<K>,
): Promise<CallOutput<K> | null> {
  return valueOrNotice(words, call(name, input), name)
}

/**
 * Acts on the transfers in calls of up to IDS_PER_CALL IDs. Resolves to the number of transfers that changed.
 * If a call fails, shows a notice, makes no more calls and resolves to null. The earlier calls have taken
 * effect.
 */
export async function actOn(
  words: Words,
  name: 'retry' | 'pauseFiles' | 'resumeFiles' | 'sendNext',
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

/** Maximum number of transfers per page. */
const PAGE = 500

/** Resumes all uploads that the user has paused one by one, or has added to wait; not paused folders. */
export async function resumePaused(words: Words): Promise<void> {
  const states = ['waiting', 'queued'] as const
  for (let afterId = 0; ; ) {
    const page = { folderId: null, states: [...states], paused: true, afterId, limit: PAGE }
    const rows = await ask(words, 'transfers', page)
    const last = rows?.at(-1)
    if (rows === null || last === undefined) return
    const paused = rows.filter(canResume).map(({ id }) => id)
    if (paused.length > 0 && (await actOn(words, 'resumeFiles', paused)) === null) return
    afterId = last.id
  }
}

/** Uploads held files. The shell asks for confirmation in a single system dialog. */
export async function release(words: Words, ids: readonly number[]): Promise<void> {
  await ask(words, 'release', { ids: [...ids] })
}

/**
 * Copies the links with a single write to the clipboard. If that fails, shows a notice and resolves to null.
 * If `style` is null, uses the style from the settings.
 */
export function copyLinks(
  words: Words,
  ids: readonly number[],
  style: LinkStyle | null,
): Promise<CallOutput<'copyTransferLinks'> | null> {
  return ask(words, 'copyTransferLinks', { ids: [...ids], style })
}

/**
 * Like `copyLinks`, for transfers that may have no link. `missing` also counts those that have none yet, or
 * all if none has a link.
 */
export async function copyLinksOf(
  words: Words,
  transfers: readonly Transfer[],
  style: LinkStyle | null,
): Promise<Pick<CallOutput<'copyTransferLinks'>, 'count' | 'missing'> | null> {
  const ids = transfers.filter(hasLink).map((one) => one.id)
  if (ids.length === 0) return { count: 0, missing: transfers.length }
  const copied = await copyLinks(words, ids, style)
  return copied === null
    ? null
    : { count: copied.count, missing: copied.missing + transfers.filter(mayGetLink).length }
}

/** Cancels these transfers. A card says what became of them, and undoes that. */
export async function cancelTransfers(words: Words, ids: readonly number[]): Promise<void> {
  const done = await ask(words, 'cancel', { ids: [...ids] })
  if (done === null) return
  if (done.undone !== null) notifyUndone(words, done.undone)
  if (done.uploaded > 0) tellTooLate(words, done.uploaded)
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
