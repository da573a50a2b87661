// Reads a journal without starting an engine: its account, how many transfers it holds, which remote files it
// knows, and the states of a file's transfers. Opens the journal read-only, so another process's engine can
// use it at the same time.
import { DatabaseSync } from 'node:sqlite'
import { number, text, textOrNull } from './column-values.ts'
import type { JournalFiles, Row } from './database.ts'
import { FIND_REMOVAL } from './removals.ts'
import { FIND_LEFT, FIND_SENT } from './transfer-queue.ts'

/** A file that the account had on the service when the journal was last updated. */
export interface KnownFile {
  /** As the service sent it. */
  readonly fileId: string
  readonly publicLink: string
}

export interface Peeked {
  /** The account that the rows belong to; null if none is recorded yet. */
  readonly account: string | null
  readonly plan: string | null
  /** Whether `/stats` has been read with a key of this account. */
  readonly isProved: boolean
  /** Whether the service has refused the last key, and answered no request since. */
  readonly isRefused: boolean
  readonly uploaded: number
  readonly waiting: number
  readonly held: number
  readonly failed: number
  /** Folders that are watched, or were watched while a command ran, spelled as in the journal. */
  readonly folders: readonly string[]
  /**
   * Whether a deletion on the service is pending, or the file of an unconfirmed upload may still appear
   * there.
   */
  readonly hasCleanup: boolean
  /** Whether anything that the journal has sent is, or may be, on the service. */
  readonly hasSent: boolean
  /** Our own uploads first, then other listed files, each by descending ID. At most FILES_MOST of each. */
  readonly files: readonly KnownFile[]
}

const FILES_MOST = 200
const PATIENCE_MS = 2000

/** The states of all transfers of each path; an empty list for a path without a transfer. */
export type PathStates = ReadonlyMap<string, readonly string[]>

type Exists = Pick<JournalFiles, 'exists'>

/**
 * Returns null if the journal is missing or has no tables. Returns `unreadable` if it can't be read now, for
 * example because it is locked, damaged or from another version, or if `exists` throws.
 */
export function peekJournal(file: string, { exists }: Exists): Peeked | 'unreadable' | null {
  return reading(file, exists, peek)
}

/** Reads the states of the transfers of these paths. Fails like `peekJournal`: with null or `unreadable`. */
export function peekStates(
  file: string,
  paths: readonly string[],
  { exists }: Exists,
): PathStates | 'unreadable' | null {
  return reading(file, exists, (db) => {
    const states = db.prepare('SELECT state FROM transfers WHERE path = ?')
    return new Map(paths.map((path) => [path, states.all(path).map((row) => text(row, 'state'))]))
  })
}

function reading<T>(
  file: string,
  exists: Exists['exists'],
  read: (db: DatabaseSync) => T,
): T | 'unreadable' | null {
  let db: DatabaseSync | null = null
  try {
    if (!exists(file)) return null
    db = new DatabaseSync(file, { readOnly: true, timeout: PATIENCE_MS })
    // A process that was killed while it created the journal may leave it without tables.
    return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined ? null : read(db)
  } catch {
    return 'unreadable'
  } finally {
    db?.close()
  }
}

function peek(db: DatabaseSync): Peeked {
  const all = (sql: string): Row[] => db.prepare(sql).all()
  const meta = new Map(
    all("SELECT key, value FROM meta WHERE key IN ('account', 'stats', 'refusal')").map((row) => [
      text(row, 'key'),
      text(row, 'value'),
    ]),
  )
  const counts = new Map(
    all('SELECT state, sum(n) AS n FROM tallies GROUP BY state').map((row) => [
      text(row, 'state'),
      number(row, 'n'),
    ]),
  )
  const count = (...states: readonly string[]): number =>
    states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
  const stats = meta.get('stats')
  // A journal of an earlier version may lack a table, because only an engine migrates it.
  const hasTable = (name: string): boolean =>
    db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined
  const hasDoubts = hasTable('doubts')
  return {
    account: meta.get('account') ?? null,
    plan: stats === undefined ? null : planOf(stats),
    isProved: stats !== undefined,
    isRefused: meta.get('refusal')?.includes('"key-refused"') === true,
    uploaded: count('done'),
    waiting: count('queued', 'uploading', 'waiting', 'unknown'),
    held: count('held'),
    failed: count('failed'),
    folders: all('SELECT path FROM folders WHERE withdrawn_at IS NULL ORDER BY path').map((row) =>
      text(row, 'path'),
    ),
    hasCleanup: hasDoubts && (all('SELECT 1 FROM doubts LIMIT 1').length > 0 || all(FIND_REMOVAL).length > 0),
    hasSent: all(FIND_SENT).length > 0 || (hasDoubts && all(FIND_LEFT).length > 0),
    files: filesOf(all, hasTable('file_ids')),
  }
}

/**
 * Our own uploads come first, because they certainly belong to this account. The others are files that have
 * appeared in its list.
 */
function filesOf(all: (sql: string) => Row[], hasIds: boolean): KnownFile[] {
  const textOf = (table: string): string =>
    hasIds ? `(SELECT id FROM file_ids WHERE number = ${table}.file_id)` : 'NULL'
  const own = all(`SELECT file_id, public_link, ${textOf('transfers')} AS id FROM transfers
    WHERE file_id IS NOT NULL AND state = 'done' AND ended IS NULL ORDER BY file_id DESC LIMIT ${FILES_MOST}`)
  const listed = all(`SELECT file_id, public_link, ${textOf('remote')} AS id FROM remote WHERE gone_at IS NULL
    ORDER BY file_id DESC LIMIT ${FILES_MOST}`)
  const found = new Map<string, KnownFile>()
  for (const row of [...own, ...listed]) {
    const publicLink = textOrNull(row, 'public_link')
    const fileId = textOrNull(row, 'id') ?? String(number(row, 'file_id'))
    if (publicLink === null || found.has(fileId)) continue
    found.set(fileId, { fileId, publicLink })
  }
  return [...found.values()]
}

function planOf(stats: string): string | null {
  try {
    const plan: unknown = JSON.parse(stats)?.stats?.plan
    return typeof plan === 'string' ? plan : null
  } catch {
    return null
  }
}
