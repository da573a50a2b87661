// The table `folders` (the settings of every folder that is or was watched; the row stays, because transfers
// refer to it), the folder audit (how many files are uploaded, waiting, held, failed or ignored), and the
// table `nestings` (watched folders inside others).
import { GRACE_SECONDS, type GraceSeconds } from '../../../src-shared/choices.ts'
import {
  type AfterUpload,
  type AuditEntry,
  type AuditList,
  type AuditSums,
  type Existing,
  FileLimits,
  type OnChange,
} from '../../../src-shared/model.ts'
import { flag, likeFolded, number, numberOrNull, text, textOrNull } from './column-values.ts'
import type { Database, Row } from './database.ts'
import { OF_ACCOUNT } from './removals.ts'

/**
 * SQL condition for a file that has changed since its upload, but whose folder ignores changes, so that the
 * link still opens the earlier version.
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

/**
 * SQL for how an entry's claim on its remote file ended, with the same values as for a single transfer
 * (snapshot.ts).
 */
const ENDED = `CASE
  WHEN t.ended IS NULL OR t.ended NOT IN ('deleted', 'replaced') THEN t.ended
  WHEN EXISTS (SELECT 1 FROM removals WHERE file_id = t.file_id AND ${OF_ACCOUNT}) THEN 'deleting'
  WHEN t.ended = 'replaced' THEN t.ended
  WHEN EXISTS (SELECT 1 FROM transfers o WHERE o.file_id = t.file_id AND o.state = 'done' AND o.ended IS NULL) THEN 'kept'
  ELSE 'deleted' END`
const SEARCHED = `AND fold(f.dir || '/' || f.name) LIKE ? ESCAPE '\\' AND ${LIST} <> 'uploaded'`
const JOINED = 'FROM files f LEFT JOIN transfers t ON t.id = f.transfer_id WHERE f.folder_id = ?'

/**
 * Number of rows that `sumsAfter` and `entries` read per call at most, so that a call takes only a few
 * milliseconds.
 */
const SPAN = 5000

/**
 * A command may continue its watch after an absence of less than this. Longer than the interval between two
 * scans of a whole folder, because after a crash, the last scan may be the last sign that the folder was
 * being watched.
 */
const CONTINUED_MS = 15 * 60_000

export interface FolderRow {
  readonly id: number
  readonly path: string
  readonly existing: Existing
  readonly onChange: OnChange
  readonly ignore: readonly string[]
  /** Null if no file is ignored because of its size or type. */
  readonly limits: FileLimits | null
  /** Whether the user has paused the folder. */
  readonly paused: boolean
  readonly keep: boolean
  readonly rootDev: number | null
  readonly rootIno: number | null
  readonly createdAt: number
  readonly lastScanAt: number | null
  /** The path as typed, if it differs from `path`, for example because of a symbolic link. */
  readonly named: string | null
  /** Files present at this time (epoch milliseconds) count as existing, if existing files are skipped. */
  readonly since: number
  /**
   * Whether a complete scan has recorded the existing files. If so, any other file is new, whatever its
   * modification time, unless it was ignored or unreadable.
   */
  readonly counted: boolean
  /**
   * When the user stopped watching the folder, in epoch milliseconds. Null while the folder is watched, or if
   * it was only watched while a command ran.
   */
  readonly withdrawnAt: number | null
  /** How long new files wait before they are uploaded. */
  readonly graceSeconds: GraceSeconds
  /** What happens to its files after their upload. */
  readonly after: AfterUpload
}

function readFolder(row: Row): FolderRow {
  return {
    id: number(row, 'id'),
    path: text(row, 'path'),
    existing: text(row, 'existing') as Existing,
    onChange: text(row, 'on_change') as OnChange,
    ignore: readPatterns(text(row, 'ignore_json')),
    limits: readLimits(textOrNull(row, 'limits_json')),
    paused: flag(row, 'paused'),
    keep: flag(row, 'keep'),
    rootDev: numberOrNull(row, 'root_dev'),
    rootIno: numberOrNull(row, 'root_ino'),
    createdAt: number(row, 'created_at'),
    lastScanAt: numberOrNull(row, 'last_scan_at'),
    named: textOrNull(row, 'named'),
    since: numberOrNull(row, 'since') ?? number(row, 'created_at'),
    counted: flag(row, 'counted'),
    withdrawnAt: numberOrNull(row, 'withdrawn_at'),
    graceSeconds: GRACE_SECONDS.find((one) => one === row['grace']) ?? 0,
    after: readAfter(textOrNull(row, 'after_upload')),
  }
}

function readAfter(stored: string | null): AfterUpload {
  return stored === null ? 'keep' : stored === 'bin' ? 'bin' : { folder: stored }
}

function afterText(after: AfterUpload): string | null {
  return after === 'keep' ? null : after === 'bin' ? 'bin' : after.folder
}

/** Parses the stored ignore patterns. Returns an empty list if the value is corrupt. */
function readPatterns(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value.filter((v) => typeof v === 'string') : []
  } catch {
    return []
  }
}

function readLimits(json: string | null): FileLimits | null {
  return json === null ? null : FileLimits.parse(JSON.parse(json))
}

function limitsJson(limits: FileLimits | null): string | null {
  const isEmpty =
    limits === null ||
    (limits.maxBytes === null && limits.onlyTypes.length === 0 && limits.notTypes.length === 0)
  return isEmpty ? null : JSON.stringify(limits)
}

export interface Folders {
  folders(): readonly FolderRow[]
  folder(id: number): FolderRow | null
  folderByPath(path: string): FolderRow | null
  addFolder(f: {
    readonly path: string
    readonly existing: Existing
    readonly onChange: OnChange
    readonly ignore: readonly string[]
    readonly limits?: FileLimits | null
    readonly keep: boolean
    readonly at: number
    readonly named?: string | null
    /** If absent, `at` is used. */
    readonly since?: number
    readonly graceSeconds?: GraceSeconds
    readonly after?: AfterUpload
  }): number
  updateFolder(
    id: number,
    f: {
      readonly existing: Existing
      readonly onChange: OnChange
      readonly ignore: readonly string[]
      readonly graceSeconds: GraceSeconds
      readonly after: AfterUpload
      readonly limits: FileLimits | null
      readonly keep: boolean
    },
  ): void
  setNamed(id: number, named: string): void
  setFolderPaused(id: number, isPaused: boolean): void
  /**
   * Moves the time that separates existing files from new ones. Resets `counted`, so that the next complete
   * scan records which files exist.
   */
  setSince(id: number, since: number): void
  setCounted(id: number): void
  /**
   * Records when the user stopped watching the folder (epoch milliseconds), and clears `keep`, so that the
   * folder isn't watched at the next start. Null records that the folder is watched again, but doesn't set
   * `keep`.
   */
  setWithdrawn(id: number, at: number | null): void
  setRoot(id: number, dev: number, ino: number): void
  setScanned(id: number, at: number): void
}

export function createFolders(db: Database): Folders {
  return {
    folders: () => db.all('SELECT * FROM folders ORDER BY id').map(readFolder),
    folder: (id) => {
      const row = db.get('SELECT * FROM folders WHERE id = ?', id)
      return row === null ? null : readFolder(row)
    },
    folderByPath: (path) => {
      const row = db.get('SELECT * FROM folders WHERE path = ?', path)
      return row === null ? null : readFolder(row)
    },
    addFolder: (f) =>
      db.run(
        `INSERT INTO folders (path, existing, on_change, ignore_json, limits_json, keep, created_at, named, since, grace,
         after_upload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        f.path,
        f.existing,
        f.onChange,
        JSON.stringify(f.ignore),
        limitsJson(f.limits ?? null),
        f.keep,
        f.at,
        f.named ?? null,
        f.since ?? f.at,
        f.graceSeconds === 0 ? null : (f.graceSeconds ?? null),
        afterText(f.after ?? 'keep'),
      ).id,
    updateFolder: (id, f) =>
      void db.run(
        `UPDATE folders SET existing = ?, on_change = ?, ignore_json = ?, limits_json = ?, keep = ?, grace = ?,
         after_upload = ? WHERE id = ?`,
        f.existing,
        f.onChange,
        JSON.stringify(f.ignore),
        limitsJson(f.limits),
        f.keep,
        f.graceSeconds === 0 ? null : f.graceSeconds,
        afterText(f.after),
        id,
      ),
    setFolderPaused: (id, isPaused) =>
      void db.run('UPDATE folders SET paused = ? WHERE id = ?', isPaused, id),
    setNamed: (id, named) => void db.run('UPDATE folders SET named = ? WHERE id = ?', named, id),
    setSince: (id, since) => void db.run('UPDATE folders SET since = ?, counted = 0 WHERE id = ?', since, id),
    setCounted: (id) => void db.run('UPDATE folders SET counted = 1 WHERE id = ?', id),
    setWithdrawn: (id, at) =>
      void db.run(
        'UPDATE folders SET withdrawn_at = ?, keep = CASE WHEN ? IS NULL THEN keep ELSE 0 END WHERE id = ?',
        at,
        at,
        id,
      ),
    setRoot: (id, dev, ino) =>
      void db.run('UPDATE folders SET root_dev = ?, root_ino = ? WHERE id = ?', dev, ino, id),
    setScanned: (id, at) => void db.run('UPDATE folders SET last_scan_at = ? WHERE id = ?', at, id),
  }
}

// The folder audit, computed from the tables `files` and `transfers`: how many files of a folder are
// uploaded, waiting, held, failed or ignored. The counts always add up, because every entry belongs to
// exactly one list.

/** The position of an entry in a folder, ordered by directory and name. */
export interface Place {
  readonly dir: string
  readonly name: string
}

export interface Audit {
  /**
   * Counts the files in each list. Reads all rows of the folder at once, which takes a second for a million
   * files.
   */
  sums(folderId: number): AuditSums
  /**
   * Like `sums`, for the next SPAN rows only. `after`: the previous call's `next`, null for the first call.
   * `next`: null if no rows are left.
   */
  sumsAfter(folderId: number, after: Place | null): { readonly sums: AuditSums; readonly next: Place | null }
  /**
   * Returns one page: the entries of one list (null: of all lists) among the next SPAN rows, at most `limit`.
   * A page may have fewer entries even if more follow. `next`: the cursor of the next page, null if no rows
   * are left. `search`: returns only files that aren't uploaded and whose path in the folder contains this
   * text, ignoring case and accents.
   */
  entries(q: {
    readonly folderId: number
    readonly root: string
    readonly list: AuditList | null
    readonly search?: string
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
    for (const row of db.all(
      `SELECT ${LIST} AS list, sum(f.count) AS n ${JOINED} ${where} GROUP BY 1`,
      ...bind,
    )) {
      const n = number(row, 'n')
      sums[text(row, 'list') as AuditList] += n
      sums.seen += n
    }
    return sums
  }
  /**
   * Returns an SQL condition for the next SPAN rows of a folder, and the values to bind. `next`: the place of
   * the last of these rows, null if fewer than SPAN rows are left.
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
         ${q.list === null ? '' : `AND ${LIST} = ?`} ${q.search === undefined ? '' : SEARCHED}
         ${span.where} ORDER BY f.dir, f.name LIMIT ?`,
        q.folderId,
        ...(q.list === null ? [] : [q.list]),
        ...(q.search === undefined ? [] : [likeFolded(q.search)]),
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
      const next =
        rows.length < q.limit || last === undefined
          ? span.next
          : { dir: text(last, 'dir'), name: text(last, 'name') }
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
  // The reason is the same whether the user or someone else deleted the remote file: the local file is not
  // uploaded again automatically.
  if (ended !== null) return ended === 'gone' ? 'deleted' : ended
  if (state === 'done') return text(row, 'list') === 'ignored' ? 'change-ignored' : null
  if (state === 'unknown') return 'checking'
  if (state === 'cancelled')
    return textOrNull(row, 'reason') === 'ambiguous' ? 'maybe-published' : 'cancelled'
  return textOrNull(row, 'reason')
}

function splitCursor(cursor: string): Place {
  const at = cursor.indexOf('\0')
  return at < 0 ? { dir: cursor, name: '' } : { dir: cursor.slice(0, at), name: cursor.slice(at + 1) }
}

// The table `nestings`: which watched folders are or were inside other watched folders, and when the watch of
// the inner folder ended. From then on, the outer folder skips the files that were left in the inner one.

/** A folder whose watch ended inside an outer folder. */
export interface EndedInside {
  readonly innerId: number
  /** Absolute path of the inner folder. */
  readonly path: string
  /** Device and inode of the inner folder's directory; null if the directory was never found. */
  readonly rootDev: number | null
  readonly rootIno: number | null
  /** Epoch milliseconds. */
  readonly endedAt: number
  /**
   * Whether a complete scan of the outer folder has recorded what was left. If so, any other file there is
   * new, whatever its times.
   */
  readonly counted: boolean
}

export interface Nestings {
  /** Records that a watched folder lies inside another watched one. `at`: epoch milliseconds. */
  nest(outerId: number, innerId: number, at: number): void
  /**
   * Records that the inner folder is still watched at `at`. Call when the engine closes, because its watch
   * may end with that.
   */
  setWatched(innerId: number, at: number): void
  /**
   * Records that the watch of the inner folder ended at `at` (epoch milliseconds), for all outer folders on
   * record.
   */
  endInside(innerId: number, at: number): void
  /**
   * Ends the watch of all inner folders that are watched only while a command runs. Call at start-up; `now`:
   * the current time. The recorded end is the time when the folder was last known to be watched or, if that
   * was less than `CONTINUED_MS` ago, `now`, because the command may be about to reconnect. If it does,
   * `nest` resumes the watch.
   */
  endAbandoned(now: number): void
  endedInside(outerId: number): readonly EndedInside[]
  setCountedInside(outerId: number, ended: EndedInside): void
  /**
   * Deletes the records of all folders inside this outer folder, and its rows for the files left in them,
   * which are ignored with this rule. Call when the user stops watching the outer folder.
   */
  forgetInside(outerId: number, rule: string): void
}

export function createNestings(db: Database): Nestings {
  return {
    nest: (outerId, innerId, at) =>
      void db.run(
        `INSERT INTO nestings (outer_id, inner_id, watched_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET watched_at = excluded.watched_at, ended = 0, counted = 0`,
        outerId,
        innerId,
        at,
      ),
    setWatched: (innerId, at) =>
      void db.run('UPDATE nestings SET watched_at = ? WHERE inner_id = ? AND ended = 0', at, innerId),
    endInside: (innerId, at) =>
      void db.run(
        'UPDATE nestings SET ended = 1, watched_at = ? WHERE inner_id = ? AND ended = 0',
        at,
        innerId,
      ),
    endAbandoned: (now) => {
      const last = 'max(watched_at, coalesce(f.last_scan_at, 0))'
      db.run(
        `UPDATE nestings SET ended = 1, watched_at = iif(? - ${last} < ${CONTINUED_MS}, max(?, ${last}), ${last}) FROM folders f
         WHERE f.id = inner_id AND f.keep = 0 AND ended = 0`,
        now,
        now,
      )
    },
    endedInside: (outerId) =>
      db
        .all(
          `SELECT n.inner_id, n.watched_at, n.counted, f.path, f.root_dev, f.root_ino FROM nestings n JOIN folders f ON f.id = n.inner_id
           WHERE n.outer_id = ? AND n.ended = 1`,
          outerId,
        )
        .map((row) => ({
          innerId: number(row, 'inner_id'),
          path: text(row, 'path'),
          rootDev: numberOrNull(row, 'root_dev'),
          rootIno: numberOrNull(row, 'root_ino'),
          endedAt: number(row, 'watched_at'),
          counted: flag(row, 'counted'),
        })),
    setCountedInside: (outerId, { innerId, endedAt }) =>
      void db.run(
        'UPDATE nestings SET counted = 1 WHERE outer_id = ? AND inner_id = ? AND watched_at = ?',
        outerId,
        innerId,
        endedAt,
      ),
    forgetInside: (outerId, rule) => {
      db.run('DELETE FROM nestings WHERE outer_id = ?', outerId)
      db.run("DELETE FROM files WHERE folder_id = ? AND class = 'ignored' AND rule = ?", outerId, rule)
    },
  }
}
