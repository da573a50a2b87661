// The table `nestings`: which watched folders lay inside other watched ones, and when the inner watch ended. From then on, the outer folder
// skips what was left in the inner one.
import type { Database } from './open.ts'
import { flag, number, numberOrNull, text } from './rows.ts'

/** A folder whose watch ended inside an outer folder. */
export interface EndedInside {
  readonly innerId: number
  /** Absolute path of the inner folder. */
  readonly path: string
  /** Identify the inner folder's directory. Null if it was never found. */
  readonly rootDev: number | null
  readonly rootIno: number | null
  /** Epoch milliseconds. */
  readonly endedAt: number
  /** Whether a complete scan of the outer folder has recorded what was left. If so, any other file there is new, whatever its times. */
  readonly counted: boolean
}

/** Longer than the interval between two scans of a whole folder. After a kill, the time of the last scan may be all that is known. */
const CONTINUED_MS = 15 * 60_000

export interface Nestings {
  /** Records that a watched folder lies inside another watched one. `at`: epoch milliseconds. */
  nest(outerId: number, innerId: number, at: number): void
  /** Records that the inner folder is still watched at `at`. Call when the engine closes, because its watch may end with that. */
  setWatched(innerId: number, at: number): void
  /**
   * Records that the watch of the inner folder ended at `at` (epoch milliseconds), for these outer folders or, if `outerIds` is null, for all
   * those that the user hasn't stopped watching. Forgets that it was inside any other.
   */
  endInside(innerId: number, outerIds: readonly number[] | null, at: number): void
  /**
   * Does the same for folders whose watch ended with their process, when they were last known to be watched. Call at start-up, with the
   * present time. Folders that are always watched continue, and `nest` resumes the watch of a command that continues it. If the engine was
   * away for less than `CONTINUED_MS`, such a command may still be connecting, so the watch ends now.
   */
  endAbandoned(now: number): void
  endedInside(outerId: number): readonly EndedInside[]
  setCountedInside(outerId: number, ended: EndedInside): void
  /** Forgets what was left in an outer folder, whose files have this rule. Call when the user stops watching it. */
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
