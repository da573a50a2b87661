// The table `removals`: remote files that are still to be deleted, with the next try of each.
// Only those of the account in use are due, since the same id means another file on another account.
import type { Database, Row } from './open.ts'
import { number, numberOrNull, text, textOrNull } from './rows.ts'

export interface RemovalRow {
  readonly fileId: number
  readonly reason: string
  readonly attempts: number
  readonly until: number | null
  readonly createdAt: number
}

export interface Removals {
  /** Deletions that are due, of the account in use; those that the user asked for first. */
  removals(now: number, limit: number): readonly RemovalRow[]
  /** When the next one is due; 0: now. `asked` false: those that the user asked for don't count. */
  nextRemoval(asked?: boolean): number | null
  /** Deletions that the user asked for and that haven't been sent, oldest first. */
  asked(limit: number): { readonly files: readonly { readonly fileId: number; readonly name: string | null }[]; readonly total: number }
  /** Null: none is queued. */
  removal(fileId: number): RemovalRow | null
  /** What the user asks for is sent at once, even where the deletion was queued for another reason. */
  addRemoval(fileId: number, reason: string, at: number): void
  /** `charged`: the attempt counts, so that the next pause is longer. */
  delayRemoval(fileId: number, until: number, charged: boolean): void
  /** The clock was rolled back by this many milliseconds (less than 0). */
  shiftRemovals(by: number): void
  dropRemoval(fileId: number): void
  isRemoval(fileId: number): boolean
}

const OF_ACCOUNT = "(account IS NULL OR account = (SELECT value FROM meta WHERE key = 'account'))"

function readRemoval(row: Row): RemovalRow {
  return {
    fileId: number(row, 'file_id'),
    reason: text(row, 'reason'),
    attempts: number(row, 'attempts'),
    until: numberOrNull(row, 'until'),
    createdAt: number(row, 'created_at'),
  }
}

export function createRemovals(db: Database): Removals {
  return {
    removals: (now, limit) =>
      db
        .all(
          `SELECT * FROM removals WHERE (until IS NULL OR until <= ?) AND ${OF_ACCOUNT} ORDER BY reason <> 'asked', created_at LIMIT ?`,
          now,
          limit,
        )
        .map(readRemoval),
    nextRemoval: (asked = true) => {
      const row = db.get(`SELECT min(coalesce(until, 0)) AS at FROM removals WHERE ${OF_ACCOUNT} AND (? OR reason <> 'asked')`, asked)
      return row === null ? null : numberOrNull(row, 'at')
    },
    asked: (limit) => {
      const total = db.get(`SELECT count(*) AS n FROM removals WHERE reason = 'asked' AND ${OF_ACCOUNT}`)
      const n = total === null ? 0 : number(total, 'n')
      if (n === 0) return { files: [], total: 0 }
      const rows = db.all(
        `SELECT m.file_id, coalesce(r.filename, (SELECT t.name FROM transfers t WHERE t.file_id = m.file_id ORDER BY t.id DESC LIMIT 1)) AS name
         FROM removals m LEFT JOIN remote r ON r.file_id = m.file_id
         WHERE m.reason = 'asked' AND ${OF_ACCOUNT} ORDER BY m.created_at, m.file_id LIMIT ?`,
        limit,
      )
      return { files: rows.map((row) => ({ fileId: number(row, 'file_id'), name: textOrNull(row, 'name') })), total: n }
    },
    removal: (fileId) => {
      const row = db.get('SELECT * FROM removals WHERE file_id = ?', fileId)
      return row === null ? null : readRemoval(row)
    },
    addRemoval: (fileId, reason, at) => {
      db.run(
        `INSERT INTO removals (file_id, reason, created_at, account) VALUES (?, ?, ?, (SELECT value FROM meta WHERE key = 'account'))
         ON CONFLICT (file_id) DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at, until = NULL
         WHERE excluded.reason = 'asked'`,
        fileId,
        reason,
        at,
      )
    },
    delayRemoval: (fileId, until, charged) => {
      db.run('UPDATE removals SET attempts = attempts + ?, until = ? WHERE file_id = ?', charged, until, fileId)
    },
    shiftRemovals: (by) => {
      db.run('UPDATE removals SET until = until + ? WHERE until IS NOT NULL', by)
    },
    dropRemoval: (fileId) => {
      db.run('DELETE FROM removals WHERE file_id = ?', fileId)
    },
    isRemoval: (fileId) => db.get('SELECT 1 AS yes FROM removals WHERE file_id = ?', fileId) !== null,
  }
}
