// The error below the name field when an account couldn't be renamed.
// Only failures with the code `usage` are about the name itself.
import type { Failure } from '../../../src-shared/contract.ts'
import type { Words } from '../../lib/words.ts'
import { failureNow } from '../../state/failures.ts'

/** `isName`: the failure is about the name, so the shell may accept another one. */
export function renameWords(words: Words, failure: Failure): { readonly isName: boolean; readonly text: string; readonly hint: string } {
  if (failure.code === 'usage') return { isName: true, text: words.t.settingsView.renameRefused, hint: '' }
  const { title, hint } = failureNow(words, failure, 'renameAccount')
  return { isName: false, text: title, hint }
}
