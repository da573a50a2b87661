// The transfers table: one row a version of a file, from the moment it settled to its link. Only rows and queries; what a state means
// is decided by the engine's rooms.
import type { Ended, FailedReason, HeldReason, TransferState, WaitReason } from '../../../src-shared/model.ts'
import { likeFolded } from './fold.ts'
import type { Database, Row } from './open.ts'
import { flag, number, numberOrNull, text, textOrNull } from './rows.ts'

/** States that a row can have in the journal; `settling` lives in the files table. */
export type RowState = Exclude<TransferState, 'settling'>
export type RowReason = WaitReason | HeldReason | FailedReason
export type { Ended }

export interface TransferRow {
  readonly id: number
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  /** The path as a person typed it, where a link leads from there to `path`. */
  readonly named: string | null
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
  /** Its name when the last request went out; null where none did. The file may be called otherwise since. */
  readonly sentName: string | null
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
  /** Its claim on the remote file is over (see owners.ts); null while it is alive, or was never there. */
  readonly ended: Ended | null
  readonly endedAt: number | null
  readonly createdAt: number
  readonly doneAt: number | null
  /** By the service's clock, from the very answer; null where it told no time, or gave no answer. */
  readonly doneServer: number | null
}

export interface NewTransfer {
  readonly source: 'watch' | 'upload'
  readonly folderId: number | null
  readonly path: string
  readonly named?: string | null
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
    named: textOrNull(row, 'named'),
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
    sentName: textOrNull(row, 'sent_name'),
    checks: number(row, 'checks'),
    partly: flag(row, 'partly'),
    fileId: numberOrNull(row, 'file_id'),
    publicLink: textOrNull(row, 'public_link'),
    filename: textOrNull(row, 'filename'),
    adopted: flag(row, 'adopted'),
    replaces: numberOrNull(row, 'replaces'),
    away: flag(row, 'away'),
    cancel: flag(row, 'cancel'),
    ended: textOrNull(row, 'ended') as Ended | null,
    endedAt: numberOrNull(row, 'ended_at'),
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
  /** A done row with just this version of the path whose remote file is there. */
  doneVersion(path: string, size: number, mtime: number): TransferRow | null
  byToken(path: string, token: string): TransferRow | null
  byFileId(fileId: number): TransferRow | null
  byLink(link: string): TransferRow | null
  ofPath(path: string): readonly TransferRow[]
  /** Done rows with this content whose remote file is there, newest first. */
  /** Living versions with this content: those of this path first, then what left this folder, then the newest fifty; one may come twice. */
  doneContent(sha256: string, near: { readonly path: string; readonly folderId: number | null }): readonly TransferRow[]
  /** Whether content of this size is up already, so that hashing first can save an upload. */
  hasDoneSize(size: number): boolean
  /** Rows of watched folders, of this size, that are up or on their way, and whose local file is gone from where it was. */
  hasAwaySize(size: number): boolean
  /** The same of rows that are on their way: what becomes of them decides whether a moved file has its link already. */
  hasAwayUnderWay(size: number): boolean
  /** A done row of this path has this size: its content may be back. */
  hasDonePath(path: string, size: number): boolean
  /** Rows in the queue that belong to no folder or to one of these, most urgent first. */
  due(limit: number, after: { readonly priority: number; readonly id: number } | null, folders: Iterable<number>): readonly TransferRow[]
  /** Some of the rows in the queue that were registered last, of any folder, newest first. */
  newestQueued(limit: number): readonly TransferRow[]
  /**
   * Takes back what waits in a folder that is not watched any more, and lets the folder forget its files, so that watching it again finds
   * them. Works through rows above `after` in short steps; `next`: where to go on, null at the end.
   */
  withdraw(folderId: number, after: number): { readonly ids: readonly number[]; readonly next: number | null }
  /**
   * Rows that stand for files of this folder and were taken over by one that is not watched now become its own again, or nothing would send
   * them. `watched`: the folders that keep theirs. Gives the ids.
   */
  reclaim(folderId: number, watched: readonly number[]): readonly number[]
  /** Folders whose watching a person has ended, and in which something waits again. */
  toWithdraw(): readonly number[]
  /** Rows in doubt, oldest first. Asked before every upload, so that none of their like goes out. */
  unknown(limit: number): readonly TransferRow[]
  /** Whatever was on its way when the last process ended is in doubt now. */
  doubtUploading(): void
  /** Where a row stands, without the rest of it. */
  standing(id: number): { readonly state: RowState; readonly until: number | null; readonly folderId: number | null } | null
  page(query: {
    readonly folderId: number | null
    readonly states: readonly string[]
    readonly afterId: number
    readonly limit: number
    readonly search?: string | undefined
    readonly beforeId?: number | undefined
    readonly linked?: boolean | undefined
  }): readonly TransferRow[]
  counts(folderId: number | null): Readonly<Record<RowState, number>>
  /** How many rows could go out now or soon: those of no folder and of these. */
  workIn(folders: Iterable<number>): { readonly count: number; readonly bytes: number; readonly moving: number }
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
  intent(id: number, at: number, server: number | null, sha256: string | null, sentName: string): void
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
  /** The file was moved, perhaps into another folder: this row and the earlier versions at its old path. `released`: what is left of a person's release under the new name. Without `more` a file of the same bytes takes the link over. */
  setPath(
    id: number,
    path: string,
    name: string,
    more?: { readonly named: string | null; readonly folderId: number; readonly released: string | null },
  ): void
  setNamed(id: number, named: string): void
  setFolder(id: number, folderId: number | null): void
  setAway(id: number, away: boolean): void
  setLink(id: number, receipt: Receipt): void
  setHashFirst(id: number): void
  setPriority(id: number, priority: number): void
  setToken(id: number, token: string): void
  setReleased(id: number, released: string | null): void
  addCheck(id: number, until: number): void
  setCancel(id: number): void
  setPartly(id: number, partly: boolean): void
  intentHash(id: number, sha256: string): void
  /** A person waits for one of the queued rows. */
  hasUrgent(): boolean
  attempts(id: number, attempts: number): void
  /** This remote file is the receipt of another transfer. */
  isReceipt(fileId: number, except: number): boolean
  uploadsSince(at: number): number
  /** When the newest `most` uploads since `at` were done, oldest first. */
  uploadTimes(at: number, most: number): readonly number[]
  requeueAll(states: readonly RowState[], ids: readonly number[] | null): readonly number[]
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
        `INSERT INTO transfers (source, folder_id, path, named, name, size, mtime, state, reason, message, priority, token, again, hash_first, replaces,
         created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        t.source,
        t.folderId,
        t.path,
        t.named,
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
        `SELECT * FROM transfers INDEXED BY transfers_path WHERE path = ? AND size = ? AND mtime = ? AND state = 'done' AND ended IS NULL
         ORDER BY id DESC LIMIT 1`,
        path,
        size,
        mtime,
      ),
    byToken: (path, token) => one('SELECT * FROM transfers WHERE path = ? AND token = ? ORDER BY id DESC LIMIT 1', path, token),
    byFileId: (fileId) => one('SELECT * FROM transfers WHERE file_id = ? ORDER BY ended IS NOT NULL, id DESC LIMIT 1', fileId),
    byLink: (link) => one('SELECT * FROM transfers WHERE public_link = ? ORDER BY ended IS NOT NULL, id DESC LIMIT 1', link),
    ofPath: (path) => many('SELECT * FROM transfers WHERE path = ? ORDER BY id DESC', path),
    doneContent: (sha, near) => [
      ...many(
        `SELECT * FROM transfers INDEXED BY transfers_path WHERE path = ? AND sha256 = ? AND state = 'done' AND ended IS NULL
         ORDER BY id DESC LIMIT 10`,
        near.path,
        sha,
      ),
      ...(near.folderId === null
        ? []
        : many(
            `SELECT * FROM transfers INDEXED BY transfers_away_content WHERE folder_id = ? AND sha256 = ? AND away = 1 AND state = 'done'
             AND ended IS NULL ORDER BY id DESC LIMIT 50`,
            near.folderId,
            sha,
          )),
      ...many(
        "SELECT * FROM transfers INDEXED BY transfers_sha WHERE sha256 = ? AND state = 'done' AND ended IS NULL ORDER BY id DESC LIMIT 50",
        sha,
      ),
    ],
    hasDoneSize: (size) => db.get("SELECT 1 AS yes FROM transfers WHERE size = ? AND state = 'done' LIMIT 1", size) !== null,
    hasAwaySize: (size) =>
      db.get(
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_away WHERE folder_id IN (SELECT id FROM folders)
         AND size = ? AND away = 1 AND state IN ('done', 'uploading', 'unknown') LIMIT 1`,
        size,
      ) !== null,
    hasAwayUnderWay: (size) =>
      db.get(
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_away WHERE folder_id IN (SELECT id FROM folders)
         AND size = ? AND away = 1 AND state IN ('uploading', 'unknown') LIMIT 1`,
        size,
      ) !== null,
    hasDonePath: (path, size) =>
      db.get("SELECT 1 AS yes FROM transfers WHERE path = ? AND size = ? AND state = 'done' LIMIT 1", path, size) !== null,
    due: (limit, after, folders) => {
      const of = (folderId: number | null): TransferRow[] => {
        const [where, ...bind] = folderId === null ? ['folder_id IS NULL'] : ['folder_id = ?', folderId]
        const ask = (more: string, ...values: number[]): TransferRow[] =>
          many(`SELECT * FROM transfers WHERE state = 'queued' AND ${where} ${more} LIMIT ?`, ...bind, ...values)
        if (after === null) return ask('ORDER BY priority DESC, id', limit)
        // Two steps, for each of which the index serves as it is.
        const same = ask('AND priority = ? AND id > ? ORDER BY id', after.priority, after.id, limit)
        return same.length >= limit
          ? same
          : [...same, ...ask('AND priority < ? ORDER BY priority DESC, id', after.priority, limit - same.length)]
      }
      const lists = [of(null), ...[...folders].map(of)].filter((list) => list.length > 0)
      if (lists.length < 2) return lists[0] ?? []
      return lists
        .flat()
        .toSorted((a, b) => b.priority - a.priority || a.id - b.id)
        .slice(0, limit)
    },
    // Straight from the end of the table, and never far into it.
    newestQueued: (limit) =>
      many(
        `SELECT * FROM transfers NOT INDEXED WHERE state = 'queued' AND id > (SELECT max(id) FROM transfers) - ${NEWEST_SPAN}
         ORDER BY id DESC LIMIT ?`,
        limit,
      ),
    withdraw: (folderId, after) =>
      db.tx(() => {
        const ids = db
          .all(
            "SELECT id FROM transfers WHERE id > ? AND id <= ? AND folder_id = ? AND state IN ('queued', 'waiting', 'held', 'failed') ORDER BY id LIMIT ?",
            after,
            after + WITHDRAW_SPAN,
            folderId,
            WITHDRAW_MOST,
          )
          .map((row) => number(row, 'id'))
        for (const id of ids) {
          db.run('DELETE FROM files WHERE transfer_id = ?', id)
          db.run("UPDATE transfers SET state = 'cancelled', reason = NULL, message = ?, until = NULL WHERE id = ?", WITHDRAWN, id)
        }
        const reached = ids.length === WITHDRAW_MOST ? (ids.at(-1) ?? after) : after + WITHDRAW_SPAN
        const more = db.get('SELECT 1 AS yes FROM transfers WHERE id > ? LIMIT 1', reached) !== null
        return { ids, next: more ? reached : null }
      }),
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
    toWithdraw: () =>
      db
        .all(
          `SELECT DISTINCT f.id AS id FROM folders f JOIN tallies t ON t.folder_id = f.id
           WHERE f.withdrawn_at IS NOT NULL AND t.n > 0 AND t.state IN ('queued', 'waiting', 'held', 'failed')`,
        )
        .map((row) => number(row, 'id')),
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
      const row = db.get('SELECT state, until, folder_id FROM transfers WHERE id = ?', id)
      return row === null
        ? null
        : { state: text(row, 'state') as RowState, until: numberOrNull(row, 'until'), folderId: numberOrNull(row, 'folder_id') }
    },
    page: (q) => {
      const states = q.states.length === 0 ? '' : ` AND state IN (${q.states.map(() => '?').join(',')})`
      const folder = q.folderId === null ? '' : ' AND folder_id = ?'
      const linked = q.linked === true ? " AND state = 'done' AND ended IS NULL AND public_link IS NOT NULL" : ''
      const named = q.search === undefined || q.search === ''
      const search = named ? '' : " AND id IN (SELECT id FROM transfer_names WHERE folded LIKE ? ESCAPE '\\')"
      return many(
        `SELECT * FROM transfers WHERE ${q.beforeId === undefined ? 'id > ?' : 'id < ?'}${states}${linked}${folder}${search}
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
      const row = db.get(
        "SELECT min(until) AS at FROM transfers INDEXED BY transfers_waits WHERE state = 'waiting' AND folder_id = ?",
        folderId,
      )
      return row === null ? null : numberOrNull(row, 'at')
    },
    waitReasonOf: (folderId) => {
      const row = db.get(
        "SELECT reason FROM transfers INDEXED BY transfers_waits WHERE state = 'waiting' AND folder_id = ? ORDER BY until LIMIT 1",
        folderId,
      )
      return row === null ? null : (textOrNull(row, 'reason') as RowReason | null)
    },
    setState: (id, state, fields) => {
      if (state === 'unknown') doubtful = true
      db.run(
        // What a person called off does not come back by an answer that was late.
        `UPDATE transfers SET state = iif(cancel = 1 AND ?1 IN ('queued', 'waiting', 'held', 'failed'), 'cancelled', ?1), reason = ?2, message = ?3, until = ?4
         WHERE id = ?5`,
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
    intent: (id, at, server, sha256, sentName) => {
      db.run('UPDATE marks SET n = n + 1')
      // Of the receipts the newest tell: where ids grow, the highest is among them, and a look at all of a long history would hold up the engine.
      db.run(
        `UPDATE transfers SET state = 'uploading', reason = NULL, message = NULL, until = NULL, attempts = attempts + 1, checks = 0, partly = 0,
         intent_at = ?, intent_server = ?, sha256 = ?, sent_name = ?, intent_mark = (SELECT n FROM marks), intent_above = (SELECT max(file_id) FROM
         (SELECT file_id FROM transfers WHERE sent = 1 ORDER BY done_at DESC LIMIT 64)) WHERE id = ?`,
        at,
        server,
        sha256,
        sentName,
        id,
      )
    },
    done: (id, receipt, f) => {
      db.run(
        `UPDATE transfers SET state = 'done', reason = NULL, message = NULL, until = NULL, file_id = ?, public_link = ?, filename = ?,
         sha256 = ?, adopted = ?, sent = ?, done_at = ?, done_server = ?, ended = NULL, ended_at = NULL WHERE id = ?`,
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
      // A person let go what they saw: other content is asked about again.
      db.run(
        'UPDATE transfers SET released = CASE WHEN size = ? AND mtime = ? THEN released END, size = ?, mtime = ? WHERE id = ?',
        size,
        mtime,
        size,
        mtime,
        id,
      )
      // Whatever came to its name may have its link already, and what was here before may be back.
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
      // Earlier versions move with their file: they are found, replaced and deleted by its path. Not where another file has the old path by now.
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
    setNamed: (id, named) => {
      db.run('UPDATE transfers SET named = ? WHERE id = ?', named, id)
    },
    setFolder: (id, folderId) => {
      db.run('UPDATE transfers SET folder_id = ? WHERE id = ?', folderId, id)
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
    hasUrgent: () => db.get("SELECT 1 AS yes FROM transfers WHERE state = 'queued' AND priority > 0 LIMIT 1") !== null,
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
    workIn: (folders) => {
      const list = [0, ...folders]
      const row = db.get(
        `SELECT coalesce(sum(n), 0) AS n, coalesce(sum(bytes), 0) AS bytes FROM tallies
         WHERE state IN ('queued', 'uploading') AND (state = 'uploading' OR folder_id IN (${list.map(() => '?').join(',')}))`,
        ...list,
      )
      const moving = db.get("SELECT coalesce(sum(n), 0) AS n FROM tallies WHERE state IN ('uploading', 'unknown')")
      return {
        count: row === null ? 0 : number(row, 'n'),
        bytes: row === null ? 0 : number(row, 'bytes'),
        moving: moving === null ? 0 : number(moving, 'n'),
      }
    },
  }
}

/** Rows read, and rows changed, in one step: short enough that nobody waits for the thread. */
const WITHDRAW_SPAN = 20_000
/** How many of the last rows are looked through for some that are queued. */
const NEWEST_SPAN = 1000
const WITHDRAW_MOST = 200

/** Message of rows that were taken back because a person ended watching their folder. */
const WITHDRAWN = 'The folder is no longer watched.'
