// The catalog's tables: the cached remote list, download counts over time, removals still to do, and small facts that must survive a restart.
// Only rows and queries; refreshing and matching live in catalog.ts and reconciler.ts.
import { fileKind } from '../../../src-shared/file-kind.ts'
import type { FileKind } from '../../../src-shared/model.ts'
import type { RemoteFile } from '../../api/types.ts'
import { localDay } from '../limits/days.ts'
import { readUploadDate } from '../transfer/match.ts'
import { endAsGone, revive } from './claims.ts'
import { fold, likeFolded } from './fold.ts'
import type { Database, Row } from './open.ts'
import { flag, number, numberOrNull, text, textOrNull } from './rows.ts'

export interface RemoteEntry {
  readonly fileId: number
  readonly filename: string | null
  readonly size: number | null
  readonly uploadDate: string | null
  readonly downloadCount: number | null
  readonly publicLink: string | null
  readonly firstSeen: number
  /** How many intents there had been when it was first seen: a clock may be set, this only grows. */
  readonly firstMark: number
  readonly goneAt: number | null
}

export interface UsageDay {
  readonly day: string
  readonly uploads: number
  readonly bytes: number
  readonly requests: number
  readonly downloads: number
  readonly storedFiles: number | null
  readonly storedSize: number | null
}

export interface RemovalRow {
  readonly fileId: number
  readonly reason: string
  readonly attempts: number
  readonly until: number | null
  readonly createdAt: number
}

export interface CatalogQuery {
  readonly search: string
  readonly kind?: FileKind | undefined
  /** By the service's own time line, as `at` in the journal. */
  readonly since?: number | undefined
  readonly unopened?: boolean | undefined
  readonly sort: 'date' | 'name' | 'size' | 'downloads' | 'id'
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface CatalogRow extends RemoteEntry {
  /** The newest transfer of this file on this machine, null if there is none. */
  readonly local: {
    readonly id: number
    readonly path: string
    readonly sha256: string | null
    readonly source: 'watch' | 'upload'
    readonly away: boolean
    readonly bytes: number
    readonly doneAt: number | null
  } | null
  /** At most eight, oldest first. */
  readonly pulse: readonly number[]
  /** Its deletion is queued. */
  readonly deleting: boolean
}

/** What `put` found new. */
export interface RemoteChange {
  /** Downloads since the count before; 0 where that is not known. */
  readonly gain: number
  /** The first download of a file that nobody had downloaded. */
  readonly first: boolean
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
    firstMark: number(row, 'first_mark'),
    goneAt: numberOrNull(row, 'gone_at'),
  }
}

/** The index of each sort and its columns: covering, so that a page deep in a long list reads no row before its own. */
const SORTS: Readonly<Record<CatalogQuery['sort'], { readonly index: string; readonly column: string }>> = {
  date: { index: 'remote_by_date', column: 'at' },
  name: { index: 'remote_by_name', column: 'folded' },
  size: { index: 'remote_by_size', column: 'size' },
  downloads: { index: 'remote_by_downloads', column: 'download_count' },
  id: { index: 'remote_by_id', column: 'file_id' },
}
/** Up to so many matches are collected and sorted here; more of them are met soon enough on a walk in the order that is wanted. */
const FEW = 1000
/** Rows that such a walk may read, at 1.7 us each; else all matches are sorted, which takes 60 ms for a hundred thousand. */
const WALK = 10_000
const LIVE = 'gone_at IS NULL'
const PULSE = 8
/** A file id means another file on another account. */
const OF_ACCOUNT = "(account IS NULL OR account = (SELECT value FROM meta WHERE key = 'account'))"
/** Counts kept of one file: a week of changes every half hour and more. */
const PULSES_KEPT = 400
const DAY_MS = 86_400_000

export interface Remote {
  get(fileId: number): RemoteEntry | null
  byLink(link: string): RemoteEntry | null
  /** Keeps what is known where the service says nothing. `listed`: a listing showed it, so that what is
   *  missing now will not come with the next. Needs a file id. */
  put(file: RemoteFile & { readonly fileId: number }, at: number, listed: boolean): RemoteChange
  /** We download it ourselves: one of its next downloads is our own, and nobody hears of it as somebody's. */
  noteLook(fileId: number): void
  /** Another account: its ids mean other files. */
  forgetLooks(): void
  markGone(fileId: number, at: number): void
  /** Live rows after `after`, by id. */
  live(after: number, limit: number): readonly { readonly fileId: number; readonly firstSeen: number }[]
  query(q: CatalogQuery): { readonly rows: readonly CatalogRow[]; readonly total: number }
  row(fileId: number): CatalogRow | null
  /** Uploaded since `at` (of the service's time line), and those of them that nobody has downloaded as far as is known. */
  recent(since: number): { readonly files: number; readonly unopened: number }
  /** One of the unopened ones that may tell more, asked for longest ago. */
  lookFor(since: number): number | null
  /** The newest file that a listing has shown with holes and that was never asked for singly. */
  incomplete(): number | null
  setAsked(fileId: number, at: number): void
  /** Known, and uploaded before `at` (of the service's time line). */
  isBefore(fileId: number, at: number): boolean
  /** What the live rows hold; `size` null where not every row tells one. */
  held(): { readonly files: number; readonly size: number | null }
  pulse(fileId: number): readonly { readonly at: number; readonly count: number }[]
  /** Deletions that are due, of the account in use; those that a person asked for first. */
  removals(now: number, limit: number): readonly RemovalRow[]
  /** When the next one is due; 0: now. `asked` false: those that a person asked for don't count. */
  nextRemoval(asked?: boolean): number | null
  /** Deletions that a person asked for and that have not gone out, oldest first. */
  asked(limit: number): { readonly files: readonly { readonly fileId: number; readonly name: string | null }[]; readonly total: number }
  /** Null: none is queued. */
  removal(fileId: number): RemovalRow | null
  /** What a person asks for goes out at once, also where the file was to go anyway. */
  addRemoval(fileId: number, reason: string, at: number): void
  /** `charged`: a try that counts, so that the next pause is longer. */
  delayRemoval(fileId: number, until: number, charged: boolean): void
  /** The clock was set back. */
  setBackRemovals(by: number): void
  dropRemoval(fileId: number): void
  isRemoval(fileId: number): boolean
  fact(key: string): string | null
  setFact(key: string, value: string | null): void
  addUsage(
    day: string,
    fields: { readonly uploads?: number; readonly bytes?: number; readonly requests?: number; readonly downloads?: number },
  ): void
  /** The last figures of a day, as the service wrote them. */
  setStored(day: string, files: number | null, size: number | null): void
  usage(from: string): readonly UsageDay[]
  /** Files with the most downloads since `at`. */
  mostDownloaded(since: number, limit: number): readonly { readonly fileId: number; readonly gained: number }[]
}

interface Matches {
  readonly total: number
  /** All of them with what they are sorted by (the name by its place), null where there are more than a few. */
  readonly few: readonly (Readonly<Record<Exclude<CatalogQuery['sort'], 'id'>, number | null>> & { readonly id: number })[] | null
}

/** As SQLite sorts: what is not known comes before everything else. */
function compare(a: number | null, b: number | null): number {
  return (a ?? Number.NEGATIVE_INFINITY) === (b ?? Number.NEGATIVE_INFINITY)
    ? 0
    : (a ?? Number.NEGATIVE_INFINITY) - (b ?? Number.NEGATIVE_INFINITY)
}

/** `onChange` is called for each row of the list that is new, not as it was, or gone; `onEnded` with the transfers whose link is lost or back. */
export function createRemote(db: Database, onChange: () => void, onEnded: (ids: readonly number[]) => void = () => undefined): Remote {
  const get = (fileId: number): RemoteEntry | null => {
    const row = db.get('SELECT * FROM remote WHERE file_id = ?', fileId)
    return row === null ? null : read(row)
  }
  const pulseOf = (fileId: number): readonly number[] =>
    db
      .all('SELECT count FROM pulse WHERE file_id = ? ORDER BY at DESC LIMIT ?', fileId, PULSE)
      .map((row) => number(row, 'count'))
      .toReversed()
  const whole = (entry: RemoteEntry): CatalogRow => {
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
            bytes: number(row, 'size'),
            doneAt: numberOrNull(row, 'done_at'),
          }
    const deleting = db.get('SELECT 1 AS yes FROM removals WHERE file_id = ?', entry.fileId) !== null
    return { ...entry, local, pulse: pulseOf(entry.fileId), deleting }
  }
  const fact = (key: string): string | null => {
    const row = db.get('SELECT value FROM meta WHERE key = ?', key)
    return row === null ? null : text(row, 'value')
  }

  /** Answers to the last questions, as long as nothing at all was written: a person who types or scrolls asks the same again and again. */
  let answers: { readonly writes: number; readonly matches: Map<string, Matches> } = { writes: -1, matches: new Map() }
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
    const row = db.get(`SELECT count(*) AS n FROM remote INDEXED BY ${index} WHERE ${condition}`, ...bind)
    return { total: row === null ? 0 : number(row, 'n'), few: null }
  }
  const page = (q: CatalogQuery, condition: string, bind: readonly (string | number)[], found: Matches): readonly number[] => {
    if (found.few !== null) {
      const sign = q.descending ? -1 : 1
      const sorted = found.few.toSorted((a, b) => sign * (compare(a[q.sort], b[q.sort]) || a.id - b.id))
      return sorted.slice(q.offset, q.offset + q.limit).map((item) => item.id)
    }
    const { index, column } = SORTS[q.sort]
    const direction = q.descending ? 'DESC' : 'ASC'
    const far = q.search !== '' && ((q.offset + q.limit) / Math.max(1, found.total)) * matchesOf(LIVE, [], false).total > WALK
    return db
      .all(
        `SELECT file_id FROM remote INDEXED BY ${far ? 'remote_by_name' : index} WHERE ${condition}
         ORDER BY ${column} ${direction}, file_id ${direction} LIMIT ? OFFSET ?`,
        ...bind,
        q.limit,
        q.offset,
      )
      .map((row) => number(row, 'file_id'))
  }

  const isOwn = (fileId: number, since: number): boolean =>
    db.get('SELECT 1 AS yes FROM transfers WHERE file_id = ? AND sent = 1 AND done_at >= ? LIMIT 1', fileId, since) !== null

  const addUsage: Remote['addUsage'] = (day, f) => {
    db.run(
      `INSERT INTO usage_days (day, uploads, bytes, requests, downloads) VALUES (?, ?, ?, ?, ?) ON CONFLICT (day) DO UPDATE SET
       uploads = uploads + excluded.uploads, bytes = bytes + excluded.bytes, requests = requests + excluded.requests,
       downloads = downloads + excluded.downloads`,
      day,
      f.uploads ?? 0,
      f.bytes ?? 0,
      f.requests ?? 0,
      f.downloads ?? 0,
    )
  }

  /** A count that was not there before: the downloads that it tells of, kept with their time. */
  const count = (fileId: number, before: number | null, now: number, at: number): { readonly gain: number; readonly first: boolean } => {
    if (now === before) return { gain: 0, first: false }
    // Nobody can have downloaded our own file before it was there; of a day ago nothing more is claimed.
    const base = before ?? (now > 0 && isOwn(fileId, at - DAY_MS) ? 0 : null)
    const gain = base === null ? 0 : Math.max(0, now - base)
    db.run('INSERT OR REPLACE INTO pulse (file_id, at, count, gain) VALUES (?, ?, ?, ?)', fileId, at, now, gain)
    if (before !== null)
      db.run(
        'DELETE FROM pulse WHERE file_id = ? AND at <= (SELECT at FROM pulse WHERE file_id = ? ORDER BY at DESC LIMIT 1 OFFSET ?)',
        fileId,
        fileId,
        PULSES_KEPT,
      )
    if (gain > 0) addUsage(localDay(at), { downloads: gain })
    return { gain, first: base === 0 && gain > 0 }
  }

  const readRemoval = (row: Row): RemovalRow => ({
    fileId: number(row, 'file_id'),
    reason: text(row, 'reason'),
    attempts: number(row, 'attempts'),
    until: numberOrNull(row, 'until'),
    createdAt: number(row, 'created_at'),
  })

  const looks = new Map(
    db
      .all('SELECT * FROM own_looks')
      .map((row) => [number(row, 'file_id'), { pending: number(row, 'pending'), counted: number(row, 'counted') }]),
  )
  const setLooks = (fileId: number, next: { readonly pending: number; readonly counted: number }): void => {
    looks.set(fileId, next)
    db.run('INSERT OR REPLACE INTO own_looks (file_id, pending, counted) VALUES (?, ?, ?)', fileId, next.pending, next.counted)
  }
  /** The count without our own downloads. A service may not count them, or late, so they are taken off only as the count grows. */
  const withoutOwn = (fileId: number, shown: number, before: number | null): number => {
    const own = looks.get(fileId)
    if (own === undefined) return shown
    const grown = before === null ? own.pending : Math.max(0, shown - own.counted - before)
    const counted = own.counted + Math.min(own.pending, grown, shown)
    if (counted !== own.counted) setLooks(fileId, { pending: own.pending - (counted - own.counted), counted })
    return Math.max(0, shown - counted)
  }

  return {
    get,
    noteLook: (fileId) => {
      const had = looks.get(fileId) ?? { pending: 0, counted: 0 }
      setLooks(fileId, { ...had, pending: had.pending + 1 })
    },
    forgetLooks: () => {
      looks.clear()
      db.run('DELETE FROM own_looks')
    },
    byLink: (link) => {
      const row = db.get('SELECT * FROM remote WHERE public_link = ? LIMIT 1', link)
      return row === null ? null : read(row)
    },
    put: (f, at, listed) => {
      const had = get(f.fileId)
      const next = {
        filename: f.filename ?? had?.filename ?? null,
        size: f.size ?? had?.size ?? null,
        uploadDate: f.uploadDate ?? had?.uploadDate ?? null,
        downloadCount:
          f.downloadCount === null ? (had?.downloadCount ?? null) : withoutOwn(f.fileId, f.downloadCount, had?.downloadCount ?? null),
        publicLink: f.publicLink ?? had?.publicLink ?? null,
      }
      const seen =
        next.downloadCount === null ? { gain: 0, first: false } : count(f.fileId, had?.downloadCount ?? null, next.downloadCount, at)
      if (
        had !== null &&
        had.goneAt === null &&
        had.filename === next.filename &&
        had.size === next.size &&
        had.uploadDate === next.uploadDate &&
        had.downloadCount === next.downloadCount &&
        had.publicLink === next.publicLink
      ) {
        // The same as ever, as nearly all of a listing is: nothing is written.
        if (listed) db.run('UPDATE remote SET scan = 1 WHERE file_id = ? AND scan = 0', f.fileId)
        return seen
      }
      const path = db.get('SELECT path FROM transfers WHERE file_id = ? ORDER BY id DESC LIMIT 1', f.fileId)
      const folded = fold(`${next.filename ?? ''}\n${path === null ? '' : text(path, 'path')}\n${next.publicLink ?? ''}`)
      const dated = next.uploadDate === null ? null : (readUploadDate(next.uploadDate)?.at ?? null)
      db.run(
        `INSERT INTO remote (file_id, filename, size, upload_date, download_count, public_link, first_seen, last_seen, scan, kind, folded, at,
         first_mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT n FROM marks))
         ON CONFLICT (file_id) DO UPDATE SET filename = excluded.filename, size = excluded.size, upload_date = excluded.upload_date,
         download_count = excluded.download_count, public_link = excluded.public_link, last_seen = excluded.last_seen, gone_at = NULL,
         scan = max(scan, excluded.scan), kind = excluded.kind, folded = excluded.folded,
         at = CASE WHEN ? THEN excluded.at ELSE at END`,
        f.fileId,
        next.filename,
        next.size,
        next.uploadDate,
        next.downloadCount,
        next.publicLink,
        at,
        at,
        listed,
        fileKind(next.filename),
        folded,
        // Dates without a zone stay as the service counts them; a moment of ours is moved to its zone, so that both sort as one.
        dated ?? at + Number(fact('zone') ?? '0'),
        dated !== null,
      )
      if (had === null || had.goneAt !== null) onEnded(revive(db, f.fileId))
      onChange()
      return seen
    },
    markGone: (fileId, at) => {
      onEnded(endAsGone(db, fileId, at))
      if (db.run('UPDATE remote SET gone_at = ? WHERE file_id = ? AND gone_at IS NULL', at, fileId).changes > 0) onChange()
    },
    live: (after, limit) =>
      db
        .all('SELECT file_id, first_seen FROM remote WHERE file_id > ? AND gone_at IS NULL ORDER BY file_id LIMIT ?', after, limit)
        .map((row) => ({ fileId: number(row, 'file_id'), firstSeen: number(row, 'first_seen') })),
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
      if (q.unopened === true) where.push('download_count = 0')
      const condition = where.join(' AND ')
      const found = matchesOf(condition, bind, q.search !== '')
      const entries = page(q, condition, bind, found).map(get)
      return { rows: entries.filter((entry) => entry !== null).map(whole), total: found.total }
    },
    row: (fileId) => {
      const entry = get(fileId)
      return entry === null ? null : whole(entry)
    },
    recent: (since) => {
      const row = db.get(
        `SELECT count(*) AS n, coalesce(sum(coalesce(download_count, 0) = 0), 0) AS unopened FROM remote INDEXED BY remote_by_date
         WHERE gone_at IS NULL AND at >= ?`,
        since,
      )
      return row === null ? { files: 0, unopened: 0 } : { files: number(row, 'n'), unopened: number(row, 'unopened') }
    },
    lookFor: (since) => {
      // Among the newest only: whoever uploads more than this a day has no budget to look for each.
      const row = db.get(
        `SELECT file_id FROM (SELECT file_id, asked_at, download_count FROM remote INDEXED BY remote_by_date
         WHERE gone_at IS NULL AND at >= ? ORDER BY at DESC LIMIT 1000)
         WHERE download_count = 0 OR (download_count IS NULL AND asked_at IS NULL) ORDER BY coalesce(asked_at, 0), file_id DESC LIMIT 1`,
        since,
      )
      return row === null ? null : number(row, 'file_id')
    },
    incomplete: () => {
      const row = db.get(
        `SELECT file_id FROM remote INDEXED BY remote_incomplete WHERE gone_at IS NULL AND asked_at IS NULL
         AND (filename IS NULL OR size IS NULL OR upload_date IS NULL OR public_link IS NULL) AND scan > 0 ORDER BY file_id DESC LIMIT 1`,
      )
      return row === null ? null : number(row, 'file_id')
    },
    setAsked: (fileId, at) => {
      db.run('UPDATE remote SET asked_at = ? WHERE file_id = ?', at, fileId)
    },
    isBefore: (fileId, at) => db.get('SELECT 1 AS yes FROM remote WHERE file_id = ? AND at < ?', fileId, at) !== null,
    held: () => {
      const row = db.get('SELECT count(*) AS n, count(size) AS told, coalesce(sum(size), 0) AS size FROM remote WHERE gone_at IS NULL')
      if (row === null) return { files: 0, size: 0 }
      const files = number(row, 'n')
      return { files, size: number(row, 'told') === files ? number(row, 'size') : null }
    },
    pulse: (fileId) =>
      db
        .all('SELECT at, count FROM pulse WHERE file_id = ? ORDER BY at', fileId)
        .map((row) => ({ at: number(row, 'at'), count: number(row, 'count') })),
    removals: (now, limit) =>
      db
        .all(
          `SELECT * FROM removals WHERE (until IS NULL OR until <= ?) AND ${OF_ACCOUNT} ORDER BY reason <> 'asked', created_at LIMIT ?`,
          now,
          limit,
        )
        .map(readRemoval),
    nextRemoval: (asked = true) => {
      const row = db.get(`SELECT min(coalesce(until, 0)) AS at FROM removals WHERE ${OF_ACCOUNT} AND (? OR reason <> 'asked')`, asked)
      return row === null ? null : numberOrNull(row, 'at')
    },
    asked: (limit) => {
      const total = db.get(`SELECT count(*) AS n FROM removals WHERE reason = 'asked' AND ${OF_ACCOUNT}`)
      const n = total === null ? 0 : number(total, 'n')
      if (n === 0) return { files: [], total: 0 }
      const rows = db.all(
        `SELECT m.file_id, coalesce(r.filename, (SELECT t.name FROM transfers t WHERE t.file_id = m.file_id ORDER BY t.id DESC LIMIT 1)) AS name
         FROM removals m LEFT JOIN remote r ON r.file_id = m.file_id
         WHERE m.reason = 'asked' AND ${OF_ACCOUNT} ORDER BY m.created_at, m.file_id LIMIT ?`,
        limit,
      )
      return { files: rows.map((row) => ({ fileId: number(row, 'file_id'), name: textOrNull(row, 'name') })), total: n }
    },
    removal: (fileId) => {
      const row = db.get('SELECT * FROM removals WHERE file_id = ?', fileId)
      return row === null ? null : readRemoval(row)
    },
    addRemoval: (fileId, reason, at) => {
      db.run(
        `INSERT INTO removals (file_id, reason, created_at, account) VALUES (?, ?, ?, (SELECT value FROM meta WHERE key = 'account'))
         ON CONFLICT (file_id) DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at, until = NULL
         WHERE excluded.reason = 'asked'`,
        fileId,
        reason,
        at,
      )
    },
    delayRemoval: (fileId, until, charged) => {
      db.run('UPDATE removals SET attempts = attempts + ?, until = ? WHERE file_id = ?', charged, until, fileId)
    },
    setBackRemovals: (by) => {
      db.run('UPDATE removals SET until = until + ? WHERE until IS NOT NULL', by)
    },
    dropRemoval: (fileId) => {
      db.run('DELETE FROM removals WHERE file_id = ?', fileId)
    },
    isRemoval: (fileId) => db.get('SELECT 1 AS yes FROM removals WHERE file_id = ?', fileId) !== null,
    fact,
    setFact: (key, value) => {
      if (value === null) db.run('DELETE FROM meta WHERE key = ?', key)
      else db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, value)
    },
    addUsage,
    setStored: (day, files, size) => {
      db.run(
        `INSERT INTO usage_days (day, stored_files, stored_size) VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET
         stored_files = coalesce(excluded.stored_files, stored_files), stored_size = coalesce(excluded.stored_size, stored_size)`,
        day,
        files,
        size,
      )
    },
    usage: (from) =>
      db.all('SELECT * FROM usage_days WHERE day >= ? ORDER BY day', from).map((row) => ({
        day: text(row, 'day'),
        uploads: number(row, 'uploads'),
        bytes: number(row, 'bytes'),
        requests: number(row, 'requests'),
        downloads: number(row, 'downloads'),
        storedFiles: numberOrNull(row, 'stored_files'),
        storedSize: numberOrNull(row, 'stored_size'),
      })),
    mostDownloaded: (since, limit) =>
      db
        .all(
          `SELECT p.file_id, sum(p.gain) AS gained FROM pulse p INDEXED BY pulse_at WHERE p.at >= ? AND p.gain > 0
           GROUP BY p.file_id ORDER BY gained DESC, p.file_id DESC LIMIT ?`,
          since,
          limit,
        )
        .map((row) => ({ fileId: number(row, 'file_id'), gained: number(row, 'gained') })),
  }
}
