// The catalog's tables: the cached remote list, download counts over time, removals still to do, and small facts that must survive a restart.
// Only rows and queries; refreshing and matching live in catalog.ts and reconciler.ts.
import type { RemoteFile } from '../../api/types.ts'
import type { Database, Row } from './open.ts'
import { number, numberOrNull, text, textOrNull } from './rows.ts'

export interface RemoteEntry {
  readonly fileId: number
  readonly filename: string | null
  readonly size: number | null
  readonly uploadDate: string | null
  readonly downloadCount: number | null
  readonly publicLink: string | null
  readonly firstSeen: number
  readonly lastSeen: number
  readonly goneAt: number | null
}

export interface RemovalRow {
  readonly fileId: number
  readonly reason: string
  readonly attempts: number
  readonly until: number | null
}

export interface CatalogQuery {
  readonly search: string
  readonly sort: 'date' | 'name' | 'size' | 'downloads' | 'id'
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface CatalogRow extends RemoteEntry {
  readonly localPath: string | null
  readonly sha256: string | null
}

function read(row: Row): RemoteEntry {
  return {
    fileId: number(row, 'file_id'),
    filename: textOrNull(row, 'filename'),
    size: numberOrNull(row, 'size'),
    uploadDate: textOrNull(row, 'upload_date'),
    downloadCount: numberOrNull(row, 'download_count'),
    publicLink: textOrNull(row, 'public_link'),
    firstSeen: number(row, 'first_seen'),
    lastSeen: number(row, 'last_seen'),
    goneAt: numberOrNull(row, 'gone_at'),
  }
}

const ORDER: Readonly<Record<CatalogQuery['sort'], string>> = {
  date: 'r.upload_date',
  name: 'r.filename COLLATE NOCASE',
  size: 'r.size',
  downloads: 'r.download_count',
  id: 'r.file_id',
}

export interface Remote {
  get(fileId: number): RemoteEntry | null
  byLink(link: string): RemoteEntry | null
  /** Keeps what is known where the service says nothing. `scan` marks rows that a listing saw. Needs a file id. */
  put(file: RemoteFile & { readonly fileId: number }, at: number, scan: number): void
  markGone(fileId: number, at: number): void
  /** Closes every live row that the complete listing `scan` did not see and that is older than its start; gives their number. */
  closeUnseen(scan: number, before: number, at: number): number
  count(): number
  query(q: CatalogQuery): { readonly rows: readonly CatalogRow[]; readonly total: number }
  incomplete(limit: number): readonly number[]
  pulse(fileId: number): readonly { readonly at: number; readonly count: number }[]
  removals(now: number, limit: number): readonly RemovalRow[]
  nextRemoval(): number | null
  addRemoval(fileId: number, reason: string, at: number): void
  delayRemoval(fileId: number, until: number): void
  dropRemoval(fileId: number): void
  isRemoval(fileId: number): boolean
  fact(key: string): string | null
  setFact(key: string, value: string | null): void
  addUsage(day: string, fields: { readonly uploads: number; readonly bytes: number; readonly requests: number }): void
}

export function createRemote(db: Database): Remote {
  const like = (search: string): string => `%${search.replaceAll('\\', '\\\\').replaceAll('%', '\\%').replaceAll('_', '\\_')}%`
  return {
    get: (fileId) => {
      const row = db.get('SELECT * FROM remote WHERE file_id = ?', fileId)
      return row === null ? null : read(row)
    },
    byLink: (link) => {
      const row = db.get('SELECT * FROM remote WHERE public_link = ? LIMIT 1', link)
      return row === null ? null : read(row)
    },
    put: (f, at, scan) => {
      const before = db.get('SELECT download_count FROM remote WHERE file_id = ?', f.fileId)
      db.run(
        `INSERT INTO remote (file_id, filename, size, upload_date, download_count, public_link, first_seen, last_seen, scan)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (file_id) DO UPDATE SET filename = coalesce(excluded.filename, filename), size = coalesce(excluded.size, size),
         upload_date = coalesce(excluded.upload_date, upload_date), download_count = coalesce(excluded.download_count, download_count),
         public_link = coalesce(excluded.public_link, public_link), last_seen = excluded.last_seen, gone_at = NULL,
         scan = max(scan, excluded.scan)`,
        f.fileId,
        f.filename,
        f.size,
        f.uploadDate,
        f.downloadCount,
        f.publicLink,
        at,
        at,
        scan,
      )
      const known = before === null ? null : numberOrNull(before, 'download_count')
      if (f.downloadCount !== null && f.downloadCount !== known)
        db.run('INSERT OR REPLACE INTO pulse (file_id, at, count) VALUES (?, ?, ?)', f.fileId, at, f.downloadCount)
    },
    markGone: (fileId, at) => {
      db.run('UPDATE remote SET gone_at = ? WHERE file_id = ? AND gone_at IS NULL', at, fileId)
    },
    closeUnseen: (scan, before, at) =>
      db.run('UPDATE remote SET gone_at = ? WHERE gone_at IS NULL AND scan < ? AND first_seen < ?', at, scan, before).changes,
    count: () => {
      const row = db.get('SELECT count(*) AS n FROM remote WHERE gone_at IS NULL')
      return row === null ? 0 : number(row, 'n')
    },
    query: (q) => {
      const where = `WHERE r.gone_at IS NULL ${q.search === '' ? '' : "AND r.filename LIKE ? ESCAPE '\\'"}`
      const bind = q.search === '' ? [] : [like(q.search)]
      const direction = q.descending ? 'DESC' : 'ASC'
      const rows = db.all(
        `SELECT r.*, (SELECT t.path FROM transfers t WHERE t.file_id = r.file_id ORDER BY t.id DESC LIMIT 1) AS local_path,
         (SELECT t.sha256 FROM transfers t WHERE t.file_id = r.file_id ORDER BY t.id DESC LIMIT 1) AS sha256
         FROM remote r ${where} ORDER BY ${ORDER[q.sort]} ${direction}, r.file_id ${direction} LIMIT ? OFFSET ?`,
        ...bind,
        q.limit,
        q.offset,
      )
      const total = db.get(`SELECT count(*) AS n FROM remote r ${where}`, ...bind)
      return {
        rows: rows.map((row) => ({ ...read(row), localPath: textOrNull(row, 'local_path'), sha256: textOrNull(row, 'sha256') })),
        total: total === null ? 0 : number(total, 'n'),
      }
    },
    incomplete: (limit) =>
      db
        .all(
          `SELECT file_id FROM remote WHERE gone_at IS NULL AND (filename IS NULL OR size IS NULL OR upload_date IS NULL OR public_link IS NULL)
           ORDER BY file_id DESC LIMIT ?`,
          limit,
        )
        .map((row) => number(row, 'file_id')),
    pulse: (fileId) =>
      db
        .all('SELECT at, count FROM pulse WHERE file_id = ? ORDER BY at', fileId)
        .map((row) => ({ at: number(row, 'at'), count: number(row, 'count') })),
    removals: (now, limit) =>
      db.all('SELECT * FROM removals WHERE until IS NULL OR until <= ? ORDER BY created_at LIMIT ?', now, limit).map((row) => ({
        fileId: number(row, 'file_id'),
        reason: text(row, 'reason'),
        attempts: number(row, 'attempts'),
        until: numberOrNull(row, 'until'),
      })),
    nextRemoval: () => {
      const row = db.get('SELECT min(coalesce(until, 0)) AS at FROM removals')
      return row === null ? null : numberOrNull(row, 'at')
    },
    addRemoval: (fileId, reason, at) => {
      db.run('INSERT INTO removals (file_id, reason, created_at) VALUES (?, ?, ?) ON CONFLICT (file_id) DO NOTHING', fileId, reason, at)
    },
    delayRemoval: (fileId, until) => {
      db.run('UPDATE removals SET attempts = attempts + 1, until = ? WHERE file_id = ?', until, fileId)
    },
    dropRemoval: (fileId) => {
      db.run('DELETE FROM removals WHERE file_id = ?', fileId)
    },
    isRemoval: (fileId) => db.get('SELECT 1 AS yes FROM removals WHERE file_id = ?', fileId) !== null,
    fact: (key) => {
      const row = db.get('SELECT value FROM meta WHERE key = ?', key)
      return row === null ? null : text(row, 'value')
    },
    setFact: (key, value) => {
      if (value === null) db.run('DELETE FROM meta WHERE key = ?', key)
      else db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, value)
    },
    addUsage: (day, f) => {
      db.run(
        `INSERT INTO usage_days (day, uploads, bytes, requests) VALUES (?, ?, ?, ?) ON CONFLICT (day) DO UPDATE SET
         uploads = uploads + excluded.uploads, bytes = bytes + excluded.bytes, requests = requests + excluded.requests`,
        day,
        f.uploads,
        f.bytes,
        f.requests,
      )
    },
  }
}
