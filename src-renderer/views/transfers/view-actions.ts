// Carries out what a person chose for some transfers, and says so where it did not work. What may be done with which is decided in actions.ts.
// It keeps no state; what came of it arrives as events.
import type { CallInput, CallName, CallOutput } from '../../../src-shared/app.ts'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import { call } from '../../app/client.ts'
import { notify } from '../../app/store.ts'
import type { Words } from './words.ts'

/** Ids of one call; more go in several. */
const AT_ONCE = 1000

function tell({ t }: Words, failure: Failure): void {
  const { title, hint } = t.failures[failure.code]
  notify({ level: 'problem', title, hint })
}

export async function ask<K extends CallName>(words: Words, name: K, input: CallInput<K>): Promise<CallOutput<K> | null> {
  const got: Result<CallOutput<K>> = await call(name, input)
  if (got.ok) return got.value
  tell(words, got.failure)
  return null
}

/** Gives how many it was done to; null: it failed, and that was said. */
export async function actOn(
  words: Words,
  name: 'retry' | 'cancel' | 'release' | 'sendNext',
  ids: readonly number[],
): Promise<number | null> {
  let count = 0
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const done = await ask(words, name, { ids: ids.slice(at, at + AT_ONCE) })
    if (done === null) return null
    count += done.count
  }
  return count
}

/** Writes the clipboard once; the newest 1,000 at most. Gives how many links were written. */
export async function copyLinks(words: Words, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const done = await ask(words, 'copyTransferLinks', { ids: ids.slice(0, AT_ONCE), style: null })
  if (done === null) return 0
  const { t, f } = words
  if (done.missing > 0) notify({ level: 'info', title: t.missingLinks(done.missing, f.count(done.missing)), hint: null })
  return done.count
}
