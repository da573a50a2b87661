// A time that is shown only while it is ahead: "resumes at 14:03" is untrue from 14:03 on, however rarely the view renders.
// Renders once more when the time has come.
import { useEffect, useReducer } from 'react'

/** Longer timers fire immediately. */
const LONGEST_MS = 2 ** 31 - 1

/** `until` in epoch ms; null where it is unknown or over. */
export function useAhead(until: number | null): number | null {
  const [, passed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const ms = until === null ? 0 : until - Date.now()
    if (ms <= 0) return undefined
    const timer = setTimeout(passed, Math.min(ms, LONGEST_MS))
    return () => clearTimeout(timer)
  }, [until])
  return until !== null && until > Date.now() ? until : null
}
