// The folders and files tables: what the last scan saw on disk, and which transfer stands for it. The folder audit is read off here,
// so it adds up by construction: every entry has exactly one class.
import type { AuditEntry, AuditList, AuditSums, Existing, OnChange } from '../../../src-shared/model.ts'
import type { Database, Row } from './open.ts'
import { flag, number, numberOrNull, text, textOrNull } from './rows.ts'

export interface FolderRow {
  readonly id: number
  readonly path: string
  readonly existing: Existing
  readonly onChange: OnChange
  readonly ignore: readonly string[]
  readonly keep: boolean
  readonly rootDev: number | null
  readonly rootIno: number | null
  readonly createdAt: number
  readonly lastScanAt: number | null
  /** As a person typed it, where a link leads from there to `path`. */
  readonly named: string | null
  /** Where existing files are skipped: what was there at this moment (epoch milliseconds) was there before. */
  readonly since: number
  /** A complete look has seen all that was there at `since`; what turns up after it has come since, whatever its times say. */
  readonly counted: boolean
  /** A person ended watching; null while it is watched, or was only watched as long as a command ran. */
  readonly withdrawnAt: number | null
}

export type FileClass = 'tracked' | 'settling' | 'ignored' | 'unreadable'

export interface FileRow {
  readonly folderId: number
  readonly dir: string
  readonly name: string
  readonly class: FileClass
  readonly size: number
  readonly mtime: number
  readonly ino: number
  readonly dev: number
  /** The inode's change time, in milliseconds with fractions; null where it is not known, or means nothing. */
  readonly ctime: number | null
  readonly count: number
  readonly rule: string | null
  readonly transferId: number | null
}

function readFolder(row: Row): FolderRow {
  return {
    id: number(row, 'id'),
    path: text(row, 'path'),
    existing: text(row, 'existing') as Existing,
    onChange: text(row, 'on_change') as OnChange,
    ignore: readPatterns(text(row, 'ignore_json')),
    keep: flag(row, 'keep'),
    rootDev: numberOrNull(row, 'root_dev'),
    rootIno: numberOrNull(row, 'root_ino'),
    createdAt: number(row, 'created_at'),
    lastScanAt: numberOrNull(row, 'last_scan_at'),
    named: textOrNull(row, 'named'),
    since: numberOrNull(row, 'since') ?? number(row, 'created_at'),
    counted: flag(row, 'counted'),
    withdrawnAt: numberOrNull(row, 'withdrawn_at'),
  }
}

function readPatterns(json: string): readonly string[] {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.filter((v) => typeof v === 'string') : []
}

function readFile(row: Row): FileRow {
  return {
    folderId: number(row, 'folder_id'),
    dir: text(row, 'dir'),
    name: text(row, 'name'),
    class: text(row, 'class') as FileClass,
    size: number(row, 'size'),
    mtime: number(row, 'mtime'),
    ino: number(row, 'ino'),
    dev: number(row, 'dev'),
    ctime: numberOrNull(row, 'ctime'),
    count: number(row, 'count'),
    rule: textOrNull(row, 'rule'),
    transferId: numberOrNull(row, 'transfer_id'),
  }
}

/** Where an entry counts in the audit, from its class and its transfer's state. One expression, used by sums and lists alike. */
const LIST = `CASE
  WHEN f.class = 'ignored' THEN 'ignored'
  WHEN f.class = 'unreadable' THEN 'failed'
  WHEN f.class = 'settling' THEN 'waiting'
  WHEN t.state = 'done' AND t.ended IS NOT NULL THEN 'ignored'
  WHEN t.state = 'done' THEN 'uploaded'
  WHEN t.state IN ('queued', 'uploading', 'waiting', 'unknown') THEN 'waiting'
  WHEN t.state = 'held' THEN 'held'
  WHEN t.state = 'cancelled' THEN 'ignored'
  ELSE 'failed' END`

const JOINED = 'FROM files f LEFT JOIN transfers t ON t.id = f.transfer_id WHERE f.folder_id = ?'

export interface Files {
  folders(): readonly FolderRow[]
  folder(id: number): FolderRow | null
  folderByPath(path: string): FolderRow | null
  addFolder(f: {
    readonly path: string
    readonly existing: Existing
    readonly onChange: OnChange
    readonly ignore: readonly string[]
    readonly keep: boolean
    readonly at: number
    readonly named?: string | null
    /** Default: `at`. */
    readonly since?: number
  }): number
  updateFolder(
    id: number,
    f: { readonly existing: Existing; readonly onChange: OnChange; readonly ignore: readonly string[]; readonly keep: boolean },
  ): void
  setNamed(id: number, named: string): void
  /** Draws the line for existing files again; the next complete look sees what is there. */
  setSince(id: number, since: number): void
  setCounted(id: number): void
  /** `at`: a person ended watching (epoch milliseconds); null: it is watched again. */
  setWithdrawn(id: number, at: number | null): void
  setRoot(id: number, dev: number, ino: number): void
  setScanned(id: number, at: number): void
  inDir(folderId: number, dir: string): readonly FileRow[]
  file(folderId: number, dir: string, name: string): FileRow | null
  /** Directories that the journal knows at or below `dir`. */
  dirsBelow(folderId: number, dir: string): readonly string[]
  /** Rows with this inode and size, wherever they were seen. */
  byInode(ino: number, dev: number, size: number): readonly FileRow[]
  byTransfer(transferId: number): FileRow | null
  put(row: FileRow): void
  drop(folderId: number, dir: string, name: string): void
  /** Drops the rows of this transfer in all folders but this one. */
  dropElsewhere(transferId: number, folderId: number): void
  setClass(folderId: number, dir: string, name: string, cls: FileClass, transferId: number | null): void
  settling(folderId: number): readonly FileRow[]
  /** Forgets files that are still being observed, so that another look finds them. */
  dropSettling(folderId: number): void
  settlingCount(folderId: number): number
  isEmpty(folderId: number): boolean
  sums(folderId: number): AuditSums
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

export function createFiles(db: Database): Files {
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
        'INSERT INTO folders (path, existing, on_change, ignore_json, keep, created_at, named, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        f.path,
        f.existing,
        f.onChange,
        JSON.stringify(f.ignore),
        f.keep,
        f.at,
        f.named ?? null,
        f.since ?? f.at,
      ).id,
    updateFolder: (id, f) => {
      db.run(
        'UPDATE folders SET existing = ?, on_change = ?, ignore_json = ?, keep = ? WHERE id = ?',
        f.existing,
        f.onChange,
        JSON.stringify(f.ignore),
        f.keep,
        id,
      )
    },
    setNamed: (id, named) => {
      db.run('UPDATE folders SET named = ? WHERE id = ?', named, id)
    },
    setSince: (id, since) => {
      db.run('UPDATE folders SET since = ?, counted = 0 WHERE id = ?', since, id)
    },
    setCounted: (id) => {
      db.run('UPDATE folders SET counted = 1 WHERE id = ?', id)
    },
    setWithdrawn: (id, at) => {
      db.run('UPDATE folders SET withdrawn_at = ?, keep = CASE WHEN ? IS NULL THEN keep ELSE 0 END WHERE id = ?', at, at, id)
    },
    setRoot: (id, dev, ino) => {
      db.run('UPDATE folders SET root_dev = ?, root_ino = ? WHERE id = ?', dev, ino, id)
    },
    setScanned: (id, at) => {
      db.run('UPDATE folders SET last_scan_at = ? WHERE id = ?', at, id)
    },
    inDir: (folderId, dir) => db.all('SELECT * FROM files WHERE folder_id = ? AND dir = ?', folderId, dir).map(readFile),
    file: (folderId, dir, name) => {
      const row = db.get('SELECT * FROM files WHERE folder_id = ? AND dir = ? AND name = ?', folderId, dir, name)
      return row === null ? null : readFile(row)
    },
    dirsBelow: (folderId, dir) =>
      (dir === ''
        ? db.all('SELECT DISTINCT dir FROM files WHERE folder_id = ?', folderId)
        : // '0' is the character after '/', so this is the range of all paths below the directory.
          db.all(
            'SELECT DISTINCT dir FROM files WHERE folder_id = ? AND (dir = ? OR (dir > ? AND dir < ?))',
            folderId,
            dir,
            `${dir}/`,
            `${dir}0`,
          )
      ).map((row) => text(row, 'dir')),
    byInode: (ino, dev, size) => db.all('SELECT * FROM files WHERE ino = ? AND size = ? AND dev = ?', ino, size, dev).map(readFile),
    byTransfer: (transferId) => {
      const row = db.get('SELECT * FROM files WHERE transfer_id = ? LIMIT 1', transferId)
      return row === null ? null : readFile(row)
    },
    put: (f) => {
      db.run(
        `INSERT INTO files (folder_id, dir, name, class, size, mtime, ino, dev, ctime, count, rule, transfer_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (folder_id, dir, name) DO UPDATE SET class = excluded.class, size = excluded.size, mtime = excluded.mtime, ino = excluded.ino,
         dev = excluded.dev, ctime = excluded.ctime, count = excluded.count, rule = excluded.rule, transfer_id = excluded.transfer_id`,
        f.folderId,
        f.dir,
        f.name,
        f.class,
        f.size,
        f.mtime,
        f.ino,
        f.dev,
        f.ctime,
        f.count,
        f.rule,
        f.transferId,
      )
    },
    drop: (folderId, dir, name) => {
      db.run('DELETE FROM files WHERE folder_id = ? AND dir = ? AND name = ?', folderId, dir, name)
    },
    dropElsewhere: (transferId, folderId) => {
      db.run('DELETE FROM files WHERE transfer_id = ? AND folder_id <> ?', transferId, folderId)
    },
    setClass: (folderId, dir, name, cls, transferId) => {
      db.run(
        'UPDATE files SET class = ?, transfer_id = ? WHERE folder_id = ? AND dir = ? AND name = ?',
        cls,
        transferId,
        folderId,
        dir,
        name,
      )
    },
    settling: (folderId) =>
      db.all("SELECT * FROM files INDEXED BY files_settling WHERE folder_id = ? AND class = 'settling'", folderId).map(readFile),
    dropSettling: (folderId) => {
      db.run("DELETE FROM files WHERE folder_id = ? AND class = 'settling'", folderId)
    },
    settlingCount: (folderId) => {
      const row = db.get("SELECT count(*) AS n FROM files INDEXED BY files_settling WHERE folder_id = ? AND class = 'settling'", folderId)
      return row === null ? 0 : number(row, 'n')
    },
    isEmpty: (folderId) => db.get('SELECT 1 AS yes FROM files WHERE folder_id = ? LIMIT 1', folderId) === null,
    sums: (folderId) => {
      const sums = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
      for (const row of db.all(`SELECT ${LIST} AS list, sum(f.count) AS n ${JOINED} GROUP BY 1`, folderId)) {
        const n = number(row, 'n')
        sums[text(row, 'list') as AuditList] += n
        sums.seen += n
      }
      return sums
    },
    entries: (q) => {
      // A cursor of directory and name, so that a page deep in a large folder costs the same as the first.
      const [dir, name] = q.after === null ? [null, null] : splitCursor(q.after)
      const rows = db.all(
        `SELECT f.*, ${LIST} AS list, t.state AS state, t.reason AS reason, t.message AS message, t.until AS until,
         iif(t.state = 'done' AND t.ended IS NULL, t.public_link, NULL) AS link, t.ended AS ended ${JOINED}
         ${q.list === null ? '' : `AND ${LIST} = ?`} ${dir === null ? '' : 'AND (f.dir, f.name) > (?, ?)'} ORDER BY f.dir, f.name LIMIT ?`,
        q.folderId,
        ...(q.list === null ? [] : [q.list]),
        ...(dir === null || name === null ? [] : [dir, name]),
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
      return { entries, next: rows.length < q.limit || last === undefined ? null : `${text(last, 'dir')}\0${text(last, 'name')}` }
    },
  }
}

function auditReason(row: Row): string | null {
  const cls = text(row, 'class')
  if (cls === 'ignored' || cls === 'unreadable') return textOrNull(row, 'rule')
  if (cls === 'settling') return 'settling'
  const state = textOrNull(row, 'state')
  // Deleted by a person, or found gone from the service: neither is uploaded again by itself.
  if ((state === 'done' || state === 'cancelled') && textOrNull(row, 'ended') !== null) return 'deleted'
  if (state === 'done') return null
  if (state === 'unknown') return 'checking'
  if (state === 'cancelled') return 'cancelled'
  return textOrNull(row, 'reason')
}

function splitCursor(cursor: string): readonly [string, string] {
  const at = cursor.indexOf('\0')
  return at < 0 ? [cursor, ''] : [cursor.slice(0, at), cursor.slice(at + 1)]
}
