// The lists of an audit over many files: each step reads few rows, however many there are, and all steps
// together omit none. Uses a journal in memory and no engine.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { absolute } from '../../../../src-main/engine/disk/rel-path.ts'
import { directoryRow, fileRow } from '../../../../src-main/engine/find/entries.ts'
import { createClaims } from '../../../../src-main/engine/journal/claims.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createFiles, type Files } from '../../../../src-main/engine/journal/files.ts'
import { createTransfers } from '../../../../src-main/engine/journal/transfers.ts'
import type { AuditList } from '../../../../src-shared/model.ts'
import { memoryJournal } from './memory-journal.ts'
import { queuedRow } from './queued-row.ts'

const ENTRY = { size: 1, mtime: 1, ctime: 1, ino: 1, dev: 1 }

let db: Database
let files: Files

beforeEach(() => {
  db = memoryJournal()
  files = createFiles(db)
  db.tx(() => {
    for (let i = 0; i < 12_000; i++)
      files.put(fileRow(1, `d${i % 7}`, `f${i}`, ENTRY, { class: i % 3 === 0 ? 'ignored' : 'settling' }))
    files.put(directoryRow(1, 'z', 'unreadable', 1, 'unreadable'))
  })
})
afterEach(() => db.close())

function stepsOf(list: AuditList | null, limit: number): readonly (readonly string[])[] {
  const steps: string[][] = []
  for (let after: string | null = null; ; ) {
    const step = files.entries({ folderId: 1, root: '/r', list, after, limit, join: absolute })
    steps.push(step.entries.map((entry) => entry.path))
    if (step.next === null) return steps
    after = step.next
  }
}

it('finds the one that is behind all others, in several steps', () => {
  expect(stepsOf('failed', 200)).toEqual([[], [], [absolute('/r', 'z', '')]])
})

it.each([
  ['ignored', 700, 4000],
  ['waiting', 5000, 8000],
  [null, 5000, 12_001],
] as const)('leaves out none and repeats none: %s, %i at a time', (list, limit, count) => {
  const steps = stepsOf(list, limit)
  const all = steps.flat()
  expect(all).toHaveLength(count)
  expect(new Set(all).size).toBe(count)
  for (const step of steps) expect(step.length).toBeLessThanOrEqual(limit)
})

it.each([
  ['replaced', 'replaced'],
  ['deleted', 'deleted'],
] as const)('says why an upload is no longer that of its file: %s', (why, reason) => {
  const transfers = createTransfers(db)
  const id = transfers.add(queuedRow('/r/a', { folderId: 2 }))
  const receipt = { fileId: 7, publicLink: 'https://x.example.com/7', filename: 'a' }
  transfers.done(id, receipt, { sha256: null, adopted: false, sent: true, at: 1, server: null })
  createClaims(db).end(7, '/r/a', why, 2)
  files.put(fileRow(2, '', 'a', ENTRY, { transferId: id }))
  const { entries } = files.entries({
    folderId: 2,
    root: '/r',
    list: null,
    after: null,
    limit: 10,
    join: absolute,
  })
  expect(entries).toMatchObject([{ list: 'ignored', reason, publicLink: null }])
})

it('finds what isn’t uploaded by a part of its path, ignoring case and accents', () => {
  const names = (search: string): readonly string[] => {
    const q = { folderId: 3, root: '/r', list: null, search, after: null, limit: 10 }
    return files.entries({ ...q, join: absolute }).entries.map((entry) => entry.path)
  }
  files.put(fileRow(3, 'Café', 'Entwurf_1.TMP', ENTRY, { class: 'ignored', rule: '*.tmp' }))
  files.put(fileRow(3, 'Café', 'EntwurfX1.TMP', ENTRY, { class: 'ignored', rule: '*.tmp' }))
  files.put(directoryRow(3, 'Café/.git', 'ignored', 9, '.git/'))
  expect(names('cafe/entwurf_1.tmp')).toEqual([absolute('/r', 'Café', 'Entwurf_1.TMP')])
  expect(names('.git')).toEqual([absolute('/r', 'Café/.git', '')])
  expect(names('other')).toEqual([])
})
