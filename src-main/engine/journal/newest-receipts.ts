// Caches the file IDs of our newest uploads. The highest of them is recorded with each intent (written before an upload request), and
// reading 64 rows every time would take longer than storing the intent.
import { isOrdered } from './file-ids.ts'
import type { Database } from './open.ts'
import { numberOrNull } from './rows.ts'

/**
 * Number of receipts (confirmed uploads) considered. Reading all of them would block the engine. If IDs increase, the newest receipts
 * include the highest.
 */
const NEWEST = 64

export class NewestReceipts {
  readonly #db: Database
  /** The file IDs of the newest receipts, oldest first. Null until they are first needed. */
  #ids: readonly (number | null)[] | null = null

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the highest file ID among the newest receipts, or null if none of them has an ID whose order says anything. */
  highest(): number | null {
    const known = this.#read().filter((id): id is number => id !== null && isOrdered(id))
    return known.length === 0 ? null : Math.max(...known)
  }

  /** Call for each confirmed upload, even if its transaction may still be rolled back: the service has given out the ID in any case. */
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
