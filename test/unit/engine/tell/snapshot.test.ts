// How much of the journal is read to show a transfer: a file that is only touched, hour after hour, has
// thousands of versions that weren't sent because their content was deleted before.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import {
  createTransfers,
  type TransferRow,
  type Transfers,
} from '../../../../src-main/engine/journal/transfers.ts'
import { type Rooms, SnapshotReader } from '../../../../src-main/engine/tell/snapshot.ts'
import { memoryJournal } from '../journal/memory-journal.ts'

const VERSIONS = 2000
const SHOWN = 20

let db: Database
let rowsRead = 0
let transfers: Transfers
beforeEach(() => {
  db = memoryJournal()
  const counting: Database = {
    ...db,
    allValues: (sql, ...bind) => {
      const rows = db.allValues(sql, ...bind)
      rowsRead += rows.length
      return rows
    },
  }
  transfers = createTransfers(counting)
})
afterEach(() => db.close())

function add(state: 'done' | 'cancelled', sha256: string, ended: string | null): void {
  db.run(
    `INSERT INTO transfers (source, folder_id, path, name, size, mtime, state, sha256, ended, ended_at, created_at)
     VALUES ('watch', 1, '/f', 'f', 1, 1, ?, ?, ?, 1, 1)`,
    state,
    sha256,
    ended,
  )
}

function reader(
  gate: ReturnType<Rooms['gate']['view']> = null,
  active: readonly number[] = [],
): SnapshotReader {
  const parts = {
    ids: { shown: (id: number) => id },
    transfers,
    accounting: { sent: () => 0 },
    folders: { isOpen: () => true, isPaused: () => false },
    compare: { isPending: () => false, message: () => '' },
    opens: { isUnanswered: () => false },
    scheduler: { isActive: (id: number) => active.includes(id) },
    gate: { view: () => gate },
    known: { isPending: () => false },
    queue: { isBehindUnconfirmed: () => false },
  }
  return new SnapshotReader(parts as unknown as Rooms, '1.0.0')
}

it('is a row for each version that was cancelled because its content had been deleted, and no other', () => {
  add('done', 'one', 'deleted')
  for (let i = 0; i < VERSIONS; i++) add('cancelled', 'one', 'deleted')
  add('cancelled', 'never uploaded', 'deleted')
  const rows: readonly TransferRow[] = transfers.page({
    folderId: 1,
    states: [],
    afterId: VERSIONS + 2 - SHOWN,
    limit: SHOWN,
  })
  rowsRead = 0
  const shown = rows.map((row) => reader().transfer(row).ended ?? null)
  expect(shown).toEqual([...Array<string>(SHOWN - 1).fill('deleted'), null])
  expect(rowsRead).toBeLessThanOrEqual(SHOWN)
})

it('shows an upload that has just started as uploading, although a limit holds back the others', () => {
  for (const path of ['/started', '/next'])
    db.run(
      "INSERT INTO transfers (source, path, name, size, mtime, state, created_at) VALUES ('upload', ?, 'f', 1, 1, 'queued', 1)",
      path,
    )
  const shown = reader({ reason: 'rate-day', until: 2, message: null }, [1])
  const rows = transfers.page({ folderId: null, states: [], afterId: 0, limit: 10 })
  expect(rows.map((row) => [shown.transfer(row).state, shown.transfer(row).reason])).toEqual([
    ['uploading', null],
    ['waiting', 'rate-day'],
  ])
})
