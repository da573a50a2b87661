// The journal's facts in a map instead of a database.
// Tests can read the stored values and set them to anything.

import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createFacts, type Facts } from '../../../../src-main/engine/journal/single-values.ts'

export function factsIn(stored: Map<string, string>): Facts {
  const db: Pick<Database, 'get' | 'run'> = {
    get: (_sql, ...bind) => {
      const [key = ''] = bind.filter((part) => typeof part === 'string')
      const value = stored.get(key)
      return value === undefined ? null : { value }
    },
    run: (sql, ...bind) => {
      const [key = '', value = ''] = bind.filter((part) => typeof part === 'string')
      if (sql.startsWith('DELETE')) stored.delete(key)
      else stored.set(key, value)
      return { changes: 1, id: 0 }
    },
  }
  return createFacts(db)
}
