// A journal in memory, for tests of what reads and writes one.
import { type Database, openDatabase } from '../../../../src-main/engine/journal/database.ts'

/** Empty, and in the newest version. The caller closes it. */
export function memoryJournal(now = 0): Database {
  const files = { exists: () => false, rename: () => undefined, read: () => null }
  return openDatabase({ file: ':memory:', files, seal: null, now }).db
}
