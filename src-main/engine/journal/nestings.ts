// The table `nestings`: which watched folders are or were inside other watched folders, and when the watch of the inner folder ended. From
// then on, the outer folder skips the files that were left in the inner one.
import type { Database } from './open.ts'
import { flag, number, numberOrNull, text } from './rows.ts'

/** A folder whose watch ended inside an outer folder. */
export interface EndedInside {
  readonly innerId: number
  /** Absolute path of the inner folder. */
  readonly path: string
  /** Device and inode of the inner folder's directory; null if the directory was never found. */
  readonly rootDev: number | null
  readonly rootIno: number | null
  /** Epoch milliseconds. */
  readonly endedAt: number
  /** Whether a complete scan of the outer folder has recorded what was left. If so, any other file there is new, whatever its times. */
  readonly counted: boolean
}

/**
 * A command may continue its watch after an absence of less than this. Longer than the interval between two scans of a whole folder,
 * because after a crash, the last scan may be the last sign that the folder was being watched.
 */
const CONTINUED_MS = 15 * 60_000

export interface Nestings {
  /** Records that a watched folder lies inside another watched one. `at`: epoch milliseconds. */
  nest(outerId: number, innerId: number, at: number): void
  /** Records that the inner folder is still watched at `at`. Call when the engine closes, because its watch may end with that. */
  setWatched(innerId: number, at: number): void
  /**
   * Records that the watch of the inner folder ended at `at` (epoch milliseconds), for these outer folders or, if `outerIds` is null, for
   * all outer folders on record. Deletes the record of any other outer folder, unless the watch had already ended there.
   */
  endInside(innerId: number, outerIds: readonly number[] | null, at: number): void
  /**
   * Ends the watch of all inner folders that are watched only while a command runs. Call at start-up; `now`: the current time. The recorded
   * end is the time when the folder was last known to be watched or, if that was less than `CONTINUED_MS` ago, `now`, because the command
   * may be about to reconnect. If it does, `nest` resumes the watch.
   */
  endAbandoned(now: number): void
  endedInside(outerId: number): readonly EndedInside[]
  setCountedInside(outerId: number, ended: EndedInside): void
  /**
   * Deletes the records of all folders inside this outer folder, and its rows for the files left in them, which are ignored with this rule.
   * Call when the user stops watching the outer folder.
   */
  forgetInside(outerId: number, rule: string): void
}

export function createNestings(db: Database): Nestings {
  return {
    nest: (outerId, innerId, at) => {
      db.run(
        `INSERT INTO nestings (outer_id, inner_id, watched_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET watched_at = excluded.watched_at, ended = 0, counted = 0`,
        outerId,
        innerId,
        at,
      )
    },
    setWatched: (innerId, at) => {
      db.run('UPDATE nestings SET watched_at = ? WHERE inner_id = ? AND ended = 0', at, innerId)
    },
    endInside: (innerId, outerIds, at) => {
      const end = 'UPDATE nestings SET ended = 1, watched_at = ? WHERE inner_id = ? AND ended = 0'
      if (outerIds === null) db.run(end, at, innerId)
      else for (const outerId of outerIds) db.run(`${end} AND outer_id = ?`, at, innerId, outerId)
      db.run('DELETE FROM nestings WHERE inner_id = ? AND ended = 0', innerId)
    },
    endAbandoned: (now) => {
      const last = 'max(watched_at, coalesce(f.last_scan_at, 0))'
      db.run(
        `UPDATE nestings SET ended = 1, watched_at = iif(? - ${last} < ${CONTINUED_MS}, max(?, ${last}), ${last}) FROM folders f
         WHERE f.id = inner_id AND f.keep = 0 AND ended = 0`,
        now,
        now,
      )
    },
    endedInside: (outerId) =>
      db
        .all(
          `SELECT n.inner_id, n.watched_at, n.counted, f.path, f.root_dev, f.root_ino FROM nestings n JOIN folders f ON f.id = n.inner_id
           WHERE n.outer_id = ? AND n.ended = 1`,
          outerId,
        )
        .map((row) => ({
          innerId: number(row, 'inner_id'),
          path: text(row, 'path'),
          rootDev: numberOrNull(row, 'root_dev'),
          rootIno: numberOrNull(row, 'root_ino'),
          endedAt: number(row, 'watched_at'),
          counted: flag(row, 'counted'),
        })),
    setCountedInside: (outerId, { innerId, endedAt }) => {
      db.run('UPDATE nestings SET counted = 1 WHERE outer_id = ? AND inner_id = ? AND watched_at = ?', outerId, innerId, endedAt)
    },
    forgetInside: (outerId, rule) => {
      db.run('DELETE FROM nestings WHERE outer_id = ?', outerId)
      db.run("DELETE FROM files WHERE folder_id = ? AND class = 'ignored' AND rule = ?", outerId, rule)
    },
  }
}
