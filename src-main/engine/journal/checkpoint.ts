// Writes the journal's log to disk again after a failed sync, by a checkpoint.
import type { DatabaseSync } from 'node:sqlite'

/** How long SQLite waits for a lock that another connection holds. */
export const BUSY_TIMEOUT_MS = 5000

/**
 * Syncs the WAL, copies its pages into the database and syncs that. Throws if another connection, for example one with an open read
 * transaction, keeps SQLite from copying all pages. Doesn't wait for that connection, because that would block the engine; the caller
 * retries.
 */
export function checkpointFully(db: DatabaseSync): void {
  db.exec('PRAGMA busy_timeout = 0')
  try {
    // SQLite reports an incomplete checkpoint only in the result row.
    if (db.prepare('PRAGMA wal_checkpoint(FULL)').get()?.['busy'] !== 0) throw new Error('another connection is using the journal')
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}
