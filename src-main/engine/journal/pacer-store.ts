// The pacer's rows in the journal: the requests of the last day and what was learned about the limits. All
// writes join the next shared transaction, so the request row of an upload is committed together with the
// upload's intent. For other requests, budget/budget.ts commits at once.

import { numberAt, numberOrNullAt, text, textAt } from './column-values.ts'
import type { Database } from './database.ts'

export type RequestKind = 'upload' | 'list' | 'file' | 'stats' | 'delete'

/**
 * Times are in milliseconds on the request pacer's timeline (budget/server-clock.ts), not wall-clock time.
 */
export interface PersistedRequest {
  readonly id: number
  readonly kind: RequestKind
  readonly at: number
  /**
   * When the response arrived or, without one, a few seconds after the request failed. Null if the request is
   * in flight, or if the process ended first.
   */
  readonly settledAt: number | null
}

/**
 * Writes return at once and may be committed later. What `addRequest` writes must be committed before the
 * request goes out.
 */
export interface PacerStore {
  load(): { readonly requests: readonly PersistedRequest[]; readonly state: string | null }
  addRequest(row: PersistedRequest): void
  settleRequest(id: number, settledAt: number): void
  removeRequest(id: number): void
  saveState(json: string): void
  /** Drops requests that were settled before this time. */
  prune(before: number): void
}

export function createPacerStore(db: Database, onFailed: (error: unknown) => void): PacerStore {
  const soon = (work: () => void): void => {
    db.soon(work).catch(onFailed)
  }
  return {
    load: () => {
      const state = db.get("SELECT value FROM meta WHERE key = 'pacer'")
      return {
        // A day may have a hundred thousand requests, and rows are read faster as arrays.
        requests: db.allValues('SELECT id, kind, at, settled_at FROM requests ORDER BY id').map((row) => ({
          id: numberAt(row, 0),
          kind: textAt(row, 1) as RequestKind,
          at: numberAt(row, 2),
          settledAt: numberOrNullAt(row, 3),
        })),
        state: state === null ? null : text(state, 'value'),
      }
    },
    addRequest: (row) =>
      soon(() =>
        db.run(
          'INSERT INTO requests (id, kind, at, settled_at) VALUES (?, ?, ?, ?)',
          row.id,
          row.kind,
          row.at,
          row.settledAt,
        ),
      ),
    settleRequest: (id, at) => soon(() => db.run('UPDATE requests SET settled_at = ? WHERE id = ?', at, id)),
    removeRequest: (id) => soon(() => db.run('DELETE FROM requests WHERE id = ?', id)),
    saveState: (json) =>
      soon(() =>
        db.run(
          "INSERT INTO meta (key, value) VALUES ('pacer', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
          json,
        ),
      ),
    prune: (before) => soon(() => db.run('DELETE FROM requests WHERE settled_at < ?', before)),
  }
}
