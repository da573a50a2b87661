// Calls to the shell or the engine from a component. A failure is shown as a notice, because the component
// may have been removed by the time the call fails. Forms that show failures in place use `call` directly.
import type { CallInput, CallName, CallOutput } from '../../src-shared/window-contract.ts'
import { call } from '../state/client.ts'
import { valueOrNotice } from '../state/notices.ts'
import { useLanguage } from './use-language.tsx'

/**
 * Returns a function that makes a call and resolves to its result. If the call fails, it shows a notice and
 * resolves to null.
 */
export function useAsk(): <K extends CallName>(
  name: K,
  input: CallInput<K>,
) => Promise<CallOutput<K> | null> {
  const words = useLanguage()
  return (name, input) => valueOrNotice(words, call(name, input), name)
}
