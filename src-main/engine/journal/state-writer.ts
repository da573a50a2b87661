// The only code that writes the column `state` of a transfer. Looks up the current state, lets transfer/transitions.ts decide the next one,
// and stores it.
import { type Before, nextState, type TransferEvent } from '../transfer/transitions.ts'
import type { Database } from './open.ts'
import { flag, text } from './rows.ts'

export interface StateWriter {
  /** Returns whether the event changed the row: false if there is no such row, or the event can't happen in its state. */
  apply(id: number, event: TransferEvent): boolean
  /**
   * Like `apply`, for all rows that match `where`, which must select only rows in state `from`. Ignores whether a row is marked for
   * cancellation. Returns how many were changed.
   */
  applyAll(where: string, from: Before['state'], event: TransferEvent, ...bind: (string | number)[]): number
}

export function createStateWriter(db: Database): StateWriter {
  const write = (where: string, before: Before, event: TransferEvent, bind: readonly (string | number)[]): number => {
    const after = nextState(before, event)
    if (after === null) return 0
    const sql = `UPDATE transfers SET state = ?, reason = ?, message = ?, until = ? WHERE ${where}`
    return db.run(sql, after.state, after.reason, after.message, after.until, ...bind).changes
  }
  return {
    apply: (id, event) => {
      const row = db.get('SELECT state, cancel, paused FROM transfers WHERE id = ?', id)
      if (row === null) return false
      const before = { state: text(row, 'state') as Before['state'], isCalledOff: flag(row, 'cancel'), isPaused: flag(row, 'paused') }
      return write('id = ?', before, event, [id]) > 0
    },
    applyAll: (where, from, event, ...bind) => {
      let count = 0
      for (const isPaused of [false, true])
        count += write(`${where} AND paused = ${isPaused ? 1 : 0}`, { state: from, isCalledOff: false, isPaused }, event, bind)
      return count
    },
  }
}
