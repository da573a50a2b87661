// Writes to the table `transfers` that don't change a row's state: the path of its file, its link, its priority, and the details of its
// request. State changes are in transfer-states.ts.
import type { Database } from './open.ts'
import { number } from './rows.ts'
import type { Loss, Receipt } from './transfer-row.ts'

export interface TransferFields {
  setVersion(id: number, size: number, mtime: number): void
  /**
   * Changes the path of this row, and of other done or cancelled versions at the old path, after the file was moved. Without `more`, the
   * move was inferred from equal content, and the other versions keep the old path if a newer row has it. `released`: the user's approvals
   * that still apply under the new name.
   */
  setPath(
    id: number,
    path: string,
    name: string,
    more?: { readonly named: string | null; readonly folderId: number; readonly released: string | null },
  ): void
  /** Records the new modification time of a file whose bytes are still those that were sent. */
  setMtime(id: number, mtime: number): void
  setNamed(id: number, named: string): void
  setFolder(id: number, folderId: number | null): void
  /**
   * Assigns unfinished rows of this folder's files to this folder if they still belong to a folder that isn't in `watched`. Otherwise they
   * would never be sent. Returns the IDs of the changed rows.
   */
  reclaim(folderId: number, watched: readonly number[]): readonly number[]
  setAway(id: number, away: boolean): void
  setLink(id: number, receipt: Receipt): void
  /**
   * Records the ID of the remote file that a cancelled upload left behind, so that its queued deletion can be tracked. Changes only rows
   * that are being cancelled.
   */
  setLeft(id: number, fileId: number): void
  setHashFirst(id: number): void
  /** If `reuseOnly` is true, the transfer may only take over an existing link. `setVersion` clears this. */
  setReuseOnly(id: number, reuseOnly: boolean): void
  setInside(id: number, isInside: boolean): void
  setPriority(id: number, priority: number): void
  setToken(id: number, token: string): void
  setReleased(id: number, released: string | null): void
  attempts(id: number, attempts: number): void
  addCheck(id: number, until: number): void
  /** Records how and when the answer to the last request was lost. `up`: the system's uptime at `at`, in milliseconds; null if unknown. */
  setLost(id: number, lost: Loss, at: number, up: number | null): void
  setUnproved(id: number, times: number): void
  intentHash(id: number, sha256: string): void
  /**
   * Shifts times by `by` milliseconds (negative) after a clock rollback: all times that rows wait for, and times of intents, losses and
   * uploads later than `now`. Earlier ones may have been recorded since the rollback. Shifting those would make a recent loss look old, and
   * the file could be sent again too soon.
   */
  clockRolledBack(by: number, now: number): void
}

export function createTransferFields(db: Database): TransferFields {
  return {
    setVersion: (id, size, mtime) => {
      // The user approved the old content only. The new version hasn't been sent, so what is known about earlier requests doesn't apply.
      db.run(
        `UPDATE transfers SET released = NULL, unproved = 0, sha256 = NULL, intent_mark = NULL, reuse_only = NULL,
         size = ?, mtime = ? WHERE id = ? AND (size <> ? OR mtime <> ?)`,
        size,
        mtime,
        id,
        size,
        mtime,
      )
      // Content of this size may already have a link, or the file may be a restored earlier version. Hashing the file first shows whether
      // it has to be sent.
      db.run(
        `UPDATE transfers SET hash_first = 1 WHERE id = ? AND (EXISTS (SELECT 1 FROM transfers a INDEXED BY transfers_away
         WHERE a.folder_id = transfers.folder_id AND a.size = ? AND a.away = 1 AND a.id <> transfers.id)
         OR EXISTS (SELECT 1 FROM transfers d INDEXED BY transfers_path WHERE d.path = transfers.path AND d.size = ? AND d.id <> transfers.id
         AND d.state IN ('done', 'cancelled')))`,
        id,
        size,
        size,
      )
    },
    setPath: (id, path, name, more) => {
      // Other versions also get the new path, because they are found by path.
      const taken =
        more === undefined
          ? 'AND NOT EXISTS (SELECT 1 FROM transfers t JOIN transfers n ON n.path = t.path WHERE t.id = ? AND n.id > t.id)'
          : ''
      db.run(
        `UPDATE transfers SET path = ?, name = ? WHERE path = (SELECT path FROM transfers WHERE id = ?) AND path <> ? AND id <> ?
         AND state IN ('done', 'cancelled') ${taken}`,
        path,
        name,
        id,
        path,
        id,
        ...(more === undefined ? [id] : []),
      )
      db.run('UPDATE transfers SET path = ?, name = ?, away = 0 WHERE id = ?', path, name, id)
      if (more === undefined) return
      db.run('UPDATE transfers SET named = ?, released = ? WHERE id = ?', more.named, more.released, id)
      db.run('UPDATE transfers SET folder_id = ? WHERE id = ? AND folder_id <> ?', more.folderId, id, more.folderId)
    },
    setMtime: (id, mtime) => {
      db.run('UPDATE transfers SET mtime = ? WHERE id = ?', mtime, id)
    },
    setNamed: (id, named) => {
      db.run('UPDATE transfers SET named = ? WHERE id = ?', named, id)
    },
    setFolder: (id, folderId) => {
      db.run('UPDATE transfers SET folder_id = ? WHERE id = ?', folderId, id)
    },
    reclaim: (folderId, watched) => {
      const kept = new Set([0, folderId, ...watched])
      const others = db
        .all("SELECT DISTINCT folder_id AS id FROM tallies WHERE n > 0 AND state NOT IN ('done', 'gone', 'cancelled')")
        .map((row) => number(row, 'id'))
        .filter((id) => !kept.has(id))
      if (others.length === 0) return []
      return db
        .all(
          `UPDATE transfers SET folder_id = ? WHERE id IN (SELECT transfer_id FROM files WHERE folder_id = ? AND transfer_id IS NOT NULL)
           AND state NOT IN ('done', 'gone', 'cancelled') AND folder_id IN (${others.map(() => '?').join(',')}) RETURNING id`,
          folderId,
          folderId,
          ...others,
        )
        .map((row) => number(row, 'id'))
    },
    setAway: (id, away) => {
      db.run('UPDATE transfers SET away = ? WHERE id = ?', away, id)
    },
    setLink: (id, receipt) => {
      db.run(
        'UPDATE transfers SET file_id = ?, public_link = ?, filename = ? WHERE id = ?',
        receipt.fileId,
        receipt.publicLink,
        receipt.filename,
        id,
      )
    },
    setLeft: (id, fileId) => void db.run('UPDATE transfers SET file_id = ? WHERE id = ? AND cancel = 1', fileId, id),
    setHashFirst: (id) => {
      db.run('UPDATE transfers SET hash_first = 1 WHERE id = ?', id)
    },
    setReuseOnly: (id, reuseOnly) => {
      db.run('UPDATE transfers SET reuse_only = ? WHERE id = ?', reuseOnly ? 1 : null, id)
    },
    setInside: (id, isInside) => void db.run('UPDATE transfers SET inside = ? WHERE id = ?', isInside ? 1 : null, id),
    setPriority: (id, priority) => {
      db.run('UPDATE transfers SET priority = ? WHERE id = ?', priority, id)
    },
    setToken: (id, token) => {
      db.run('UPDATE transfers SET token = ? WHERE id = ?', token, id)
    },
    setReleased: (id, released) => {
      db.run('UPDATE transfers SET released = ? WHERE id = ?', released, id)
    },
    attempts: (id, attempts) => {
      db.run('UPDATE transfers SET attempts = ? WHERE id = ?', attempts, id)
    },
    addCheck: (id, until) => {
      db.run('UPDATE transfers SET checks = checks + 1, until = ? WHERE id = ?', until, id)
    },
    setLost: (id, lost, at, up) => {
      db.run('UPDATE transfers SET lost = ?, lost_at = ?, lost_up = ? WHERE id = ?', lost, at, up, id)
    },
    setUnproved: (id, times) => {
      db.run('UPDATE transfers SET unproved = ? WHERE id = ?', times, id)
    },
    intentHash: (id, sha256) => {
      db.run('UPDATE transfers SET sha256 = ? WHERE id = ?', sha256, id)
    },
    clockRolledBack: (by, now) => shiftTimes(db, by, now),
  }
}

function shiftTimes(db: Database, by: number, now: number): void {
  db.run("UPDATE transfers SET until = until + ? WHERE state = 'waiting' AND until IS NOT NULL", by)
  db.run("UPDATE transfers SET until = until + ? WHERE state = 'unknown'", by)
  db.run("UPDATE transfers SET intent_at = intent_at + ? WHERE state IN ('unknown', 'uploading') AND intent_at > ?", by, now)
  db.run("UPDATE transfers SET lost_at = lost_at + ? WHERE state = 'unknown' AND lost_at > ?", by, now)
  // Without this shift, these uploads would stay in the 24-hour window too long: by the amount that the clock was ahead.
  db.run('UPDATE transfers SET done_at = done_at + ? WHERE sent = 1 AND done_at > ?', by, now)
}
