// The table `remote`: the cached list of the service's files, one row per file, and its search, filters and
// order. The row of a deleted file is kept. `Remote` adds download counts, pending deletions, daily figures and
// single facts. remote/ decides what to request from the service.
import { fileKind } from '../../../src-shared/file-kind.ts'
import { foldText } from '../../../src-shared/fold-text.ts'
import type { FileKind, PutAway } from '../../../src-shared/model.ts'
import type { RemoteFile } from '../../api/types.ts'
import { deletedOf, endAsGone, revive } from './claims.ts'
import {
  flag,
  has,
  likeFolded,
  number,
  numberOrNull,
  numbers,
  oneNumber,
  text,
  textOrNull,
} from './column-values.ts'
import type { Database, Row } from './database.ts'
import { createDownloads, type Downloads, type RemoteChange } from './downloads.ts'
import { BEFORE_ALL } from './file-ids.ts'
import { putAwayOf } from './put-away.ts'
import { createRemovals, OF_ACCOUNT, type Removals } from './removals.ts'
import { createFacts, type Facts } from './single-values.ts'
import { readUploadDate } from './upload-date.ts'
import { createUsage, type Usage } from './usage.ts'

/**
 * Index and column of each sort order. Each index contains every column that a filter uses; only
 * `remote_by_name` contains the searched text.
 */
const SORTS: Readonly<Record<CatalogQuery['sort'], { readonly index: string; readonly column: string }>> = {
  date: { index: 'remote_by_date', column: 'at' },
  name: { index: 'remote_by_name', column: 'folded' },
  size: { index: 'remote_by_size', column: 'size' },
  downloads: { index: 'remote_by_downloads', column: 'download_count' },
  id: { index: 'remote_by_id', column: 'file_id' },
}

/**
 * Up to this many matches of a search are collected and sorted in memory. If there are more, a scan in sort
 * order finds a page of them quickly.
 */
const FEW = 1000

/**
 * A scan in sort order is used only if it is expected to read at most this many rows for one page, at 1.7 µs
 * each. Otherwise, all matches are sorted, which takes 60 ms for a hundred thousand.
 */
const WALK = 10_000
const LIVE = 'gone_at IS NULL'

export interface RemoteEntry {
  readonly fileId: number
  readonly filename: string | null
  readonly size: number | null
  readonly uploadDate: string | null
  readonly downloadCount: number | null
  readonly publicLink: string | null
  readonly firstSeen: number
  /**
   * Number of upload intents (one is recorded before each upload request) when the file was first seen.
   * Unlike a clock, it never goes back.
   */
  readonly firstMark: number
  readonly goneAt: number | null
}

export interface CatalogRow extends RemoteEntry {
  /**
   * The newest transfer of this file on this machine, preferably one whose claim hasn't ended; null if there
   * is none.
   */
  readonly local: {
    readonly id: number
    readonly path: string
    readonly sha256: string | null
    readonly source: 'watch' | 'upload'
    readonly away: boolean
    /** Where the file was moved after its upload; null if it wasn't, or isn't there any more. */
    readonly putAway: PutAway | null
    readonly bytes: number
    readonly doneAt: number | null
  } | null
  /** The last download counts, at most eight, oldest first. */
  readonly pulse: readonly number[]
  /** Whether the file's deletion is queued. */
  readonly deleting: boolean
}

export interface CatalogRows {
  get(fileId: number): RemoteEntry | null
  byLink(link: string): RemoteEntry | null
  /**
   * Inserts or updates a file, keeping known fields that the service omitted. A file that has been given the
   * ID of a deleted one replaces it (see `isFormer`). `listed`: whether the file comes from a listing; if so,
   * its missing fields have to be requested individually.
   */
  put(file: RemoteFile & { readonly fileId: number }, at: number, listed: boolean): StoredChange
  /** `isDeleted`: whether the service has answered a request to delete the file. */
  markGone(fileId: number, at: number, isDeleted?: boolean): void
  /** When the service answered a request to delete this file, in epoch milliseconds; null if it didn't. */
  deletedAt(fileId: number): number | null
  /**
   * Records that walk number `walk` (a read of the whole list, numbered from 2), or a complete read of the
   * files added since that walk, has shown the file. Returns false if this walk or a later one was already
   * recorded for the file, or if the file has no row.
   */
  setWalked(fileId: number, walk: number): boolean
  /**
   * Whether the file exists and `setWalked` has recorded it, either in a walk of the whole list or in a
   * complete read of the files added since then.
   */
  isWalked(fileId: number): boolean
  /**
   * Existing files with an ID above `after` (null: all), in ascending order. `walk`: number of the last walk
   * that found the file; 1 if only other listings have contained it, 0 if none has.
   */
  live(
    after: number | null,
    limit: number,
  ): readonly { readonly fileId: number; readonly firstSeen: number; readonly walk: number }[]
  row(fileId: number): CatalogRow | null
  /**
   * Counts existing files uploaded at or after `since` (epoch milliseconds plus the service's UTC offset),
   * and those among them without a known download.
   */
  recent(since: number): { readonly files: number; readonly unopened: number }
  /**
   * Returns the file whose downloads should be checked next, or null if there is none. Considers those of the
   * 1000 newest files counted by `recent` that have no known downloads, and returns one that has never been
   * requested or, failing that, the one requested longest ago. Skips files whose count is still unknown after
   * a request.
   */
  lookFor(since: number): number | null
  /**
   * The newest file that was listed with missing fields and hasn't been requested individually; null if there
   * is none.
   */
  incomplete(): number | null
  setAsked(fileId: number, at: number): void
  /**
   * Whether the file is known and was uploaded before `at` (epoch milliseconds plus the service's UTC
   * offset).
   */
  isBefore(fileId: number, at: number): boolean
  /**
   * Number of existing files, and their total size in the service's unit; `size` is null if any size is
   * unknown.
   */
  held(): { readonly files: number; readonly size: number | null }
  /** Drops all rows: on another account, the same IDs mean other files. */
  /**
   * Call when the whole list has been read. The first time, records that all files known now were there
   * before.
   */
  noteFirstList(): void
  forgetFiles(): void
}

export interface CatalogHooks {
  /** Called when a row was added, changed, or marked as gone. */
  readonly onChange: () => void
  /**
   * Called with the IDs of the transfers that lost their link or got it back, or whose file was deleted as
   * the user requested.
   */
  readonly onEnded: (ids: readonly number[]) => void
}

type Shown = Omit<RemoteEntry, 'fileId' | 'firstSeen' | 'firstMark' | 'goneAt'>

function entryOf(row: Row): RemoteEntry {
  return {
    fileId: number(row, 'file_id'),
    filename: textOrNull(row, 'filename'),
    size: numberOrNull(row, 'size'),
    uploadDate: textOrNull(row, 'upload_date'),
    downloadCount: numberOrNull(row, 'download_count'),
    publicLink: textOrNull(row, 'public_link'),
    firstSeen: number(row, 'first_seen'),
    firstMark: number(row, 'first_mark'),
    goneAt: numberOrNull(row, 'gone_at'),
  }
}

function read(db: Database, fileId: number): RemoteEntry | null {
  const row = db.get('SELECT * FROM remote WHERE file_id = ?', fileId)
  return row === null ? null : entryOf(row)
}

/**
 * Adds what the journal has recorded: the local transfer, recent download counts, and whether a deletion is
 * queued.
 */
function whole(db: Database, downloads: Pick<Downloads, 'lastCounts'>, entry: RemoteEntry): CatalogRow {
  const row = db.get(
    'SELECT id, path, sha256, source, away, size, done_at FROM transfers WHERE file_id = ? ORDER BY ended IS NOT NULL, id DESC LIMIT 1',
    entry.fileId,
  )
  const local =
    row === null
      ? null
      : {
          id: number(row, 'id'),
          path: text(row, 'path'),
          sha256: textOrNull(row, 'sha256'),
          source: text(row, 'source') as 'watch' | 'upload',
          away: flag(row, 'away'),
          putAway: flag(row, 'away') ? putAwayOf(db, number(row, 'id')) : null,
          bytes: number(row, 'size'),
          doneAt: numberOrNull(row, 'done_at'),
        }
  const deleting = has(db, `SELECT 1 AS yes FROM removals WHERE file_id = ? AND ${OF_ACCOUNT}`, entry.fileId)
  return { ...entry, local, pulse: downloads.lastCounts(entry.fileId), deleting }
}

/** Whether the file is known to exist and all its fields are unchanged. */
function isSame(had: RemoteEntry, next: Shown): boolean {
  return (
    had.goneAt === null &&
    had.filename === next.filename &&
    had.size === next.size &&
    had.uploadDate === next.uploadDate &&
    had.downloadCount === next.downloadCount &&
    had.publicLink === next.publicLink
  )
}

function write(db: Database, facts: Facts, fileId: number, next: Shown, at: number, isListed: boolean): void {
  const path = db.get('SELECT path FROM transfers WHERE file_id = ? ORDER BY id DESC LIMIT 1', fileId)
  const folded = foldText(
    `${next.filename ?? ''}\n${path === null ? '' : text(path, 'path')}\n${next.publicLink ?? ''}`,
  )
  const dated = next.uploadDate === null ? null : (readUploadDate(next.uploadDate)?.at ?? null)
  db.run(
    `INSERT INTO remote (file_id, filename, size, upload_date, download_count, public_link, first_seen, last_seen, scan, kind, folded, at,
     first_mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT n FROM marks))
     ON CONFLICT (file_id) DO UPDATE SET filename = excluded.filename, size = excluded.size, upload_date = excluded.upload_date,
     download_count = excluded.download_count, public_link = excluded.public_link, last_seen = excluded.last_seen, gone_at = NULL, deleted = NULL,
     scan = max(scan, excluded.scan), kind = excluded.kind, folded = excluded.folded,
     at = CASE WHEN ? THEN excluded.at ELSE at END`,
    fileId,
    next.filename,
    next.size,
    next.uploadDate,
    next.downloadCount,
    next.publicLink,
    at,
    at,
    isListed,
    fileKind(next.filename),
    folded,
    // A date without a zone is stored as if it were UTC. If there is no date, the current time is shifted to
    // the service's zone to match.
    dated ?? at + (facts.get('zone') ?? 0),
    dated !== null,
  )
}

/** `goneAt`: when the file was last marked as gone (epoch milliseconds), if it was until now. */
export interface StoredChange extends RemoteChange {
  readonly goneAt?: number | null
}

interface Tables {
  readonly db: Database
  readonly facts: Facts
  readonly downloads: Downloads
  readonly hooks: CatalogHooks
}

/**
 * Whether the service has given the ID of a deleted file (`known`) to a new one. This is only certain if both
 * links are known and differ, because links are unique and a file that was marked as gone by mistake keeps
 * its link.
 */
export function isOtherFile(
  known: Pick<RemoteEntry, 'goneAt' | 'publicLink'> | null,
  link: string | null,
): boolean {
  return (
    known !== null &&
    known.goneAt !== null &&
    known.publicLink !== null &&
    link !== null &&
    known.publicLink !== link
  )
}

/**
 * Whether the service shows another file under the ID of one that counts as existing (`known`). If both links
 * are known, they must differ. Because a service may also change a file's link, the upload dates must differ,
 * too; if one of them is unknown, name or size must differ, and both if a link is unknown.
 */
export function hasReplaced(known: RemoteEntry | null, f: RemoteFile): boolean {
  const differ = <T>(one: T | null, other: T | null): boolean =>
    one !== null && other !== null && one !== other
  if (known === null || known.goneAt !== null) return false
  const isNamed = differ(known.filename, f.filename)
  const isSized = differ(known.size, f.size)
  if (known.publicLink === null || f.publicLink === null) return isNamed && isSized
  if (known.publicLink === f.publicLink) return false
  if (known.uploadDate !== null && f.uploadDate !== null) return known.uploadDate !== f.uploadDate
  return isNamed || isSized
}

/**
 * Whether the service has given the ID of `known` to another file, whether or not the deletion of `known` was
 * noticed.
 */
export function isFormer(known: RemoteEntry | null, f: RemoteFile): boolean {
  return isOtherFile(known, f.publicLink) || hasReplaced(known, f)
}

/** Whether both rows are about the same file: one that gets the ID of a deleted file gets a new row. */
export function isSameFile(one: RemoteEntry | null, other: RemoteEntry | null): boolean {
  return one === null || other === null || one.firstSeen === other.firstSeen
}

/**
 * Ends the live claims on a file that is gone, and reports every transfer that is displayed differently from
 * now on.
 */
function endClaims({ db, hooks }: Tables, fileId: number, at: number): void {
  hooks.onEnded([...endAsGone(db, fileId, at), ...deletedOf(db, fileId)])
}

/**
 * Drops everything known about the former file with this ID. Its ended and cancelled transfers lose the ID,
 * but keep the dead link.
 */
function forgetFormer({ db, downloads }: Tables, fileId: number): void {
  db.run(
    "UPDATE transfers SET file_id = NULL WHERE file_id = ? AND (ended IS NOT NULL OR state = 'cancelled')",
    fileId,
  )
  db.run('DELETE FROM remote WHERE file_id = ?', fileId)
  db.run('DELETE FROM remote_bytes WHERE file_id = ?', fileId)
  db.run('DELETE FROM twins WHERE file_id = ?', fileId)
  db.run(`DELETE FROM removals WHERE file_id = ? AND ${OF_ACCOUNT}`, fileId)
  downloads.forgetFile(fileId)
}

function put(
  tables: Tables,
  f: RemoteFile & { readonly fileId: number },
  at: number,
  listed: boolean,
): StoredChange {
  const { db, facts, downloads, hooks } = tables
  const known = read(db, f.fileId)
  if (hasReplaced(known, f)) endClaims(tables, f.fileId, at)
  const isReused = isFormer(known, f)
  if (isReused) forgetFormer(tables, f.fileId)
  const had = isReused ? null : known
  const next = {
    filename: f.filename ?? had?.filename ?? null,
    size: f.size ?? had?.size ?? null,
    uploadDate: f.uploadDate ?? had?.uploadDate ?? null,
    downloadCount:
      f.downloadCount === null
        ? (had?.downloadCount ?? null)
        : downloads.withoutOwn(f.fileId, f.downloadCount, had?.downloadCount ?? null),
    publicLink: f.publicLink ?? had?.publicLink ?? null,
  }
  const seen =
    next.downloadCount === null
      ? { gain: 0, first: false }
      : downloads.count(f.fileId, had?.downloadCount ?? null, next.downloadCount, at)
  if (had !== null && isSame(had, next)) {
    // The row is unchanged. At most, record that a listing has contained the file.
    if (listed) db.run('UPDATE remote SET scan = 1 WHERE file_id = ? AND scan = 0', f.fileId)
    return seen
  }
  write(db, facts, f.fileId, next, at, listed)
  const goneAt = had?.goneAt ?? null
  if (had === null || had.goneAt !== null) hooks.onEnded(revive(db, f.fileId))
  hooks.onChange()
  return goneAt === null ? seen : { ...seen, goneAt }
}

function createCatalogRows(tables: Tables): CatalogRows {
  const { db, facts, downloads, hooks } = tables
  return {
    get: (fileId) => read(db, fileId),
    byLink: (link) => {
      const row = db.get('SELECT * FROM remote WHERE public_link = ? LIMIT 1', link)
      return row === null ? null : entryOf(row)
    },
    put: (f, at, listed) => put(tables, f, at, listed),
    markGone: (fileId, at, isDeleted = false) => {
      endClaims(tables, fileId, at)
      const sql = 'UPDATE remote SET gone_at = ?, deleted = ? WHERE file_id = ? AND (gone_at IS NULL OR ?)'
      if (db.run(sql, at, isDeleted ? 1 : null, fileId, isDeleted).changes > 0) hooks.onChange()
    },
    deletedAt: (fileId) =>
      oneNumber(db, 'SELECT gone_at FROM remote WHERE file_id = ? AND deleted = 1', fileId),
    live: (after, limit) =>
      db
        .all(
          'SELECT file_id, first_seen, scan FROM remote WHERE file_id > ? AND gone_at IS NULL ORDER BY file_id LIMIT ?',
          after ?? BEFORE_ALL,
          limit,
        )
        .map((row) => ({
          fileId: number(row, 'file_id'),
          firstSeen: number(row, 'first_seen'),
          walk: number(row, 'scan'),
        })),
    isWalked: (fileId) =>
      db.get('SELECT 1 AS yes FROM remote WHERE file_id = ? AND gone_at IS NULL AND scan >= 2', fileId) !==
      null,
    setWalked: (fileId, walk) =>
      db.run('UPDATE remote SET scan = ? WHERE file_id = ? AND scan < ?', walk, fileId, walk).changes > 0,
    row: (fileId) => {
      const entry = read(db, fileId)
      return entry === null ? null : whole(db, downloads, entry)
    },
    recent: (since) => {
      const row = db.get(
        `SELECT count(*) AS n, coalesce(sum(coalesce(download_count, 0) = 0), 0) AS unopened FROM remote INDEXED BY remote_by_date
         WHERE gone_at IS NULL AND at >= ?`,
        since,
      )
      return row === null
        ? { files: 0, unopened: 0 }
        : { files: number(row, 'n'), unopened: number(row, 'unopened') }
    },
    lookFor: (since) => {
      // Considers only the newest files: with more than a thousand uploads a day, the budget isn't enough to
      // check all of them.
      const row = db.get(
        `SELECT file_id FROM (SELECT file_id, asked_at, download_count FROM remote INDEXED BY remote_by_date
         WHERE gone_at IS NULL AND at >= ? ORDER BY at DESC LIMIT 1000)
         WHERE download_count = 0 OR (download_count IS NULL AND asked_at IS NULL) ORDER BY coalesce(asked_at, 0), file_id DESC LIMIT 1`,
        since,
      )
      return row === null ? null : number(row, 'file_id')
    },
    incomplete: () =>
      oneNumber(
        db,
        `SELECT file_id FROM remote INDEXED BY remote_incomplete WHERE gone_at IS NULL AND asked_at IS NULL
         AND (filename IS NULL OR size IS NULL OR upload_date IS NULL OR public_link IS NULL) AND scan > 0 ORDER BY file_id DESC LIMIT 1`,
      ),
    setAsked: (fileId, at) => void db.run('UPDATE remote SET asked_at = ? WHERE file_id = ?', at, fileId),
    isBefore: (fileId, at) => has(db, 'SELECT 1 AS yes FROM remote WHERE file_id = ? AND at < ?', fileId, at),
    held: () => {
      const row = db.get(
        'SELECT count(*) AS n, count(size) AS told, coalesce(sum(size), 0) AS size FROM remote WHERE gone_at IS NULL',
      )
      if (row === null) return { files: 0, size: 0 }
      const files = number(row, 'n')
      return { files, size: number(row, 'told') === files ? number(row, 'size') : null }
    },
    noteFirstList: () => {
      const row = facts.get('first-list') === null ? db.get('SELECT n FROM marks') : null
      if (row !== null) facts.set('first-list', number(row, 'n'))
    },
    forgetFiles: () => {
      facts.set('first-list', null)
      db.run('DELETE FROM remote')
    },
  }
}

// Searches, filters and sorts the cached list (table `remote`), one page at a time. Each query names its
// index. Without a search text, the rows before a page are skipped in the index without being read.
export interface CatalogQuery {
  readonly search: string
  readonly kind?: FileKind | undefined
  /**
   * Only files uploaded at or after this time: epoch milliseconds plus the service's UTC offset, like the
   * column `at`.
   */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly unopened?: boolean | undefined
  /** Only files that were uploaded from this watched folder. */
  readonly folderId?: number | undefined
  readonly sort: 'date' | 'name' | 'size' | 'downloads' | 'id'
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface CatalogSearch {
  /**
   * `revision` changes whenever files may have entered, left or moved in the list of this query, and each
   * time the journal is opened.
   */
  query(q: CatalogQuery): {
    readonly rows: readonly CatalogRow[]
    readonly total: number
    readonly revision: string
  }
}

interface Matches {
  readonly total: number
  /**
   * All matches with their sort keys (for the name, its rank), or null if there are more than FEW or the
   * query has no search text.
   */
  readonly few:
    | readonly (Readonly<Record<Exclude<CatalogQuery['sort'], 'id'>, number | null>> & {
        readonly id: number
      })[]
    | null
}

/** Sorts like SQLite: null comes first. */
function compare(a: number | null, b: number | null): number {
  return (a ?? Number.NEGATIVE_INFINITY) === (b ?? Number.NEGATIVE_INFINITY)
    ? 0
    : (a ?? Number.NEGATIVE_INFINITY) - (b ?? Number.NEGATIVE_INFINITY)
}

/** `rowOf`: reads a file's complete row. */
function createCatalogSearch(db: Database, rowOf: (fileId: number) => CatalogRow | null): CatalogSearch {
  /**
   * Caches the matches of recent queries, because scrolling and typing repeat them. Valid until the next
   * write to the journal.
   */
  let answers: { readonly writes: number; readonly matches: Map<string, Matches> } = {
    writes: -1,
    matches: new Map(),
  }
  const matchesOf = (condition: string, bind: readonly (string | number)[], searched: boolean): Matches => {
    const writes = db.writes()
    if (writes !== answers.writes || answers.matches.size > 100) answers = { writes, matches: new Map() }
    const key = `${condition}\0${bind.join('\0')}`
    let found = answers.matches.get(key)
    if (found === undefined) {
      found = match(condition, bind, searched)
      answers.matches.set(key, found)
    }
    return found
  }
  const match = (condition: string, bind: readonly (string | number)[], searched: boolean): Matches => {
    const few = searched
      ? db.all(
          `SELECT file_id, at, size, download_count FROM remote INDEXED BY remote_by_name WHERE ${condition} ORDER BY folded, file_id LIMIT ?`,
          ...bind,
          FEW + 1,
        )
      : null
    if (few !== null && few.length <= FEW)
      return {
        total: few.length,
        few: few.map((row, i) => ({
          id: number(row, 'file_id'),
          name: i,
          date: numberOrNull(row, 'at'),
          size: numberOrNull(row, 'size'),
          downloads: numberOrNull(row, 'download_count'),
        })),
      }
    const index = searched ? 'remote_by_name' : 'remote_by_id'
    const count = `SELECT count(*) FROM remote INDEXED BY ${index} WHERE ${condition}`
    return { total: oneNumber(db, count, ...bind) ?? 0, few: null }
  }
  const page = (
    q: CatalogQuery,
    condition: string,
    bind: readonly (string | number)[],
    found: Matches,
  ): readonly number[] => {
    if (found.few !== null) {
      const sign = q.descending ? -1 : 1
      const sorted = found.few.toSorted((a, b) => sign * (compare(a[q.sort], b[q.sort]) || a.id - b.id))
      return sorted.slice(q.offset, q.offset + q.limit).map((item) => item.id)
    }
    const { index, column } = SORTS[q.sort]
    const direction = q.descending ? 'DESC' : 'ASC'
    const far =
      q.search !== '' &&
      ((q.offset + q.limit) / Math.max(1, found.total)) * matchesOf(LIVE, [], false).total > WALK
    return numbers(
      db,
      `SELECT file_id FROM remote INDEXED BY ${far ? 'remote_by_name' : index} WHERE ${condition}
         ORDER BY ${column} ${direction}, file_id ${direction} LIMIT ? OFFSET ?`,
      ...bind,
      q.limit,
      q.offset,
    )
  }

  const revisionOf = ({ sort, unopened, since, until }: CatalogQuery): string => {
    const row = db.get('SELECT opened, files, downloads FROM list_changes')
    if (row === null) return ''
    const downloads = sort === 'downloads' || unopened === true ? number(row, 'downloads') : ''
    // The times are part of the revision, because they shift once the service's time zone is known.
    return [text(row, 'opened'), number(row, 'files'), downloads, since ?? '', until ?? ''].join(' ')
  }

  return {
    query: (q) => {
      const where = [LIVE]
      const bind: (string | number)[] = []
      const filter = (sql: string, value: string | number): void => {
        where.push(sql)
        bind.push(value)
      }
      if (q.search !== '') filter("folded LIKE ? ESCAPE '\\'", likeFolded(q.search))
      if (q.kind !== undefined) filter('kind = ?', q.kind)
      if (q.since !== undefined) filter('at >= ?', q.since)
      if (q.until !== undefined) filter('at < ?', q.until)
      if (q.unopened === true) where.push('download_count = 0')
      if (q.folderId !== undefined)
        filter(
          "file_id IN (SELECT file_id FROM transfers INDEXED BY transfers_stored WHERE folder_id = ? AND state = 'done')",
          q.folderId,
        )
      const condition = where.join(' AND ')
      const found = matchesOf(condition, bind, q.search !== '')
      const entries = page(q, condition, bind, found).map(rowOf)
      return { rows: entries.filter((entry) => entry !== null), total: found.total, revision: revisionOf(q) }
    },
  }
}

/** Everything that the journal stores about the service's files. */
export type Remote = CatalogRows & CatalogSearch & Downloads & Removals & Usage & { readonly facts: Facts }

/**
 * `onChange`: called for each row of the list that is new, changed or gone. `onEnded`: called with the IDs of
 * the transfers that lost their link or got it back, or whose file was deleted as the user requested.
 */
export function createRemote(
  db: Database,
  onChange: () => void,
  onEnded: (ids: readonly number[]) => void = () => undefined,
): Remote {
  const facts = createFacts(db)
  const usage = createUsage(db)
  const downloads = createDownloads(db, usage)
  const rows = createCatalogRows({ db, facts, downloads, hooks: { onChange, onEnded } })
  const search = createCatalogSearch(db, (fileId) => rows.row(fileId))
  return { ...rows, ...search, ...downloads, ...createRemovals(db), ...usage, facts }
}
