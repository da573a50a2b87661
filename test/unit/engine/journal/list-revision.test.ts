// The revision of a list: it changes with everything that can move a file in the list, and with nothing else.
// Actions on ranges of a list depend on it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import {
  type CatalogQuery,
  createRemote,
  type Remote,
} from '../../../../src-main/engine/journal/remote-list.ts'
import { createTransfers, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { memoryJournal } from './memory-journal.ts'
import { queuedRow } from './queued-row.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const BY_DATE: CatalogQuery = { search: '', sort: 'date', descending: true, offset: 0, limit: 100 }
const BY_DOWNLOADS: CatalogQuery = { ...BY_DATE, sort: 'downloads' }

let db: Database
let remote: Remote
let transfers: Transfers

function opened(): Database {
  return memoryJournal(NOW)
}
beforeEach(() => {
  db = opened()
  remote = createRemote(db, () => undefined)
  transfers = createTransfers(db)
  for (const fileId of [1, 2, 3]) remote.put(file(fileId), NOW, true)
})
afterEach(() => db.close())

const file = (
  fileId: number,
  over: { readonly size?: number; readonly downloadCount?: number; readonly filename?: string } = {},
) => ({
  fileId,
  filename: `file ${fileId}.pdf`,
  size: 10,
  uploadDate: '2026-11-20 12:00:00',
  downloadCount: 0,
  publicLink: `https://x.example.com/download/t${fileId}`,
  ...over,
})

/** Uploads file 3 from here, and records it. */
function upload(): number {
  const row = queuedRow('/home/share/file 3.pdf', { source: 'watch', folderId: 1, createdAt: NOW })
  const id = transfers.add(row)
  const { publicLink, filename } = file(3)
  transfers.done(
    id,
    { fileId: 3, publicLink, filename },
    { sha256: null, adopted: false, sent: true, at: NOW, server: null },
  )
  return id
}

describe('the revision of a list', () => {
  const revisions = (): readonly string[] => [
    remote.query(BY_DATE).revision,
    remote.query(BY_DOWNLOADS).revision,
  ]

  it.each<[string, () => void]>([
    ['a new file', () => remote.put(file(4), NOW, true)],
    ['a file that is gone', () => remote.markGone(2, NOW)],
    ['a file with another size', () => remote.put(file(2, { size: 11 }), NOW, true)],
    ['a file with another name', () => remote.put(file(2, { filename: 'a.jpg' }), NOW, true)],
    ['a file whose path, which is searched, is known', () => void upload()],
    ['another account', () => remote.forgetFiles()],
  ])('changes with %s', (_what, happens) => {
    const before = revisions()
    happens()
    const after = revisions()
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect(revisions()).toEqual(after)
  })

  it.each<[string, () => void]>([
    ['a file that is listed again', () => remote.put(file(2), NOW + 5, true)],
    ['a file that is asked for', () => remote.setAsked(2, NOW)],
    ['a walk of the list', () => void remote.setWalked(2, 2)],
    [
      'an upload that begins',
      () => void transfers.add(queuedRow('/new.txt', { source: 'watch', folderId: 1, createdAt: NOW })),
    ],
    ['the time zone of the service', () => remote.facts.set('zone', 0)],
  ])('does not change with %s', (_what, happens) => {
    const before = revisions()
    happens()
    expect(revisions()).toEqual(before)
  })

  it('changes with downloads only if these decide on the place', () => {
    const unopened = { ...BY_DATE, unopened: true }
    const before = [...revisions(), remote.query(unopened).revision]
    remote.put(file(2, { downloadCount: 1 }), NOW, true)
    expect(revisions()[0]).toBe(before[0])
    expect(revisions()[1]).not.toBe(before[1])
    expect(remote.query(unopened).revision).not.toBe(before[2])
  })

  it('changes with the time that a filter begins at, which the time zone shifts', () => {
    expect(remote.query({ ...BY_DATE, since: 1 }).revision).not.toBe(
      remote.query({ ...BY_DATE, since: 2 }).revision,
    )
  })

  it('changes where a path is moved, which the search finds', () => {
    const id = upload()
    const [before] = revisions()
    db.run('UPDATE transfers SET path = ? WHERE id = ?', '/home/share/moved.pdf', id)
    expect(revisions()[0]).not.toBe(before)
  })

  it('is another one in each opened journal', () => {
    const other = opened()
    expect(createRemote(other, () => undefined).query(BY_DATE).revision).not.toBe(
      remote.query(BY_DATE).revision,
    )
    other.close()
  })
})
