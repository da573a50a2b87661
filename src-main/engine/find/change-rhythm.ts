// Decides how long a changed file waits if its earlier versions were changed shortly after they had been
// sent, like a log that a program opens, appends to and closes. Each such version makes the next wait longer;
// a file that rests is sent at once again. Pure: the versions come from the journal, so the rhythm outlasts a
// restart.
import type { SentVersion } from '../journal/transfers.ts'

/** A change within this time after the upload is short. */
const REST_MS = 2 * 60_000

/** This many short changes in a row cost no time, for a person who saves again and again. */
const FREE = 3

/** The wait after one more, counted from the last upload; doubled each time, up to WAIT_MAX_MS. */
const WAIT_MS = 5000
const WAIT_MAX_MS = 30 * 60_000

/** Number of versions after which the wait is no longer. */
export const VERSIONS_MAX = FREE + 1 + Math.ceil(Math.log2(WAIT_MAX_MS / WAIT_MS))

/**
 * `versions`: the last VERSIONS_MAX versions of the file, newest first. Returns null if the file can be sent
 * now.
 */
export function rhythmWait(
  versions: readonly SentVersion[],
  now: number,
): { readonly until: number; readonly changes: number } | null {
  let changes = 0
  let changedAt = now
  for (const { createdAt, doneAt } of versions) {
    if (changedAt - doneAt >= REST_MS) break
    changes++
    changedAt = createdAt
  }
  const [last] = versions
  if (last === undefined || changes <= FREE) return null
  const until = Math.min(now, last.doneAt) + Math.min(WAIT_MAX_MS, WAIT_MS * 2 ** (changes - FREE - 1))
  return until > now ? { until, changes } : null
}
