// What the journal forgets, and what it keeps because something still refers to it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import {
  createOldRows,
  type OldKind,
  type OldRows,
  type Position,
  START,
} from '../../../../src-main/engine/journal/old-rows.ts'
import { createRemote, type Remote } from '../../../../src-main/engine/journal/remote-list.ts'
import { createTransfers, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { memoryJournal } from './memory-journal.ts'
import { queuedRow } from './queued-row.ts'

const BEFORE = 1_000_000

let db: Database
let transfers: Transfers
let remote: Remote
let rows: OldRows
beforeEach(() => {
  db = memoryJournal()
  transfers = createTransfers(db)
  remote = createRemote(db, () => undefined)
  rows = createOldRows(db, remote)
})
afterEach(() => db.close())

function drop(kind: OldKind, most = 100): void {
  let from: Position | null = START
  while (from !== null) from = rows.drop(kind, BEFORE, from, most)
}

/** Adds a version of a path that was stored under this ID. */
function stored(path: string, fileId: number, at: number): number {
  const id = transfers.add(queuedRow(path, { createdAt: at }))
  transfers.done(
    id,
    { fileId, publicLink: `https://x/${fileId}`, filename: path },
    { sha256: 'h', adopted: false, sent: true, at, server: null },
  )
  remote.put(
    {
      fileId,
      filename: path,
      size: 1,
      uploadDate: null,
      downloadCount: 3,
      publicLink: `https://x/${fileId}`,
    },
    at,
    true,
  )
  return id
}

/**
 * Adds two versions of a path, of which the second replaced the first; the first one's file is gone. Returns
 * the first one's ID.
 */
function replaced(path: string, fileId: number, endedAt = 500, goneAt = 500): number {
  const id = stored(path, fileId, 100)
  stored(path, fileId + 1, 400)
  db.run("UPDATE transfers SET ended = 'replaced', ended_at = ? WHERE id = ?", endedAt, id)
  remote.markGone(fileId, goneAt)
  return id
}

function counts(): Readonly<Record<string, number>> {
  return Object.fromEntries(
    db
      .all('SELECT state, n FROM tallies WHERE n <> 0')
      .map((row) => [String(row['state']), Number(row['n'])]),
  )
}

const inTable = (table: string): number => Number(db.get(`SELECT count(*) AS n FROM ${table}`)?.['n'])

it('a replaced version is dropped, with its remote file and everything stored about it', () => {
  const id = replaced('/a', 1)
  remote.noteLook(1)
  db.run("INSERT INTO remote_bytes VALUES (1, 1, 'h')")
  drop('replaced')
  drop('remote')
  expect(transfers.get(id)).toBeNull()
  expect(transfers.ofPath('/a').map((row) => row.fileId)).toEqual([2])
  expect(counts()).toEqual({ done: 1 })
  expect(remote.get(1)).toBeNull()
  expect(remote.get(2)).not.toBeNull()
  expect(['transfers', 'transfer_names', 'remote', 'remote_bytes', 'own_looks'].map(inTable)).toEqual([
    1, 1, 1, 0, 0,
  ])
  expect(remote.pulse(1)).toEqual([])
  expect(remote.pulse(2)).not.toEqual([])
})

describe('a replaced version is kept', () => {
  it.each<[string, (id: number) => void]>([
    [
      'if it was replaced recently',
      (id) => db.run('UPDATE transfers SET ended_at = ? WHERE id = ?', BEFORE, id),
    ],
    ['if the service still has its file', () => db.run('UPDATE remote SET gone_at = NULL WHERE file_id = 1')],
    [
      'if its file disappeared recently',
      () => db.run('UPDATE remote SET gone_at = ? WHERE file_id = 1', BEFORE),
    ],
    ['if its file is still to be deleted', () => remote.addRemoval(1, 'replaced', 500)],
    [
      'if its file is still to be deleted from another account',
      () => db.run("INSERT INTO removals (file_id, reason, created_at, account) VALUES (1, 'asked', 1, 'b')"),
    ],
    [
      'if a scanned file refers to it',
      (id) =>
        db.run(
          "INSERT INTO files (folder_id, dir, name, class, size, mtime, ino, dev, transfer_id) VALUES (1, '', 'a', 'tracked', 1, 1, 1, 1, ?)",
          id,
        ),
    ],
    [
      'if an upload of it may still appear',
      (id) =>
        db.run(
          "INSERT INTO doubts (transfer_id, name, size, opened_at, until, next_at) VALUES (?, 'a', 1, 1, 1, 1)",
          id,
        ),
    ],
    ['if a second copy of it was found', (id) => db.run("INSERT INTO twins VALUES (9, ?, 1, 'left')", id)],
    ['if it is the newest of its path', () => db.run("UPDATE transfers SET path = '/b' WHERE file_id = 2")],
    [
      'if it is waiting to be sent again',
      (id) => db.run("UPDATE transfers SET state = 'queued' WHERE id = ?", id),
    ],
  ])('%s', (_name, change) => {
    const id = replaced('/a', 1)
    change(id)
    drop('replaced')
    drop('remote')
    expect(transfers.get(id)).not.toBeNull()
    expect(remote.get(1)).not.toBeNull()
  })

  it.each(['deleted', 'gone'])('for as long as its path exists, if it wasn’t replaced but %s', (ended) => {
    const id = replaced('/a', 1)
    db.run('UPDATE transfers SET ended = ? WHERE id = ?', ended, id)
    drop('replaced')
    drop('vanished')
    expect(transfers.get(id)).not.toBeNull()
  })
})

describe('a file that vanished before it was uploaded', () => {
  it('is dropped, however its path is called', () => {
    const id = transfers.add(queuedRow('/tmp-1', { createdAt: 100 }))
    transfers.transition(id, { kind: 'vanished' })
    transfers.add(queuedRow('/b', { createdAt: 100 }))
    drop('vanished')
    expect(transfers.get(id)).toBeNull()
    expect(counts()).toEqual({ queued: 1 })
  })

  it('is kept if it is recent, or the newest row, whose ID would be assigned again', () => {
    const recent = transfers.add(queuedRow('/a', { createdAt: BEFORE }))
    const newest = transfers.add(queuedRow('/b', { createdAt: 100 }))
    for (const id of [recent, newest]) transfers.transition(id, { kind: 'vanished' })
    drop('vanished')
    expect([recent, newest].map((id) => transfers.get(id)?.state)).toEqual(['gone', 'gone'])
  })
})

describe('a remote file that is gone', () => {
  it('is dropped if it was never ours', () => {
    remote.put(
      { fileId: 7, filename: 'x', size: 1, uploadDate: null, downloadCount: 1, publicLink: null },
      100,
      true,
    )
    remote.markGone(7, 200)
    drop('remote')
    expect(remote.get(7)).toBeNull()
  })

  it('is kept if the user deleted it in Slipway, because its content isn’t sent again', () => {
    const id = stored('/a', 1, 100)
    db.run("UPDATE transfers SET ended = 'deleted', ended_at = 200 WHERE id = ?", id)
    remote.markGone(1, 200)
    drop('remote')
    expect(remote.get(1)).not.toBeNull()
    expect(transfers.get(id)).not.toBeNull()
  })
})

it('many rows are dropped in parts, and those that are kept are passed over', () => {
  for (let i = 0; i < 10; i++) replaced(`/${i}`, 10 * i + 1, 500 + (i % 3))
  remote.addRemoval(1, 'replaced', 500)
  const first = rows.drop('replaced', BEFORE, START, 4)
  expect(first).not.toBeNull()
  expect(inTable('transfers')).toBe(17)
  drop('replaced', 3)
  expect(inTable('transfers')).toBe(11)
})

it('finding old rows reads no others', () => {
  const plans = ['replaced', 'vanished', 'remote', 'id'].map((kind) => {
    const asked: string[] = []
    const spy = createOldRows(
      { ...db, all: (sql, ...bind) => (asked.push(sql), db.all(sql, ...bind)) },
      remote,
    )
    spy.drop(kind as OldKind, BEFORE, START, 1)
    return db.all(`EXPLAIN QUERY PLAN ${asked[0]}`, 1, 1, 1, 1).map((row) => String(row['detail']))
  })
  expect(plans.map(([detail]) => detail)).toEqual([
    expect.stringMatching(/^SEARCH transfers USING (?:COVERING )?INDEX transfers_replaced /),
    expect.stringMatching(/^SEARCH transfers USING (?:COVERING )?INDEX transfers_vanished /),
    expect.stringMatching(/^SEARCH remote USING (?:COVERING )?INDEX remote_gone /),
    expect.stringMatching(/^SEARCH file_ids USING (?:COVERING )?INDEX file_ids_seen /),
  ])
  expect(plans.flat().join()).not.toMatch(/SCAN|TEMP B-TREE/)
})
