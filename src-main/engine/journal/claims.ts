// Which local versions a remote file belongs to, and how such a claim ends. Queries over the table `transfers`; what may be deleted is decided
// in remote/owners.ts. A claim is live while the row is done and has not ended: only then may its link be shown.
import type { Ended } from '../../../src-shared/model.ts'
import type { Database } from './open.ts'
import { number, text, textOrNull } from './rows.ts'
import { createStateWriter } from './state-writer.ts'

export interface Claims {
  /** Local paths with a live claim on this remote file, without duplicates, newest claim first. */
  owners(fileId: number): readonly string[]
  /** Ends the live claims of `path` (null: of every path) on this file. Returns the ids of the rows that ended. */
  end(fileId: number, path: string | null, why: Ended, at: number): readonly number[]
  /** Undoes what `end` did at the moment `at`, as long as the file exists. Returns the ids of the rows that are live again. */
  restore(fileId: number, at: number): readonly number[]
  /** Live claims on a file that was deleted just now: their rows are queued again. Returns their ids. */
  lose(fileId: number): readonly number[]
  /** The content was deleted at this path, by the user or on the service, and has no live version left there. */
  isWithdrawn(path: string, sha256: string): boolean
  /** Content of this size was deleted at this path, so a new file there has to be compared by its bytes. */
  hasEnded(path: string, size: number): boolean
  /** Nothing is sent for this row: its bytes were deleted at this path. */
  withdraw(id: number, sha256: string, at: number): void
  /** A row was cancelled because its file was deleted. `sha256`: its bytes, where they are known. */
  endCancelled(id: number, sha256: string | null, at: number): void
  /** A watched file whose last version was deleted is represented by transfer `id` from now on. */
  represent(path: string, id: number): void
  /** The service answered with a file that already existed. */
  setBorrowed(id: number): void
  isBorrowed(fileId: number): boolean
  /** An upload in this journal created the file. */
  isOwn(fileId: number): boolean
}

/** Ends every live claim on a file that is no longer on the service. */
export function endAsGone(db: Database, fileId: number, at: number): readonly number[] {
  return ids(
    db.all(
      "UPDATE transfers SET ended = 'gone', ended_at = ? WHERE file_id = ? AND state = 'done' AND ended IS NULL RETURNING id",
      at,
      fileId,
    ),
  )
}

/** A file that was thought gone still exists. Claims that ended because the user deleted or replaced the file stay ended. */
export function revive(db: Database, fileId: number): readonly number[] {
  return ids(
    db.all(
      "UPDATE transfers SET ended = NULL, ended_at = NULL WHERE file_id = ? AND state = 'done' AND ended = 'gone' RETURNING id",
      fileId,
    ),
  )
}

function ids(rows: ReturnType<Database['all']>): readonly number[] {
  return rows.map((row) => number(row, 'id'))
}

export function createClaims(db: Database): Claims {
  const writer = createStateWriter(db)
  return {
    owners: (fileId) =>
      db
        .all(
          "SELECT path FROM transfers WHERE file_id = ? AND state = 'done' AND ended IS NULL GROUP BY path ORDER BY max(id) DESC",
          fileId,
        )
        .map((row) => text(row, 'path')),
    end: (fileId, path, why, at) =>
      ids(
        db.all(
          `UPDATE transfers SET ended = ?, ended_at = ? WHERE file_id = ? AND state = 'done' AND ended IS NULL
           AND (? IS NULL OR path = ?) RETURNING id`,
          why,
          at,
          fileId,
          path,
          path,
        ),
      ),
    restore: (fileId, at) =>
      ids(
        db.all(
          `UPDATE transfers SET ended = NULL, ended_at = NULL WHERE file_id = ? AND state = 'done' AND ended = 'deleted' AND ended_at = ?
           RETURNING id`,
          fileId,
          at,
        ),
      ),
    lose: (fileId) =>
      db.tx(() => {
        const lost = ids(db.all("SELECT id FROM transfers WHERE file_id = ? AND state = 'done' AND ended IS NULL", fileId))
        for (const id of lost) {
          writer.apply(id, { kind: 'orphaned' })
          db.run('UPDATE transfers SET file_id = NULL, public_link = NULL WHERE id = ?', id)
        }
        return lost
      }),
    isWithdrawn: (path, sha256) => {
      const row = db.get(
        `SELECT ended FROM transfers INDEXED BY transfers_path WHERE path = ? AND sha256 = ? AND (state = 'done' OR (state = 'cancelled' AND ended IS NOT NULL))
         AND ended IS NOT 'replaced' ORDER BY ended IS NOT NULL, id DESC LIMIT 1`,
        path,
        sha256,
      )
      return row !== null && textOrNull(row, 'ended') !== null
    },
    hasEnded: (path, size) =>
      db.get(
        "SELECT 1 AS yes FROM transfers WHERE path = ? AND size = ? AND ended IN ('deleted', 'gone') AND state IN ('done', 'cancelled') LIMIT 1",
        path,
        size,
      ) !== null,
    withdraw: (id, sha256, at) => {
      writer.apply(id, { kind: 'cancelled' })
      db.run("UPDATE transfers SET sha256 = ?, ended = 'deleted', ended_at = ? WHERE id = ?", sha256, at, id)
    },
    endCancelled: (id, sha256, at) => {
      db.run("UPDATE transfers SET ended = 'deleted', ended_at = ?, sha256 = coalesce(?, sha256) WHERE id = ?", at, sha256, id)
    },
    represent: (path, id) => {
      db.run(
        'UPDATE files SET transfer_id = ? WHERE transfer_id IN (SELECT id FROM transfers WHERE path = ? AND ended IS NOT NULL)',
        id,
        path,
      )
    },
    setBorrowed: (id) => {
      db.run('UPDATE transfers SET borrowed = 1 WHERE id = ?', id)
    },
    isBorrowed: (fileId) => db.get('SELECT 1 AS yes FROM transfers WHERE file_id = ? AND borrowed = 1 LIMIT 1', fileId) !== null,
    isOwn: (fileId) =>
      db.get("SELECT 1 AS yes FROM transfers WHERE file_id = ? AND borrowed = 0 AND state IN ('done', 'cancelled') LIMIT 1", fileId) !==
      null,
  }
}
