// The table `folders`: the settings of every folder that is or was watched, and the time that separates existing files from new ones. The
// row stays after the user stops watching the folder, because transfers still refer to it.
import type { Existing, OnChange } from '../../../src-shared/model.ts'
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
  /** The path as typed, if it differs from `path`, for example because of a symbolic link. */
  readonly named: string | null
  /** Files present at this time (epoch milliseconds) count as existing, if existing files are skipped. */
  readonly since: number
  /**
   * Whether a complete scan has recorded the existing files. If so, any other file is new, whatever its modification time, unless it was
   * ignored or unreadable.
   */
  readonly counted: boolean
  /**
   * When the user stopped watching the folder, in epoch milliseconds. Null while the folder is watched, or if it was only watched while a
   * command ran.
   */
  readonly withdrawnAt: number | null
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

/** Parses the stored ignore patterns. Returns an empty list if the value is corrupt. */
function readPatterns(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value.filter((v) => typeof v === 'string') : []
  } catch {
    return []
  }
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
    readonly keep: boolean
    readonly at: number
    readonly named?: string | null
    /** If absent, `at` is used. */
    readonly since?: number
  }): number
  updateFolder(
    id: number,
    f: { readonly existing: Existing; readonly onChange: OnChange; readonly ignore: readonly string[]; readonly keep: boolean },
  ): void
  setNamed(id: number, named: string): void
  /**
   * Moves the time that separates existing files from new ones. Resets `counted`, so that the next complete scan records which files exist.
   */
  setSince(id: number, since: number): void
  setCounted(id: number): void
  /**
   * Records when the user stopped watching the folder (epoch milliseconds), and clears `keep`, so that the folder isn't watched at the next
   * start. Null records that the folder is watched again, but doesn't set `keep`.
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
  }
}
