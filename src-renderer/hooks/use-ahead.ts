// Hides a time once it has passed: "resumes at 14:03" is wrong from 14:03 on, even if the view doesn't render then.
// Renders again when the time has come.
import { useEffect, useReducer } from 'react'
import { callAt } from '../lib/call-at.ts'

/** Returns `until` (epoch ms) while it is in the future; null if it is unknown or has passed. */
export function useAhead(until: number | null): number | null {
  const [, passed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => (until === null || until <= Date.now() ? undefined : callAt(until, passed)), [until])
  return until !== null && until > Date.now() ? until : null
}
