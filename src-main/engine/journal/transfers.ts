// The transfers table: one row a version of a file, from the moment it settled to its link. Only rows and queries; what a state means
// is decided by the engine's rooms.
import type { FailedReason, HeldReason, TransferState, WaitReason } from '../../../src-shared/model.ts'
import { likeFolded } from './fold.ts'
import type { Database, Row } from './open.ts'
import { flag, number, numberOrNull, text, textOrNull } from './rows.ts'

/** States that a row can have in the journal; `settling` lives in the files table. */
export type RowState = Exclude<TransferState, 'settling'>
export type RowReason = WaitReason | HeldReason | FailedReason

export interface TransferRow {
  readonly id: number
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  readonly name: string
  readonly size: number
  readonly mtime: number
  readonly state: RowState
  readonly reason: RowReason | null
  readonly message: string | null
  readonly until: number | null
  readonly priority: number
  readonly attempts: number
  /** Comma-separated held reasons that a person has waved through. */
  readonly released: string | null
  readonly token: string | null
  readonly again: boolean
  /** Content that may be up already: hash before anything is sent. */
  readonly hashFirst: boolean
  readonly sha256: string | null
  readonly intentAt: number | null
  /** By the service's clock, null where that was not known. */
  readonly intentServer: number | null
  /** The number of its intent, which only grows: what was known before it has a lower mark. Null where that is not known. */
  readonly intentMark: number | null
  /** Highest id among the newest own receipts when it was sent; null if there was none. */
  readonly intentAbove: number | null
  readonly checks: number
  /** Surely not the whole body went out: one look is enough. */
  readonly partly: boolean
  readonly fileId: number | null
  readonly publicLink: string | null
  readonly filename: string | null
  readonly adopted: boolean
  readonly replaces: number | null
  readonly away: boolean
  readonly cancel: boolean
  readonly createdAt: number
  readonly doneAt: number | null
  /** By the service's clock, from the very answer; null where it told no time, or gave no answer. */
  readonly doneServer: number | null
}

export interface NewTransfer {
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  readonly name: string
  readonly size: number
  readonly mtime: number
  readonly state: RowState
  readonly reason: RowReason | null
  readonly message: string | null
  readonly priority: number
  readonly token: string | null
  readonly again: boolean
  readonly hashFirst: boolean
  readonly replaces: number | null
  readonly createdAt: number
}

export interface Receipt {
  readonly fileId: number | null
  readonly publicLink: string | null
  readonly filename: string | null
}

function read(row: Row): TransferRow {
  return {
    id: number(row, 'id'),
    source: text(row, 'source') as TransferRow['source'],
    folderId: numberOrNull(row, 'folder_id'),
    path: text(row, 'path'),
    name: text(row, 'name'),
    size: number(row, 'size'),
    mtime: number(row, 'mtime'),
    state: text(row, 'state') as RowState,
    reason: textOrNull(row, 'reason') as RowReason | null,
    message: textOrNull(row, 'message'),
    until: numberOrNull(row, 'until'),
    priority: number(row, 'priority'),
    attempts: number(row, 'attempts'),
    released: textOrNull(row, 'released'),
    token: textOrNull(row, 'token'),
    again: flag(row, 'again'),
    hashFirst: flag(row, 'hash_first'),
    sha256: textOrNull(row, 'sha256'),
    intentAt: numberOrNull(row, 'intent_at'),
    intentServer: numberOrNull(row, 'intent_server'),
    intentMark: numberOrNull(row, 'intent_mark'),
    intentAbove: numberOrNull(row, 'intent_above'),
    checks: number(row, 'checks'),
    partly: flag(row, 'partly'),
    fileId: numberOrNull(row, 'file_id'),
    publicLink: textOrNull(row, 'public_link'),
    filename: textOrNull(row, 'filename'),
    adopted: flag(row, 'adopted'),
    replaces: numberOrNull(row, 'replaces'),
    away: flag(row, 'away'),
    cancel: flag(row, 'cancel'),
    createdAt: number(row, 'created_at'),
    doneAt: numberOrNull(row, 'done_at'),
    doneServer: numberOrNull(row, 'done_server'),
  }
}

export interface Transfers {
  add(row: NewTransfer): number
  get(id: number): TransferRow | null
  /** The newest row of this path, whatever its state. */
  newestOfPath(path: string): TransferRow | null
  /** A done row with just this version of the path. */
  doneVersion(path: string, size: number, mtime: number): TransferRow | null
  byToken(path: string, token: string): TransferRow | null
  byFileId(fileId: number): TransferRow | null
  byLink(link: string): TransferRow | null
  ofPath(path: string): readonly TransferRow[]
  /** Done rows with this content, newest first. */
  doneContent(sha256: string): readonly TransferRow[]
  /** Whether content of this size is up already, so that hashing first can save an upload. */
  hasDoneSize(size: number): boolean
  /** Done rows of a folder, of this size, whose local file is gone from where it was. */
  hasAwaySize(folderId: number, size: number): boolean
  due(limit: number, after: { readonly priority: number; readonly id: number } | null): readonly TransferRow[]
  /** Rows in doubt, oldest first. Asked before every upload, so that none of their like goes out. */
  unknown(limit: number): readonly TransferRow[]
  /** Whatever was on its way when the last process ended is in doubt now. */
  doubtUploading(): void
  /** Where a row stands, without the rest of it. */
  standing(id: number): { readonly state: RowState; readonly until: number | null } | null
  page(query: {
    readonly folderId: number | null
    readonly states: readonly string[]
    readonly afterId: number
    readonly limit: number
    readonly search?: string | undefined
    readonly beforeId?: number | undefined
  }): readonly TransferRow[]
  counts(folderId: number | null): Readonly<Record<RowState, number>>
  /** Puts waiting rows whose time has come back into the queue; gives their ids. */
  wake(now: number): readonly number[]
  nextUntil(): number | null
  nextUntilOf(folderId: number): number | null
  waitReasonOf(folderId: number): RowReason | null
  setState(
    id: number,
    state: RowState,
    fields?: { readonly reason?: RowReason | null; readonly message?: string | null; readonly until?: number | null },
  ): void
  /** Written before the request goes out. */
  intent(id: number, at: number, server: number | null, sha256: string | null): void
  /** The proof: the service's receipt. */
  done(
    id: number,
    receipt: Receipt,
    fields: {
      readonly sha256: string | null
      readonly adopted: boolean
      readonly sent: boolean
      readonly at: number
      readonly server: number | null
    },
  ): void
  /** The clock was set back: what waits until a moment of the old one, or was stamped with one that is still to come. */
  setBack(by: number): void
  /** The newest moment that any row was stamped with. */
  newestMoment(): number | null
  setVersion(id: number, size: number, mtime: number): void
  setPath(id: number, path: string, name: string): void
  setAway(id: number, away: boolean): void
  setLink(id: number, receipt: Receipt): void
  setHashFirst(id: number): void
  setPriority(id: number, priority: number): void
  setToken(id: number, token: string): void
  setReleased(id: number, released: string): void
  addCheck(id: number, until: number): void
  setCancel(id: number): void
  setPartly(id: number, partly: boolean): void
  intentHash(id: number, sha256: string): void
  /** A row whose past is not known any more: looked up before anything is sent (journal rebuilt). */
  setDoubt(id: number, since: number): void
  attempts(id: number, attempts: number): void
  /** This remote file is the receipt of another transfer. */
  isReceipt(fileId: number, except: number): boolean
  uploadsSince(at: number): number
  /** When the newest `most` uploads since `at` were done, oldest first. */
  uploadTimes(at: number, most: number): readonly number[]
  requeueAll(states: readonly RowState[], ids: readonly number[] | null): readonly number[]
  /** Sizes of all that still wants to go. */
  pendingBytes(): { readonly count: number; readonly bytes: number }
}

export function createTransfers(db: Database): Transfers {
  const one = (sql: string, ...bind: (string | number)[]): TransferRow | null => {
    const row = db.get(sql, ...bind)
    return row === null ? null : read(row)
  }
  const many = (sql: string, ...bind: (string | number)[]): TransferRow[] => db.all(sql, ...bind).map(read)
  /** False only if surely no row is in doubt: the question comes with every upload and is nearly always answered with nothing. */
  let doubtful = true

  return {
    add: (t) =>
      db.run(
        `INSERT INTO transfers (source, folder_id, path, name, size, mtime, state, reason, message, priority, token, again, hash_first, replaces, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        t.source,
        t.folderId,
        t.path,
        t.name,
        t.size,
        t.mtime,
        t.state,
        t.reason,
        t.message,
        t.priority,
        t.token,
        t.again,
        t.hashFirst,
        t.replaces,
        t.createdAt,
      ).id,
    get: (id) => one('SELECT * FROM transfers WHERE id = ?', id),
    newestOfPath: (path) => one('SELECT * FROM transfers WHERE path = ? ORDER BY id DESC LIMIT 1', path),
    doneVersion: (path, size, mtime) =>
      one(
        "SELECT * FROM transfers WHERE path = ? AND size = ? AND mtime = ? AND state = 'done' ORDER BY id DESC LIMIT 1",
        path,
        size,
        mtime,
      ),
    byToken: (path, token) => one('SELECT * FROM transfers WHERE path = ? AND token = ? ORDER BY id DESC LIMIT 1', path, token),
    byFileId: (fileId) => one('SELECT * FROM transfers WHERE file_id = ? ORDER BY id DESC LIMIT 1', fileId),
    byLink: (link) => one('SELECT * FROM transfers WHERE public_link = ? ORDER BY id DESC LIMIT 1', link),
    ofPath: (path) => many('SELECT * FROM transfers WHERE path = ? ORDER BY id DESC', path),
    doneContent: (sha) => many("SELECT * FROM transfers WHERE sha256 = ? AND state = 'done' ORDER BY id DESC LIMIT 50", sha),
    hasDoneSize: (size) => db.get("SELECT 1 AS yes FROM transfers WHERE size = ? AND state = 'done' LIMIT 1", size) !== null,
    hasAwaySize: (folderId, size) =>
      db.get("SELECT 1 AS yes FROM transfers WHERE size = ? AND state = 'done' AND folder_id = ? AND away = 1 LIMIT 1", size, folderId) !==
      null,
    due: (limit, after) => {
      if (after === null) return many("SELECT * FROM transfers WHERE state = 'queued' ORDER BY priority DESC, id LIMIT ?", limit)
      // Two steps, for each of which the index serves as it stands.
      const same = many(
        "SELECT * FROM transfers WHERE state = 'queued' AND priority = ? AND id > ? ORDER BY id LIMIT ?",
        after.priority,
        after.id,
        limit,
      )
      if (same.length >= limit) return same
      return [
        ...same,
        ...many(
          "SELECT * FROM transfers WHERE state = 'queued' AND priority < ? ORDER BY priority DESC, id LIMIT ?",
          after.priority,
          limit - same.length,
        ),
      ]
    },
    // Spelt out, since a partial index is of no use to a parameter.
    unknown: (limit) => {
      if (!doubtful) return []
      const rows = many("SELECT * FROM transfers WHERE state = 'unknown' ORDER BY id LIMIT ?", limit)
      doubtful = rows.length > 0
      return rows
    },
    doubtUploading: () => {
      doubtful = true
      db.run("UPDATE transfers SET state = 'unknown', reason = 'checking', until = NULL, message = NULL WHERE state = 'uploading'")
    },
    standing: (id) => {
      const row = db.get('SELECT state, until FROM transfers WHERE id = ?', id)
      return row === null ? null : { state: text(row, 'state') as RowState, until: numberOrNull(row, 'until') }
    },
    page: (q) => {
      const states = q.states.length === 0 ? '' : ` AND state IN (${q.states.map(() => '?').join(',')})`
      const folder = q.folderId === null ? '' : ' AND folder_id = ?'
      const named = q.search === undefined || q.search === ''
      const search = named ? '' : " AND id IN (SELECT id FROM transfer_names WHERE folded LIKE ? ESCAPE '\\')"
      return many(
        `SELECT * FROM transfers WHERE ${q.beforeId === undefined ? 'id > ?' : 'id < ?'}${states}${folder}${search}
         ORDER BY id ${q.beforeId === undefined ? 'ASC' : 'DESC'} LIMIT ?`,
        q.beforeId ?? q.afterId,
        ...q.states,
        ...(q.folderId === null ? [] : [q.folderId]),
        ...(named ? [] : [likeFolded(q.search ?? '')]),
        q.limit,
      )
    },
    counts: (folderId) => {
      const zero: Record<RowState, number> = {
        queued: 0,
        uploading: 0,
        waiting: 0,
        held: 0,
        unknown: 0,
        failed: 0,
        cancelled: 0,
        gone: 0,
        done: 0,
      }
      const rows =
        folderId === null
          ? db.all('SELECT state, sum(n) AS n FROM tallies GROUP BY state')
          : db.all('SELECT state, n FROM tallies WHERE folder_id = ?', folderId)
      for (const row of rows) zero[text(row, 'state') as RowState] = number(row, 'n')
      return zero
    },
    wake: (now) => {
      const ids = db.all("SELECT id FROM transfers WHERE state = 'waiting' AND until <= ?", now).map((row) => number(row, 'id'))
      if (ids.length > 0)
        db.run(
          "UPDATE transfers SET state = 'queued', reason = NULL, message = NULL, until = NULL WHERE state = 'waiting' AND until <= ?",
          now,
        )
      return ids
    },
    nextUntil: () => {
      const row = db.get("SELECT min(until) AS at FROM transfers WHERE state = 'waiting'")
      return row === null ? null : numberOrNull(row, 'at')
    },
    nextUntilOf: (folderId) => {
      const row = db.get("SELECT min(until) AS at FROM transfers WHERE state = 'waiting' AND folder_id = ?", folderId)
      return row === null ? null : numberOrNull(row, 'at')
    },
    waitReasonOf: (folderId) => {
      const row = db.get("SELECT reason FROM transfers WHERE state = 'waiting' AND folder_id = ? ORDER BY until LIMIT 1", folderId)
      return row === null ? null : (textOrNull(row, 'reason') as RowReason | null)
    },
    setState: (id, state, fields) => {
      if (state === 'unknown') doubtful = true
      db.run(
        'UPDATE transfers SET state = ?, reason = ?, message = ?, until = ? WHERE id = ?',
        state,
        fields?.reason,
        fields?.message,
        fields?.until,
        id,
      )
    },
    setBack: (by) => {
      db.run("UPDATE transfers SET until = until + ? WHERE state = 'waiting' AND until IS NOT NULL", by)
      db.run("UPDATE transfers SET until = until + ?, intent_at = intent_at + ? WHERE state = 'unknown'", by, by)
      db.run("UPDATE transfers SET intent_at = intent_at + ? WHERE state = 'uploading'", by)
    },
    newestMoment: () => {
      const row = db.get(
        `SELECT max(coalesce((SELECT created_at FROM transfers ORDER BY id DESC LIMIT 1), 0),
           coalesce((SELECT max(done_at) FROM transfers WHERE sent = 1), 0),
           coalesce((SELECT max(intent_at) FROM transfers WHERE state = 'unknown'), 0)) AS at`,
      )
      return row === null ? null : numberOrNull(row, 'at')
    },
    intent: (id, at, server, sha256) => {
      db.run('UPDATE marks SET n = n + 1')
      // Of the receipts the newest tell: where ids grow, the highest is among them, and a look at all of a long history would hold up the engine.
      db.run(
        `UPDATE transfers SET state = 'uploading', reason = NULL, message = NULL, until = NULL, attempts = attempts + 1, checks = 0, partly = 0,
         intent_at = ?, intent_server = ?, sha256 = ?, intent_mark = (SELECT n FROM marks), intent_above = (SELECT max(file_id) FROM
         (SELECT file_id FROM transfers WHERE sent = 1 ORDER BY done_at DESC LIMIT 64)) WHERE id = ?`,
        at,
        server,
        sha256,
        id,
      )
    },
    done: (id, receipt, f) => {
      db.run(
        `UPDATE transfers SET state = 'done', reason = NULL, message = NULL, until = NULL, file_id = ?, public_link = ?, filename = ?,
         sha256 = ?, adopted = ?, sent = ?, done_at = ?, done_server = ? WHERE id = ?`,
        receipt.fileId,
        receipt.publicLink,
        receipt.filename,
        f.sha256,
        f.adopted,
        f.sent,
        f.at,
        f.server,
        id,
      )
    },
    setVersion: (id, size, mtime) => {
      db.run('UPDATE transfers SET size = ?, mtime = ? WHERE id = ?', size, mtime, id)
    },
    setPath: (id, path, name) => {
      db.run('UPDATE transfers SET path = ?, name = ?, away = 0 WHERE id = ?', path, name, id)
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
    setHashFirst: (id) => {
      db.run('UPDATE transfers SET hash_first = 1 WHERE id = ?', id)
    },
    setPriority: (id, priority) => {
      db.run('UPDATE transfers SET priority = ? WHERE id = ?', priority, id)
    },
    setToken: (id, token) => {
      db.run('UPDATE transfers SET token = ? WHERE id = ?', token, id)
    },
    setReleased: (id, released) => {
      db.run('UPDATE transfers SET released = ? WHERE id = ?', released, id)
    },
    addCheck: (id, until) => {
      db.run('UPDATE transfers SET checks = checks + 1, until = ? WHERE id = ?', until, id)
    },
    setPartly: (id, partly) => {
      db.run('UPDATE transfers SET partly = ? WHERE id = ?', partly, id)
    },
    intentHash: (id, sha256) => {
      db.run('UPDATE transfers SET sha256 = ? WHERE id = ?', sha256, id)
    },
    setCancel: (id) => {
      db.run('UPDATE transfers SET cancel = 1 WHERE id = ?', id)
    },
    setDoubt: (id, since) => {
      doubtful = true
      db.run(
        "UPDATE transfers SET state = 'unknown', intent_at = ?, intent_server = NULL, intent_mark = NULL, intent_above = NULL, checks = 0, until = NULL WHERE id = ?",
        since,
        id,
      )
    },
    attempts: (id, attempts) => {
      db.run('UPDATE transfers SET attempts = ? WHERE id = ?', attempts, id)
    },
    isReceipt: (fileId, except) =>
      db.get("SELECT 1 AS yes FROM transfers WHERE file_id = ? AND id <> ? AND state IN ('done', 'cancelled') LIMIT 1", fileId, except) !==
      null,
    uploadsSince: (at) => {
      const row = db.get('SELECT count(*) AS n FROM transfers WHERE sent = 1 AND done_at > ?', at)
      return row === null ? 0 : number(row, 'n')
    },
    uploadTimes: (at, most) =>
      db
        .all(
          'SELECT done_at AS at FROM transfers WHERE sent = 1 AND done_at > ? ORDER BY done_at DESC LIMIT ?',
          at,
          Math.min(most, 1_000_000),
        )
        .map((row) => number(row, 'at'))
        .toReversed(),
    requeueAll: (states, ids) =>
      db.tx(() => {
        const marks = states.map(() => '?').join(',')
        const found =
          ids === null
            ? db.all(`SELECT id FROM transfers WHERE state IN (${marks})`, ...states).map((row) => number(row, 'id'))
            : ids.filter((id) => db.get(`SELECT 1 AS yes FROM transfers WHERE id = ? AND state IN (${marks})`, id, ...states) !== null)
        for (const id of found)
          db.run("UPDATE transfers SET state = 'queued', reason = NULL, message = NULL, until = NULL, attempts = 0 WHERE id = ?", id)
        return found
      }),
    pendingBytes: () => {
      const row = db.get(
        "SELECT coalesce(sum(n), 0) AS n, coalesce(sum(bytes), 0) AS bytes FROM tallies WHERE state IN ('queued', 'uploading')",
      )
      return row === null ? { count: 0, bytes: 0 } : { count: number(row, 'n'), bytes: number(row, 'bytes') }
    },
  }
}
