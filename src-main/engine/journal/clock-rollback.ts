// Detects a rollback of the wall clock, and ends every wait in the journal. Waits end at times of that clock,
// so each would last longer by as much. One that ends early costs a retry at most, except a new file's chance to
// be cancelled, which is moved instead. The request budget runs on monotonic time. A clock that was set forward needs no correction for the same reason.
import type { Clock } from '../ports.ts'
import type { Database } from './database.ts'
import type { Facts } from './single-values.ts'

/** Smaller steps are ignored: clock synchronization causes them, and they hardly affect a wait. */
const LEAST_MS = 2_000
const DAY_MS = 86_400_000

/**
 * Returns a function that ends the journal's waits if the wall clock has been rolled back since the last
 * call, and says whether it has. `newest`: the newest stored time in epoch milliseconds, 0 if none is stored.
 * If the clock is behind it, the first call finds a rollback from before the start.
 */
export function createClockRollback(
  { clock, db, facts }: { readonly clock: Clock; readonly db: Database; readonly facts: Facts },
  newest: number,
): () => boolean {
  let apart = Math.max(newest, clock.now()) - clock.mono()
  return () => {
    const now = clock.now()
    const seen = now - clock.mono()
    const by = seen - apart
    const isBack = by < -LEAST_MS
    if (isBack)
      db.tx(() => {
        endWaits(db, by, now)
        moveEvidence(db, by, now)
        facts.set('clock-set', true)
      })
    // If the transaction fails, the next call repeats it.
    apart = seen
    return isBack
  }
}

function endWaits(db: Database, by: number, now: number): void {
  db.run(
    "UPDATE transfers SET until = iif(reason = 'grace', until + ?, ?) WHERE state IN ('waiting', 'unknown') AND until > ?",
    by,
    now,
    now,
  )
  db.run('UPDATE removals SET until = ? WHERE until > ?', now, now)
  db.run('UPDATE doubts SET next_at = min(next_at, ?), until = min(until, ?)', now, now + DAY_MS)
}

/**
 * Moves the times of intents, losses and uploads that now lie in the future by `by` milliseconds (negative).
 * Earlier ones may have been recorded since the rollback. Moving those would make a recent loss look old, and
 * the file could be sent again too soon.
 */
function moveEvidence(db: Database, by: number, now: number): void {
  for (const [table, column, rows] of [
    ['transfers', 'intent_at', "state IN ('unknown', 'uploading')"],
    ['transfers', 'lost_at', "state = 'unknown'"],
    ['transfers', 'done_at', 'sent = 1'],
    ['doubts', 'opened_at', 'true'],
  ] as const)
    db.run(`UPDATE ${table} SET ${column} = ${column} + ? WHERE ${rows} AND ${column} > ?`, by, now)
}
