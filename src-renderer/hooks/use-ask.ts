// Calls to the shell or the engine from a component, with a notice on failure, since the row that called may be gone by then.
// Forms that show a failure in place use `call` directly.
import type { CallInput, CallName, CallOutput } from '../../src-shared/app.ts'
import { call } from '../state/client.ts'
import { valueOrNotice } from '../state/notices.ts'
import { useLanguage } from './use-language.tsx'

/** Resolves to the answer; null where it failed, which a notice explains. */
export function useAsk(): <K extends CallName>(name: K, input: CallInput<K>) => Promise<CallOutput<K> | null> {
  const words = useLanguage()
  return (name, input) => valueOrNotice(words, call(name, input), name)
}
