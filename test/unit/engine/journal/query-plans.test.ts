// SQLite's query plans for queries that are made once per file. In a folder with many files of the same size
// or content, a plan that uses only size or content would be quadratic. So the test checks each plan instead
// of its run time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Claims, createClaims } from '../../../../src-main/engine/journal/claims.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createFiles, type Files } from '../../../../src-main/engine/journal/files.ts'
import { createLikes, type Likes } from '../../../../src-main/engine/journal/match-queries.ts'
import { createTransfers, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { memoryJournal } from './memory-journal.ts'
import { queuedRow } from './queued-row.ts'

interface Rooms {
  readonly transfers: Transfers
  readonly files: Files
  readonly claims: Claims
  readonly likes: Likes
}

let db: Database
let asked: string[] = []
let rooms: Rooms
beforeEach(() => {
  db = memoryJournal()
  asked = []
  const spy: Database = {
    ...db,
    get: (sql, ...bind) => {
      asked.push(sql)
      return db.get(sql, ...bind)
    },
    all: (sql, ...bind) => {
      asked.push(sql)
      return db.all(sql, ...bind)
    },
    values: (sql, ...bind) => {
      asked.push(sql)
      return db.values(sql, ...bind)
    },
    allValues: (sql, ...bind) => {
      asked.push(sql)
      return db.allValues(sql, ...bind)
    },
  }
  rooms = {
    transfers: createTransfers(spy),
    files: createFiles(spy),
    claims: createClaims(spy),
    likes: createLikes(spy),
  }
})
afterEach(() => db.close())

const BY_PATH = 'transfers_path (path=?)'
const near = { path: '/p', folderId: 1 }

/** Stores as many uploads of this content as one query returns. */
function fillWith(sha256: string): void {
  for (let i = 0; i < 50; i++)
    db.run(
      "INSERT INTO transfers (source, folder_id, path, name, size, mtime, state, sha256, created_at) VALUES ('watch', 1, ?, 'f', 1, 1, 'done', ?, 1)",
      `/other/${i}`,
      sha256,
    )
}

const QUESTIONS: readonly (readonly [string, (r: Rooms) => unknown, readonly string[]])[] = [
  ['the newest version of a path', (r) => r.transfers.newestOfPath('/p'), [BY_PATH]],
  ['a version that is up', (r) => r.transfers.doneVersion('/p', 1, 1), [BY_PATH]],
  ['a version of a repeated call', (r) => r.transfers.byToken('/p', 't'), [BY_PATH]],
  [
    'whether an earlier version had this content',
    (r) => r.transfers.hasEarlier('/p', 7, 'hash'),
    ['transfers_path (path=? AND rowid<?)'],
  ],
  ['whether any of this size is up', (r) => r.transfers.hasDoneSize(1), ['transfers_done (size=?)']],
  [
    'whether one of these bytes left its folder',
    (r) => r.transfers.hasAwayContent(1, 2, 3, 'hash'),
    ['transfers_away_content (folder_id=? AND sha256=?)'],
  ],
  [
    'whether one of this size left its folder',
    (r) => r.transfers.hasAwaySize(1),
    ['transfers_away (folder_id=? AND size=?)'],
  ],
  ['versions with this content', (r) => r.transfers.doneContent('s', near), ['transfers_sha (sha256=?)']],
  [
    'versions with a content that many files have',
    (r) => {
      fillWith('s')
      return r.transfers.doneContent('s', near)
    },
    ['transfers_sha (sha256=?)', BY_PATH, 'transfers_away_content (folder_id=? AND sha256=?)'],
  ],
  ['whether this content was deleted at a path', (r) => r.claims.isWithdrawn('/p', 's'), [BY_PATH]],
  ['whether this size was deleted at a path', (r) => r.claims.hasEnded('/p', 1), [BY_PATH]],
  ['files with an inode', (r) => r.files.byInode(1, 1, 1), ['files_ino (ino=? AND size=?)']],
  ['one file', (r) => r.files.file(1, '', 'n'), ['PRIMARY KEY (folder_id=? AND dir=? AND name=?)']],
  ['the file of a transfer', (r) => r.files.byTransfer(1), ['files_transfer (transfer_id=?)']],
  [
    'files that settle',
    (r) => [r.files.settling(1), r.files.settlingCount(1)],
    ['files_settling', 'files_settling'],
  ],
  ['the queued ones of a folder', (r) => r.transfers.queuedIds(1), ['transfers_due (folder_id=?)']],
  [
    'what is due except in some directories',
    (r) => r.transfers.due(1, null, [], { dirs: ['/dir'], trees: ['/tree'], except: ['/tree/not'] }),
    ['transfers_due (folder_id=?)'],
  ],
  ['the first that waits', (r) => r.transfers.nextUntilOf(1), ['transfers_waits (folder_id=?)']],
  ['why the first waits', (r) => r.transfers.waitReasonOf(1), ['transfers_waits (folder_id=?)']],
]

describe('the plan of', () => {
  it.each(QUESTIONS)('%s', (_name, ask, indexes) => {
    ask(rooms)
    const plans = asked.map((sql) =>
      db
        .all(`EXPLAIN QUERY PLAN ${sql}`, ...Array.from({ length: sql.split('?').length - 1 }, () => 1))
        .map((row) => String(row['detail']))
        .join('; '),
    )
    expect(plans).toHaveLength(indexes.length)
    for (const [i, index] of indexes.entries()) {
      expect(plans[i]).toContain(index)
      expect(plans[i]).not.toMatch(
        /^SCAN (?:transfers|files)\b(?! USING COVERING INDEX files_settling| USING INDEX files_settling)/,
      )
    }
  })
})

describe('directories that are left out', () => {
  it('do not take another statement for each number of them', () => {
    const dirs = (count: number): string[] => Array.from({ length: count }, (_, i) => `/${i}`)
    for (let i = 1; i <= 64; i++)
      rooms.transfers.due(1, null, [], { dirs: dirs(i), trees: ['/tree'], except: dirs(i) })
    expect(new Set(asked).size).toBe(7)
  })
})

describe('many files of one content', () => {
  it('do not hide the version of the path itself, or one that left the folder', () => {
    const add = (path: string): number => {
      const id = rooms.transfers.add(queuedRow(path, { source: 'watch', folderId: 1 }))
      const receipt = { fileId: id, publicLink: `https://files.example.com/${id}`, filename: path }
      rooms.transfers.done(id, receipt, { sha256: 's', adopted: false, sent: true, at: 1, server: null })
      return id
    }
    const own = add('/own')
    const away = add('/away')
    rooms.transfers.setAway(away, true)
    for (let i = 0; i < 100; i++) add(`/other ${i}`)
    const found = rooms.transfers.doneContent('s', { path: '/own', folderId: 1 }).map((row) => row.id)
    expect(found[0]).toBe(own)
    expect(found).toContain(away)
    expect(found.length).toBeLessThanOrEqual(110)
  })
})

describe('rows of states', () => {
  it('that no row has are not looked for', () => {
    for (let i = 0; i < 3; i++) rooms.transfers.add(queuedRow(`/${i}`, { source: 'watch', folderId: 1 }))
    const page = (states: readonly string[], folderId: number | null): number =>
      rooms.transfers.page({ folderId, states, afterId: 0, limit: 10 }).length
    expect([page(['held', 'failed'], null), page(['queued'], 2)]).toEqual([0, 0])
    expect(asked.filter((sql) => sql.includes('FROM transfers'))).toEqual([])
    expect([page(['held', 'queued'], null), page(['queued'], 1), page([], 2)]).toEqual([3, 3, 0])
  })
})

it('asks a fixed number of queries for the remote files of a size, however many there are', () => {
  for (let id = 1; id <= 50; id++)
    db.run('INSERT INTO remote (file_id, size, first_seen, last_seen) VALUES (?, 4, 1, 1)', id)
  db.run("INSERT INTO remote_bytes (file_id, bytes, sha256) VALUES (1, 4, 'a'), (2, 5, 'b')")
  db.run('INSERT INTO removals (file_id, reason, created_at) VALUES (3, ?, 1)', 'asked')
  for (const [id, state] of [
    [4, 'done'],
    [5, 'cancelled'],
    [6, 'queued'],
  ] as const)
    db.run(
      "INSERT INTO transfers (id, source, path, name, size, mtime, state, file_id, created_at) VALUES (?, 'upload', '/p', 'p', 4, 1, ?, ?, 1)",
      id,
      state,
      id,
    )
  db.run('UPDATE remote SET gone_at = 1 WHERE file_id = 7')
  asked = []
  const found = rooms.likes.alike(4, [{ least: 4, most: 4 }], 'name', 5)
  expect(asked).toHaveLength(3)
  expect(Array.from({ length: 9 }, (_, i) => i + 1).filter((id) => found.includes(id))).toEqual([
    1, 5, 6, 8, 9,
  ])
  expect(found).toHaveLength(46)
})
