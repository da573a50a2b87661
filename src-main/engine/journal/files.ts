// The table `files`: what the last scan found on disk, and which transfer belongs to each file. `Files` also
// combines what folders.ts has: watched folders, the folders inside others, and the audit.
import type { SQLOutputValue } from 'node:sqlite'
import { has, numberAt, numberOrNullAt, oneNumber, text, textAt, textOrNullAt } from './column-values.ts'
import type { Database } from './database.ts'
import {
  type Audit,
  createAudit,
  createFolders,
  createNestings,
  type Folders,
  type Nestings,
} from './folders.ts'

export type { EndedInside, FolderRow, Place } from './folders.ts'

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
  /**
   * The inode's change time in epoch milliseconds. Null if unknown; UNVERIFIED_CTIME (-1) until the bytes
   * have been compared.
   */
  readonly ctime: number | null
  readonly count: number
  readonly rule: string | null
  readonly transferId: number | null
}

const COLUMNS = 'folder_id, dir, name, class, size, mtime, ino, dev, ctime, count, rule, transfer_id'
const IN_DIR = `SELECT ${COLUMNS} FROM files WHERE folder_id = ? AND dir = ?`
const BY_PLACE = `${IN_DIR} AND name = ?`
const BY_INODE = `SELECT ${COLUMNS} FROM files WHERE ino = ? AND size = ? AND dev = ?`
const BY_TRANSFER = `SELECT ${COLUMNS} FROM files WHERE transfer_id = ? LIMIT 1`
const SETTLING = `SELECT ${COLUMNS} FROM files INDEXED BY files_settling WHERE folder_id = ? AND class = 'settling'`

/**
 * Reads a row whose values are in the order of COLUMNS. Reading rows as arrays is faster, and a rescan reads
 * every row of a folder.
 */
function readFile(row: readonly SQLOutputValue[]): FileRow {
  return {
    folderId: numberAt(row, 0),
    dir: textAt(row, 1),
    name: textAt(row, 2),
    class: textAt(row, 3) as FileClass,
    size: numberAt(row, 4),
    mtime: numberAt(row, 5),
    ino: numberAt(row, 6),
    dev: numberAt(row, 7),
    ctime: numberOrNullAt(row, 8),
    count: numberAt(row, 9),
    rule: textOrNullAt(row, 10),
    transferId: numberOrNullAt(row, 11),
  }
}

interface FileRows {
  inDir(folderId: number, dir: string): readonly FileRow[]
  file(folderId: number, dir: string, name: string): FileRow | null
  /** The directories at or below `dir` that have rows. */
  dirsBelow(folderId: number, dir: string): readonly string[]
  /** Rows with this inode, device and size, in any folder. */
  byInode(ino: number, dev: number, size: number): readonly FileRow[]
  byTransfer(transferId: number): FileRow | null
  put(row: FileRow): void
  drop(folderId: number, dir: string, name: string): void
  /** Drops this transfer's rows in all folders except `folderId`. */
  dropElsewhere(transferId: number, folderId: number): void
  setClass(folderId: number, dir: string, name: string, cls: FileClass, transferId: number | null): void
  settling(folderId: number): readonly FileRow[]
  /** Drops the rows of files that are still settling, so that the next scan finds these files again. */
  dropSettling(folderId: number): void
  settlingCount(folderId: number): number
  isEmpty(folderId: number): boolean
}

export type Files = Folders & Nestings & FileRows & Audit

export function createFiles(db: Database): Files {
  return { ...createFolders(db), ...createNestings(db), ...createFileRows(db), ...createAudit(db) }
}

/**
 * Selects the directories after `?2` of the folder `?1` by jumping from each to the next in the primary key.
 * SELECT DISTINCT would read every file of the folder, for each path that a scan finds missing.
 */
function dirsAfter(end: string): string {
  const next = (after: string): string =>
    `SELECT min(dir) FROM files WHERE folder_id = ?1 AND dir > ${after} ${end}`
  return `WITH RECURSIVE found(dir) AS (${next('?2')} UNION ALL SELECT (${next('found.dir')}) FROM found WHERE found.dir IS NOT NULL)
    SELECT dir FROM found WHERE dir IS NOT NULL`
}

function createFileRows(db: Database): FileRows {
  const one = (sql: string, ...bind: (string | number)[]): FileRow | null => {
    const row = db.values(sql, ...bind)
    return row === null ? null : readFile(row)
  }
  const many = (sql: string, ...bind: (string | number)[]): readonly FileRow[] =>
    db.allValues(sql, ...bind).map(readFile)
  return {
    inDir: (folderId, dir) => many(IN_DIR, folderId, dir),
    file: (folderId, dir, name) => one(BY_PLACE, folderId, dir, name),
    dirsBelow: (folderId, dir) =>
      [
        ...db.all('SELECT dir FROM files WHERE folder_id = ? AND dir = ? LIMIT 1', folderId, dir),
        // '0' follows '/' in ASCII, so this range covers all paths below the directory.
        ...(dir === ''
          ? db.all(dirsAfter(''), folderId, '')
          : db.all(dirsAfter('AND dir < ?3'), folderId, `${dir}/`, `${dir}0`)),
      ].map((row) => text(row, 'dir')),
    byInode: (ino, dev, size) => many(BY_INODE, ino, size, dev),
    byTransfer: (transferId) => one(BY_TRANSFER, transferId),
    put: (f) =>
      void db.run(
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
      ),
    drop: (folderId, dir, name) =>
      void db.run('DELETE FROM files WHERE folder_id = ? AND dir = ? AND name = ?', folderId, dir, name),
    dropElsewhere: (transferId, folderId) =>
      void db.run('DELETE FROM files WHERE transfer_id = ? AND folder_id <> ?', transferId, folderId),
    setClass: (folderId, dir, name, cls, transferId) =>
      void db.run(
        'UPDATE files SET class = ?, transfer_id = ? WHERE folder_id = ? AND dir = ? AND name = ?',
        cls,
        transferId,
        folderId,
        dir,
        name,
      ),
    settling: (folderId) => many(SETTLING, folderId),
    dropSettling: (folderId) =>
      void db.run("DELETE FROM files WHERE folder_id = ? AND class = 'settling'", folderId),
    settlingCount: (folderId) =>
      oneNumber(
        db,
        "SELECT count(*) AS n FROM files INDEXED BY files_settling WHERE folder_id = ? AND class = 'settling'",
        folderId,
      ) ?? 0,
    isEmpty: (folderId) => !has(db, 'SELECT 1 AS yes FROM files WHERE folder_id = ? LIMIT 1', folderId),
  }
}
