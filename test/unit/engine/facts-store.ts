// The facts of the journal over a map instead of a database.
// What is stored can be looked at, and set to anything.
import { createFacts, type Facts } from '../../../src-main/engine/journal/facts.ts'
import type { Database } from '../../../src-main/engine/journal/open.ts'

export function factsIn(stored: Map<string, string>): Facts {
  const db: Pick<Database, 'get' | 'run'> = {
    get: (_sql, key) => {
      const value = stored.get(String(key))
      return value === undefined ? null : { value }
    },
    run: (sql, key, value) => {
      if (sql.startsWith('DELETE')) stored.delete(String(key))
      else stored.set(String(key), String(value))
      return { changes: 1, id: 0 }
    },
  }
  return createFacts(db)
}
