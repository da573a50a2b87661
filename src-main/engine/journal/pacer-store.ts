// The pacer's rows in the journal: requests of the last day and what was learned. Claims join the shared transaction of the intent, so they
// are durable before the request goes out at no commit of their own.
import type { PacerStore } from '../pacer.ts'
import type { Database } from './open.ts'
import { number, numberOrNull, text } from './rows.ts'

export function createPacerStore(db: Database, onFailed: (error: unknown) => void): PacerStore {
  const soon = (work: () => void): void => {
    db.soon(work).catch(onFailed)
  }
  return {
    load: () => {
      const state = db.get("SELECT value FROM meta WHERE key = 'pacer'")
      const top = db.get('SELECT coalesce(max(id), 0) AS id FROM requests')
      return {
        rows: db
          .all('SELECT id, at, settled_at FROM requests ORDER BY id')
          .map((row) => ({ id: number(row, 'id'), at: number(row, 'at'), settledAt: numberOrNull(row, 'settled_at') })),
        state: state === null ? null : text(state, 'value'),
        nextId: (top === null ? 0 : number(top, 'id')) + 1,
      }
    },
    add: (id, kind, at) => soon(() => db.run('INSERT INTO requests (id, kind, at) VALUES (?, ?, ?)', id, kind, at)),
    settle: (id, at) => soon(() => db.run('UPDATE requests SET settled_at = ? WHERE id = ?', at, id)),
    remove: (id) => soon(() => db.run('DELETE FROM requests WHERE id = ?', id)),
    saveState: (json) =>
      soon(() => db.run("INSERT INTO meta (key, value) VALUES ('pacer', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", json)),
    prune: (before) => soon(() => db.run('DELETE FROM requests WHERE at < ?', before)),
    clear: () => soon(() => db.run('DELETE FROM requests')),
    flush: () => db.flush(),
  }
}
