// The folder audit, computed from the tables `files` and `transfers`: how many files of a folder are uploaded, waiting, held, failed or
// ignored. The counts always add up, because every entry belongs to exactly one list.
import type { AuditEntry, AuditList, AuditSums } from '../../../src-shared/model.ts'
import type { Database, Row } from './open.ts'
import { OF_ACCOUNT } from './removals.ts'
import { number, numberOrNull, text, textOrNull } from './rows.ts'

/**
 * SQL condition for a file that has changed since its upload, but whose folder ignores changes, so that the link still opens the
 * earlier version.
 */
const CHANGE_IGNORED = `t.state = 'done' AND t.ended IS NULL AND (f.size <> t.size OR f.mtime <> t.mtime)
  AND (SELECT on_change FROM folders WHERE id = f.folder_id) = 'ignore'`

/** SQL for the list that an entry belongs to. The sums and the entries share it, so they can't disagree. */
const LIST = `CASE
  WHEN f.class = 'ignored' THEN 'ignored'
  WHEN f.class = 'unreadable' THEN 'failed'
  WHEN f.class = 'settling' THEN 'waiting'
  WHEN t.state = 'done' AND t.ended IS NOT NULL THEN 'ignored'
  WHEN ${CHANGE_IGNORED} THEN 'ignored'
  WHEN t.state = 'done' THEN 'uploaded'
  WHEN t.state IN ('queued', 'uploading', 'waiting', 'unknown') THEN 'waiting'
  WHEN t.state = 'held' THEN 'held'
  WHEN t.state = 'cancelled' THEN 'ignored'
  ELSE 'failed' END`

/** SQL for how an entry's claim on its remote file ended, with the same values as for a single transfer (snapshot.ts). */
const ENDED = `CASE
  WHEN t.ended IS NULL OR t.ended NOT IN ('deleted', 'replaced') THEN t.ended
  WHEN EXISTS (SELECT 1 FROM removals WHERE file_id = t.file_id AND ${OF_ACCOUNT}) THEN 'deleting'
  WHEN t.ended = 'replaced' THEN t.ended
  WHEN EXISTS (SELECT 1 FROM transfers o WHERE o.file_id = t.file_id AND o.state = 'done' AND o.ended IS NULL) THEN 'kept'
  ELSE 'deleted' END`

const JOINED = 'FROM files f LEFT JOIN transfers t ON t.id = f.transfer_id WHERE f.folder_id = ?'

/** Number of rows that `sumsAfter` and `entries` read per call at most, so that a call takes only a few milliseconds. */
const SPAN = 5000

/** The position of an entry in a folder, ordered by directory and name. */
export interface Place {
  readonly dir: string
  readonly name: string
}

export interface Audit {
  /** Counts the files in each list. Reads all rows of the folder at once, which takes a second for a million files. */
  sums(folderId: number): AuditSums
  /**
   * Like `sums`, for the next SPAN rows only. `after`: the previous call's `next`, null for the first call. `next`: null if no rows are
   * left.
   */
  sumsAfter(folderId: number, after: Place | null): { readonly sums: AuditSums; readonly next: Place | null }
  /**
   * Returns one page: the entries of one list (null: of all lists) among the next SPAN rows, at most `limit`. A page may have fewer entries
   * even if more follow. `next`: the cursor of the next page, null if no rows are left.
   */
  entries(q: {
    readonly folderId: number
    readonly root: string
    readonly list: AuditList | null
    readonly after: string | null
    readonly limit: number
    readonly join: (root: string, dir: string, name: string) => string
  }): {
    readonly entries: readonly AuditEntry[]
    readonly next: string | null
  }
}

export function createAudit(db: Database): Audit {
  const sumsWhere = (where: string, ...bind: (string | number)[]): AuditSums => {
    const sums = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
    for (const row of db.all(`SELECT ${LIST} AS list, sum(f.count) AS n ${JOINED} ${where} GROUP BY 1`, ...bind)) {
      const n = number(row, 'n')
      sums[text(row, 'list') as AuditList] += n
      sums.seen += n
    }
    return sums
  }
  /**
   * Returns an SQL condition for the next SPAN rows of a folder, and the values to bind. `next`: the place of the last of these rows, null
   * if fewer than SPAN rows are left.
   */
  const spanAfter = (
    folderId: number,
    after: Place | null,
  ): { readonly where: string; readonly bind: readonly string[]; readonly next: Place | null } => {
    const [above, ...from] = after === null ? [''] : ['AND (f.dir, f.name) > (?, ?)', after.dir, after.name]
    const last = db.get(
      `SELECT dir, name FROM files f WHERE folder_id = ? ${above} ORDER BY dir, name LIMIT 1 OFFSET ${SPAN - 1}`,
      folderId,
      ...from,
    )
    if (last === null) return { where: above, bind: from, next: null }
    const next = { dir: text(last, 'dir'), name: text(last, 'name') }
    return { where: `${above} AND (f.dir, f.name) <= (?, ?)`, bind: [...from, next.dir, next.name], next }
  }
  return {
    sums: (folderId) => sumsWhere('', folderId),
    sumsAfter: (folderId, after) => {
      const { where, bind, next } = spanAfter(folderId, after)
      return { sums: sumsWhere(where, folderId, ...bind), next }
    },
    entries: (q) => {
      // Keyset pagination by directory and name: a page deep in a large folder costs no more than the first.
      const span = spanAfter(q.folderId, q.after === null ? null : splitCursor(q.after))
      const rows = db.all(
        `SELECT f.*, ${LIST} AS list, t.state AS state, t.reason AS reason, t.message AS message, t.until AS until,
         iif(t.state = 'done' AND t.ended IS NULL, t.public_link, NULL) AS link, ${ENDED} AS ended ${JOINED}
         ${q.list === null ? '' : `AND ${LIST} = ?`} ${span.where} ORDER BY f.dir, f.name LIMIT ?`,
        q.folderId,
        ...(q.list === null ? [] : [q.list]),
        ...span.bind,
        q.limit,
      )
      const entries = rows.map((row) => ({
        path: q.join(q.root, text(row, 'dir'), text(row, 'name')),
        list: text(row, 'list') as AuditList,
        reason: auditReason(row),
        until: row['until'] === null ? null : numberOrNull(row, 'until'),
        publicLink: textOrNull(row, 'link'),
        count: number(row, 'count'),
      }))
      const last = rows.at(-1)
      const next = rows.length < q.limit || last === undefined ? span.next : { dir: text(last, 'dir'), name: text(last, 'name') }
      return { entries, next: next === null ? null : `${next.dir}\0${next.name}` }
    },
  }
}

function auditReason(row: Row): string | null {
  const cls = text(row, 'class')
  if (cls === 'ignored' || cls === 'unreadable') return textOrNull(row, 'rule')
  if (cls === 'settling') return 'settling'
  const state = textOrNull(row, 'state')
  const ended = state === 'done' || state === 'cancelled' ? textOrNull(row, 'ended') : null
  // The reason is the same whether the user or someone else deleted the remote file: the local file is not uploaded again automatically.
  if (ended !== null) return ended === 'gone' ? 'deleted' : ended
  if (state === 'done') return text(row, 'list') === 'ignored' ? 'change-ignored' : null
  if (state === 'unknown') return 'checking'
  if (state === 'cancelled') return textOrNull(row, 'reason') === 'ambiguous' ? 'maybe-published' : 'cancelled'
  return textOrNull(row, 'reason')
}

function splitCursor(cursor: string): Place {
  const at = cursor.indexOf('\0')
  return at < 0 ? { dir: cursor, name: '' } : { dir: cursor.slice(0, at), name: cursor.slice(at + 1) }
}
