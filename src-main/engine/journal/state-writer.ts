// Changes the column `state` of existing transfers. No other code may do so. Looks up the current state, lets
// journal/transitions.ts decide the next one, and stores it.

import { flag, text, textOrNull } from './column-values.ts'
import type { Database } from './database.ts'
import { type Before, nextState, type TransferEvent } from './transitions.ts'

/**
 * Whether the journal may have rows of two kinds that are queried very often. A hint is false only if there
 * is certainly no such row.
 */
export interface StateHints {
  mayBeUnknown: boolean
  /** Whether a waiting row may have a time at which it is queued again. */
  mayWaitUntil: boolean
}

const hintsOf = new WeakMap<Database, StateHints>()

/**
 * The hints of this journal. Code that makes a row unconfirmed or waiting sets the matching hint to true; a
 * query that finds no such row sets it to false.
 */
export function stateHints(db: Database): StateHints {
  const hints = hintsOf.get(db) ?? { mayBeUnknown: true, mayWaitUntil: true }
  hintsOf.set(db, hints)
  return hints
}

/**
 * SQL assignments such as `attempts = ?`, and the values to bind. The SQL must be a constant, because a
 * prepared statement is kept for each distinct text.
 */
export interface Assignments {
  readonly sql: string
  readonly bind: readonly (string | number | boolean | null)[]
}

const NOTHING: Assignments = { sql: '', bind: [] }

export interface StateWriter {
  /**
   * Returns whether the event changed the row: false if there is no such row, or the event can't happen in
   * its state. `also`: further columns to set in the same statement.
   */
  apply(id: number, event: TransferEvent, also?: Assignments): boolean
  /**
   * Like `apply`, for all rows that match `where`, which must select only rows in state `from`. Of a row's
   * other properties (`Before`), considers only whether it is paused. Returns the number of changed rows.
   */
  applyAll(where: string, from: Before['state'], event: TransferEvent, ...bind: (string | number)[]): number
}

// `left_link` is the link of a file that the row has left published. Done and cancelled rows are excluded:
// without an ID, their link may be that of a deleted file whose ID was given to another file. `unproved`:
// whether a held upload may have arrived (see `mayHaveArrived` in remote/delete-request.ts).
const BEFORE = `SELECT state, cancel, paused, iif(state NOT IN ('done', 'cancelled') AND file_id IS NULL, public_link, NULL) AS left_link,
    state = 'held' AND reason IN ('unconfirmed', 'ambiguous') AND intent_at IS NOT NULL AND public_link IS NULL AS unproved
  FROM transfers WHERE id = ?`

export function createStateWriter(db: Database): StateWriter {
  const hints = stateHints(db)
  const write = (
    where: string,
    before: Before,
    event: TransferEvent,
    also: Assignments,
    bind: readonly (string | number)[],
  ): number => {
    const after = nextState(before, event)
    if (after === null) return 0
    if (after.state === 'unknown') hints.mayBeUnknown = true
    if (after.until !== null) hints.mayWaitUntil = true
    const more = also.sql === '' ? '' : `, ${also.sql}`
    const sql = `UPDATE transfers SET state = ?, reason = ?, message = ?, until = ?${more} WHERE ${where}`
    return db.run(sql, after.state, after.reason, after.message, after.until, ...also.bind, ...bind).changes
  }
  return {
    apply: (id, event, also = NOTHING) => {
      const row = db.get(BEFORE, id)
      if (row === null) return false
      const before: Before = {
        state: text(row, 'state') as Before['state'],
        isCalledOff: flag(row, 'cancel'),
        isPaused: flag(row, 'paused'),
        leftLink: textOrNull(row, 'left_link'),
        isUnproved: flag(row, 'unproved'),
      }
      return write('id = ?', before, event, also, [id]) > 0
    },
    applyAll: (where, from, event, ...bind) => {
      let count = 0
      for (const isPaused of [false, true])
        count += write(
          `${where} AND paused = ${isPaused ? 1 : 0}`,
          { state: from, isCalledOff: false, isPaused, leftLink: null, isUnproved: false },
          event,
          NOTHING,
          bind,
        )
      return count
    },
  }
}
