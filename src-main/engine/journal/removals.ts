// The table `removals`: pending deletions of remote files, with the time of the next attempt. Rows of another
// account are never returned, because the same ID means another file there.

import { flag, has, number, numberOrNull, oneNumber, text, textOrNull } from './column-values.ts'
import type { Database, Row } from './database.ts'

export interface RemovalRow {
  readonly fileId: number
  readonly reason: string
  readonly attempts: number
  /** Whether a request to delete the file may have been carried out. */
  readonly sent: boolean
  readonly until: number | null
  readonly createdAt: number
}

export interface Removals {
  /**
   * Counts the queued deletions of replaced versions, and returns when the newest was queued, and the next is
   * due (epoch milliseconds; 0 means now); null if there are none.
   */
  replaced(): { readonly count: number; readonly newestAt: number; readonly nextAt: number } | null
  /** Deletions that are due for the current account, those requested by the user first. */
  removals(now: number, limit: number): readonly RemovalRow[]
  /**
   * When the next deletion is due, in epoch milliseconds; 0 means now, null that none is queued. If `asked`
   * is false, ignores deletions requested by the user.
   */
  nextRemoval(asked?: boolean): number | null
  /** Deletions requested by the user that are still queued, oldest first. */
  asked(limit: number): {
    readonly files: readonly { readonly fileId: number; readonly name: string | null }[]
    readonly total: number
  }
  /** The queued deletion of this file, if there is one. */
  removal(fileId: number): RemovalRow | null
  /**
   * Queues a deletion, due at once. If one is already queued, only a request by the user (`reason` is
   * 'asked') replaces it. A deletion left over from another account is always replaced.
   */
  addRemoval(fileId: number, reason: string, at: number): void
  /** Sets `sent`. Call right before the request to delete this file goes out. */
  removalSent(fileId: number): void
  /**
   * Postpones a queued deletion to `until` (epoch milliseconds; null: it is due). `charged`: whether the attempt
   * counts, so that the next delay is longer. `sent`: see `RemovalRow`.
   */
  delayRemoval(
    fileId: number,
    how: { readonly until: number | null; readonly charged: boolean; readonly sent: boolean },
  ): void
  dropRemoval(fileId: number): void
  isRemoval(fileId: number): boolean
}

/** SQL condition for rows of the current account, or of an unknown one. */
export const OF_ACCOUNT = "(account IS NULL OR account = (SELECT value FROM meta WHERE key = 'account'))"

/** Returns a row if the current account has a queued deletion. */
export const FIND_REMOVAL = `SELECT 1 AS yes FROM removals WHERE ${OF_ACCOUNT} LIMIT 1`

function readRemoval(row: Row): RemovalRow {
  return {
    fileId: number(row, 'file_id'),
    reason: text(row, 'reason'),
    attempts: number(row, 'attempts'),
    sent: flag(row, 'sent'),
    until: numberOrNull(row, 'until'),
    createdAt: number(row, 'created_at'),
  }
}

export function createRemovals(db: Database): Removals {
  return {
    replaced: () => {
      const row = db.get(
        `SELECT count(*) AS n, max(created_at) AS at, min(coalesce(until, 0)) AS next FROM removals WHERE reason = 'replaced' AND ${OF_ACCOUNT}`,
      )
      return row === null || number(row, 'n') === 0
        ? null
        : { count: number(row, 'n'), newestAt: number(row, 'at'), nextAt: number(row, 'next') }
    },
    removals: (now, limit) =>
      db
        .all(
          `SELECT * FROM removals WHERE (until IS NULL OR until <= ?) AND ${OF_ACCOUNT} ORDER BY reason <> 'asked', created_at LIMIT ?`,
          now,
          limit,
        )
        .map(readRemoval),
    nextRemoval: (asked = true) =>
      oneNumber(
        db,
        `SELECT min(coalesce(until, 0)) AS at FROM removals WHERE ${OF_ACCOUNT} AND (? OR reason <> 'asked')`,
        asked,
      ),
    asked: (limit) => {
      const total =
        oneNumber(db, `SELECT count(*) FROM removals WHERE reason = 'asked' AND ${OF_ACCOUNT}`) ?? 0
      if (total === 0) return { files: [], total }
      const rows = db.all(
        `SELECT m.file_id, coalesce(r.filename, (SELECT t.name FROM transfers t WHERE t.file_id = m.file_id ORDER BY t.id DESC LIMIT 1)) AS name
         FROM removals m LEFT JOIN remote r ON r.file_id = m.file_id
         WHERE m.reason = 'asked' AND ${OF_ACCOUNT} ORDER BY m.created_at, m.file_id LIMIT ?`,
        limit,
      )
      return {
        files: rows.map((row) => ({ fileId: number(row, 'file_id'), name: textOrNull(row, 'name') })),
        total,
      }
    },
    removal: (fileId) => {
      const row = db.get(`SELECT * FROM removals WHERE file_id = ? AND ${OF_ACCOUNT}`, fileId)
      return row === null ? null : readRemoval(row)
    },
    addRemoval: (fileId, reason, at) =>
      void db.run(
        `INSERT INTO removals (file_id, reason, created_at, account) VALUES (?, ?, ?, (SELECT value FROM meta WHERE key = 'account'))
         ON CONFLICT (file_id) DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at, until = NULL,
           account = excluded.account, attempts = iif(${OF_ACCOUNT}, attempts, 0), sent = iif(${OF_ACCOUNT}, sent, 0)
         WHERE excluded.reason = 'asked' OR NOT ${OF_ACCOUNT}`,
        fileId,
        reason,
        at,
      ),
    removalSent: (fileId) =>
      void db.run(`UPDATE removals SET sent = 1 WHERE file_id = ? AND ${OF_ACCOUNT}`, fileId),
    delayRemoval: (fileId, { until, charged, sent }) => {
      const sql = `UPDATE removals SET attempts = attempts + ?, until = ?, sent = ? WHERE file_id = ? AND ${OF_ACCOUNT}`
      db.run(sql, charged, until, sent, fileId)
    },
    dropRemoval: (fileId) => void db.run(`DELETE FROM removals WHERE file_id = ? AND ${OF_ACCOUNT}`, fileId),
    isRemoval: (fileId) =>
      has(db, `SELECT 1 AS yes FROM removals WHERE file_id = ? AND ${OF_ACCOUNT}`, fileId),
  }
}
