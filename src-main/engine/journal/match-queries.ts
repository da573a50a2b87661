// Queries for comparing local files with the service: which remote files may match by size, what is known
// about their content, and which queued rows compete for the same remote file. presence/comparison.ts decides
// which file matches.
import { foldText } from '../../../src-shared/fold-text.ts'
import { number, numbers, oneNumber, text } from './column-values.ts'
import type { Database } from './database.ts'
import { OF_ACCOUNT } from './removals.ts'

export interface RemoteBytes {
  readonly bytes: number
  readonly sha256: string
}

/** An inclusive range of sizes, in the service's unit. */
export interface SizeRange {
  readonly least: number
  readonly most: number
}

export interface Likes {
  /**
   * Returns the IDs of existing remote files whose reported size is unknown or in one of the ranges, or whose
   * name is `name`. Excludes files that are queued for deletion, belong to a done or cancelled transfer other
   * than `rowId`, or were downloaded and aren't `bytes` long.
   */
  alike(bytes: number, shown: readonly SizeRange[], name: string, rowId: number): readonly number[]
  /** Length and hash of this file's content, or null if it hasn't been downloaded. */
  bytesOf(fileId: number): RemoteBytes | null
  setBytes(fileId: number, found: RemoteBytes): void
  /**
   * IDs of at most 20 queued rows with this name and size whose content isn't known to differ. Ignores the
   * row `except`.
   */
  rivals(name: string, size: number, sha256: string, except: number): readonly number[]
  /**
   * Date of the newest existing file, in epoch milliseconds plus the service's UTC offset; null if no file
   * exists.
   */
  newestAt(): number | null
  /** Number of remote files that were marked as gone after `at` (epoch milliseconds). */
  goneSince(at: number): number
  reset(): void
}

/**
 * Returns the query for `alike`. `condition`: an SQL condition on the file, which `index` serves. The query
 * itself applies all exclusions, because thousands of files may match.
 */
const freeFiles = (condition: string, index = 'remote_by_size'): string =>
  `SELECT r.file_id AS file_id FROM remote r INDEXED BY ${index} LEFT JOIN remote_bytes b ON b.file_id = r.file_id
   WHERE r.gone_at IS NULL AND ${condition} AND (b.bytes IS NULL OR b.bytes = ?)
   AND NOT EXISTS (SELECT 1 FROM transfers t INDEXED BY transfers_file
     WHERE t.file_id = r.file_id AND t.id <> ? AND t.state IN ('done', 'cancelled'))
   AND NOT EXISTS (SELECT 1 FROM removals WHERE file_id = r.file_id AND ${OF_ACCOUNT})`

export function createLikes(db: Database): Likes {
  const bytesOf: Likes['bytesOf'] = (fileId) => {
    const row = db.get('SELECT bytes, sha256 FROM remote_bytes WHERE file_id = ?', fileId)
    return row === null ? null : { bytes: number(row, 'bytes'), sha256: text(row, 'sha256') }
  }
  return {
    alike: (bytes, shown, name, rowId) => {
      const ofSize = freeFiles('r.size BETWEEN ? AND ?')
      const named = freeFiles('r.folded >= ? AND r.folded < ? AND r.filename = ?', 'remote_by_name')
      const folded = `${foldText(name)}\n`
      const ids = [
        ...shown.flatMap(({ least, most }) => numbers(db, ofSize, least, most, bytes, rowId)),
        ...numbers(db, freeFiles('r.size IS NULL'), bytes, rowId),
        ...numbers(db, named, folded, `${folded}\uffff`, name, bytes, rowId),
      ]
      return [...new Set(ids)]
    },
    bytesOf,
    setBytes: (fileId, found) =>
      void db.run(
        'INSERT OR REPLACE INTO remote_bytes (file_id, bytes, sha256) VALUES (?, ?, ?)',
        fileId,
        found.bytes,
        found.sha256,
      ),
    rivals: (name, size, sha256, except) =>
      numbers(
        db,
        `SELECT id FROM transfers WHERE state = 'queued' AND name = ? AND size = ? AND id <> ? AND (sha256 IS NULL OR sha256 = ?)
           ORDER BY id LIMIT 20`,
        name,
        size,
        except,
        sha256,
      ),
    newestAt: () =>
      oneNumber(
        db,
        'SELECT at FROM remote INDEXED BY remote_by_date WHERE gone_at IS NULL ORDER BY at DESC LIMIT 1',
      ),
    goneSince: (at) => oneNumber(db, 'SELECT count(*) AS n FROM remote WHERE gone_at > ?', at) ?? 0,
    reset: () => void db.run('DELETE FROM remote_bytes'),
  }
}
