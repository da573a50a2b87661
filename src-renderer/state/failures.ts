// Describes a failure according to the current state, because the code alone is ambiguous. If the engine
// couldn't be started, every call fails with the same failure as the start.

import type { Failure } from '../../src-shared/engine-contract.ts'
import type { CallName } from '../../src-shared/window-contract.ts'
import { failureWords, type Words } from '../lib/words.ts'
import { appStore } from './store.ts'

/**
 * Returns what failed: the call, or the start of the engine, without which the call couldn't be carried out.
 */
export function askedNow(
  { code, title }: Failure,
  asked: CallName | undefined,
): CallName | 'start' | undefined {
  const { stopped } = appStore.getState()
  return stopped?.code === code && stopped.title === title ? 'start' : asked
}

/**
 * Returns the title and the hint to show for a failure in the current state. `asked` is the call that failed.
 * If the failure has a `refusal` or `tooLarge`, the texts name that reason.
 */
export function failureNow(
  words: Words,
  failure: Failure,
  asked?: CallName,
): { readonly title: string; readonly hint: string } {
  return failureWords(words, failure, askedNow(failure, asked))
}
