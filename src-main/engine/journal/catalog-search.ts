// Searches, filters and sorts the cached list (table `remote`), one page at a time. Each query names its index. Without a search text, the
// rows before a page are skipped in the index without being read.
import type { FileKind } from '../../../src-shared/model.ts'
import type { CatalogRow } from './catalog-rows.ts'
import { likeFolded } from './like-folded.ts'
import type { Database } from './open.ts'
import { number, numberOrNull, text } from './rows.ts'

export interface CatalogQuery {
  readonly search: string
  readonly kind?: FileKind | undefined
  /** Only files uploaded at or after this time: epoch milliseconds plus the service's UTC offset, like the column `at`. */
  readonly since?: number | undefined
  readonly unopened?: boolean | undefined
  readonly sort: 'date' | 'name' | 'size' | 'downloads' | 'id'
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface CatalogSearch {
  /** `revision` changes whenever files may have entered, left or moved in the list of this query, and each time the journal is opened. */
  query(q: CatalogQuery): { readonly rows: readonly CatalogRow[]; readonly total: number; readonly revision: string }
}

/**
 * Index and column of each sort order. Each index contains every column that a filter uses; only `remote_by_name` contains the searched
 * text.
 */
const SORTS: Readonly<Record<CatalogQuery['sort'], { readonly index: string; readonly column: string }>> = {
  date: { index: 'remote_by_date', column: 'at' },
  name: { index: 'remote_by_name', column: 'folded' },
  size: { index: 'remote_by_size', column: 'size' },
  downloads: { index: 'remote_by_downloads', column: 'download_count' },
  id: { index: 'remote_by_id', column: 'file_id' },
}
/**
 * Up to this many matches of a search are collected and sorted in memory. If there are more, a scan in sort order finds a page of them
 * quickly.
 */
const FEW = 1000
/**
 * A scan in sort order is used only if it is expected to read at most this many rows for one page, at 1.7 µs each. Otherwise, all matches
 * are sorted, which takes 60 ms for a hundred thousand.
 */
const WALK = 10_000
const LIVE = 'gone_at IS NULL'
interface Matches {
  readonly total: number
  /** All matches with their sort keys (for the name, its rank), or null if there are more than FEW or the query has no search text. */
  readonly few: readonly (Readonly<Record<Exclude<CatalogQuery['sort'], 'id'>, number | null>> & { readonly id: number })[] | null
}

/** Sorts like SQLite: null comes first. */
function compare(a: number | null, b: number | null): number {
  return (a ?? Number.NEGATIVE_INFINITY) === (b ?? Number.NEGATIVE_INFINITY)
    ? 0
    : (a ?? Number.NEGATIVE_INFINITY) - (b ?? Number.NEGATIVE_INFINITY)
}

/** `rowOf`: reads a file's complete row. */
export function createCatalogSearch(db: Database, rowOf: (fileId: number) => CatalogRow | null): CatalogSearch {
  /** Caches the matches of recent queries, because scrolling and typing repeat them. Valid until the next write to the journal. */
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

  const revisionOf = ({ sort, unopened, since }: CatalogQuery): string => {
    const row = db.get('SELECT opened, files, downloads FROM list_changes')
    if (row === null) return ''
    const downloads = sort === 'downloads' || unopened === true ? number(row, 'downloads') : ''
    // `since` is part of the revision, because it shifts once the service's time zone is known.
    return [text(row, 'opened'), number(row, 'files'), downloads, since ?? ''].join(' ')
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
      if (q.unopened === true) where.push('download_count = 0')
      const condition = where.join(' AND ')
      const found = matchesOf(condition, bind, q.search !== '')
      const entries = page(q, condition, bind, found).map(rowOf)
      return { rows: entries.filter((entry) => entry !== null), total: found.total, revision: revisionOf(q) }
    },
  }
}
