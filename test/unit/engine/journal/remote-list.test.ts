// The cached list as rows of the journal. Pages, searches and filters are compared with a simple sort of
// plain objects. Also tests the effects of changes, and the history by day.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readListAnswer } from '../../../../src-main/api/parse.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createFileIds } from '../../../../src-main/engine/journal/file-ids.ts'
import { createLikes } from '../../../../src-main/engine/journal/match-queries.ts'
import {
  type CatalogQuery,
  createRemote,
  type Remote,
} from '../../../../src-main/engine/journal/remote-list.ts'
import { createTransfers, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { lastDays, localDay } from '../../../../src-main/engine/journal/usage.ts'
import { readHistory } from '../../../../src-main/engine/remote/stats-refresh.ts'
import { remoteView } from '../../../../src-main/engine/tell/views.ts'
import { fileKind } from '../../../../src-shared/file-kind.ts'
import { foldText } from '../../../../src-shared/fold-text.ts'
import { memoryJournal } from './memory-journal.ts'
import { queuedRow } from './queued-row.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAY = 86_400_000

let db: Database
let remote: Remote
let transfers: Transfers
let changes = 0
beforeEach(() => {
  db = memoryJournal(NOW)
  changes = 0
  remote = createRemote(db, () => {
    changes++
  })
  transfers = createTransfers(db)
})
afterEach(() => db.close())

interface Item {
  readonly fileId: number
  readonly filename: string | null
  readonly size: number | null
  readonly uploadDate: string | null
  readonly downloadCount: number | null
  readonly publicLink: string | null
}

function item(fileId: number, over: Partial<Item> = {}): Item {
  return {
    fileId,
    filename: `file ${fileId}.pdf`,
    size: fileId * 10,
    uploadDate: shown(NOW - fileId * 60_000),
    downloadCount: 0,
    publicLink: `https://x.example.com/download/t${fileId}`,
    ...over,
  }
}

function shown(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** A completed transfer of this file. */
function own(fileId: number, path: string, at = NOW): number {
  const row = queuedRow(path, { source: 'watch', folderId: 1, createdAt: at })
  const id = transfers.add(row)
  transfers.done(
    id,
    { fileId, publicLink: `https://x.example.com/download/t${fileId}`, filename: row.name },
    { sha256: null, adopted: false, sent: true, at, server: null },
  )
  return id
}

const BASE: CatalogQuery = { search: '', sort: 'id', descending: false, offset: 0, limit: 100 }
const ids = (q: Partial<CatalogQuery>): readonly number[] =>
  remote.query({ ...BASE, ...q }).rows.map((row) => row.fileId)

it.each([2.5, 1e20])('stores a list in which a download count of %d follows one of 0', (count) => {
  own(1, '/home/share/a.pdf')
  remote.put(item(1), NOW, true)
  const got = readListAnswer(
    { success: true, files: [{ file_id: 1, download_count: count }] },
    'https://files.example.com/api/v1',
  )
  const [file] = got.kind === 'value' ? got.value.files : []
  if (file === undefined) throw new Error('no file')
  remote.put({ ...file, fileId: 1, filename: 'renamed.pdf' }, NOW + 1000, true)
  expect(remote.get(1)).toMatchObject({ filename: 'renamed.pdf', downloadCount: 0 })
})

describe('search', () => {
  beforeEach(() => {
    own(1, '/home/share/Reisen/Übersicht.pdf')
    remote.put(item(1, { filename: 'Übersicht.pdf' }), NOW, true)
    remote.put(item(2, { filename: '100% sure_thing.zip' }), NOW, true)
    remote.put(
      item(3, { filename: 'Plan \\ B.txt', publicLink: 'https://x.example.com/download/AbCdE' }),
      NOW,
      true,
    )
    remote.put(item(4, { filename: null, publicLink: null }), NOW, true)
  })
  it.each([
    ['ubersicht', [1]],
    ['ÜBERSICHT', [1]],
    ['/share/reisen', [1]],
    ['abcde', [3]],
    ['%', [2]],
    ['_', [2]],
    ['\\', [3]],
    ['pdf\n/home', [1]],
    ['nothing like it', []],
    ['', [1, 2, 3, 4]],
  ])('%j finds %j', (search, found) => {
    expect(ids({ search })).toEqual(found)
  })
  it('finds a file where it was moved to, and no more where it was', () => {
    transfers.setPath(1, '/home/share/Archiv/Neu.pdf', 'Neu.pdf')
    expect(ids({ search: 'archiv' })).toEqual([1])
    expect(ids({ search: 'reisen' })).toEqual([])
  })
  it('forgets what is gone and finds it again when it is back', () => {
    remote.markGone(1, NOW)
    expect(ids({ search: 'ubersicht' })).toEqual([])
    remote.put(item(1, { filename: 'Übersicht.pdf' }), NOW, true)
    expect(ids({ search: 'ubersicht' })).toEqual([1])
  })
})

describe('pages', () => {
  const items: Item[] = []
  /** Numbers that look random but are the same in every run. */
  const draw = (i: number, most: number): number => (Math.imul(i + 1, 2_654_435_761) >>> 7) % most
  beforeEach(() => {
    items.length = 0
    const words = ['alpha', 'Beta', 'gamma', 'Äpfel', 'zeta']
    const ends = ['pdf', 'jpg', 'zip', 'ts', 'x']
    db.tx(() => {
      for (let i = 0; i < 3000; i++) {
        const made = item(i + 1, {
          filename: `${words[draw(i, 5)]} ${draw(i * 3, 900)}.${ends[draw(i * 7, 5)]}`,
          size: draw(i * 11, 10) === 0 ? null : draw(i * 5, 100_000),
          uploadDate: shown(NOW - draw(i * 13, 4000) * 60_000),
          downloadCount: draw(i * 17, 6) === 0 ? null : draw(i * 19, 5),
        })
        items.push(made)
        remote.put(made, NOW, true)
        if (i % 9 === 0) remote.markGone(made.fileId, NOW)
      }
    })
  })

  /** The expected result according to the contract. */
  const expected = (q: CatalogQuery): { readonly ids: readonly number[]; readonly total: number } => {
    const key = (one: Item): number | string => {
      if (q.sort === 'name') return foldText(`${one.filename ?? ''}\n\n${one.publicLink ?? ''}`)
      if (q.sort === 'date') return Date.parse(`${one.uploadDate?.replace(' ', 'T')}Z`)
      if (q.sort === 'size') return one.size ?? -1
      return q.sort === 'downloads' ? (one.downloadCount ?? -1) : one.fileId
    }
    const found = items
      .filter((_one, i) => i % 9 !== 0)
      .filter((one) => foldText(`${one.filename}\n\n${one.publicLink}`).includes(foldText(q.search)))
      .filter((one) => q.kind === undefined || fileKind(one.filename) === q.kind)
      .filter(
        (one) => q.since === undefined || Date.parse(`${one.uploadDate?.replace(' ', 'T')}Z`) >= q.since,
      )
      .filter((one) => q.unopened !== true || one.downloadCount === 0)
      .map((one) => ({ key: key(one), id: one.fileId }))
      .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id))
    if (q.descending) found.reverse()
    return { ids: found.slice(q.offset, q.offset + q.limit).map((one) => one.id), total: found.length }
  }

  const sorts = ['date', 'name', 'size', 'downloads', 'id'] as const
  const filters: readonly Partial<CatalogQuery>[] = [
    {},
    { search: 'a' },
    { search: 'apfel' },
    { search: 'beta 12' },
    { search: 'nobody' },
    { kind: 'picture' },
    { unopened: true },
    { since: NOW - 1000 * 60_000 },
    { search: 'eta', kind: 'document', unopened: true },
    { search: 'e', since: NOW - 2000 * 60_000 },
  ]
  it.each(filters)('%j are in order, forwards and back, first page and last', (filter) => {
    for (const sort of sorts)
      for (const descending of [false, true])
        for (const offset of [0, 150, 2600]) {
          const q = { ...BASE, ...filter, sort, descending, offset, limit: 50 }
          const got = remote.query(q)
          expect({ q, ids: got.rows.map((row) => row.fileId), total: got.total }).toEqual({
            q,
            ...expected(q),
          })
        }
  })

  it('count anew after every change', () => {
    const before = remote.query({ ...BASE, search: 'alpha' }).total
    remote.put(item(9000, { filename: 'alpha new.pdf' }), NOW, true)
    expect(remote.query({ ...BASE, search: 'alpha' }).total).toBe(before + 1)
    remote.markGone(9000, NOW)
    expect(remote.query({ ...BASE, search: 'alpha' }).total).toBe(before)
  })
})

describe('dates', () => {
  it('an own file whose date is not told yet stands where it belongs, whatever the zone of the service', () => {
    remote.facts.set('zone', 2 * 3_600_000)
    // Files 1 and 3 are dated an hour ago and in an hour, in the service's time zone, which is two hours
    // ahead.
    remote.put(item(1, { uploadDate: shown(NOW + 3_600_000) }), NOW, true)
    remote.put(item(2, { uploadDate: null }), NOW, false)
    remote.put(item(3, { uploadDate: shown(NOW + 3 * 3_600_000) }), NOW, true)
    expect(ids({ sort: 'date' })).toEqual([1, 2, 3])
    // The next list has the date of file 2, which changes nothing.
    remote.put(item(2, { uploadDate: shown(NOW + 2 * 3_600_000) }), NOW + 1000, true)
    expect(ids({ sort: 'date' })).toEqual([1, 2, 3])
  })
  it('a date that can not be read leaves the row where it was', () => {
    remote.put(item(1, { uploadDate: 'yesterday' }), NOW - 1000, true)
    remote.put(item(2), NOW, true)
    remote.put(item(1, { uploadDate: 'yesterday', downloadCount: 9 }), NOW + DAY, true)
    expect(remote.recent(NOW)).toEqual({ files: 0, unopened: 0 })
  })
})

describe('what a row tells', () => {
  const view = (fileId: number) => {
    const row = remote.row(fileId)
    if (row === null) throw new Error('no row')
    return remoteView(row, 'bytes', 0, createFileIds(db, () => NOW).shown)
  }
  it('where it came from and whether the original is there', () => {
    const id = own(1, '/home/share/a.pdf')
    remote.put(item(1), NOW, true)
    remote.put(item(2, { filename: 'b.png' }), NOW, true)
    expect(view(1)).toMatchObject({
      kind: 'document',
      transferId: id,
      source: 'watch',
      original: 'there',
      localPath: '/home/share/a.pdf',
    })
    transfers.setAway(id, true)
    expect(view(1)).toMatchObject({ original: 'gone' })
    expect(view(2)).toMatchObject({
      kind: 'picture',
      transferId: null,
      source: null,
      original: null,
      localPath: null,
    })
  })
  it('the last eight counts, oldest first', () => {
    for (let i = 0; i < 12; i++) remote.put(item(1, { downloadCount: i * i }), NOW + i, true)
    expect(view(1).pulse).toEqual([16, 25, 36, 49, 64, 81, 100, 121])
  })
})

describe('a change', () => {
  it('is told once for what is new or other, and never for what is the same', () => {
    remote.put(item(1), NOW, true)
    remote.put(item(1), NOW + 1, true)
    remote.put({ ...item(1), size: null, publicLink: null, downloadCount: null }, NOW + 2, true)
    expect(changes).toBe(1)
    expect(remote.get(1)).toMatchObject({ size: 10, downloadCount: 0 })
    remote.put(item(1, { downloadCount: 1 }), NOW + 3, true)
    remote.markGone(1, NOW + 4)
    remote.markGone(1, NOW + 5)
    expect(changes).toBe(3)
  })

  it.each<
    [
      string,
      { own: number | null; counts: readonly (number | null)[] },
      readonly { gain: number; first: boolean }[],
    ]
  >([
    [
      'a known nothing that becomes one',
      { own: null, counts: [0, 1] },
      [
        { gain: 0, first: false },
        { gain: 1, first: true },
      ],
    ],
    [
      'more and more',
      { own: null, counts: [0, 2, 7] },
      [
        { gain: 0, first: false },
        { gain: 2, first: true },
        { gain: 5, first: false },
      ],
    ],
    [
      'a file of which only the count is news',
      { own: null, counts: [null, 40] },
      [
        { gain: 0, first: false },
        { gain: 0, first: false },
      ],
    ],
    [
      'our own of today',
      { own: NOW - 1000, counts: [null, 3] },
      [
        { gain: 0, first: false },
        { gain: 3, first: true },
      ],
    ],
    [
      'our own of last week',
      { own: NOW - 7 * DAY, counts: [null, 3] },
      [
        { gain: 0, first: false },
        { gain: 0, first: false },
      ],
    ],
    [
      'a count that falls',
      { own: null, counts: [5, 2] },
      [
        { gain: 0, first: false },
        { gain: 0, first: false },
      ],
    ],
    [
      'a service that says nothing',
      { own: NOW, counts: [0, null] },
      [
        { gain: 0, first: false },
        { gain: 0, first: false },
      ],
    ],
  ])('%s', (_name, given, wanted) => {
    if (given.own !== null) own(1, '/home/a.pdf', given.own)
    expect(
      given.counts.map((downloadCount, i) => remote.put(item(1, { downloadCount }), NOW + i, true)),
    ).toEqual(wanted)
  })

  it('keeps a bounded past of each file', () => {
    db.tx(() => {
      for (let i = 0; i < 1000; i++) remote.put(item(1, { downloadCount: i }), NOW + i, true)
    })
    expect(remote.pulse(1).length).toBeLessThan(500)
    expect(remote.pulse(1).at(-1)).toEqual({ at: NOW + 999, count: 999 })
  })
})

describe('rows with holes', () => {
  it('the newest that a list has shown, until it was asked for', () => {
    remote.put(item(1, { publicLink: null }), NOW, true)
    remote.put(item(2, { publicLink: null }), NOW, true)
    remote.put(item(3), NOW, true)
    // A file that this program has uploaded and no list has shown yet. The next list will contain its count.
    remote.put(item(4, { uploadDate: null }), NOW, false)
    expect(remote.incomplete()).toBe(2)
    remote.setAsked(2, NOW)
    expect(remote.incomplete()).toBe(1)
    remote.put(item(1), NOW, true)
    expect(remote.incomplete()).toBe(null)
    remote.put(item(4, { uploadDate: null }), NOW, true)
    expect(remote.incomplete()).toBe(4)
  })
})

describe('files to look for', () => {
  it('are those of a day without a download, the one asked for longest ago first', () => {
    const since = NOW - DAY
    remote.put(item(1), NOW, true)
    remote.put(item(2, { downloadCount: null }), NOW, true)
    remote.put(item(3, { downloadCount: 4 }), NOW, true)
    remote.put(item(4, { uploadDate: shown(NOW - 2 * DAY) }), NOW, true)
    expect(remote.recent(since)).toEqual({ files: 3, unopened: 2 })
    expect(remote.lookFor(since)).toBe(2)
    remote.setAsked(2, NOW)
    expect(remote.lookFor(since)).toBe(1)
    remote.setAsked(1, NOW + 1)
    // File 1 was requested by its ID, and the response had no count either, so it isn't requested again.
    expect(remote.lookFor(since)).toBe(1)
  })
})

describe('transfers', () => {
  const find = (q: Partial<Parameters<Transfers['page']>[0]>): readonly number[] =>
    transfers.page({ folderId: null, states: [], afterId: 0, limit: 10, ...q }).map((row) => row.id)
  beforeEach(() => {
    for (const path of ['/a/Ärger.txt', '/a/b.txt', '/b/ARGER 2.txt', '/b/c_d.txt']) own(1, path)
  })
  it.each([
    [{}, [1, 2, 3, 4]],
    [{ search: 'arger' }, [1, 3]],
    [{ search: '/A/' }, [1, 2]],
    [{ search: 'ÄRGER', beforeId: Number.MAX_SAFE_INTEGER }, [3, 1]],
    [{ beforeId: 4, limit: 2 }, [3, 2]],
    [{ beforeId: 2, afterId: 3 }, [1]],
    [{ search: '_' }, [4]],
    [{ search: '' }, [1, 2, 3, 4]],
    [{ search: 'arger', states: ['queued'] }, []],
    [{ search: 'arger', afterId: 1 }, [3]],
  ])('%j gives %j', (q, wanted) => {
    expect(find(q)).toEqual(wanted)
  })
  it('are found under their new path', () => {
    transfers.setPath(2, '/moved/elsewhere.txt', 'elsewhere.txt')
    expect(find({ search: 'elsewhere' })).toEqual([2])
    expect(find({ search: 'b.txt' })).toEqual([])
  })
})

describe('history', () => {
  it('has ninety days without gaps, whatever the calendar does', () => {
    for (const at of [NOW, Date.UTC(2026, 2, 29, 12), Date.UTC(2028, 1, 29, 23, 30), Date.UTC(2026, 0, 1)]) {
      const days = lastDays(at, 90)
      expect(days.length).toBe(90)
      expect(days.at(-1)).toBe(localDay(at))
      expect(new Set(days).size).toBe(90)
      expect(days.toSorted()).toEqual(days)
    }
  })

  const read = (unitBytes: number | null = 1) =>
    readHistory({ db, ids: createFileIds(db, () => NOW), remote, now: NOW, paceOffset: 0, unitBytes })

  it('is all noughts where nothing was', () => {
    const history = read()
    expect(history.days.length).toBe(90)
    expect(history.days[0]).toEqual({
      day: localDay(NOW - 89 * DAY),
      uploads: 0,
      bytes: 0,
      requests: 0,
      downloads: 0,
      storedFiles: null,
      storedBytes: null,
    })
    expect(history.minutes.length).toBe(60)
    expect(history.minutes.at(-1)).toEqual({ at: NOW, requests: 0 })
    expect(history.top).toEqual([])
  })

  it('adds up what was used on a day, and keeps the last figures', () => {
    remote.addUsage(localDay(NOW), { uploads: 1, bytes: 100 })
    remote.addUsage(localDay(NOW), { uploads: 1, bytes: 50, requests: 3 })
    remote.addUsage(localDay(NOW - DAY), { requests: 7 })
    remote.setStored(localDay(NOW), 5, 1000)
    remote.setStored(localDay(NOW), 6, null)
    remote.put(item(1), NOW, true)
    remote.put(item(1, { downloadCount: 4 }), NOW + 1, true)
    const [yesterday, today] = read(1024).days.slice(-2)
    expect(today).toEqual({
      day: localDay(NOW),
      uploads: 2,
      bytes: 150,
      requests: 3,
      downloads: 4,
      storedFiles: 6,
      storedBytes: 1_024_000,
    })
    expect(yesterday).toMatchObject({ requests: 7, uploads: 0, storedBytes: null })
    expect(read(null).days.at(-1)).toMatchObject({ storedFiles: 6, storedBytes: null })
  })

  it('shows the requests of the last hour by the minute', () => {
    const at = (minutesAgo: number): number => NOW - minutesAgo * 60_000 + 30_000
    for (const [i, ago] of [0, 0, 1, 59, 60, 500].entries())
      db.run("INSERT INTO requests VALUES (?, 'list', ?, ?)", i + 1, at(ago), at(ago))
    const { minutes } = read()
    expect(minutes.at(-1)).toEqual({ at: NOW, requests: 2 })
    expect(minutes.at(-2)?.requests).toBe(1)
    expect(minutes[0]).toEqual({ at: NOW - 59 * 60_000, requests: 1 })
    expect(minutes.reduce((sum, minute) => sum + minute.requests, 0)).toBe(4)
  })

  it('names the five most downloaded of a week', () => {
    for (let i = 1; i <= 7; i++) {
      remote.put(item(i), NOW - 10 * DAY, true)
      remote.put(item(i, { downloadCount: 100 }), NOW - 8 * DAY, true)
      remote.put(item(i, { downloadCount: 100 + i }), NOW - DAY, true)
    }
    const { top } = read()
    expect(top.map((one) => one.fileId)).toEqual([7, 6, 5, 4, 3])
    expect(top[0]).toEqual({ fileId: 7, filename: 'file 7.pdf', gained: 7, total: 107, pulse: [0, 100, 107] })
  })
})

describe('queued deletions', () => {
  const become = (account: string): void => remote.facts.set('account', account)

  it('of one account are none of another, whatever their IDs', () => {
    become('one')
    remote.put(item(7), NOW, true)
    remote.addRemoval(7, 'asked', NOW)
    become('two')
    expect({
      row: remote.row(7)?.deleting,
      one: remote.removal(7),
      is: remote.isRemoval(7),
      next: remote.nextRemoval(),
    }).toEqual({
      row: false,
      one: null,
      is: false,
      next: null,
    })
    remote.delayRemoval(7, { until: NOW + DAY, charged: true, sent: true })
    remote.removalSent(7)
    remote.dropRemoval(7)
    become('one')
    expect(remote.removal(7)).toMatchObject({ reason: 'asked', attempts: 0, sent: false, until: null })
  })

  it.each(['asked', 'torn'])('of another account are replaced by one with the same ID: %s', (reason) => {
    become('one')
    remote.addRemoval(7, 'asked', NOW)
    remote.delayRemoval(7, { until: NOW + DAY, charged: true, sent: true })
    become('two')
    remote.addRemoval(7, reason, NOW + 1)
    expect(remote.removals(NOW + 1, 10)).toEqual([
      { fileId: 7, reason, attempts: 0, sent: false, until: null, createdAt: NOW + 1 },
    ])
    become('one')
    expect(remote.removal(7)).toBeNull()
  })

  it('keep their attempts and their reason if another cause is added', () => {
    become('one')
    remote.addRemoval(7, 'asked', NOW)
    remote.delayRemoval(7, { until: NOW + DAY, charged: true, sent: true })
    remote.addRemoval(7, 'twin', NOW + 1)
    expect(remote.removal(7)).toMatchObject({
      reason: 'asked',
      attempts: 1,
      sent: true,
      until: NOW + DAY,
      createdAt: NOW,
    })
  })
})

describe('a file with the ID of a deleted one', () => {
  const former = item(7)
  const next = item(7, { filename: 'other.pdf', publicLink: 'https://x.example.com/download/other' })

  beforeEach(() => {
    remote.noteLook(7)
    remote.put({ ...former, downloadCount: 3 }, NOW, true)
    createLikes(db).setBytes(7, { bytes: 70, sha256: 'former' })
    db.run('UPDATE marks SET n = n + 1')
    remote.markGone(7, NOW + 1)
  })

  it('is another file if its link is another one: nothing of the former applies to it', () => {
    remote.put(next, NOW + 2, true)
    expect(remote.get(7)).toMatchObject({ firstSeen: NOW + 2, firstMark: 1, goneAt: null, downloadCount: 0 })
    expect(createLikes(db).bytesOf(7)).toBeNull()
    expect(remote.pulse(7)).toEqual([{ at: NOW + 2, count: 0 }])
  })

  it.each([
    ['cancelled', null],
    ['done', 'deleted'],
  ])('is no receipt, even if the former was that of a transfer (%s, %s)', (state, ended) => {
    db.run(
      `INSERT INTO transfers (source, path, name, size, mtime, state, created_at, file_id, sent, ended)
       VALUES ('upload', '/a', 'a', 1, 1, ?, 1, 7, 1, ?)`,
      state,
      ended,
    )
    remote.put(next, NOW + 2, true)
    expect(createTransfers(db).isReceipt(7, -1)).toBe(false)
  })

  it('is the same file again if its link is the same', () => {
    remote.put(former, NOW + 2, true)
    expect(remote.get(7)).toMatchObject({ firstSeen: NOW, firstMark: 0, goneAt: null })
    expect(createLikes(db).bytesOf(7)).toEqual({ bytes: 70, sha256: 'former' })
  })
})
