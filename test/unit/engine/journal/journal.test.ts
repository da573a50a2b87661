// The journal's file: created, migrated from older versions with all its rows, and moved aside if it can't be
// used. On a real disk, in a new folder for each test.
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClaims } from '../../../../src-main/engine/journal/claims.ts'
import { type Database, isTooOld, openDatabase } from '../../../../src-main/engine/journal/database.ts'
import { JournalError } from '../../../../src-main/engine/journal/disk-trouble.ts'
import { createDoubts } from '../../../../src-main/engine/journal/doubts.ts'
import { peekJournal } from '../../../../src-main/engine/journal/peek.ts'
import { createRemote } from '../../../../src-main/engine/journal/remote-list.ts'
import { migrations } from '../../../../src-main/engine/journal/schema.ts'
import { createTransfers, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { journalFiles, seal } from '../../../../src-main/platform/data/journal-files.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { tempFolder } from '../../../world/temp-folder.ts'
import { queuedRow } from './queued-row.ts'

const NOW = Date.UTC(2026, 10, 20, 20)
const STAMP = '2026-11-20T200000'
let dir = ''
let file = ''
let opened: Database | null = null
beforeEach(() => {
  dir = tempFolder()
  file = join(dir, 'journal.db')
})
afterEach(() => {
  opened?.close()
  opened = null
})

function open(now = NOW): ReturnType<typeof openDatabase> {
  const result = openDatabase({ file, files: journalFiles, seal, now })
  opened = result.db
  return result
}

function version(path: string): number {
  const db = new DatabaseSync(path)
  try {
    return Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  } finally {
    db.close()
  }
}

/** A journal as version 1 wrote it. */
function writeVersionOne(): void {
  const db = new DatabaseSync(file)
  db.exec(migrations[0] ?? '')
  db.exec('PRAGMA user_version = 1')
  db.exec(`
    INSERT INTO folders (id, path, existing, on_change, keep, created_at) VALUES (3, '/home/share', 'upload', 'new-link', 1, 1000);
    INSERT INTO transfers (id, source, folder_id, path, name, size, mtime, state, file_id, public_link, filename, sent, created_at, done_at)
      VALUES (7, 'watch', 3, '/home/share/Träume.txt', 'Träume.txt', 12, 5, 'done', 41, 'https://x.example.com/download/a', 'Träume.txt', 1, 1000, 2000),
             (8, 'upload', NULL, '/tmp/b.pdf', 'b.pdf', 20, 5, 'queued', NULL, NULL, NULL, 0, 1000, NULL);
    INSERT INTO remote (file_id, filename, size, upload_date, download_count, public_link, first_seen, last_seen)
      VALUES (41, 'Träume.txt', 12, '2026-11-01 10:00:00', 5, 'https://x.example.com/download/a', 3000, 4000),
             (42, 'old.zip', 99, NULL, NULL, NULL, 3500, 4000);
    INSERT INTO pulse VALUES (41, 100, 1), (41, 200, 3), (41, 300, 5);
    INSERT INTO requests VALUES (1, 'upload', 1000, 1100);
    INSERT INTO usage_days VALUES ('2026-11-19', 4, 400, 0);
    INSERT INTO meta VALUES ('paused', '1');
  `)
  db.close()
}

describe('a journal', () => {
  it('is made where there is none, in the newest version', () => {
    const { fresh, setAside } = open()
    expect({ fresh, setAside }).toEqual({ fresh: true, setAside: null })
    opened?.close()
    opened = null
    expect(version(file)).toBe(migrations.length)
  })

  it('is opened again with what was in it', () => {
    open().db.run("INSERT INTO meta VALUES ('a', 'b')")
    opened?.close()
    const again = open()
    expect({ fresh: again.fresh, setAside: again.setAside }).toEqual({ fresh: false, setAside: null })
    expect(again.db.get("SELECT value FROM meta WHERE key = 'a'")).toEqual({ value: 'b' })
  })
})

describe('a journal whose sync has failed', () => {
  it('counts nothing as durable until another connection lets it write all pages again', async () => {
    const clock = createFakeClock()
    const { db } = openDatabase({
      file,
      files: journalFiles,
      seal: null,
      now: NOW,
      durability: {
        sync: { sync: () => Promise.reject(new Error('EIO')), close: () => undefined },
        clock,
        onTrouble: () => undefined,
      },
    })
    opened = db
    const reader = new DatabaseSync(file)
    try {
      reader.exec('BEGIN')
      reader.prepare('SELECT * FROM meta').all()
      db.run("INSERT INTO meta VALUES ('a', 'b')")
      const results: boolean[] = []
      void db.durable()?.then((isDurable) => results.push(isDurable))
      await clock.advance(60_000)
      expect(results).toEqual([])
      reader.exec('COMMIT')
      await clock.advance(60_000)
      expect(results).toEqual([true])
      expect(db.durable()).toBeNull()
    } finally {
      reader.close()
    }
  })
})

describe('a journal, asked whether something was sent', () => {
  const stored = (
    t: Transfers,
    id: number,
    fileId: number | null,
    publicLink: string | null,
    sent = true,
  ): void =>
    t.done(
      id,
      { fileId, publicLink, filename: null },
      { sha256: null, adopted: !sent, sent, at: NOW, server: null },
    )
  const link = 'https://x.example.com/download/a'

  it.each<[string, (t: Transfers, id: number, db: Database) => void, boolean]>([
    ['only queued', () => undefined, false],
    ['held', (t, id) => t.transition(id, { kind: 'held', reason: 'secret', message: null }), false],
    ['in flight', (t, id) => t.intent(id, NOW, null, null, 'a'), true],
    [
      'without an answer',
      (t, id) => t.transition(id, { kind: 'answer-lost', message: null, until: null }),
      true,
    ],
    ['uploaded, with a file ID', (t, id) => stored(t, id, 7, null), true],
    ['uploaded, with a link and no file ID', (t, id) => stored(t, id, null, link), true],
    ['found on the service under its link', (t, id) => stored(t, id, null, link, false), true],
    [
      'uploaded, with a link and no file ID, and cancelled meanwhile',
      (t, id) => {
        stored(t, id, null, link)
        t.transition(id, { kind: 'cancelled' })
      },
      true,
    ],
    [
      'uploaded, gone from the service and queued again',
      (t, id, db) => {
        stored(t, id, 7, link)
        createClaims(db).lose(7)
      },
      true,
    ],
    [
      'without an answer, and queued again, although it may still turn up',
      (t, id, db) => {
        t.intent(id, NOW, null, null, 'a')
        t.transition(id, { kind: 'answer-lost', message: null, until: null })
        createDoubts(db).open(
          { transferId: id, name: 'a', size: 1, sha256: null, mark: 1, above: null, server: null },
          NOW,
        )
        t.transition(id, { kind: 'requeued' })
      },
      true,
    ],
    [
      'without an answer, and held for lack of proof',
      (t, id) => {
        t.intent(id, NOW, null, null, 'a')
        t.setUnproved(id, 1)
        t.transition(id, { kind: 'held', reason: 'unconfirmed', message: null })
      },
      true,
    ],
    [
      'without an answer, and proved not to have arrived',
      (t, id) => {
        t.intent(id, NOW, null, null, 'a')
        t.transition(id, { kind: 'answer-lost', message: null, until: null })
        t.transition(id, { kind: 'requeued' })
      },
      false,
    ],
    [
      'taken back, but not deleted yet',
      (t, id, db) => {
        t.intent(id, NOW, null, null, 'a')
        createRemote(db, () => undefined).addRemoval(7, 'torn', NOW)
        t.transition(id, { kind: 'requeued' })
      },
      true,
    ],
    [
      'only queued, while a file is deleted that the journal did not send',
      (_t, _id, db) => createRemote(db, () => undefined).addRemoval(7, 'asked', NOW),
      false,
    ],
  ])('%s', (_name, make, hasSent) => {
    const { db } = open()
    const transfers = createTransfers(db)
    make(transfers, transfers.add(queuedRow('/a')), db)
    expect({ engine: transfers.hasSent(), reader: peekJournal(file, journalFiles) }).toMatchObject({
      engine: hasSent,
      reader: { hasSent },
    })
  })
})

it('says whether something is still to be cleaned up on the service', () => {
  const { db } = open()
  db.tx(() => db.run("INSERT INTO meta VALUES ('account', 'one')"))
  const hasCleanup = (): boolean | null => {
    const peeked = peekJournal(file, journalFiles)
    return peeked === null || peeked === 'unreadable' ? null : peeked.hasCleanup
  }
  const remote = createRemote(db, () => undefined)
  expect(hasCleanup()).toBe(false)
  remote.addRemoval(7, 'asked', NOW)
  expect(hasCleanup()).toBe(true)
  db.run("UPDATE removals SET account = 'an earlier one'")
  expect(hasCleanup()).toBe(false)
  const doubts = createDoubts(db)
  doubts.open({ transferId: 1, name: 'a', size: 1, sha256: null, mark: 1, above: null, server: null }, NOW)
  expect(hasCleanup()).toBe(true)
  for (const { id } of doubts.all(1)) doubts.drop(id)
  expect(hasCleanup()).toBe(false)
})

it('of an earlier version, asked whether something was sent, answers before it is migrated', () => {
  const old = new DatabaseSync(file)
  old.function('fold', { deterministic: true }, (value) => String(value).toLowerCase())
  old.function('file_kind', { deterministic: true }, (_name) => 'other')
  old.function('date_ms', { deterministic: true }, (_text) => null)
  for (const sql of migrations.slice(0, 8)) old.exec(sql)
  old.exec("INSERT INTO meta VALUES ('account', 'one')")
  expect(peekJournal(file, journalFiles)).toMatchObject({ account: 'one', hasSent: false })
  old.exec(`INSERT INTO transfers (source, path, name, size, mtime, state, file_id, sent, created_at)
    VALUES ('watch', '/a.txt', 'a.txt', 1, 1, 'done', 11, 1, 1)`)
  expect(peekJournal(file, journalFiles)).toMatchObject({ hasSent: true })
  old.close()
})

describe('a journal, read without an engine,', () => {
  it.each<[string, () => void, unknown]>([
    ['that does not exist', () => undefined, null],
    ['that has no tables yet', () => writeFileSync(file, ''), null],
    [
      'that is damaged',
      () => writeFileSync(file, 'not a database, and longer than its header would be'.repeat(20)),
      'unreadable',
    ],
    [
      'of another form',
      () => {
        const { db } = open()
        db.close()
        const other = new DatabaseSync(file)
        other.exec('ALTER TABLE tallies RENAME TO elsewhere')
        other.close()
      },
      'unreadable',
    ],
  ])('%s', (_name, make, expected) => {
    make()
    expect(peekJournal(file, journalFiles)).toEqual(expected)
  })

  it('can not be told to be absent where its folder may not be searched', () => {
    const exists = (): boolean => {
      throw Object.assign(new Error('no permission'), { code: 'EACCES' })
    }
    expect(peekJournal(file, { exists })).toBe('unreadable')
  })
})

describe('a journal that was closed in order', () => {
  /**
   * Causes damage that opening alone doesn't detect, as a failing disk would, and then seals the journal
   * again, so that the seal fits the damaged file.
   */
  const rot = (): void => {
    const { db } = open()
    db.tx(() => {
      for (let i = 0; i < 2000; i++)
        db.run('INSERT INTO meta VALUES (?, ?)', `key ${String(i).padStart(4, '0')}`, 'x'.repeat(200))
    })
    db.close()
    const taken = seal.take(file)
    const bytes = readFileSync(file)
    bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 4096)
    writeFileSync(file, bytes)
    if (taken !== null) seal.put(file, taken.checkedAt)
  }

  it('is not read from end to end, but is after a week', () => {
    rot()
    expect(open().setAside).toBeNull()
    opened?.close()
    expect(open(NOW + 6 * 86_400_000).setAside).toBeNull()
    opened?.close()
    expect(open(NOW + 8 * 86_400_000).setAside?.why).toBe('corrupt')
  })

  it('is read from end to end at the next start where damage was met meanwhile', () => {
    rot()
    const { db, setAside } = open()
    expect(setAside).toBeNull()
    expect(() => db.all('SELECT * FROM meta')).toThrow(/malformed/)
    db.close()
    expect(open().setAside?.why).toBe('corrupt')
  })

  it('and is written to by somebody, is read from end to end', () => {
    rot()
    utimesSync(file, 1, 1)
    expect(open().setAside?.why).toBe('corrupt')
  })

  it('and one that was not closed is', () => {
    rot()
    const { db } = open()
    db.run("INSERT INTO meta VALUES ('a', 'b')")
    // As a killed process leaves it: with its log, and without the seal.
    const copy = `${file}.copy`
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix)
    db.close()
    for (const suffix of ['', '-wal']) renameSync(copy + suffix, file + suffix)
    expect(open().setAside?.why).toBe('corrupt')
  })

  it('tells when it was checked whatever stands in the seal', () => {
    open().db.close()
    expect(seal.take(file)).toEqual({ checkedAt: NOW })
    expect(seal.take(file)).toBeNull()
    for (const text of ['', 'nonsense', '\n\n', `${readFileSync(file).length}\nsoon\n`]) {
      writeFileSync(`${file}-seal`, text)
      expect(seal.take(file)).toBeNull()
    }
  })
})

describe('version 1', () => {
  it('is lifted with every row kept', () => {
    writeVersionOne()
    const { db, setAside, fresh } = open()
    expect({ setAside, fresh }).toEqual({ setAside: null, fresh: false })
    const remote = createRemote(db, () => undefined)
    const transfers = createTransfers(db)
    expect(transfers.get(7)).toMatchObject({ path: '/home/share/Träume.txt', state: 'done', fileId: 41 })
    expect(transfers.counts(null)).toMatchObject({ queued: 1, done: 1 })
    expect(remote.get(41)).toMatchObject({ filename: 'Träume.txt', downloadCount: 5, firstSeen: 3000 })
    expect(remote.facts.get('paused')).toBe(true)
    expect(remote.usage('2026-01-01')).toEqual([
      {
        day: '2026-11-19',
        uploads: 4,
        bytes: 400,
        requests: 0,
        downloads: 0,
        storedFiles: null,
        storedSize: null,
      },
    ])
    expect(db.all('SELECT * FROM requests').length).toBe(1)
    expect(db.get('SELECT keep FROM folders WHERE id = 3')).toEqual({ keep: 1 })
  })

  it('is searched, sorted and counted like what came later', () => {
    writeVersionOne()
    const { db } = open()
    const remote = createRemote(db, () => undefined)
    const page = (q: object): readonly number[] =>
      remote
        .query({ search: '', sort: 'date', descending: true, offset: 0, limit: 10, ...q })
        .rows.map((row) => row.fileId)
    expect(page({ search: 'TRAUME' })).toEqual([41])
    expect(page({ search: 'home/share' })).toEqual([41])
    expect(page({ kind: 'archive' })).toEqual([42])
    // Without a date, the time when the file was first seen is used, which was long before.
    expect(page({})).toEqual([41, 42])
    expect(remote.mostDownloaded(150, 5)).toEqual([{ fileId: 41, gained: 4 }])
    expect(
      createTransfers(db)
        .page({ folderId: null, states: [], afterId: 0, limit: 10, search: 'träume' })
        .map((t) => t.id),
    ).toEqual([7])
  })
})

describe('version 3', () => {
  it('is lifted with what was replaced or is gone marked as ended, and the rest as it was', () => {
    const old = new DatabaseSync(file)
    // The tables need these functions, which the program defines whenever it opens a journal.
    old.function('fold', { deterministic: true }, (value) => String(value).toLowerCase())
    old.function('file_kind', { deterministic: true }, (_name) => 'other')
    old.function('date_ms', { deterministic: true }, (_text) => null)
    for (const sql of migrations.slice(0, 3)) old.exec(sql)
    old.exec('PRAGMA user_version = 3')
    old.exec(`
      INSERT INTO transfers (id, source, path, name, size, mtime, state, file_id, public_link, replaces, sent, created_at, done_at)
        VALUES (1, 'watch', '/a.txt', 'a.txt', 1, 1, 'done', 11, 'https://x.example.com/download/1', NULL, 1, 1, 2),
               (2, 'watch', '/a.txt', 'a.txt', 2, 2, 'done', 12, 'https://x.example.com/download/2', 11, 1, 1, 3),
               (3, 'upload', '/b.txt', 'b.txt', 1, 1, 'done', 11, 'https://x.example.com/download/1', NULL, 0, 1, 4),
               (4, 'upload', '/c.txt', 'c.txt', 1, 1, 'done', 13, 'https://x.example.com/download/3', NULL, 1, 1, 5),
               (5, 'watch', '/d.txt', 'd.txt', 1, 1, 'queued', NULL, NULL, 12, 0, 1, NULL);
      INSERT INTO remote (file_id, first_seen, last_seen, gone_at) VALUES (13, 1, 2, 900);
      INSERT INTO removals (file_id, reason, created_at) VALUES (11, 'replaced', 5);
    `)
    old.close()
    const { db } = open()
    const transfers = createTransfers(db)
    expect([1, 2, 3, 4, 5].map((id) => transfers.get(id)?.ended)).toEqual([
      'replaced',
      null,
      null,
      'gone',
      null,
    ])
    expect(createClaims(db).owners(11)).toEqual(['/b.txt'])
    expect(createRemote(db, () => undefined).removals(NOW, 10)).toMatchObject([
      { fileId: 11, reason: 'replaced' },
    ])
  })
})

describe('what can not be used is set aside, never lost', () => {
  const whole = (): Buffer => readFileSync(file)
  it.each<[string, () => void, 'corrupt' | 'newer' | 'not-a-journal']>([
    [
      'a newer version',
      () => {
        open().db.close()
        const db = new DatabaseSync(file)
        db.exec('PRAGMA user_version = 99')
        db.close()
      },
      'newer',
    ],
    ['garbage', () => writeFileSync(file, 'This is no database, whatever its name. '.repeat(500)), 'corrupt'],
    [
      'a file that was cut off',
      () => {
        const { db } = open()
        db.tx(() => {
          for (let i = 0; i < 2000; i++) db.run('INSERT INTO meta VALUES (?, ?)', `key ${i}`, 'x'.repeat(200))
        })
        db.close()
        truncateSync(file, Math.floor(whole().length / 2))
      },
      'corrupt',
    ],
    [
      'pages that were written over',
      () => {
        const { db } = open()
        db.tx(() => {
          for (let i = 0; i < 2000; i++) db.run('INSERT INTO meta VALUES (?, ?)', `key ${i}`, 'x'.repeat(200))
        })
        db.close()
        const bytes = whole()
        bytes.fill(0x5a, Math.floor(bytes.length / 2))
        writeFileSync(file, bytes)
      },
      'corrupt',
    ],
    [
      "another program's database",
      () => {
        const db = new DatabaseSync(file)
        db.exec('CREATE TABLE songs (name TEXT)')
        db.close()
      },
      'not-a-journal',
    ],
  ])('%s', (_name, make, why) => {
    make()
    const before = whole()
    const { db, setAside, fresh } = open()
    const aside = `${file}.${why}-${STAMP}`
    expect({ setAside, fresh }).toEqual({ setAside: { file: aside, why }, fresh: true })
    expect(readFileSync(aside).equals(before)).toBe(true)
    expect(db.all('SELECT * FROM transfers')).toEqual([])
  })

  it('twice in one second, both are kept', () => {
    writeFileSync(file, 'garbage one'.repeat(1000))
    open().db.close()
    writeFileSync(file, 'garbage two'.repeat(1000))
    open()
    expect(readdirSync(dir).filter((name) => name.includes('.corrupt-')).length).toBe(2)
  })
})

/** Claims that the journal has the tables of this version. */
function setVersion(number: number): void {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA user_version = ${number}`)
  db.close()
}

describe('what is not damaged stays in place', () => {
  it('although it can not be converted: the error says so and what to do, and a version that can use it finds everything', () => {
    open().db.run("INSERT INTO meta VALUES ('a', 'b')")
    opened?.close()
    opened = null
    // Applying the last migration a second time fails, as a faulty migration would.
    setVersion(migrations.length - 1)
    expect(() => open()).toThrow(
      expect.objectContaining({
        constructor: JournalError,
        message: expect.stringMatching(
          /^The journal couldn't be updated to version \d+: duplicate column name: resent\.$/,
        ),
        hint: expect.stringContaining(
          `If that doesn't help, move ${file} to another folder, and Slipway rebuilds it`,
        ),
      }),
    )
    expect(readdirSync(dir)).toEqual(['journal.db'])
    setVersion(migrations.length)
    const { db, setAside, fresh } = open()
    expect({ setAside, fresh }).toEqual({ setAside: null, fresh: false })
    expect(db.get("SELECT value FROM meta WHERE key = 'a'")).toEqual({ value: 'b' })
  })

  it('but is set aside where a migration finds damage that nothing has looked for yet', () => {
    writeVersionOne()
    const old = new DatabaseSync(file)
    const add = old.prepare(
      'INSERT INTO remote (file_id, filename, first_seen, last_seen) VALUES (?, ?, 1, 2)',
    )
    for (let i = 100; i < 2000; i++) add.run(i, 'x'.repeat(200))
    old.close()
    const bytes = readFileSync(file)
    bytes.fill(0x5a, Math.floor(bytes.length / 2))
    writeFileSync(file, bytes)
    seal.put(file, NOW)
    const { setAside, fresh } = open()
    expect({ why: setAside?.why, fresh }).toEqual({ why: 'corrupt', fresh: true })
  })

  it.each([
    ['3.51.3', false],
    ['3.51.10', false],
    ['3.52.0', false],
    ['4.0', false],
    ['3.51.2', true],
    ['3.51', true],
    ['3.9.9', true],
    ['2.60.9', true],
  ])('SQLite %s is too old for it: %s', (sqlite, isOld) => {
    expect(isTooOld(sqlite)).toBe(isOld)
  })
})

it('refuses work that is handed over once it is closed', async () => {
  const { db } = open()
  const before = db.soon(() => db.run("INSERT INTO meta (key, value) VALUES ('before', '1')"))
  db.close()
  await before
  let isRun = false
  await expect(
    db.soon(() => {
      isRun = true
    }),
  ).rejects.toThrow('The journal is closed.')
  expect(isRun).toBe(false)
})
