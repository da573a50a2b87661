// The service's storage: file records in memory, written through to SQLite if there is a data directory, and
// bytes on disk unless they are discarded. Records of deleted files are kept for the ledger. Limits and
// responses are decided elsewhere.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

export interface StoredFile {
  readonly fileId: number
  /** As sent by the client. */
  readonly filename: string
  /** As named by the service. */
  readonly shownName: string
  readonly size: number
  /** Hexadecimal; empty if hashing is off. */
  readonly sha256: string
  readonly token: string
  /** Name in the blob folder; null if the bytes were discarded. */
  readonly blob: string | null
  readonly storedAt: number
  deletedAt: number | null
  /** `client`: by DELETE. `service`: by the service itself. */
  deletedBy: 'client' | 'service' | null
  downloads: number
  /** Number of the upload request; 0 for a planted file. */
  readonly requestNo: number
  readonly fault: string | null
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS files (
    file_id INTEGER PRIMARY KEY, filename TEXT NOT NULL, shown_name TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL,
    token TEXT NOT NULL, blob TEXT, stored_at INTEGER NOT NULL, deleted_at INTEGER, deleted_by TEXT, downloads INTEGER NOT NULL,
    request_no INTEGER NOT NULL, fault TEXT, seq INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hits (at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`

export interface Store {
  /** The blob folder; null if bytes are discarded. */
  readonly blobs: string | null
  readonly files: ReadonlyMap<number, StoredFile>
  /** All records in the order of storing, including deleted files. */
  readonly all: readonly StoredFile[]
  /** Existing files, oldest first. */
  readonly live: readonly StoredFile[]
  /** Incremented whenever a file is added or deleted. */
  readonly version: number
  byToken(token: string): StoredFile | undefined
  liveNamed(shownName: string): boolean
  put(file: StoredFile): void
  remove(file: StoredFile, at: number, by: 'client' | 'service'): void
  downloaded(file: StoredFile): void
  hit(at: number): void
  /** Times of counted requests from before the restart. */
  readonly oldHits: readonly number[]
  meta(name: string): string | null
  setMeta(name: string, value: string): void
  /** Ensures that everything written so far survives the end of the process. */
  flush(): void
  close(): void
}

export interface StoreOptions {
  readonly dataDir: string | null
  readonly storage: 'disk' | 'discard'
  /** Hits before this time are dropped. */
  readonly hitsSince: number
}

export function openStore({ dataDir, storage, hitsSince }: StoreOptions): Store {
  const temp = dataDir === null && storage === 'disk' ? mkdtempSync(join(tmpdir(), 'service-')) : null
  const home = dataDir ?? temp
  const blobs = storage === 'disk' && home !== null ? join(home, 'files') : null
  if (home !== null) mkdirSync(blobs ?? home, { recursive: true })

  const files = new Map<number, StoredFile>()
  const tokens = new Map<string, StoredFile>()
  const names = new Map<string, number>()
  const all: StoredFile[] = []
  const live: StoredFile[] = []
  let version = 0

  function count(name: string, by: number): void {
    const left = (names.get(name) ?? 0) + by
    if (left === 0) names.delete(name)
    else names.set(name, left)
  }

  function index(file: StoredFile): void {
    files.set(file.fileId, file)
    tokens.set(file.token, file)
    all.push(file)
    if (file.deletedAt !== null) return
    live.push(file)
    count(file.shownName, 1)
  }

  const journal = dataDir === null ? null : openJournal(join(dataDir, 'service.db'), hitsSince)
  for (const file of journal?.files ?? []) index(file)
  if (blobs !== null) {
    // A file that was still being received when the process ended was never stored.
    const known = new Set(all.map((file) => file.blob))
    for (const name of readdirSync(blobs)) if (!known.has(name)) rmSync(join(blobs, name), { force: true })
  }

  return {
    blobs,
    files,
    all,
    live,
    get version() {
      return version
    },
    byToken: (token) => tokens.get(token),
    liveNamed: (name) => names.has(name),
    put: (file) => {
      version++
      index(file)
      journal?.put(file, all.length)
    },
    remove: (file, at, by) => {
      if (file.deletedAt !== null) return
      version++
      file.deletedAt = at
      file.deletedBy = by
      live.splice(live.lastIndexOf(file), 1)
      count(file.shownName, -1)
      if (blobs !== null && file.blob !== null) rmSync(join(blobs, file.blob), { force: true })
      journal?.touch(file)
    },
    downloaded: (file) => {
      file.downloads++
      journal?.touch(file)
    },
    hit: (at) => journal?.hit(at),
    oldHits: journal?.hits ?? [],
    meta: (name) => journal?.meta(name) ?? null,
    setMeta: (name, value) => journal?.setMeta(name, value),
    flush: () => journal?.flush(),
    close: () => {
      journal?.close()
      // An upload that broke off may still be opening its file in a thread of Node's pool, so that the folder
      // isn't empty yet.
      if (temp !== null) rmSync(temp, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

interface Journal {
  readonly files: readonly StoredFile[]
  readonly hits: readonly number[]
  put(file: StoredFile, seq: number): void
  touch(file: StoredFile): void
  hit(at: number): void
  meta(name: string): string | null
  setMeta(name: string, value: string): void
  flush(): void
  close(): void
}

/**
 * All writes of one event loop turn share a transaction. Separate transactions would take longer than
 * everything else in a small upload.
 */
function openJournal(path: string, hitsSince: number): Journal {
  const db = new DatabaseSync(path, { timeout: 2000 })
  db.exec(SCHEMA)
  db.prepare('DELETE FROM hits WHERE at < ?').run(Math.floor(hitsSince))
  const insert = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const update = db.prepare(
    'UPDATE files SET deleted_at = ?, deleted_by = ?, downloads = ? WHERE file_id = ?',
  )
  const insertHit = db.prepare('INSERT INTO hits VALUES (?)')
  const setMeta = db.prepare(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const getMeta = db.prepare('SELECT value FROM meta WHERE name = ?')
  let open = false
  let closed = false

  function flush(): void {
    if (!open || closed) return
    open = false
    db.exec('COMMIT')
  }

  function write(statement: StatementSync, ...values: readonly (string | number | null)[]): void {
    if (closed) return
    if (!open) {
      db.exec('BEGIN')
      open = true
      setImmediate(flush)
    }
    statement.run(...values)
  }

  return {
    files: db.prepare('SELECT * FROM files ORDER BY seq').all().map(toFile),
    hits: db
      .prepare('SELECT at FROM hits ORDER BY at')
      .all()
      .map((row) => Number(row['at'])),
    put: (f, seq) =>
      write(
        insert,
        f.fileId,
        f.filename,
        f.shownName,
        f.size,
        f.sha256,
        f.token,
        f.blob,
        Math.floor(f.storedAt),
        f.deletedAt,
        f.deletedBy,
        f.downloads,
        f.requestNo,
        f.fault,
        seq,
      ),
    touch: (f) =>
      write(
        update,
        f.deletedAt === null ? null : Math.floor(f.deletedAt),
        f.deletedBy,
        f.downloads,
        f.fileId,
      ),
    hit: (at) => write(insertHit, Math.floor(at)),
    meta: (name) => {
      const value = getMeta.get(name)?.['value']
      return typeof value === 'string' ? value : null
    },
    setMeta: (name, value) => write(setMeta, name, value),
    flush,
    close: () => {
      flush()
      closed = true
      db.close()
    },
  }
}

function toFile(row: Readonly<Record<string, unknown>>): StoredFile {
  const text = (name: string): string | null => {
    const value = row[name]
    return typeof value === 'string' ? value : null
  }
  const by = text('deleted_by')
  return {
    fileId: Number(row['file_id']),
    filename: text('filename') ?? '',
    shownName: text('shown_name') ?? '',
    size: Number(row['size']),
    sha256: text('sha256') ?? '',
    token: text('token') ?? '',
    blob: text('blob'),
    storedAt: Number(row['stored_at']),
    deletedAt: row['deleted_at'] === null ? null : Number(row['deleted_at']),
    deletedBy: by === 'client' || by === 'service' ? by : null,
    downloads: Number(row['downloads']),
    requestNo: Number(row['request_no']),
    fault: text('fault'),
  }
}
