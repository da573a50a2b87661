// The table `put_away`: files that leave their watched folder after their upload, and those that were brought
// back. A trigger adds a file in the transaction in which its transfer is done; send/put-away.ts moves it.
import type { PutAway } from '../../../src-shared/model.ts'
import { flag, has, number, numbers, text, textOrNull } from './column-values.ts'
import type { Database, Row } from './database.ts'

/** A file that is being moved, in either direction. Paths are absolute. */
export interface Moving {
  readonly from: string
  /** Null if the system moves it to its bin and doesn't say where. */
  readonly to: string | null
  /** Part of the names that the file has while it is moved. */
  readonly key: string
  readonly isBin: boolean
}

export interface PutAwayRow extends Moving {
  readonly state: 'due' | 'moving' | 'away' | 'back' | 'kept'
}

export interface PutAways {
  get(transferId: number): PutAwayRow | null
  /** Where the file of a transfer is that has left its path; null if it wasn't moved after its upload. */
  where(transferId: number): PutAway | null
  /** IDs of the transfers whose file is due or being moved. */
  open(): readonly number[]
  hasOpen(folderId: number): boolean
  /** Records the intent to move the file, which must be durable before the first step. */
  intend(transferId: number, state: 'moving' | 'back', moving: Moving): void
  setState(transferId: number, state: PutAwayRow['state'], at: number): void
  drop(transferId: number): void
}

const OPEN = "state IN ('due', 'moving', 'back')"

export function createPutAways(db: Database): PutAways {
  return {
    get: (id) => {
      const row = db.get('SELECT * FROM put_away WHERE transfer_id = ?', id)
      return row === null ? null : readPutAway(row)
    },
    where: (id) => putAwayOf(db, id),
    open: () => numbers(db, `SELECT transfer_id AS id FROM put_away WHERE ${OPEN} ORDER BY transfer_id`),
    hasOpen: (folderId) =>
      has(
        db,
        `SELECT 1 AS yes FROM put_away p JOIN transfers t ON t.id = p.transfer_id
         WHERE p.${OPEN} AND t.folder_id = ? LIMIT 1`,
        folderId,
      ),
    intend: (id, state, { from, to, key, isBin }) =>
      void db.run(
        'UPDATE put_away SET state = ?, source = ?, target = ?, key = ?, is_bin = ? WHERE transfer_id = ?',
        state,
        from,
        to ?? '',
        key,
        isBin,
        id,
      ),
    setState: (id, state, at) =>
      void db.run('UPDATE put_away SET state = ?, at = ? WHERE transfer_id = ?', state, at, id),
    drop: (id) => void db.run('DELETE FROM put_away WHERE transfer_id = ?', id),
  }
}

/** See `PutAways.where`. */
export function putAwayOf(db: Database, transferId: number): PutAway | null {
  const row = db.get("SELECT * FROM put_away WHERE transfer_id = ? AND state = 'away'", transferId)
  if (row === null) return null
  const { isBin, to } = readPutAway(row)
  return { where: isBin ? 'bin' : 'folder', path: to, at: number(row, 'at') }
}

function readPutAway(row: Row): PutAwayRow {
  const to = textOrNull(row, 'target')
  return {
    state: text(row, 'state') as PutAwayRow['state'],
    from: textOrNull(row, 'source') ?? '',
    to: to === '' ? null : to,
    key: textOrNull(row, 'key') ?? '',
    isBin: flag(row, 'is_bin'),
  }
}
