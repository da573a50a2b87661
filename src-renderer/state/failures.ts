// Describes a failure according to the current state, because the code alone is ambiguous. While the service can't be reached, the code
// `waits` is described as a missing connection instead of a limit. If the engine couldn't be started, every call fails with the same
// failure as the start.
import type { CallName } from '../../src-shared/app.ts'
import type { Failure, FailureCode } from '../../src-shared/contract.ts'
import { isAway } from '../../src-shared/solved.ts'
import { failureWords, type Words } from '../lib/words.ts'
import { appStore } from './store.ts'

export function codeNow({ code }: Pick<Failure, 'code'>): FailureCode {
  const { snapshot } = appStore.getState()
  return code === 'waits' && snapshot !== null && isAway(snapshot) ? 'no-connection' : code
}

/** Returns what failed: the call, or the start of the engine, without which the call couldn't be carried out. */
export function askedNow({ code, title }: Failure, asked: CallName | undefined): CallName | 'start' | undefined {
  const { stopped } = appStore.getState()
  return stopped?.code === code && stopped.title === title ? 'start' : asked
}

/**
 * Returns the title and the hint to show for a failure in the current state. `asked` is the call that failed. If the failure has a
 * `refusal` or `tooLarge`, the texts name that reason.
 */
export function failureNow(words: Words, failure: Failure, asked?: CallName): { readonly title: string; readonly hint: string } {
  return failureWords(words, { ...failure, code: codeNow(failure) }, askedNow(failure, asked))
}
