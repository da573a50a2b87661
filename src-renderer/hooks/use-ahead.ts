// Hides a time once it has passed, because "resumes at 14:03" is wrong from 14:03 on.
// The component renders again at that time.
import { useEffect, useReducer } from 'react'

/**
 * Timers stop while the computer sleeps, and a delay of more than 24.8 days overflows. So the clock is
 * checked at least this often.
 */
const CHECK_MS = 30_000

/**
 * Calls `call` once the time is `at` (epoch ms) or later, but never before `callAt` returns. Returns a
 * function that cancels the call.
 */
export function callAt(at: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = (): void => {
    timer = setTimeout(
      () => (Date.now() < at ? wait() : call()),
      Math.min(Math.max(0, at - Date.now()), CHECK_MS),
    )
  }
  wait()
  return () => clearTimeout(timer)
}

/** Returns `until` (epoch ms) while it is in the future; null if it is unknown or has passed. */
export function useAhead(until: number | null): number | null {
  const [, passed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => (until === null || until <= Date.now() ? undefined : callAt(until, passed)), [until])
  return until !== null && until > Date.now() ? until : null
}
