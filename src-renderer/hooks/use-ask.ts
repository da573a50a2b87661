// Calls to the shell or the engine from a component. A failure is shown as a notice, because the component may have been removed when the
// call fails. Forms that show failures in place use `call` directly.
import type { CallInput, CallName, CallOutput } from '../../src-shared/app.ts'
import { call } from '../state/client.ts'
import { valueOrNotice } from '../state/notices.ts'
import { useLanguage } from './use-language.tsx'

/** Returns a function that makes a call. It resolves to the answer, or to null after a failure, which a notice explains. */
export function useAsk(): <K extends CallName>(name: K, input: CallInput<K>) => Promise<CallOutput<K> | null> {
  const words = useLanguage()
  return (name, input) => valueOrNotice(words, call(name, input), name)
}
