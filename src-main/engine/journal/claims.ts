// Manages claims. A claim connects a remote file with a version of a local file. It is live while the
// transfer of that version is done and the claim hasn't ended. The file's link may be shown only while the
// claim is live. owners.ts decides what may be deleted.

import { has, numbers, text, textOrNull } from './column-values.ts'
import type { Database } from './database.ts'
import { createStateWriter } from './state-writer.ts'
import type { Ended, TransferRow } from './transfer-row.ts'

export interface Claims {
  /** Local paths with a live claim on this remote file, without duplicates, newest claim first. */
  owners(fileId: number): readonly string[]
  /**
   * Ends the live claims of `path` (null: of every path) on this file. Returns the IDs of their transfers.
   */
  end(fileId: number, path: string | null, why: Ended, at: number): readonly number[]
  /**
   * Undoes a deletion that the user requested at the time `at`. Restores the claims that ended as 'deleted'
   * at exactly that time. Also clears the file ID of cancelled rows that had left their file published and
   * got the ID only for the deletion. Call only while the file exists. Returns the IDs of the rows that have
   * changed.
   */
  restore(fileId: number, at: number): readonly number[]
  /**
   * Sets the link of all transfers with a live claim on this file. Call when the service has answered an
   * upload with this ID and another link, because the earlier link may not work any more. Returns the IDs of
   * the transfers that have changed.
   */
  relink(fileId: number, link: string): readonly number[]
  /**
   * Queues all transfers with a live claim on a deleted file, so that they are sent again. Clears the file ID
   * and link of these transfers, and returns their IDs.
   */
  lose(fileId: number): readonly number[]
  /**
   * Whether this content was deleted at this path, by the user or on the service, and has no live version
   * there.
   */
  isWithdrawn(path: string, sha256: string): boolean
  /** Like `isWithdrawn`, but only if the user deleted it. */
  isDeletedByUser(path: string, sha256: string): boolean
  /**
   * Whether content of this size was deleted at this path. If so, a new file there has to be compared by its
   * bytes.
   */
  hasEnded(path: string, size: number): boolean
  /**
   * Cancels a transfer because the same content was deleted at its path earlier. Marks the row in the same
   * way as the earlier one, so that it remains known whether the user deleted the content or it disappeared
   * from the service.
   */
  withdraw(row: Pick<TransferRow, 'id' | 'path'>, sha256: string, at: number): void
  /**
   * Marks a row that isn't done, because it is cancelled or about to be, as deleted by the user in Slipway,
   * so that its content isn't sent again. `sha256`: the hash of its content; null keeps the recorded hash.
   */
  endCancelled(id: number, sha256: string | null, at: number): void
  /**
   * Records the hash of the content of a row marked by `endCancelled`. No effect if its deletion has been
   * undone in the meantime.
   */
  noteContent(id: number, sha256: string): void
  /**
   * Assigns to transfer `id` the watched files that belonged to a transfer of this path whose claim has
   * ended.
   */
  represent(path: string, id: number): void
  /** Records that this transfer didn't create its remote file, which might therefore be in use by others. */
  setBorrowed(id: number): void
  isBorrowed(fileId: number): boolean
  /**
   * Whether a done or cancelled transfer has this file without having borrowed it, which means that an upload
   * of this journal created the file.
   */
  isOwn(fileId: number): boolean
}

/**
 * Ends all live claims on a file that no longer exists on the service. Returns the IDs of their transfers.
 */
export function endAsGone(db: Database, fileId: number, at: number): readonly number[] {
  return numbers(
    db,
    "UPDATE transfers SET ended = 'gone', ended_at = ? WHERE file_id = ? AND state = 'done' AND ended IS NULL RETURNING id",
    at,
    fileId,
  )
}

/**
 * Returns the IDs of the transfers whose file the user deleted. They are displayed differently once the
 * service has deleted the file.
 */
export function deletedOf(db: Database, fileId: number): readonly number[] {
  return numbers(db, "SELECT id FROM transfers WHERE file_id = ? AND ended = 'deleted'", fileId)
}

/**
 * Restores the claims on a file that turned out to exist after all, and returns the IDs of their transfers.
 * Claims that ended because the user deleted or replaced the file stay ended.
 */
export function revive(db: Database, fileId: number): readonly number[] {
  return numbers(
    db,
    "UPDATE transfers SET ended = NULL, ended_at = NULL WHERE file_id = ? AND state = 'done' AND ended = 'gone' RETURNING id",
    fileId,
  )
}

export function createClaims(db: Database): Claims {
  const writer = createStateWriter(db)
  /**
   * How the newest claim of this content at this path ended. Null if one is live or there is none. Ignores
   * replaced ones.
   */
  const endedAt = (path: string, sha256: string): string | null => {
    const row = db.get(
      `SELECT ended FROM transfers INDEXED BY transfers_path WHERE path = ? AND sha256 = ? AND (state = 'done' OR (state = 'cancelled' AND ended IS NOT NULL))
         AND ended IS NOT 'replaced' ORDER BY ended IS NOT NULL, id DESC LIMIT 1`,
      path,
      sha256,
    )
    return row === null ? null : textOrNull(row, 'ended')
  }
  return {
    owners: (fileId) =>
      db
        .all(
          "SELECT path FROM transfers WHERE file_id = ? AND state = 'done' AND ended IS NULL GROUP BY path ORDER BY max(id) DESC",
          fileId,
        )
        .map((row) => text(row, 'path')),
    end: (fileId, path, why, at) =>
      numbers(
        db,
        `UPDATE transfers SET ended = ?, ended_at = ? WHERE file_id = ? AND state = 'done' AND ended IS NULL
           AND (? IS NULL OR path = ?) RETURNING id`,
        why,
        at,
        fileId,
        path,
        path,
      ),
    restore: (fileId, at) => [
      ...numbers(
        db,
        `UPDATE transfers SET ended = NULL, ended_at = NULL WHERE file_id = ? AND state = 'done' AND ended = 'deleted' AND ended_at = ?
           RETURNING id`,
        fileId,
        at,
      ),
      ...numbers(
        db,
        `UPDATE transfers SET ended = NULL, ended_at = NULL, file_id = NULL WHERE file_id = ? AND state = 'cancelled' AND ended = 'deleted'
           AND ended_at = ? AND public_link IS NOT NULL AND message IS NOT NULL RETURNING id`,
        fileId,
        at,
      ),
    ],
    relink: (fileId, link) =>
      numbers(
        db,
        `UPDATE transfers SET public_link = ? WHERE file_id = ? AND state = 'done' AND ended IS NULL AND public_link <> ? RETURNING id`,
        link,
        fileId,
        link,
      ),
    lose: (fileId) =>
      db.tx(() => {
        const lost = numbers(
          db,
          "SELECT id FROM transfers WHERE file_id = ? AND state = 'done' AND ended IS NULL",
          fileId,
        )
        for (const id of lost) {
          writer.apply(id, { kind: 'orphaned' })
          db.run('UPDATE transfers SET file_id = NULL, public_link = NULL WHERE id = ?', id)
        }
        return lost
      }),
    isWithdrawn: (path, sha256) => endedAt(path, sha256) !== null,
    isDeletedByUser: (path, sha256) => endedAt(path, sha256) === 'deleted',
    hasEnded: (path, size) =>
      has(
        db,
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_path
         WHERE path = ? AND size = ? AND ended IN ('deleted', 'gone') AND state IN ('done', 'cancelled') LIMIT 1`,
        path,
        size,
      ),
    withdraw: ({ id, path }, sha256, at) => {
      const why = endedAt(path, sha256)
      writer.apply(id, { kind: 'cancelled' })
      db.run('UPDATE transfers SET sha256 = ?, ended = ?, ended_at = ? WHERE id = ?', sha256, why, at, id)
    },
    endCancelled: (id, sha256, at) =>
      void db.run(
        "UPDATE transfers SET ended = 'deleted', ended_at = ?, sha256 = coalesce(?, sha256) WHERE id = ?",
        at,
        sha256,
        id,
      ),
    noteContent: (id, sha256) => {
      // `ended_at` doesn't change, because `restore` finds the rows of a deletion by that time.
      db.run("UPDATE transfers SET sha256 = ? WHERE id = ? AND cancel = 1 AND ended = 'deleted'", sha256, id)
    },
    represent: (path, id) =>
      void db.run(
        'UPDATE files SET transfer_id = ? WHERE transfer_id IN (SELECT id FROM transfers WHERE path = ? AND ended IS NOT NULL)',
        id,
        path,
      ),
    setBorrowed: (id) => void db.run('UPDATE transfers SET borrowed = 1 WHERE id = ?', id),
    isBorrowed: (fileId) =>
      has(db, 'SELECT 1 AS yes FROM transfers WHERE file_id = ? AND borrowed = 1 LIMIT 1', fileId),
    isOwn: (fileId) =>
      has(
        db,
        "SELECT 1 AS yes FROM transfers WHERE file_id = ? AND borrowed = 0 AND state IN ('done', 'cancelled') LIMIT 1",
        fileId,
      ),
  }
}
