// The numbers of file IDs: which ID has which number, what survives a restart or an older journal, and what
// is forgotten.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../../../src-main/api/types.ts'
import { ServiceTraits } from '../../../../src-main/engine/budget/service-traits.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/database.ts'
import {
  byNewestId,
  createFileIds,
  type FileIds,
  numberIds,
} from '../../../../src-main/engine/journal/file-ids.ts'
import { createOldRows, START } from '../../../../src-main/engine/journal/old-rows.ts'
import { peekJournal } from '../../../../src-main/engine/journal/peek.ts'
import { createRemote } from '../../../../src-main/engine/journal/remote-list.ts'
import { NewestReceipts } from '../../../../src-main/engine/journal/transfer-states.ts'
import { createTransfers } from '../../../../src-main/engine/journal/transfers.ts'
import { idsToAsk } from '../../../../src-main/engine/presence/evidence.ts'
import { journalFiles } from '../../../../src-main/platform/data/journal-files.ts'
import { tempFolder } from '../../../world/temp-folder.ts'
import { queuedRow } from './queued-row.ts'

const DAY_MS = 86_400_000
const UUID = '919108f7-52d1-4320-9bac-f847db4148a8'
const SNOWFLAKE = '175928847299117063'

let home: string
let db: Database
let ids: FileIds
let now = 100 * DAY_MS
const file = (): string => join(home, 'journal.db')
function open(): void {
  db = openDatabase({ file: file(), files: journalFiles, seal: null, now }).db
  ids = createFileIds(db, () => now)
}
beforeEach(() => {
  home = tempFolder()
  now = 100 * DAY_MS
  open()
})
afterEach(() => {
  db.close()
})

function store(path: string, id: string): number {
  const row = createTransfers(db).add(queuedRow(path))
  const publicLink = `https://x/download/${encodeURIComponent(id)}`
  createTransfers(db).done(
    row,
    { fileId: ids.numberOf(id), publicLink, filename: path },
    { sha256: 'h', adopted: false, sent: true, at: now, server: null },
  )
  return row
}

describe('the number of an ID', () => {
  it.each(['0', '7', '1001', '9007199254740991'])('%s is the ID itself', (id) => {
    expect(ids.numberOf(id)).toBe(Number(id))
    expect(ids.textOf(Number(id))).toBe(id)
    expect(ids.shown(Number(id))).toBe(Number(id))
    expect(db.get('SELECT count(*) AS n FROM file_ids')).toEqual({ n: 0 })
  })

  it('of any other text is one that no integer has, and leads back to the same text', () => {
    const others = [
      '9007199254740992',
      '9007199254740993',
      SNOWFLAKE,
      '007',
      '-1',
      '-0',
      '1e3',
      '1.0',
      UUID,
      UUID.toUpperCase(),
      ' 7',
      'ä',
    ]
    const numbers = others.map((id) => ids.numberOf(id))
    expect(new Set(numbers).size).toBe(others.length)
    expect(numbers.every((one) => one < 0)).toBe(true)
    expect(others.map((id) => ids.numberOf(id))).toEqual(numbers)
    expect(numbers.map((one) => ids.textOf(one))).toEqual(others)
    expect(numbers.map((one) => ids.shown(one))).toEqual(others)
  })

  it('is only looked up by find', () => {
    expect(ids.find(UUID)).toBeNull()
    expect(ids.find('7')).toBe(7)
    const known = ids.numberOf(UUID)
    expect(ids.find(UUID)).toBe(known)
    expect(ids.find('')).toBeNull()
  })

  it('survives a restart', () => {
    const had = [UUID, SNOWFLAKE].map((id) => ids.numberOf(id))
    db.close()
    open()
    expect([UUID, SNOWFLAKE].map((id) => ids.numberOf(id))).toEqual(had)
    expect(ids.numberOf('another')).toBeLessThan(Math.min(...had))
  })

  it('that nothing has is shown as unknown', () => {
    expect(ids.textOf(-5)).toBeNull()
    expect(ids.shown(-5)).toBe(0)
  })
})

describe('an ID of unknown order', () => {
  it('isn’t the highest of the newest uploads', () => {
    store('/a', UUID)
    expect(new NewestReceipts(db).highest()).toBeNull()
    store('/b', '12')
    store('/c', SNOWFLAKE)
    expect(new NewestReceipts(db).highest()).toBe(12)
  })

  it('doesn’t show whether IDs increase', () => {
    const traits = new ServiceTraits(createRemote(db, () => undefined).facts, createTransfers(db))
    const row = createTransfers(db).get(store('/a', '5'))
    if (row === null) throw new Error('no row')
    const learn = (fileId: number): void =>
      traits.learn(
        { ...row, intentAbove: 5 },
        { fileId, filename: null, size: null, uploadDate: null, downloadCount: null, publicLink: null },
        null,
      )
    for (const fileId of [6, 7, 8, -1, -2]) learn(fileId)
    expect(traits.idsGrow()).toBe(true)
    learn(4)
    expect(traits.idsGrow()).toBe(false)
  })

  it('makes no list of IDs worth asking for', () => {
    expect(idsToAsk(new Set([1, 2, 3, 4, 5]), 4, 0)).toEqual([6])
    expect(idsToAsk(new Set([-1, -2, -3, -4, -5]), -3, 0)).toBeNull()
    expect(idsToAsk(new Set([1, 2, 3, 4, 5, -1]), 4, 0)).toBeNull()
  })

  it('keeps its place among others of its kind', () => {
    expect([-3, 5, -1, 0, 9, -2].toSorted(byNewestId)).toEqual([9, 5, 0, -3, -1, -2])
  })
})

describe('a journal', () => {
  it('of the version before them works on with its integer IDs', () => {
    store('/a', '1001')
    db.close()
    const old = new DatabaseSync(file())
    old.exec(`DROP TRIGGER transfer_put; DROP TRIGGER transfer_put_dropped; DROP TABLE put_away; DROP TABLE file_ids; DROP INDEX transfers_replaces; DROP INDEX transfers_stored; DROP INDEX transfers_link; DROP INDEX transfers_paused;
      ALTER TABLE folders DROP COLUMN grace; ALTER TABLE folders DROP COLUMN paused;
      ALTER TABLE folders DROP COLUMN limits_json; ALTER TABLE folders DROP COLUMN after_upload;
      ALTER TABLE remote DROP COLUMN deleted; ALTER TABLE doubts DROP COLUMN proved_at; ALTER TABLE transfers DROP COLUMN resent;
      PRAGMA user_version = 16`)
    expect(peekJournal(file(), journalFiles)).toMatchObject({ files: [{ fileId: '1001' }] })
    old.close()
    open()
    expect(createTransfers(db).byFileId(1001)?.path).toBe('/a')
    store('/b', UUID)
    expect(createTransfers(db).byFileId(ids.numberOf(UUID))?.path).toBe('/b')
  })

  it('tells its IDs without an engine', () => {
    store('/a', UUID)
    store('/b', SNOWFLAKE)
    store('/c', '7')
    const peeked = peekJournal(file(), journalFiles)
    if (peeked === null || peeked === 'unreadable') throw new Error('not read')
    expect(new Map(peeked.files.map((one) => [one.fileId, one.publicLink]))).toEqual(
      new Map([UUID, SNOWFLAKE, '7'].map((id) => [id, `https://x/download/${id}`])),
    )
  })

  it('forgets IDs that nothing refers to, but no number is given out again', () => {
    const remote = createRemote(db, () => undefined)
    const rows = createOldRows(db, remote)
    const drop = (): void => {
      for (let from: typeof START | null = START; from !== null; )
        from = rows.drop('id', now - 30 * DAY_MS, from, 2)
    }
    const known = ['free 1', 'listed', 'sent', 'deleting', 'replaced', 'free 2'].map((id) => ids.numberOf(id))
    const [, listed = 0, , deleting = 0, replaced = 0, lowest = 0] = known
    remote.put(
      { fileId: listed, filename: 'a', size: 1, uploadDate: null, downloadCount: null, publicLink: null },
      now,
      true,
    )
    store('/a', 'sent')
    remote.addRemoval(deleting, 'asked', now)
    db.run('UPDATE transfers SET replaces = ?', replaced)
    drop()
    expect(known.map((one) => ids.textOf(one))).not.toContain(null)
    now += 31 * DAY_MS
    ids.numberOf('read today')
    drop()
    expect(known.map((one) => ids.textOf(one))).toEqual([
      null,
      'listed',
      'sent',
      'deleting',
      'replaced',
      null,
    ])
    expect(ids.numberOf('new')).toBeLessThan(lowest)
    now += 31 * DAY_MS
    drop()
    expect(ids.numberOf('newer')).toBeLessThan(lowest - 2)
  })

  it('keeps an ID that is still read, without a write each time', () => {
    const id = ids.numberOf(UUID)
    ids.numberOf('later')
    const writes = db.writes()
    now += 6 * DAY_MS
    ids.numberOf(UUID)
    expect(db.writes()).toBe(writes)
    now += 25 * DAY_MS
    ids.numberOf(UUID)
    createOldRows(
      db,
      createRemote(db, () => undefined),
    ).drop('id', now - DAY_MS, START, 10)
    expect(ids.textOf(id)).toBe(UUID)
  })
})

describe('the client behind the border', () => {
  const meta = {
    status: 200,
    serverDate: null,
    rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null },
  }
  const empty = { filename: null, size: null, uploadDate: null, downloadCount: null, publicLink: null }
  const asked: string[] = []
  const client = {
    upload: async () => ({ ok: true, value: { ...empty, fileId: UUID }, meta }),
    file: async (id: string) => {
      asked.push(id)
      return { ok: true, value: { ...empty, fileId: id }, meta }
    },
  } as unknown as ApiClient<string>

  it('names files by their numbers', async () => {
    const api = numberIds(client, { db, ids, failed: () => undefined })
    const got = await api.upload({ filename: 'a', size: 0, body: () => [] })
    const number = ids.find(UUID)
    expect(got).toMatchObject({ value: { fileId: number } })
    expect(await api.file(number ?? 0)).toMatchObject({ value: { fileId: number } })
    expect(asked).toEqual([UUID])
    expect(await api.file(-99)).toMatchObject({ failure: { kind: 'garbage', phase: 'unsent' } })
  })

  it('writes nothing for a list whose IDs are integers or known', async () => {
    const files = ['7', UUID, SNOWFLAKE].map((fileId) => ({ ...empty, fileId }))
    const pagination = { page: 1, limit: 9, total: 3, pages: 1 }
    const lists = {
      list: async () => ({ ok: true, value: { files, pagination }, meta }),
    } as unknown as ApiClient<string>
    let transactions = 0
    const tx = <T>(work: () => T): T => {
      transactions++
      return db.tx(work)
    }
    const api = numberIds(lists, { db: { tx }, ids, failed: () => undefined })
    const first = await api.list({ page: 1, limit: 9 })
    expect(first).toMatchObject({
      value: { files: [{ fileId: 7 }, { fileId: ids.find(UUID) }, { fileId: ids.find(SNOWFLAKE) }] },
    })
    const writes = db.writes()
    expect(await api.list({ page: 1, limit: 9 })).toEqual(first)
    expect([transactions, db.writes()]).toEqual([1, writes])
  })

  it('takes an upload as unconfirmed if the number can’t be stored', async () => {
    const failures: unknown[] = []
    const full = (): never => {
      throw new Error('database or disk is full')
    }
    const api = numberIds(client, {
      db,
      ids: { ...ids, numberOf: full },
      failed: (error) => failures.push(error),
    })
    expect(await api.upload({ filename: 'a', size: 0, body: () => [] })).toMatchObject({
      failure: { kind: 'garbage', phase: 'sent' },
    })
    expect(failures).toHaveLength(1)
  })
})
