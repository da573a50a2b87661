// Registers transfers in the table `transfers`, and applies the events that change their state, together with
// the columns that belong to each event. state-writer.ts writes the state itself; for other columns, see
// transfers.ts and claims.ts. `NewestReceipts` caches the file IDs of our newest uploads.

import { has, number, numberOrNull, numbers } from './column-values.ts'
import type { Database } from './database.ts'
import { isOrdered } from './file-ids.ts'
import { createStateWriter, type StateWriter, stateHints } from './state-writer.ts'
import type { NewTransfer, Receipt } from './transfer-row.ts'
import type { TransferEvent } from './transitions.ts'

/**
 * Maximum number of IDs scanned, and of rows changed, per call of `withdraw`, so that the thread isn't
 * blocked for long.
 */
const WITHDRAW_SPAN = 20_000
const WITHDRAW_MOST = 200
/** SQL condition for the states in which a single transfer can be paused or resumed. */
const OPEN = "state IN ('queued', 'uploading', 'waiting', 'unknown')"
const UNCOMPARED = "state = 'held' AND reason = 'ambiguous'"
const RETRIED = "state IN ('failed', 'waiting')"
/** SQL condition for the waiting rows whose wait ends if all rows are retried. A chance to cancel stays one. */
const WAITS_FOR_RETRY = "state = 'waiting' AND reason IS NOT 'grace'"
/** SQL condition for the rows that change if all rows are retried. */
const CHANGED_BY_RETRY = `(state = 'failed' OR (${WAITS_FOR_RETRY} AND paused = 0))`

/** SQL assignments that record an intent. */
const INTENT = `attempts = attempts + 1, checks = 0, lost = NULL, lost_at = NULL, lost_up = NULL, intent_at = ?, intent_server = ?, sha256 = ?,
  sent_name = ?, intent_mark = (SELECT n FROM marks), intent_above = ?`
const RECEIPT = `file_id = ?, public_link = ?, filename = ?, sha256 = ?, adopted = ?, sent = ?, done_at = ?, done_server = ?,
  ended = NULL, ended_at = NULL, paused = 0`

/**
 * The columns that `replaceHeld` copies. They describe the version and the user's wishes, but no request that
 * was sent.
 */
const VERSION = `source, folder_id, path, named, name, size, mtime, state, reason, message, priority, released, token, again, hash_first,
  reuse_only, inside, replaces, paused`

/** The message of rows that are cancelled because the user has stopped watching their folder. */
export const WITHDRAWN = 'The folder is no longer watched.'

export interface TransferStates {
  add(row: NewTransfer): number
  /**
   * Cancels a held row whose file is still published, and adds a new held row for the same version. The
   * cancelled row keeps the link and names it in its message. Returns the ID of the new row. Call inside a
   * transaction.
   */
  replaceHeld(id: number, at: number): number
  /** Applies an event to the row; journal/transitions.ts decides its next state. */
  transition(id: number, event: TransferEvent): void
  /** Records the intent to upload; must be durable before the request goes out. */
  intent(id: number, at: number, server: number | null, sha256: string | null, sentName: string): void
  /**
   * Records the remote file of this version: the service's receipt, or an existing file that was found to
   * have the same content.
   */
  done(
    id: number,
    receipt: Receipt,
    fields: {
      readonly sha256: string | null
      readonly adopted: boolean
      readonly sent: boolean
      readonly at: number
      readonly server: number | null
    },
  ): void
  /** Queues waiting rows whose `until` has passed; returns their IDs. */
  wake(now: number): readonly number[]
  /**
   * Queues these failed and waiting rows again at the user's request, even if the user paused them
   * individually. If `ids` is null, applies to all failed and waiting rows, but keeps individual pauses: a
   * paused row that failed becomes waiting, and a paused row that waits doesn't change. Returns the IDs of
   * the rows that have changed.
   */
  retry(ids: readonly number[] | null): readonly number[]
  /**
   * Ends the holds of these files, or of all if `ids` is null, that couldn't be compared with files on the
   * service, so that they are compared again: before they are sent, or when their unconfirmed upload is
   * looked up at `at` (epoch milliseconds). Returns the changed IDs.
   */
  compareAgain(ids: readonly number[] | null, at: number): readonly number[]
  /**
   * Pauses or resumes only these transfers; a pause outlives the process. Returns the IDs of those that
   * changed. Uploads in flight or unconfirmed keep their state.
   */
  setPaused(ids: readonly number[], isPaused: boolean): readonly number[]
  /** Marks as unconfirmed the uploads that were in flight when the last process ended. Call at start-up. */
  markUploadingUnknown(): void
  /**
   * Cancels the queued, waiting, held and failed rows of a folder that is no longer watched, and forgets
   * their files, so that watching the folder again finds them. Each call covers a limited range of IDs above
   * `after`. Pass `next` as `after` to the next call; null means that no rows are left.
   */
  withdraw(folderId: number, after: number): { readonly ids: readonly number[]; readonly next: number | null }
  setCancel(id: number, isCancelled: boolean): void
  /** Resets the attempts of all transfers. Call when the account changes. */
  forgetAttempts(): void
}

export function createTransferStates(db: Database): TransferStates {
  const hints = stateHints(db)
  const writer = createStateWriter(db)
  const newest = new NewestReceipts(db)
  return {
    add: (t) => {
      if (t.state === 'unknown') hints.mayBeUnknown = true
      return db.run(
        `INSERT INTO transfers (source, folder_id, path, named, name, size, mtime, state, reason, message, priority, token, again, hash_first, replaces,
         created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        t.source,
        t.folderId,
        t.path,
        t.named,
        t.name,
        t.size,
        t.mtime,
        t.state,
        t.reason,
        t.message,
        t.priority,
        t.token,
        t.again,
        t.hashFirst,
        t.replaces,
        t.createdAt,
      ).id
    },
    replaceHeld: (id, at) => {
      const added = db.run(
        `INSERT INTO transfers (${VERSION}, created_at) SELECT ${VERSION}, ? FROM transfers WHERE id = ?`,
        at,
        id,
      ).id
      db.run('UPDATE files SET transfer_id = ? WHERE transfer_id = ?', added, id)
      writer.apply(id, { kind: 'cancelled' })
      return added
    },
    transition: (id, event) => {
      writer.apply(id, event)
    },
    intent: (id, at, server, sha256, sentName) => {
      db.run('UPDATE marks SET n = n + 1')
      const bind = [at, server, sha256, sentName, newest.highest()]
      writer.apply(id, { kind: 'sent' }, { sql: INTENT, bind })
    },
    done: (id, receipt, f) => {
      const bind = [
        receipt.fileId,
        receipt.publicLink,
        receipt.filename,
        f.sha256,
        f.adopted,
        f.sent,
        f.at,
        f.server,
      ]
      writer.apply(id, { kind: 'confirmed' }, { sql: RECEIPT, bind })
      if (f.sent) newest.add(receipt.fileId)
    },
    wake: (now) => {
      if (!hints.mayWaitUntil) return []
      const ids = numbers(db, "SELECT id FROM transfers WHERE state = 'waiting' AND until <= ?", now)
      if (ids.length > 0)
        writer.applyAll("state = 'waiting' AND until <= ?", 'waiting', { kind: 'woken' }, now)
      return ids
    },
    retry: (ids) => db.tx(() => retryRows(db, writer, ids)),
    compareAgain: (ids, at) =>
      db.tx(() =>
        db.all(`SELECT id, intent_at FROM transfers WHERE ${UNCOMPARED}`).flatMap((row) => {
          const id = number(row, 'id')
          if (ids?.includes(id) === false) return []
          const wasSent = numberOrNull(row, 'intent_at') !== null
          return writer.apply(
            id,
            wasSent ? { kind: 'answer-lost', message: null, until: at } : { kind: 'requeued' },
          )
            ? [id]
            : []
        }),
      ),
    setPaused: (ids, isPaused) =>
      db.tx(() =>
        ids.filter((id) => {
          const isChanged =
            db.run(
              `UPDATE transfers SET paused = ? WHERE id = ? AND paused <> ? AND ${OPEN}`,
              isPaused,
              id,
              isPaused,
            ).changes > 0
          // The scheduler aborts an upload in flight, which then waits.
          if (isChanged) writer.apply(id, { kind: isPaused ? 'paused' : 'resumed' })
          return isChanged
        }),
      ),
    markUploadingUnknown: () => {
      writer.applyAll("state = 'uploading'", 'uploading', { kind: 'interrupted' })
    },
    withdraw: (folderId, after) => db.tx(() => withdrawPart(db, writer, folderId, after)),
    setCancel: (id, isCancelled) =>
      void db.run('UPDATE transfers SET cancel = ? WHERE id = ?', isCancelled, id),
    forgetAttempts: () => void db.run('UPDATE transfers SET attempts = 0 WHERE attempts > 0'),
  }
}

/** Call inside a transaction; see `TransferStates.retry`. */
function retryRows(db: Database, writer: StateWriter, ids: readonly number[] | null): readonly number[] {
  if (ids === null) {
    const all = numbers(db, `SELECT id FROM transfers WHERE ${CHANGED_BY_RETRY}`)
    db.run(`UPDATE transfers SET attempts = 0 WHERE ${CHANGED_BY_RETRY}`)
    writer.applyAll("state = 'failed'", 'failed', { kind: 'retried' })
    writer.applyAll(WAITS_FOR_RETRY, 'waiting', { kind: 'retried' })
    return all
  }
  for (const id of ids) db.run(`UPDATE transfers SET paused = 0 WHERE id = ? AND ${RETRIED}`, id)
  const changed = ids.filter((id) => writer.apply(id, { kind: 'retried' }))
  for (const id of changed) db.run('UPDATE transfers SET attempts = 0 WHERE id = ?', id)
  return changed
}

/** Call inside a transaction; see `TransferStates.withdraw`. */
function withdrawPart(
  db: Database,
  writer: StateWriter,
  folderId: number,
  after: number,
): ReturnType<TransferStates['withdraw']> {
  const ids = numbers(
    db,
    "SELECT id FROM transfers WHERE id > ? AND id <= ? AND folder_id = ? AND state IN ('queued', 'waiting', 'held', 'failed') ORDER BY id LIMIT ?",
    after,
    after + WITHDRAW_SPAN,
    folderId,
    WITHDRAW_MOST,
  )
  for (const id of ids) {
    db.run('DELETE FROM files WHERE transfer_id = ?', id)
    writer.apply(id, { kind: 'cancelled', message: WITHDRAWN })
  }
  const reached = ids.length === WITHDRAW_MOST ? (ids.at(-1) ?? after) : after + WITHDRAW_SPAN
  const more = has(db, 'SELECT 1 AS yes FROM transfers WHERE id > ? LIMIT 1', reached)
  return { ids, next: more ? reached : null }
}

// Caches the file IDs of our newest uploads. The highest of them is recorded with each intent (written before
// an upload request), and reading 64 rows every time would take longer than storing the intent.

/**
 * Number of receipts (confirmed uploads) considered. Reading all of them would block the engine. If IDs
 * increase, the newest receipts include the highest.
 */
const NEWEST = 64

export class NewestReceipts {
  readonly #db: Database
  /** The file IDs of the newest receipts, oldest first. Null until they are first needed. */
  #ids: readonly (number | null)[] | null = null

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Returns the highest file ID among the newest receipts, or null if none of them has an ID whose order says
   * anything.
   */
  highest(): number | null {
    const known = this.#read().filter((id): id is number => id !== null && isOrdered(id))
    return known.length === 0 ? null : Math.max(...known)
  }

  /**
   * Call for each confirmed upload, even if its transaction may still be rolled back: the service has given
   * out the ID in any case.
   */
  add(fileId: number | null): void {
    if (this.#ids !== null) this.#ids = [...this.#ids, fileId].slice(-NEWEST)
  }

  #read(): readonly (number | null)[] {
    this.#ids ??= this.#db
      .all('SELECT file_id FROM transfers WHERE sent = 1 ORDER BY done_at DESC LIMIT ?', NEWEST)
      .map((row) => numberOrNull(row, 'file_id'))
      .toReversed()
    return this.#ids
  }
}
