// The table `transfers`, one row per version of a file: lookups by path, link, remote file or content, and
// the writes that don't change a row's state. `Transfers` adds the queue (transfer-queue.ts) and state
// changes (transfer-states.ts).

import { has, likeFolded, number, numbers } from './column-values.ts'
import type { Database } from './database.ts'
import { createTransferQueue, pausedIn, type TransferQueue } from './transfer-queue.ts'
import { type Loss, type Receipt, readTransfer, TRANSFER_COLUMNS, type TransferRow } from './transfer-row.ts'
import { createTransferStates, type TransferStates } from './transfer-states.ts'

export type { Loss, TransferRow } from './transfer-row.ts'

// These statements are built once: they run for every file, and building and hashing such long strings each
// time is slow.
const BY_ID = `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE id = ?`
const NEWEST_OF_PATH = `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE path = ? ORDER BY id DESC LIMIT 1`
const DONE_VERSION = `SELECT ${TRANSFER_COLUMNS} FROM transfers INDEXED BY transfers_path WHERE path = ? AND size = ? AND mtime = ?
  AND state = 'done' AND ended IS NULL ORDER BY id DESC LIMIT 1`
const BY_TOKEN = `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE path = ? AND token = ? ORDER BY id DESC LIMIT 1`
const CONTENT_AT_PATH = `SELECT ${TRANSFER_COLUMNS} FROM transfers INDEXED BY transfers_path WHERE path = ? AND sha256 = ? AND state = 'done'
  AND ended IS NULL ORDER BY id DESC LIMIT 10`
const CONTENT_MOST = 50
const CONTENT = `SELECT ${TRANSFER_COLUMNS} FROM transfers INDEXED BY transfers_sha WHERE sha256 = ? AND state = 'done' AND ended IS NULL
  ORDER BY id DESC LIMIT ${CONTENT_MOST}`
const CONTENT_LEFT = `SELECT ${TRANSFER_COLUMNS} FROM transfers INDEXED BY transfers_away_content WHERE folder_id = ? AND sha256 = ? AND away = 1
  AND state = 'done' AND ended IS NULL ORDER BY id DESC LIMIT ${CONTENT_MOST}`

// Uses the indexes of rows in flight and unconfirmed, which are few. Many files of one size may have left
// their paths.
const AWAY = 'size = ? AND away = 1 AND folder_id IN (SELECT id FROM folders)'
const AWAY_UNDER_WAY = `SELECT 1 AS yes FROM transfers INDEXED BY transfers_uploading WHERE state = 'uploading' AND ${AWAY}
  UNION ALL SELECT 1 FROM transfers INDEXED BY transfers_unknown WHERE state = 'unknown' AND ${AWAY} LIMIT 1`

export type Transfers = TransferLookup & TransferQueue & TransferStates & TransferFields

export function createTransfers(db: Database): Transfers {
  return {
    ...createTransferLookup(db),
    ...createTransferQueue(db),
    ...createTransferStates(db),
    ...createTransferFields(db),
  }
}

// Writes to the table `transfers` that don't change a row's state: the path of its file, its link, its
// priority, and the details of its request. State changes are in transfer-states.ts.
interface TransferFields {
  setVersion(id: number, size: number, mtime: number): void
  /**
   * Changes the path of this row, and of other done or cancelled versions at the old path, after the file was
   * moved. Without `more`, the move was inferred from equal content, and the other versions keep the old path
   * if a newer row has it. `released`: the user's approvals that still apply under the new name.
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
   * Assigns unfinished rows of this folder's files to this folder if they still belong to a folder that isn't
   * in `watched`. Otherwise they would never be sent. Returns the IDs of the changed rows.
   */
  reclaim(folderId: number, watched: readonly number[]): readonly number[]
  setAway(id: number, away: boolean): void
  setLink(id: number, receipt: Receipt): void
  /**
   * Records the ID of the remote file that a cancelled upload left behind, so that its queued deletion can be
   * tracked. Changes only rows that are being cancelled.
   */
  setLeft(id: number, fileId: number): void
  setHashFirst(id: number): void
  /** If `reuseOnly` is true, the transfer may only take over an existing link. `setVersion` clears this. */
  setReuseOnly(id: number, reuseOnly: boolean): void
  setInside(id: number, isInside: boolean): void
  setPriority(id: number, priority: number): void
  setToken(id: number, token: string): void
  setReleased(id: number, released: string | null): void
  /** Keeps the version that this transfer would have replaced. */
  keepReplaced(id: number): void
  /** Keeps the versions that the folder's pending transfers would have replaced, unless the user is being asked. */
  forgetReplaced(folderId: number): void
  attempts(id: number, attempts: number): void
  addCheck(id: number, until: number): void
  /**
   * Records how and when the answer to the last request was lost. `up`: the system's uptime at `at`, in
   * milliseconds; null if unknown.
   */
  setLost(id: number, lost: Loss, at: number, up: number | null): void
  setUnproved(id: number, times: number): void
  countResent(id: number): void
  intentHash(id: number, sha256: string): void
}

function createTransferFields(db: Database): TransferFields {
  return {
    setVersion: (id, size, mtime) => {
      // The user approved the old content only. The new version hasn't been sent, so what is known about
      // earlier requests doesn't apply.
      db.run(
        `UPDATE transfers SET released = NULL, unproved = 0, resent = 0, sha256 = NULL, intent_mark = NULL, reuse_only = NULL,
         size = ?, mtime = ? WHERE id = ? AND (size <> ? OR mtime <> ?)`,
        size,
        mtime,
        id,
        size,
        mtime,
      )
      // Content of this size may already have a link, or the file may be a restored earlier version. Hashing
      // the file first shows whether it has to be sent.
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
    setPath: (...how) => setPath(db, ...how),
    setMtime: (id, mtime) => void db.run('UPDATE transfers SET mtime = ? WHERE id = ?', mtime, id),
    setNamed: (id, named) => void db.run('UPDATE transfers SET named = ? WHERE id = ?', named, id),
    setFolder: (id, folderId) => void db.run('UPDATE transfers SET folder_id = ? WHERE id = ?', folderId, id),
    reclaim: (folderId, watched) => {
      const kept = new Set([0, folderId, ...watched])
      const others = numbers(
        db,
        "SELECT DISTINCT folder_id AS id FROM tallies WHERE n > 0 AND state NOT IN ('done', 'gone', 'cancelled')",
      ).filter((id) => !kept.has(id))
      if (others.length === 0) return []
      return numbers(
        db,
        `UPDATE transfers SET folder_id = ? WHERE id IN (SELECT transfer_id FROM files WHERE folder_id = ? AND transfer_id IS NOT NULL)
           AND state NOT IN ('done', 'gone', 'cancelled') AND folder_id IN (${others.map(() => '?').join(',')}) RETURNING id`,
        folderId,
        folderId,
        ...others,
      )
    },
    setAway: (id, away) => void db.run('UPDATE transfers SET away = ? WHERE id = ?', away, id),
    setLink: (id, receipt) =>
      void db.run(
        'UPDATE transfers SET file_id = ?, public_link = ?, filename = ? WHERE id = ?',
        receipt.fileId,
        receipt.publicLink,
        receipt.filename,
        id,
      ),
    setLeft: (id, fileId) =>
      void db.run('UPDATE transfers SET file_id = ? WHERE id = ? AND cancel = 1', fileId, id),
    setHashFirst: (id) => void db.run('UPDATE transfers SET hash_first = 1 WHERE id = ?', id),
    setReuseOnly: (id, reuseOnly) =>
      void db.run('UPDATE transfers SET reuse_only = ? WHERE id = ?', reuseOnly ? 1 : null, id),
    setInside: (id, isInside) =>
      void db.run('UPDATE transfers SET inside = ? WHERE id = ?', isInside ? 1 : null, id),
    setPriority: (id, priority) =>
      void db.run('UPDATE transfers SET priority = ? WHERE id = ?', priority, id),
    setToken: (id, token) => void db.run('UPDATE transfers SET token = ? WHERE id = ?', token, id),
    keepReplaced: (id) => void db.run('UPDATE transfers SET replaces = NULL WHERE id = ?', id),
    forgetReplaced: (folderId) =>
      void db.run(
        "UPDATE transfers SET replaces = NULL WHERE folder_id = ? AND state IN ('queued', 'waiting', 'failed')",
        folderId,
      ),
    setReleased: (id, released) =>
      void db.run('UPDATE transfers SET released = ? WHERE id = ?', released, id),
    attempts: (id, attempts) => void db.run('UPDATE transfers SET attempts = ? WHERE id = ?', attempts, id),
    addCheck: (id, until) =>
      void db.run('UPDATE transfers SET checks = checks + 1, until = ? WHERE id = ?', until, id),
    setLost: (id, lost, at, up) =>
      void db.run('UPDATE transfers SET lost = ?, lost_at = ?, lost_up = ? WHERE id = ?', lost, at, up, id),
    setUnproved: (id, times) => void db.run('UPDATE transfers SET unproved = ? WHERE id = ?', times, id),
    countResent: (id) => void db.run('UPDATE transfers SET resent = resent + 1 WHERE id = ?', id),
    intentHash: (id, sha256) => void db.run('UPDATE transfers SET sha256 = ? WHERE id = ?', sha256, id),
  }
}

function setPath(db: Database, ...[id, path, name, more]: Parameters<TransferFields['setPath']>): void {
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
  db.run(
    'UPDATE transfers SET folder_id = ? WHERE id = ? AND folder_id <> ?',
    more.folderId,
    id,
    more.folderId,
  )
}

// Read-only queries that find rows of the table `transfers` by path, link, remote file or content.
// test/unit/engine/journal/query-plans.test.ts checks which indexes the queries use.

/** A version that was sent. Times are epoch milliseconds. */
export interface SentVersion {
  /** When the version was queued. */
  readonly createdAt: number
  readonly doneAt: number
}

interface TransferLookup {
  get(id: number): TransferRow | null
  /** The newest row of this path, in any state. */
  newestOfPath(path: string): TransferRow | null
  /** The newest done row with a live claim for exactly this version of the path. */
  doneVersion(path: string, size: number, mtime: number): TransferRow | null
  byToken(path: string, token: string): TransferRow | null
  byFileId(fileId: number): TransferRow | null
  byLink(link: string): TransferRow | null
  ofPath(path: string): readonly TransferRow[]
  /**
   * Returns versions with this content and a live claim: first those at this path, then those in this folder
   * whose file is no longer at its path, then those from anywhere; at most fifty of each, newest first. The
   * result may contain duplicates.
   */
  doneContent(
    sha256: string,
    near: { readonly path: string; readonly folderId: number | null },
  ): readonly TransferRow[]
  /** Whether a row of this size is done, so that hashing the file first may save an upload. */
  hasDoneSize(size: number): boolean
  /**
   * Whether any folder has an upload of this size (done, in flight or unconfirmed) whose local file is no
   * longer at its path.
   */
  hasAwaySize(size: number): boolean
  /**
   * Whether this folder has an upload of this size and modification time (done with a live claim, in flight
   * or unconfirmed) whose local file is no longer at its path.
   */
  hasAwayVersion(folderId: number, size: number, mtime: number): boolean
  /**
   * Like `hasAwayVersion`, but only for an upload with this hash, or with an unknown hash if `sha256` is
   * null.
   */
  hasAwayContent(folderId: number, size: number, mtime: number, sha256: string | null): boolean
  /**
   * Like `hasAwaySize`, but only for rows in flight or unconfirmed. Their outcome decides whether a moved
   * file already has its link.
   */
  hasAwayUnderWay(size: number): boolean
  /** The last versions of this path that were sent, newest first. */
  sentOfPath(path: string, limit: number): readonly SentVersion[]
  /**
   * Whether this path has a done row of this size. If so, the file may be a restored copy of an uploaded
   * version.
   */
  hasDonePath(path: string, size: number): boolean
  /** Whether an earlier version of this path, with a lower ID, had this content and was on the service. */
  hasEarlier(path: string, id: number, sha256: string): boolean
  /** Whether this remote file belongs to another transfer that is done or was cancelled. */
  isReceipt(fileId: number, except: number): boolean
  page(query: {
    readonly folderId: number | null
    readonly states: readonly string[]
    readonly afterId: number
    readonly limit: number
    readonly search?: string | undefined
    readonly beforeId?: number | undefined
    readonly linked?: boolean | undefined
    /** Only rows that the user has paused, themselves or with one of these folders, or only the others. */
    readonly paused?: { readonly are: boolean; readonly folders: readonly number[] } | undefined
  }): readonly TransferRow[]
}

function createTransferLookup(db: Database): TransferLookup {
  const one = (sql: string, ...bind: (string | number)[]): TransferRow | null => {
    const row = db.values(sql, ...bind)
    return row === null ? null : readTransfer(row)
  }
  const many = (sql: string, ...bind: (string | number)[]): TransferRow[] =>
    db.allValues(sql, ...bind).map(readTransfer)
  const exists = (sql: string, ...bind: (string | number | null)[]): boolean => has(db, sql, ...bind)

  return {
    get: (id) => one(BY_ID, id),
    newestOfPath: (path) => one(NEWEST_OF_PATH, path),
    doneVersion: (path, size, mtime) => one(DONE_VERSION, path, size, mtime),
    byToken: (path, token) => one(BY_TOKEN, path, token),
    byFileId: (fileId) =>
      one(
        `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE file_id = ? ORDER BY ended IS NOT NULL, id DESC LIMIT 1`,
        fileId,
      ),
    byLink: (link) =>
      one(
        `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE public_link = ? ORDER BY ended IS NOT NULL, id DESC LIMIT 1`,
        link,
      ),
    ofPath: (path) => many(`SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE path = ? ORDER BY id DESC`, path),
    doneContent: (sha, near) => {
      const anywhere = many(CONTENT, sha)
      // If the limit wasn't reached, `anywhere` is the complete set of matches, including those at this path
      // and in this folder.
      const isAll = anywhere.length < CONTENT_MOST
      const here = isAll
        ? anywhere.filter((row) => row.path === near.path)
        : many(CONTENT_AT_PATH, near.path, sha)
      const isLeft = (row: TransferRow): boolean => row.away && row.folderId === near.folderId
      const left =
        near.folderId === null ? [] : isAll ? anywhere.filter(isLeft) : many(CONTENT_LEFT, near.folderId, sha)
      return [...here, ...left, ...anywhere]
    },
    hasDoneSize: (size) =>
      exists("SELECT 1 AS yes FROM transfers WHERE size = ? AND state = 'done' LIMIT 1", size),
    hasAwaySize: (size) =>
      exists(
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_away WHERE folder_id IN (SELECT id FROM folders)
         AND size = ? AND away = 1 AND state IN ('done', 'uploading', 'unknown') LIMIT 1`,
        size,
      ),
    hasAwayVersion: (folderId, size, mtime) =>
      exists(
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_away WHERE folder_id = ? AND size = ? AND away = 1 AND mtime = ?
         AND state IN ('done', 'uploading', 'unknown') AND ended IS NULL LIMIT 1`,
        folderId,
        size,
        mtime,
      ),
    hasAwayContent: (folderId, size, mtime, sha256) =>
      exists(
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_away_content WHERE folder_id = ? AND sha256 IS ? AND away = 1 AND size = ?
         AND mtime = ? AND state IN ('done', 'uploading', 'unknown') AND ended IS NULL LIMIT 1`,
        folderId,
        sha256,
        size,
        mtime,
      ),
    hasAwayUnderWay: (size) => exists(AWAY_UNDER_WAY, size, size),
    sentOfPath: (path, limit) =>
      db
        .all(
          `SELECT created_at, done_at FROM transfers INDEXED BY transfers_path
           WHERE path = ? AND state = 'done' AND sent = 1 AND done_at IS NOT NULL ORDER BY id DESC LIMIT ?`,
          path,
          limit,
        )
        .map((row) => ({ createdAt: number(row, 'created_at'), doneAt: number(row, 'done_at') })),
    hasDonePath: (path, size) =>
      // Without a hint, SQLite would read all files of this size.
      exists(
        "SELECT 1 AS yes FROM transfers INDEXED BY transfers_path WHERE path = ? AND size = ? AND state = 'done' LIMIT 1",
        path,
        size,
      ),
    // The index returns the oldest version of the path first, which is usually the one that was uploaded.
    hasEarlier: (path, id, sha256) =>
      exists(
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_path WHERE path = ? AND id < ? AND sha256 = ?
         AND (state = 'done' OR file_id IS NOT NULL) LIMIT 1`,
        path,
        id,
        sha256,
      ),
    isReceipt: (fileId, except) =>
      exists(
        "SELECT 1 AS yes FROM transfers WHERE file_id = ? AND id <> ? AND state IN ('done', 'cancelled') LIMIT 1",
        fileId,
        except,
      ),
    page: (q) => {
      // Often no row is in one of these states, and the query below would read every row to find that out.
      if (q.states.length > 0 && !hasAnyIn(db, q.states, q.folderId)) return []
      if (q.paused?.are === true && pausedIn(db, q.paused.folders).total === 0) return []
      const states = q.states.length === 0 ? '' : ` AND state IN (${q.states.map(() => '?').join(',')})`
      const folder = q.folderId === null ? '' : ' AND folder_id = ?'
      const linked =
        q.linked === true ? " AND state = 'done' AND ended IS NULL AND public_link IS NOT NULL" : ''
      const paused = q.paused === undefined ? '' : pausedTerm(q.paused)
      const named = q.search === undefined || q.search === ''
      const search = named ? '' : " AND id IN (SELECT id FROM transfer_names WHERE folded LIKE ? ESCAPE '\\')"
      return many(
        `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE ${q.beforeId === undefined ? 'id > ?' : 'id < ?'}${states}${linked}${folder}${paused}${search}
         ORDER BY id ${q.beforeId === undefined ? 'ASC' : 'DESC'} LIMIT ?`,
        q.beforeId ?? q.afterId,
        ...q.states,
        ...(q.folderId === null ? [] : [q.folderId]),
        ...(q.paused?.folders ?? []),
        ...(named ? [] : [likeFolded(q.search ?? '')]),
        q.limit,
      )
    },
  }
}

/** Takes the IDs of `folders` as bound values. */
function pausedTerm({ are, folders }: NonNullable<Parameters<TransferLookup['page']>[0]['paused']>): string {
  const inFolders = `coalesce(folder_id, 0) IN (${folders.map(() => '?').join(',')})`
  const isPaused = `state = 'waiting' AND reason IS 'paused' OR state IN ('queued', 'waiting') AND ${inFolders}`
  return ` AND ${are ? '' : 'NOT '}(${isPaused})`
}

/** Whether any transfers are in one of these states, in one folder (null: in all). */
function hasAnyIn(db: Database, states: readonly string[], folderId: number | null): boolean {
  const marks = states.map(() => '?').join(',')
  const [folder, ...bind] = folderId === null ? [''] : ['AND folder_id = ?', folderId]
  return has(
    db,
    `SELECT 1 AS yes FROM tallies WHERE state IN (${marks}) ${folder} AND n > 0 LIMIT 1`,
    ...states,
    ...bind,
  )
}
