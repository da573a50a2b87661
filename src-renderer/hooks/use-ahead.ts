// Hides a time once it has passed, because "resumes at 14:03" is wrong from 14:03 on.
// The component renders again at that time.
import { useEffect, useReducer } from 'react'
import { callAt } from '../lib/call-at.ts'

/** Returns `until` (epoch ms) while it is in the future; null if it is unknown or has passed. */
export function useAhead(until: number | null): number | null {
  const [, passed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => (until === null || until <= Date.now() ? undefined : callAt(until, passed)), [until])
  return until !== null && until > Date.now() ? until : null
}
