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

export interface Nestings {
  /** Records that a watched folder lies inside another watched one. */
  nest(outerId: number, innerId: number): void
  /**
   * Records that the watch of the inner folder ended at `at` (epoch milliseconds), for these outer folders or, if `outerIds` is null, for all
   * those that the user hasn't stopped watching. Forgets that it was inside any other.
   */
  endInside(innerId: number, outerIds: readonly number[] | null, at: number): void
  /** Does the same for folders whose watch ended with their process. Call at start-up; folders that are always watched continue. */
  endAbandoned(at: number): void
  endedInside(outerId: number): readonly EndedInside[]
  setCountedInside(outerId: number, ended: EndedInside): void
  /** Forgets what was left in an outer folder, whose files have this rule. Call when the user stops watching it. */
  forgetInside(outerId: number, rule: string): void
}

export function createNestings(db: Database): Nestings {
  return {
    nest: (outerId, innerId) => {
      db.run(
        `INSERT INTO nestings (outer_id, inner_id) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET ended_at = NULL, counted = 0 WHERE ended_at IS NOT NULL`,
        outerId,
        innerId,
      )
    },
    endInside: (innerId, outerIds, at) => {
      const end = 'UPDATE nestings SET ended_at = ? WHERE inner_id = ? AND ended_at IS NULL'
      if (outerIds === null) db.run(end, at, innerId)
      else for (const outerId of outerIds) db.run(`${end} AND outer_id = ?`, at, innerId, outerId)
      db.run('DELETE FROM nestings WHERE inner_id = ? AND ended_at IS NULL', innerId)
    },
    endAbandoned: (at) => {
      db.run('UPDATE nestings SET ended_at = ? WHERE ended_at IS NULL AND inner_id IN (SELECT id FROM folders WHERE keep = 0)', at)
    },
    endedInside: (outerId) =>
      db
        .all(
          `SELECT n.inner_id, n.ended_at, n.counted, f.path, f.root_dev, f.root_ino FROM nestings n JOIN folders f ON f.id = n.inner_id
           WHERE n.outer_id = ? AND n.ended_at IS NOT NULL`,
          outerId,
        )
        .map((row) => ({
          innerId: number(row, 'inner_id'),
          path: text(row, 'path'),
          rootDev: numberOrNull(row, 'root_dev'),
          rootIno: numberOrNull(row, 'root_ino'),
          endedAt: number(row, 'ended_at'),
          counted: flag(row, 'counted'),
        })),
    setCountedInside: (outerId, { innerId, endedAt }) => {
      db.run('UPDATE nestings SET counted = 1 WHERE outer_id = ? AND inner_id = ? AND ended_at = ?', outerId, innerId, endedAt)
    },
    forgetInside: (outerId, rule) => {
      db.run('DELETE FROM nestings WHERE outer_id = ?', outerId)
      db.run("DELETE FROM files WHERE folder_id = ? AND class = 'ignored' AND rule = ?", outerId, rule)
    },
  }
}
