// The tables `pulse` and `own_looks`: the download count of each file over time, without Slipway's own
// downloads. A count is stored only when it changes.

import { has, number, numbers, oneNumber } from './column-values.ts'
import type { Database } from './database.ts'
import { localDay, type Usage } from './usage.ts'

/** Number of counts shown with a file. */
const PULSE = 8
/** Number of counts kept per file: enough for more than a week if the count changes every half hour. */
const PULSES_KEPT = 400
const DAY_MS = 86_400_000

/** The downloads that a new count reveals. */
export interface RemoteChange {
  /** Downloads since the previous count; 0 if there is no previous count to compare with. */
  readonly gain: number
  /** Whether these are the first downloads since the file was uploaded. */
  readonly first: boolean
}

export interface Downloads {
  /**
   * Records one download of our own, which is then excluded from the file's count. Call before downloading
   * the file.
   */
  noteLook(fileId: number): void
  /**
   * Undoes the last `noteLook`. Call if the service didn't deliver the file, so that its count won't grow.
   */
  undoLook(fileId: number): void
  /**
   * Forgets all of our own downloads. Call when the account changes, because the same IDs then mean other
   * files.
   */
  forgetLooks(): void
  /**
   * Forgets the counts and our own downloads stored under this ID. Call when the service has given the ID to
   * another file.
   */
  forgetFile(fileId: number): void
  /**
   * Returns the service's count `shown` without our own downloads. `before`: the previous result for this
   * file, null if there is none.
   */
  withoutOwn(fileId: number, shown: number, before: number | null): number
  /**
   * Stores a changed count, adds the downloads that it reveals to the day's figures, and returns them.
   * `before`: the previous count, null if there is none; `at`: when the new count was read, in epoch
   * milliseconds.
   */
  count(fileId: number, before: number | null, now: number, at: number): RemoteChange
  /** The last counts of a file, at most eight, oldest first. */
  lastCounts(fileId: number): readonly number[]
  /**
   * All stored counts of a file, oldest first. If the first count is known to have grown from zero, a zero is
   * added before it.
   */
  pulse(fileId: number): readonly { readonly at: number; readonly count: number }[]
  /**
   * The latest time at which the last download may have happened, as far as the counts that were read show
   * that: when the present one was first read, in epoch milliseconds. Null if there have been none.
   */
  downloadedBy(fileId: number): number | null
  /** The files with the most downloads since `since` (epoch milliseconds), in descending order. */
  mostDownloaded(
    since: number,
    limit: number,
  ): readonly { readonly fileId: number; readonly gained: number }[]
  forgetCounts(): void
}

export function createDownloads(db: Database, usage: Pick<Usage, 'addUsage'>): Downloads {
  const looks = new Map(
    db
      .all('SELECT * FROM own_looks')
      .map((row) => [
        number(row, 'file_id'),
        { pending: number(row, 'pending'), counted: number(row, 'counted') },
      ]),
  )
  const setLooks = (fileId: number, next: { readonly pending: number; readonly counted: number }): void => {
    looks.set(fileId, next)
    db.run(
      'INSERT OR REPLACE INTO own_looks (file_id, pending, counted) VALUES (?, ?, ?)',
      fileId,
      next.pending,
      next.counted,
    )
  }
  const isOwn = (fileId: number, since: number): boolean =>
    has(
      db,
      'SELECT 1 AS yes FROM transfers WHERE file_id = ? AND sent = 1 AND done_at >= ? LIMIT 1',
      fileId,
      since,
    )

  return {
    noteLook: (fileId) => {
      const had = looks.get(fileId) ?? { pending: 0, counted: 0 }
      setLooks(fileId, { ...had, pending: had.pending + 1 })
    },
    undoLook: (fileId) => {
      const had = looks.get(fileId)
      // If none is pending, the count has grown in the meantime, and that download was subtracted as ours.
      if (had !== undefined && had.pending > 0) setLooks(fileId, { ...had, pending: had.pending - 1 })
    },
    forgetLooks: () => {
      looks.clear()
      db.run('DELETE FROM own_looks')
    },
    forgetFile: (fileId) => {
      looks.delete(fileId)
      db.run('DELETE FROM own_looks WHERE file_id = ?', fileId)
      db.run('DELETE FROM pulse WHERE file_id = ?', fileId)
    },
    // The service may count our downloads late or not at all, so they are only subtracted as the count grows.
    withoutOwn: (fileId, shown, before) => {
      const own = looks.get(fileId)
      if (own === undefined) return shown
      const grown = before === null ? own.pending : Math.max(0, shown - own.counted - before)
      const counted = own.counted + Math.min(own.pending, grown, shown)
      if (counted !== own.counted)
        setLooks(fileId, { pending: own.pending - (counted - own.counted), counted })
      return Math.max(0, shown - counted)
    },
    count: (fileId, before, now, at) => {
      if (now === before) return { gain: 0, first: false }
      // A file that this journal uploaded in the last day counts from 0, because it can't have been
      // downloaded before its upload. For other files, it isn't known when the first count's downloads
      // happened.
      const base = before ?? (now > 0 && isOwn(fileId, at - DAY_MS) ? 0 : null)
      const gain = base === null ? 0 : Math.max(0, now - base)
      db.run(
        'INSERT OR REPLACE INTO pulse (file_id, at, count, gain) VALUES (?, ?, ?, ?)',
        fileId,
        at,
        now,
        gain,
      )
      if (before !== null)
        db.run(
          'DELETE FROM pulse WHERE file_id = ? AND at <= (SELECT at FROM pulse WHERE file_id = ? ORDER BY at DESC LIMIT 1 OFFSET ?)',
          fileId,
          fileId,
          PULSES_KEPT,
        )
      if (gain > 0) usage.addUsage(localDay(at), { downloads: gain })
      return { gain, first: base === 0 && gain > 0 }
    },
    lastCounts: (fileId) =>
      numbers(
        db,
        'SELECT count FROM pulse WHERE file_id = ? ORDER BY at DESC LIMIT ?',
        fileId,
        PULSE,
      ).toReversed(),
    pulse: (fileId) =>
      db.all('SELECT at, count, gain FROM pulse WHERE file_id = ? ORDER BY at', fileId).flatMap((row, i) => {
        const sample = { at: number(row, 'at'), count: number(row, 'count') }
        // If the first stored count consists of downloads since the upload, a zero before it makes the
        // increase visible.
        return i === 0 && sample.count > 0 && number(row, 'gain') === sample.count
          ? [{ ...sample, count: 0 }, sample]
          : [sample]
      }),
    downloadedBy: (fileId) =>
      oneNumber(db, 'SELECT max(at) AS at FROM pulse WHERE file_id = ? AND count > 0', fileId),
    mostDownloaded: (since, limit) =>
      db
        .all(
          `SELECT p.file_id, sum(p.gain) AS gained FROM pulse p INDEXED BY pulse_at WHERE p.at >= ? AND p.gain > 0
           GROUP BY p.file_id ORDER BY gained DESC, p.file_id DESC LIMIT ?`,
          since,
          limit,
        )
        .map((row) => ({ fileId: number(row, 'file_id'), gained: number(row, 'gained') })),
    forgetCounts: () => void db.run('DELETE FROM pulse'),
  }
}
