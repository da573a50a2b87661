// Deletes rows about versions and remote files that no longer exist, so that the journal doesn't grow with
// every change to a file, and decides when: a small part each minute, so that nothing else is delayed. A row is
// deleted only if no other row refers to it.
import type { Clock } from '../ports.ts'
import { number } from './column-values.ts'
import type { Database } from './database.ts'
import type { Downloads } from './downloads.ts'
import { BEFORE_ALL } from './file-ids.ts'

const DAY_MS = 86_400_000

/** How long a replaced or vanished version remains in the history. */
const KEPT_MS = 30 * DAY_MS

/**
 * Nothing is forgotten until the clocks have agreed for this long: if the wall clock was set forward by
 * mistake, a file may appear old that was deleted a moment ago, and a list that lags may still contain it.
 */
const SETTLED_MS = 3_600_000

/** How far the wall clock may drift from the monotonic clock between two calls of `tick`. */
const DRIFT_MS = 60_000

/** Rows examined at a time. At one part a minute, this is enough for more than 250,000 changes a day. */
const PART = 200

/** A remote file is kept as long as a transfer refers to it, and an ID as long as anything does. */
const KINDS: readonly OldKind[] = ['replaced', 'vanished', 'remote', 'id']

/**
 * A position in a list that is read in parts: the time (epoch milliseconds) and the ID of the last row that
 * was read.
 */
export interface Position {
  readonly at: number
  readonly id: number
}

/** The position before the first row. */
export const START: Position = { at: 0, id: BEFORE_ALL }

/**
 * What can be deleted: versions that were replaced by newer ones; transfers whose file vanished before it was
 * uploaded; remote files that are gone; file IDs that nothing refers to any more.
 */
export type OldKind = 'replaced' | 'vanished' | 'remote' | 'id'

export interface OldRows {
  /**
   * Examines the next `most` rows of this kind that ended before `before` (epoch milliseconds), beginning
   * after `from`. Deletes those that nothing refers to. Returns where to continue, or null if these were the
   * last. Call inside a transaction.
   */
  drop(kind: OldKind, before: number, from: Position, most: number): Position | null
}

const CANDIDATES: Readonly<Record<OldKind, string>> = {
  replaced: `SELECT id, ended_at AS at FROM transfers WHERE ended = 'replaced' AND ended_at < ? AND (ended_at, id) > (?, ?) ORDER BY ended_at, id LIMIT ?`,
  vanished: `SELECT id, created_at AS at FROM transfers WHERE state = 'gone' AND created_at < ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
  remote: `SELECT file_id AS id, gone_at AS at FROM remote WHERE gone_at < ? AND (gone_at, file_id) > (?, ?) ORDER BY gone_at, file_id LIMIT ?`,
  id: `SELECT number AS id, seen_at AS at FROM file_ids WHERE seen_at < ? AND (seen_at, number) > (?, ?) ORDER BY seen_at, number LIMIT ?`,
}

/**
 * As long as the service has the file, or had it until recently, the row shows that it is one of ours. The
 * newest version of a path stays, and so does the newest row, whose ID SQLite would assign again.
 */
const DROP_TRANSFER = `DELETE FROM transfers WHERE id = ? AND state IN ('done', 'gone') AND id < (SELECT max(id) FROM transfers)
  AND (state = 'gone' OR EXISTS (SELECT 1 FROM transfers n WHERE n.path = transfers.path AND n.id > transfers.id))
  AND NOT EXISTS (SELECT 1 FROM remote r WHERE r.file_id = transfers.file_id AND (r.gone_at IS NULL OR r.gone_at >= ?))
  AND NOT EXISTS (SELECT 1 FROM removals m WHERE m.file_id = transfers.file_id)
  AND NOT EXISTS (SELECT 1 FROM files f WHERE f.transfer_id = transfers.id)
  AND NOT EXISTS (SELECT 1 FROM doubts d WHERE d.transfer_id = transfers.id)
  AND NOT EXISTS (SELECT 1 FROM twins w WHERE w.transfer_id = transfers.id)`
const DROP_REMOTE = `DELETE FROM remote WHERE file_id = ? AND gone_at < ?
  AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.file_id = remote.file_id)
  AND NOT EXISTS (SELECT 1 FROM removals m WHERE m.file_id = remote.file_id)
  AND NOT EXISTS (SELECT 1 FROM twins w WHERE w.file_id = remote.file_id)`

/**
 * An ID that was read a moment ago may not be referred to yet, hence the limit of `seen_at`. The lowest
 * number stays, because it would be assigned again.
 */
const DROP_ID = `DELETE FROM file_ids WHERE number = ? AND seen_at < ? AND number > (SELECT min(number) FROM file_ids)
  AND NOT EXISTS (SELECT 1 FROM remote r WHERE r.file_id = number)
  AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.file_id = number)
  AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.replaces = number AND t.replaces < 0)
  AND NOT EXISTS (SELECT 1 FROM removals m WHERE m.file_id = number)
  AND NOT EXISTS (SELECT 1 FROM twins w WHERE w.file_id = number)
  AND NOT EXISTS (SELECT 1 FROM remote_bytes b WHERE b.file_id = number)
  AND NOT EXISTS (SELECT 1 FROM own_looks l WHERE l.file_id = number)
  AND NOT EXISTS (SELECT 1 FROM pulse p WHERE p.file_id = number)`

export function createOldRows(db: Database, downloads: Pick<Downloads, 'forgetFile'>): OldRows {
  const dropOne = (kind: OldKind, id: number, before: number): void => {
    if (kind !== 'remote') {
      db.run(kind === 'id' ? DROP_ID : DROP_TRANSFER, id, before)
      return
    }
    if (db.run(DROP_REMOTE, id, before).changes === 0) return
    db.run('DELETE FROM remote_bytes WHERE file_id = ?', id)
    downloads.forgetFile(id)
  }
  return {
    drop: (kind, before, from, most) => {
      const found = db
        .all(CANDIDATES[kind], before, from.at, from.id, most)
        .map((row) => ({ at: number(row, 'at'), id: number(row, 'id') }))
      for (const { id } of found) dropOne(kind, id, before)
      return found.length < most ? null : (found.at(-1) ?? null)
    },
  }
}

/** When `/stats` was read, and nothing of that if it wasn't. */
interface Account {
  stats(): { readonly at: number } | null
}

/** The parts of the journal that are used. */
interface Journal {
  readonly oldRows: OldRows
  soon(write: () => void): void
}

export class Retention {
  readonly #clock: Clock
  readonly #journal: Journal
  readonly #account: Account
  readonly #queue: { readonly kind: OldKind; readonly from: Position }[] = []
  #settledFrom: number
  /**
   * The wall clock minus the monotonic clock at the last call of `tick`; before the first one, at
   * construction.
   */
  #offset: number
  /** When the next pass begins, by the monotonic clock. */
  #nextPass = 0

  /** The count in `/stats` is compared with what has changed since it was read. */
  constructor(clock: Clock, journal: Journal, account: Account) {
    this.#clock = clock
    this.#journal = journal
    this.#account = account
    this.#offset = clock.now() - clock.mono()
    this.#settledFrom = clock.mono()
  }

  /** Forgets the next part if one is due. Call about once a minute. */
  tick(): void {
    const clock = this.#clock
    const { oldRows, soon } = this.#journal
    const mono = clock.mono()
    const offset = clock.now() - mono
    if (Math.abs(offset - this.#offset) > DRIFT_MS) this.#settledFrom = mono
    this.#offset = offset
    const read = this.#account.stats()?.at ?? null
    if (mono - this.#settledFrom < SETTLED_MS || read === null) return
    if (this.#queue.length === 0 && mono >= this.#nextPass) {
      this.#nextPass = mono + DAY_MS
      this.#queue.push(...KINDS.map((kind) => ({ kind, from: START })))
    }
    const next = this.#queue.shift()
    if (next === undefined) return
    const before = Math.min(clock.now() - KEPT_MS, read)
    soon(() => {
      const from = oldRows.drop(next.kind, before, next.from, PART)
      if (from !== null) this.#queue.unshift({ kind: next.kind, from })
    })
  }
}
