// Queries of the table `transfers` as a queue: which rows are due next, how long the others wait, and how
// many rows are in each state. Counts by state come from the table `tallies`, which triggers maintain.
// test/unit/engine/journal/query-plans.test.ts checks which indexes the queries use.
import { sep } from 'node:path'
import { flag, has, number, numberOrNull, numbers, oneNumber, text, textOrNull } from './column-values.ts'
import type { Database, Row } from './database.ts'
import { OF_ACCOUNT } from './removals.ts'
import { stateHints } from './state-writer.ts'
import {
  PRIORITY,
  ROW_STATES,
  type RowReason,
  type RowState,
  readTransfer,
  TRANSFER_COLUMNS,
  type TransferRow,
} from './transfer-row.ts'

const HAS_URGENT = "SELECT 1 AS yes FROM transfers WHERE state = 'queued' AND priority > 0 LIMIT 1"
const COUNT_NAMED = "SELECT count(*) AS n FROM transfers WHERE state = 'queued' AND priority >= ?"
const HAS_SAVED =
  "SELECT 1 AS yes FROM transfers WHERE state = 'queued' AND folder_id = ? AND priority > 0 LIMIT 1 OFFSET ?"
/**
 * Returns a row if an upload request has gone out, or if a transfer has a remote file. Rows without a file ID
 * also count: some receipts have only a link, and a row that is sent again because its file is gone has
 * neither ID nor link.
 */
export const FIND_SENT = `SELECT 1 AS yes WHERE EXISTS (SELECT 1 FROM tallies WHERE state IN ('uploading', 'unknown', 'done') AND n > 0)
  OR EXISTS (SELECT 1 FROM transfers WHERE sent = 1) OR EXISTS (SELECT 1 FROM transfers WHERE file_id IS NOT NULL)`

/**
 * Returns a row if a file may be on the service although no transfer counts as sent: the answer to its upload
 * was lost, or its deletion, which the user didn't request, is pending. Works only in journals that have the
 * table `doubts`.
 */
export const FIND_LEFT = `SELECT 1 AS yes WHERE EXISTS (SELECT 1 FROM doubts) OR EXISTS (SELECT 1 FROM transfers WHERE unproved > 0)
  OR EXISTS (SELECT 1 FROM removals WHERE reason <> 'asked' AND ${OF_ACCOUNT})`

/** About when the response to the last request was lost. A crash leaves only the time of the intent. */
const LOST = 'coalesce(lost_at, intent_at, created_at)'
const OF_UNKNOWN = "FROM transfers INDEXED BY transfers_unknown WHERE state = 'unknown'"

/** How many of the newest rows `newestQueued` searches. */
const NEWEST_SPAN = 1000

/**
 * The columns of a row that decide its next step. Reading only these takes half as long as reading the whole
 * row.
 */
export interface Standing {
  readonly state: RowState
  readonly until: number | null
  readonly folderId: number | null
  /** Whether the user has cancelled the transfer. */
  readonly isCalledOff: boolean
  readonly size: number
  readonly mtime: number
}

/**
 * Absolute paths of directories. A row without a folder is left out if its file is directly in one of `dirs`,
 * or is in one of `trees`.
 */
export interface LeftOut {
  readonly dirs: readonly string[]
  /** Directories that are left out together with everything below them. */
  readonly trees: readonly string[]
  /** Directories whose own files aren't left out, although the directory is in one of `trees`. */
  readonly except: readonly string[]
}

const NOTHING_LEFT_OUT: LeftOut = { dirs: [], trees: [], except: [] }

interface PausedCounts {
  readonly queued: number
  readonly waiting: number
  readonly total: number
}

export interface TransferQueue {
  /**
   * Queued rows without a folder or of these folders, most urgent first. `after`: the last row of the
   * previous page; null for the first.
   */
  due(
    limit: number,
    after: { readonly priority: number; readonly id: number } | null,
    folders: Iterable<number>,
    without?: LeftOut,
  ): readonly TransferRow[]
  /** IDs of the queued rows in this folder, or of those in no folder if `folderId` is null. */
  queuedIds(folderId: number | null): readonly number[]
  /** Some of the most recently registered queued rows, of any folder, newest first. */
  newestQueued(limit: number): readonly TransferRow[]
  /** Unconfirmed uploads, oldest first. */
  unknown(limit: number): readonly TransferRow[]
  /** Whether the user is waiting for a queued row. */
  hasUrgent(): boolean
  /** How many queued rows the user has named. */
  namedCount(): number
  /** Whether this folder has at least `count` queued rows that a person probably waits for. */
  hasSaved(folderId: number, count: number): boolean
  standing(id: number): Standing | null
  counts(folderId: number | null): Readonly<Record<RowState, number>>
  /** How many of the queued and waiting rows the user has paused, themselves or with one of these folders. */
  pausedIn(folders: readonly number[]): PausedCounts
  /**
   * Whether anything that this journal has sent is, or may be, on the service (see FIND_SENT and FIND_LEFT).
   */
  hasSent(): boolean
  /**
   * Totals for the work in these folders. `count`, `bytes`: queued rows without a folder or of these folders,
   * and all uploads in flight. `moving`: uploads in flight or unconfirmed, of any folder.
   */
  workIn(folders: Iterable<number>): {
    readonly count: number
    readonly bytes: number
    readonly moving: number
  }
  nextUntil(): number | null
  /** The files of these folders that can still be cancelled, and when the next is uploaded; null if there are none. */
  inGrace(folders: Iterable<number>): { readonly count: number; readonly until: number } | null
  nextUntilOf(folderId: number): number | null
  waitReasonOf(folderId: number): RowReason | null
  /**
   * Folders that are no longer watched but have queued, waiting, held or failed rows, for example after an
   * upload in flight has failed.
   */
  toWithdraw(): readonly number[]
  /**
   * The latest time at which a row was created, an upload was completed or an unconfirmed upload was sent. In
   * epoch milliseconds; 0 if there are no rows.
   */
  newestMoment(): number
  uploadsSince(at: number): number
  /** Completion times of the newest `most` uploads after `at`, in epoch milliseconds, oldest first. */
  uploadTimes(at: number, most: number): readonly number[]
  /**
   * When the responses of unconfirmed uploads were lost, if after `at`, in epoch milliseconds, oldest first.
   */
  unconfirmedTimes(at: number): readonly number[]
}

export function createTransferQueue(db: Database): TransferQueue {
  const hints = stateHints(db)
  const many = (sql: string, ...bind: (string | number)[]): TransferRow[] =>
    db.allValues(sql, ...bind).map(readTransfer)

  return {
    due: (limit, after, folders, without = NOTHING_LEFT_OUT) => dueRows(db, limit, after, folders, without),
    queuedIds: (folderId) =>
      numbers(db, "SELECT id FROM transfers WHERE state = 'queued' AND folder_id IS ?", folderId),
    // Scans backwards from the end of the table, within NEWEST_SPAN.
    newestQueued: (limit) =>
      many(
        `SELECT ${TRANSFER_COLUMNS} FROM transfers NOT INDEXED WHERE state = 'queued' AND id > (SELECT max(id) FROM transfers) - ${NEWEST_SPAN}
         ORDER BY id DESC LIMIT ?`,
        limit,
      ),
    // The state is a literal, so that SQLite can choose the partial index before it knows any bound value.
    unknown: (limit) => {
      if (!hints.mayBeUnknown) return []
      const rows = many(
        `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE state = 'unknown' ORDER BY id LIMIT ?`,
        limit,
      )
      hints.mayBeUnknown = rows.length > 0
      return rows
    },
    hasUrgent: () => has(db, HAS_URGENT),
    namedCount: () => oneNumber(db, COUNT_NAMED, PRIORITY.named) ?? 0,
    hasSaved: (folderId, count) => has(db, HAS_SAVED, folderId, count - 1),
    standing: (id) => {
      const row = db.get(
        'SELECT state, until, folder_id, cancel, size, mtime FROM transfers WHERE id = ?',
        id,
      )
      return row === null ? null : readStanding(row)
    },
    counts: (folderId) => countsOf(db, folderId),
    pausedIn: (folders) => pausedIn(db, folders),
    hasSent: () => has(db, FIND_SENT) || has(db, FIND_LEFT),
    workIn: (folders) => {
      const list = [0, ...folders]
      const row = db.get(
        `SELECT coalesce(sum(n), 0) AS n, coalesce(sum(bytes), 0) AS bytes FROM tallies
         WHERE state IN ('queued', 'uploading') AND (state = 'uploading' OR folder_id IN (${list.map(() => '?').join(',')}))`,
        ...list,
      )
      const moving = oneNumber(db, "SELECT sum(n) FROM tallies WHERE state IN ('uploading', 'unknown')")
      return {
        count: row === null ? 0 : number(row, 'n'),
        bytes: row === null ? 0 : number(row, 'bytes'),
        moving: moving ?? 0,
      }
    },
    inGrace: (folders) => {
      const list = [...folders]
      const row = db.get(
        `SELECT count(*) AS n, min(until) AS at FROM transfers WHERE state = 'waiting' AND reason = 'grace'
         AND folder_id IN (${list.map(() => '?').join(',')})`,
        ...list,
      )
      const until = row === null ? null : numberOrNull(row, 'at')
      return row === null || until === null ? null : { count: number(row, 'n'), until }
    },
    nextUntil: () => {
      if (!hints.mayWaitUntil) return null
      const at = oneNumber(db, "SELECT min(until) AS at FROM transfers WHERE state = 'waiting'")
      hints.mayWaitUntil = at !== null
      return at
    },
    nextUntilOf: (folderId) =>
      oneNumber(
        db,
        "SELECT min(until) AS at FROM transfers INDEXED BY transfers_waits WHERE state = 'waiting' AND folder_id = ?",
        folderId,
      ),
    waitReasonOf: (folderId) => {
      const row = db.get(
        "SELECT reason FROM transfers INDEXED BY transfers_waits WHERE state = 'waiting' AND folder_id = ? ORDER BY reason = 'paused', until LIMIT 1",
        folderId,
      )
      return row === null ? null : (textOrNull(row, 'reason') as RowReason | null)
    },
    toWithdraw: () =>
      numbers(
        db,
        `SELECT DISTINCT f.id AS id FROM folders f JOIN tallies t ON t.folder_id = f.id
           WHERE f.withdrawn_at IS NOT NULL AND t.n > 0 AND t.state IN ('queued', 'waiting', 'held', 'failed')`,
      ),
    newestMoment: () =>
      oneNumber(
        db,
        `SELECT max(coalesce((SELECT created_at FROM transfers ORDER BY id DESC LIMIT 1), 0),
           coalesce((SELECT max(done_at) FROM transfers WHERE sent = 1), 0),
           coalesce((SELECT max(intent_at) FROM transfers WHERE state = 'unknown'), 0)) AS at`,
      ) ?? 0,
    uploadsSince: (at) =>
      oneNumber(db, 'SELECT count(*) AS n FROM transfers WHERE sent = 1 AND done_at > ?', at) ?? 0,
    uploadTimes: (at, most) =>
      numbers(
        db,
        'SELECT done_at AS at FROM transfers WHERE sent = 1 AND done_at > ? ORDER BY done_at DESC LIMIT ?',
        at,
        Math.min(most, 1_000_000),
      ).toReversed(),
    unconfirmedTimes: (at) =>
      hints.mayBeUnknown
        ? numbers(db, `SELECT ${LOST} AS at ${OF_UNKNOWN} AND ${LOST} > ? ORDER BY at`, at)
        : [],
  }
}

function countsOf(db: Database, folderId: number | null): Record<RowState, number> {
  const counts = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>
  const rows =
    folderId === null
      ? db.all('SELECT state, sum(n) AS n FROM tallies GROUP BY state')
      : db.all('SELECT state, n FROM tallies WHERE folder_id = ?', folderId)
  for (const row of rows) counts[text(row, 'state') as RowState] = number(row, 'n')
  return counts
}

/** See `TransferQueue.pausedIn`. */
export function pausedIn(db: Database, folders: readonly number[]): PausedCounts {
  const alone = oneNumber(
    db,
    `SELECT count(*) AS n FROM transfers INDEXED BY transfers_paused WHERE state = 'waiting' AND reason = 'paused'
     AND coalesce(folder_id, 0) NOT IN (${folders.map(() => '?').join(',')})`,
    ...folders,
  )
  const all = folders.map((folderId) => countsOf(db, folderId))
  const inAll = (state: RowState): number => all.reduce((sum, counts) => sum + counts[state], 0)
  const [queued, waiting] = [inAll('queued'), inAll('waiting') + (alone ?? 0)]
  return { queued, waiting, total: queued + waiting }
}

function readStanding(row: Row): Standing {
  return {
    state: text(row, 'state') as RowState,
    until: numberOrNull(row, 'until'),
    folderId: numberOrNull(row, 'folder_id'),
    isCalledOff: flag(row, 'cancel'),
    size: number(row, 'size'),
    mtime: number(row, 'mtime'),
  }
}

/** A part of an SQL condition, with the values to bind. */
interface Term {
  readonly sql: string
  readonly bind: readonly (string | number)[]
}

/**
 * Condition: the path is anywhere below `dir`. Compares the path with two bounds, because `substr` takes ten
 * times as long.
 */
function inTree(dir: string): Term {
  const prefix = dir.endsWith(sep) ? dir : dir + sep
  const next = prefix.slice(0, -1) + String.fromCharCode(sep.charCodeAt(0) + 1)
  return { sql: 'path >= ? AND path < ?', bind: [prefix, next] }
}

/** Condition: the path is directly in `dir`. */
function inDir(dir: string): Term {
  const { sql, bind } = inTree(dir)
  return { sql: `${sql} AND instr(substr(path, length(?) + 1), ?) = 0`, bind: [...bind, bind[0] ?? '', sep] }
}

/**
 * Repeats the last directory until the length of the list is a power of two. The journal keeps a prepared
 * statement for each SQL text, so this limits the number of statements.
 */
function padded(dirs: readonly string[]): readonly string[] {
  const last = dirs.at(-1)
  if (last === undefined) return []
  const length = 2 ** Math.ceil(Math.log2(dirs.length))
  return [...dirs, ...Array.from({ length: length - dirs.length }, () => last)]
}

/** Condition: the row belongs to no folder and isn't left out. */
function isNamed({ dirs, trees, except }: LeftOut): Term {
  const all = (terms: readonly Term[]): readonly (string | number)[] => terms.flatMap(({ bind }) => bind)
  const inTrees = padded(trees).map(inTree)
  const excepted = padded(except).map(inDir)
  const inDirs = padded(dirs).map(inDir)
  const none = (terms: readonly Term[]): string => terms.map(({ sql }) => `NOT (${sql})`).join(' AND ')
  const isExcepted = excepted.map(({ sql }) => ` OR (${sql})`).join('')
  const conditions = [
    'folder_id IS NULL',
    // Trees come first, because most of the rows that are left out are in them.
    ...(inTrees.length > 0 ? [`(${none(inTrees)}${isExcepted})`] : []),
    ...(inDirs.length > 0 ? [none(inDirs)] : []),
  ]
  return {
    sql: conditions.join(' AND '),
    bind: [...all(inTrees), ...(inTrees.length > 0 ? all(excepted) : []), ...all(inDirs)],
  }
}

/** Queries each folder separately, so that the index applies, and merges the results by urgency. */
function dueRows(
  db: Database,
  limit: number,
  after: { readonly priority: number; readonly id: number } | null,
  folders: Iterable<number>,
  without: LeftOut,
): readonly TransferRow[] {
  const of = (folderId: number | null): TransferRow[] => {
    const { sql, bind }: Term =
      folderId === null ? isNamed(without) : { sql: 'folder_id = ?', bind: [folderId] }
    const ask = (more: string, ...values: number[]): TransferRow[] =>
      db
        .allValues(
          `SELECT ${TRANSFER_COLUMNS} FROM transfers WHERE state = 'queued' AND ${sql} ${more} LIMIT ?`,
          ...bind,
          ...values,
        )
        .map(readTransfer)
    if (after === null) return ask('ORDER BY priority DESC, id', limit)
    // Two queries are needed, because the index serves each condition but not both joined by OR.
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
}
