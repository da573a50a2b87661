// Opens the journal: one SQLite file in WAL mode, checked and migrated. A file that is corrupt, newer or no
// journal is set aside, never deleted or repaired in place. Detects whether the log has lost commits, groups
// writes into shared transactions, and rewrites the log after a failed sync. barrier.ts makes commits
// durable.
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { fileKind } from '../../../src-shared/file-kind.ts'
import { foldText } from '../../../src-shared/fold-text.ts'
import type { Clock } from '../ports.ts'
import { type Barrier, createBarrier, type FileSync } from './barrier.ts'
import { JournalClosedError, JournalError } from './disk-trouble.ts'
import { APPLICATION_ID, listChanges, migrations } from './schema.ts'
import { readUploadDate } from './upload-date.ts'

/**
 * Older versions (3.7.0 to 3.51.2) can corrupt a WAL database when one connection writes while another
 * checkpoints.
 */
const OLDEST_SQLITE = [3, 51, 3] as const
/**
 * Disks lose bits silently, so the first start after this time reads the whole journal, even if it was closed
 * cleanly and not touched since.
 */
const CHECK_EVERY_MS = 7 * 86_400_000
/** SQLite's result codes for a damaged file and for one that isn't a database. */
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** How long SQLite waits for a lock that another connection holds. */
const BUSY_TIMEOUT_MS = 5000

// Detects whether a journal's write-ahead log (WAL) has lost commits. SQLite treats the first damaged frame
// as the end of the log and silently drops everything after it, so uploads confirmed in the dropped commits
// would be sent again. Pure. For the layouts, see "The Write-Ahead Log" and "WAL-Index File Format" in
// SQLite's documentation.
const LOG_HEADER = 32
const FRAME_HEADER = 24

/**
 * Size of the index header in bytes. The header is stored twice, followed by the number of frames that are
 * already in the database.
 */
const INDEX_HEADER = 48
const MAGIC = 0x377f0682

export type Row = Record<string, SQLOutputValue>
export type Bind = SQLInputValue | boolean | undefined

export interface SetAside {
  readonly file: string
  readonly why: 'corrupt' | 'newer' | 'not-a-journal'
}

export interface Database {
  /** The first row, or null. */
  get(sql: string, ...bind: Bind[]): Row | null
  all(sql: string, ...bind: Bind[]): Row[]
  /**
   * The first row as an array of its values in column order, or null. For a row of forty columns, this is
   * three times as fast as `get`.
   */
  values(sql: string, ...bind: Bind[]): SQLOutputValue[] | null
  /** All rows, each as an array like that of `values`. */
  allValues(sql: string, ...bind: Bind[]): SQLOutputValue[][]
  /** Returns the number of rows changed and the last inserted ID. */
  run(sql: string, ...bind: Bind[]): { changes: number; id: number }
  /** Runs `work` in a new transaction, or in the one that is already open. */
  tx<T>(work: () => T): T
  /**
   * Runs `work` in the next shared transaction and resolves once it is committed. If any work in the
   * transaction throws, everything in it is rolled back, and all its promises reject. Rejects with a
   * JournalClosedError once the journal is closed.
   */
  soon(work: () => void): Promise<void>
  /** Commits the work collected by `soon` immediately. */
  flush(): void
  /**
   * Returns null if everything committed would survive a power cut. Otherwise resolves to true once it would,
   * or to false if the journal closes first.
   */
  durable(): Promise<boolean> | null
  /** Like `durable`, but resolves to false as soon as the disk reports an error. */
  attemptDurable(): Promise<boolean> | null
  /** Resolves all waiting `durable` and `attemptDurable` calls to false. Call before closing the journal. */
  giveUpWaiting(): void
  /** Frees memory that only a busy journal needs. */
  rest(): void
  /**
   * Number of rows written through this connection. As long as the number stays the same, earlier reads are
   * still current.
   */
  writes(): number
  close(): void
}

export interface JournalFiles {
  exists(file: string): boolean
  /** All bytes of a file; null if it is missing or can't be read. */
  read(file: string): Uint8Array | null
  rename(from: string, to: string): void
  /**
   * Creates the file if it is missing, and lets only this user access it. SQLite gives its log the same
   * permissions.
   */
  makePrivate?(file: string): void
}

/** Remembers that a journal was closed cleanly. */
export interface Seal {
  /**
   * Returns when the journal was last checked page by page (epoch milliseconds), or null if there is no seal
   * or anything has touched the journal since `put`. Taking the seal removes it.
   */
  take(file: string): { readonly checkedAt: number } | null
  put(file: string, checkedAt: number): void
}

export interface OpenJournalOptions {
  /** Path of the file, or `:memory:`. */
  readonly file: string
  readonly files: JournalFiles
  /** If null, the file is checked page by page at every start. */
  readonly seal: Seal | null
  /**
   * Current time in epoch milliseconds. Part of the name of a file that is set aside; also decides whether a
   * check is due.
   */
  readonly now: number
  /** If absent, as for a journal in memory, commits count as durable immediately. */
  readonly durability?: {
    readonly sync: FileSync
    readonly clock: Pick<Clock, 'after'>
    /** Called with an error when the disk can't be written to, and with null once it can be again. */
    readonly onTrouble: (error: Error | null) => void
  }
}

/**
 * Opens the journal; an unusable file is set aside and replaced by a new one. Throws a JournalError if the
 * journal isn't damaged but this program can't use it, and SQLite's own error if, for example, the disk is
 * full or the journal stays locked. The file then stays in place.
 */
export function openDatabase(options: OpenJournalOptions): {
  readonly db: Database
  readonly setAside: SetAside | null
  readonly fresh: boolean
  /** Whether the file's log shows that commits are missing. */
  readonly isShort: boolean
} {
  const fresh = options.file === ':memory:' || !options.files.exists(options.file)
  let setAside: SetAside | null = null
  const makePrivate = (): void => {
    if (options.file !== ':memory:') options.files.makePrivate?.(options.file)
  }
  const isShort = !fresh && isLogShort(options)
  let raw: { readonly db: DatabaseSync; readonly isNew: boolean } | null = null
  makePrivate()
  const sealed = fresh ? null : (options.seal?.take(options.file) ?? null)
  const checkedAt =
    sealed !== null && Math.abs(options.now - sealed.checkedAt) < CHECK_EVERY_MS ? sealed.checkedAt : null
  const why = fresh ? null : inspect(options.file, checkedAt === null)
  if (why !== null) {
    setAside = { file: moveAside(options, why), why }
    makePrivate()
  }
  try {
    raw = prepare(options.file)
  } catch (error) {
    // A migration may read a damaged page that wasn't checked above. Other errors don't show that the file is
    // damaged.
    if (fresh || setAside !== null || !isDamage(error)) throw error
    setAside = { file: moveAside(options, 'corrupt'), why: 'corrupt' }
    makePrivate()
    raw = prepare(options.file)
  }
  return {
    db: wrap(raw.db, barrierOf(options, raw.db), (isWhole) => {
      options.durability?.sync.close()
      if (isWhole) options.seal?.put(options.file, checkedAt ?? options.now)
    }),
    setAside,
    // An existing file without tables counts as new.
    fresh: raw.isNew,
    isShort,
  }
}

/**
 * Whether the log has lost commits. Call before opening the file with SQLite, which drops what it can't read
 * from the log.
 */
function isLogShort({ file, files }: OpenJournalOptions): boolean {
  const index = files.read(`${file}-shm`)
  return hasLostCommits(files.read(`${file}-wal`), index)
}

function barrierOf(options: OpenJournalOptions, db: DatabaseSync): Barrier | null {
  const { durability, file } = options
  if (durability === undefined || file === ':memory:') return null
  return createBarrier({
    sync: () => durability.sync.sync(`${file}-wal`),
    rewrite: () => checkpointFully(db),
    clock: durability.clock,
    onTrouble: durability.onTrouble,
  })
}

/**
 * Whether SQLite reports a lock, an I/O error, a full disk, or a file that can't be opened or written. None
 * of these means that the file is damaged.
 */
function isBusyOrFull(error: unknown): boolean {
  const code = errorCode(error)
  return code === 5 || code === 6 || code === 13 || code === 10 || code === 8 || code === 14
}

function isDamage(error: unknown): boolean {
  const code = errorCode(error)
  return code === CORRUPT || code === NOT_A_DATABASE
}

function errorCode(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null
}

/** Returns why the file can't be used, or null if it can. If `pages` is true, reads and checks every page. */
function inspect(file: string, pages: boolean): SetAside['why'] | null {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    if (version > migrations.length) return 'newer'
    const tables = Number(
      db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table'").get()?.['n'] ?? 0,
    )
    if (version === 0 && tables > 0) return 'not-a-journal'
    if (!pages) return null
    const check = db.prepare('PRAGMA quick_check(1)').get()
    return check !== undefined && Object.values(check)[0] === 'ok' ? null : 'corrupt'
  } catch (error) {
    // Other errors (busy, no permission, disk full) say nothing about the file.
    if (isDamage(error)) return 'corrupt'
    throw error
  } finally {
    db?.close()
  }
}

function moveAside(options: OpenJournalOptions, why: SetAside['why']): string {
  const stamp = new Date(options.now).toISOString().replaceAll(':', '').slice(0, 17)
  let target = `${options.file}.${why}-${stamp}`
  for (let n = 2; options.files.exists(target); n++) target = `${options.file}.${why}-${stamp}-${n}`
  options.files.rename(options.file, target)
  for (const suffix of ['-wal', '-shm'])
    if (options.files.exists(options.file + suffix))
      options.files.rename(options.file + suffix, target + suffix)
  return target
}

/** Whether this version of SQLite can damage the journal. `version` has the form `3.51.2`. */
export function isTooOld(version: string): boolean {
  const parts = version.split('.').map(Number)
  const differs = OLDEST_SQLITE.findIndex((least, i) => (parts[i] ?? 0) !== least)
  return differs >= 0 && (parts[differs] ?? 0) < (OLDEST_SQLITE[differs] ?? 0)
}

/** `isNew`: the file had no tables yet. */
function prepare(file: string): { readonly db: DatabaseSync; readonly isNew: boolean } {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    const version = String(db.prepare('SELECT sqlite_version() AS v').get()?.['v'])
    if (isTooOld(version))
      throw new JournalError(
        `SQLite ${version}, which is part of Node, is too old for the journal; ${OLDEST_SQLITE.join('.')} or later is needed.`,
        'Use the latest Node 24. Nothing is lost.',
      )
    // NORMAL: a killed process loses nothing, and what must survive a power cut waits at the barrier
    // (barrier.ts). FULL would sync on this thread at every commit, blocking the engine for as long as the
    // disk takes. Written before the WAL is used, so that every copy of the file has it.
    if (Number(db.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0) !== APPLICATION_ID)
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;',
    )
    addFunctions(db)
    const at = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    for (const [i, sql] of migrations.entries()) {
      if (i < at) continue
      db.exec('BEGIN IMMEDIATE')
      try {
        db.exec(sql)
        db.exec(`PRAGMA user_version = ${i + 1}`)
        db.exec('COMMIT')
      } catch (error) {
        // If the disk is full, SQLite has already rolled back. Another ROLLBACK would throw an error that
        // hides the cause.
        if (db.isTransaction) db.exec('ROLLBACK')
        if (isDamage(error) || isBusyOrFull(error)) throw error
        throw new JournalError(
          `The journal couldn't be updated to version ${i + 1}: ${error instanceof Error ? error.message : String(error)}.`,
          `Nothing is lost. Install the latest Slipway and try again. If that doesn't help, move ${file} to another folder, and Slipway rebuilds it from your folders and the service.`,
          error,
        )
      }
    }
    db.exec(listChanges)
    return { db, isNew: at === 0 }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * SQL functions for migrations and triggers, so that these use the engine's own code. SQLite's `lower`, for
 * example, handles only ASCII letters.
 */
function addFunctions(db: DatabaseSync): void {
  const text = (value: SQLOutputValue): string => (typeof value === 'string' ? value : '')
  db.function('fold', { deterministic: true }, (value) => foldText(text(value)))
  db.function('file_kind', { deterministic: true }, (value) => fileKind(text(value)))
  db.function('date_ms', { deterministic: true }, (value) => readUploadDate(text(value))?.at ?? null)
}

interface Waiting {
  readonly work: () => void
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Returns a function that prepares each SQL text once. `asArrays`: rows are arrays instead of objects. */
function statementsOf(db: DatabaseSync, asArrays: boolean): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    let found = statements.get(sql)
    if (found === undefined) {
      found = db.prepare(sql)
      if (asArrays) found.setReturnArrays(true)
      statements.set(sql, found)
    }
    return found
  }
}

/**
 * `closed` is called once the file is closed. `isWhole`: the last checkpoint raised no error and SQLite never
 * reported damage.
 */
function wrap(db: DatabaseSync, barrier: Barrier | null, closed: (isWhole: boolean) => void): Database {
  let inTx = false
  let open = true
  let damaged = false
  let waiting: Waiting[] = []
  let scheduled = false

  const statement = statementsOf(db, false)
  const columnStatement = statementsOf(db, true)
  /**
   * Remembers that SQLite reported damage. The journal is then closed without a seal, so the next start
   * checks all pages.
   */
  const noting = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      damaged ||= isDamage(error)
      throw error
    }
  }
  const values = (bind: readonly Bind[]): SQLInputValue[] =>
    bind.map((v) => (typeof v === 'boolean' ? Number(v) : (v ?? null)))

  const tx = <T>(work: () => T): T => {
    if (inTx) return work()
    noting(() => db.exec('BEGIN IMMEDIATE'))
    inTx = true
    try {
      const result = work()
      noting(() => db.exec('COMMIT'))
      barrier?.committed()
      return result
    } catch (error) {
      // A full disk may already have caused a rollback.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    } finally {
      inTx = false
    }
  }

  const flush = (): void => {
    scheduled = false
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    try {
      tx(() => {
        for (const item of batch) item.work()
      })
    } catch (error) {
      for (const item of batch) item.reject(error)
      return
    }
    for (const item of batch) item.resolve()
  }

  return {
    get: (sql, ...bind) => noting(() => statement(sql).get(...values(bind)) ?? null),
    all: (sql, ...bind) => noting(() => statement(sql).all(...values(bind))),
    // The types of node:sqlite don't reflect that setReturnArrays turns rows into arrays.
    values: (sql, ...bind) =>
      noting(
        () => (columnStatement(sql).get(...values(bind)) as unknown as SQLOutputValue[] | undefined) ?? null,
      ),
    allValues: (sql, ...bind) =>
      noting(() => columnStatement(sql).all(...values(bind)) as unknown as SQLOutputValue[][]),
    run: (sql, ...bind) => {
      const done = noting(() => statement(sql).run(...values(bind)))
      if (!inTx) barrier?.committed()
      return { changes: Number(done.changes), id: Number(done.lastInsertRowid) }
    },
    tx,
    soon: (work) =>
      new Promise((resolve, reject) => {
        if (!open) {
          reject(new JournalClosedError())
          return
        }
        waiting.push({ work, resolve, reject })
        if (scheduled) return
        scheduled = true
        // Responses that arrive together are handled one event loop turn apart, and a second turn lets them
        // share a commit.
        setImmediate(() => setImmediate(flush))
      }),
    flush,
    durable: () => barrier?.durable() ?? null,
    attemptDurable: () => barrier?.attempt() ?? null,
    giveUpWaiting: () => barrier?.stop(),
    rest: () => db.exec('PRAGMA shrink_memory'),
    writes: () => Number(statement('SELECT total_changes() AS n').get()?.['n'] ?? 0),
    close: () => {
      if (!open) return
      flush()
      open = false
      barrier?.stop()
      let whole = !damaged
      try {
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // If the checkpoint fails, for example because the disk is full, the WAL stays beside the file and is
        // read at the next start.
        whole = false
      }
      db.close()
      closed(whole)
    },
  }
}

// Writes the journal's log to disk again after a failed sync, by a checkpoint.

/**
 * Syncs the WAL, copies its pages into the database and syncs that. Throws if another connection, for example
 * one with an open read transaction, keeps SQLite from copying all pages. Doesn't wait for that connection,
 * because that would block the engine; the caller retries.
 */
function checkpointFully(db: DatabaseSync): void {
  db.exec('PRAGMA busy_timeout = 0')
  try {
    // SQLite reports an incomplete checkpoint only in the result row.
    if (db.prepare('PRAGMA wal_checkpoint(FULL)').get()?.['busy'] !== 0)
      throw new Error('another connection is using the journal')
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

/** The state of the log according to its index. The index isn't synced, but it survives a killed process. */
interface LogIndex {
  readonly frames: number
  /** How many of these frames a checkpoint has copied into the database. */
  readonly copied: number
}

function readIndex(index: Uint8Array | null): LogIndex | null {
  if (index === null || index.length < 2 * INDEX_HEADER + 4) return null
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  for (let at = 0; at < INDEX_HEADER; at++) if (index[at] !== index[at + INDEX_HEADER]) return null
  // Byte 12 is 1 once the header is initialized. Numbers are in the machine's byte order; Slipway runs only
  // on little-endian machines.
  if (index[12] !== 1) return null
  return { frames: view.getUint32(16, true), copied: view.getUint32(2 * INDEX_HEADER, true) }
}

type Sum = readonly [number, number]

function checksum(view: DataView, from: number, to: number, isLittle: boolean, [first, second]: Sum): Sum {
  let a = first
  let b = second
  for (let at = from; at < to; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0
  }
  return [a, b]
}

/**
 * `committed`: number of frames up to the last intact commit. `isCutShort`: a commit written since the WAL
 * was last reset is damaged or follows a damaged frame.
 */
function readLog(log: Uint8Array): { readonly committed: number; readonly isCutShort: boolean } {
  const nothing = { committed: 0, isCutShort: false }
  if (log.length < LOG_HEADER) return nothing
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength)
  const magic = view.getUint32(0)
  if (magic >>> 1 !== MAGIC >>> 1) return nothing
  const isLittle = (magic & 1) === 0
  const pageSize = view.getUint32(8)
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return nothing
  let sum = checksum(view, 0, 24, isLittle, [0, 0])
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return nothing
  const size = FRAME_HEADER + pageSize
  let committed = 0
  let isWhole = true
  for (let at = LOG_HEADER, frame = 1; at + size <= log.length; at += size, frame++) {
    // Frames left over from before the WAL was reset have different salts.
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) {
      if (isWhole) break
      continue
    }
    const isCommit = view.getUint32(at + 4) !== 0
    if (isWhole) {
      sum = checksum(view, at + FRAME_HEADER, at + size, isLittle, checksum(view, at, at + 8, isLittle, sum))
      isWhole = sum[0] === view.getUint32(at + 16) && sum[1] === view.getUint32(at + 20)
    }
    if (isCommit && isWhole) committed = frame
    else if (isCommit) return { committed, isCutShort: true }
  }
  return { committed, isCutShort: false }
}

/**
 * Whether commits are missing from the log. `log`: the content of the `-wal` file; `index`: the content of
 * the `-shm` file, read before the log. Each is null if its file is missing or unreadable; after an orderly
 * shutdown, both files are missing.
 */
export function hasLostCommits(log: Uint8Array | null, index: Uint8Array | null): boolean {
  const { committed, isCutShort } = readLog(log ?? new Uint8Array(0))
  const told = readIndex(index)
  return isCutShort || (told !== null && told.frames > Math.max(committed, told.copied))
}
