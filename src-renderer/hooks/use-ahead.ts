// Hides a time once it has passed: "resumes at 14:03" is wrong from 14:03 on, even if the view doesn't render then.
// Renders again when the time has come.
import { useEffect, useReducer } from 'react'

/** The maximum delay of a timer. Longer ones fire immediately. */
const LONGEST_MS = 2 ** 31 - 1

/** Returns `until` (epoch ms) while it is in the future; null if it is unknown or has passed. */
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
