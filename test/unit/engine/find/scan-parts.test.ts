// Table-driven tests of a scan's decisions: a file compared with its row, names that a disk may treat as
// equal, files that count as existing. scanner.test.ts tests the scanner as a whole.
import { describe, expect, it } from 'vitest'
import { type FileVerdict, fileVerdict } from '../../../../src-main/engine/find/compare-entry.ts'
import { UNVERIFIED_CTIME } from '../../../../src-main/engine/find/enqueue.ts'
import { fileRow } from '../../../../src-main/engine/find/entries.ts'
import {
  EXISTING_RULE,
  ExistingFiles,
  LEFT_RULE,
  type Sighting,
} from '../../../../src-main/engine/find/existing-files.ts'
import { ABORTED, foldName, ScanRun, unansweredIn } from '../../../../src-main/engine/find/scan-run.ts'
import type { FileRow, FolderRow } from '../../../../src-main/engine/journal/files.ts'
import type { TransferRow } from '../../../../src-main/engine/journal/transfers.ts'
import type { DiskFailure, Entry } from '../../../../src-main/engine/ports.ts'

const entry: Entry = { name: 'f', kind: 'file', size: 10, mtime: 1000, ctime: 1000, ino: 7, dev: 1 }
const row = (over: Partial<FileRow> = {}): FileRow => ({ ...fileRow(1, '', 'f', entry), ...over })

describe('fileVerdict', () => {
  it.each<readonly [string, FileRow | null, boolean, FileVerdict]>([
    ['no row', null, false, 'new'],
    ['the same size and time', row(), false, 'known'],
    ['another inode alone, as after a copy with its times', row({ ino: 8 }), false, 'known'],
    ['no change time on record', row({ ctime: null }), false, 'known'],
    ['another change time', row({ ctime: 999 }), false, 'touched'],
    ['another size', row({ size: 11 }), false, 'new'],
    ['another time', row({ mtime: 1001 }), false, 'new'],
    ['still settling', row({ class: 'settling' }), false, 'new'],
    ['could not be read until now', row({ class: 'unreadable', rule: 'unreadable' }), false, 'known'],
    [
      'existing, and existing files are skipped',
      row({ class: 'ignored', rule: EXISTING_RULE }),
      true,
      'existing',
    ],
    [
      'existing, until its bytes are compared',
      row({ class: 'ignored', rule: EXISTING_RULE, ctime: UNVERIFIED_CTIME }),
      true,
      'new',
    ],
    [
      'existing, and existing files are uploaded by now',
      row({ class: 'ignored', rule: EXISTING_RULE }),
      false,
      'new',
    ],
    ['existing, and another size', row({ class: 'ignored', rule: EXISTING_RULE, size: 11 }), true, 'new'],
    ['left out by a rule that no longer applies', row({ class: 'ignored', rule: '*.log' }), true, 'new'],
  ])('%s', (_what, known, skipsExisting, verdict) => {
    expect(fileVerdict(entry, known, skipsExisting)).toBe(verdict)
  })
})

describe('ExistingFiles', () => {
  const folder: FolderRow = {
    id: 1,
    path: '/watched',
    existing: 'skip',
    onChange: 'new-link',
    ignore: [],
    limits: null,
    paused: false,
    keep: false,
    rootDev: 1,
    rootIno: 1,
    createdAt: 5000,
    lastScanAt: null,
    named: null,
    since: 5000,
    counted: false,
    withdrawnAt: null,
    graceSeconds: 0,
    after: 'keep',
  }

  const pending = { state: 'queued' } as TransferRow
  const none = { newestOfPath: () => null }
  const seen: Sighting = { late: false, skippedAs: null, hasChanged: false, readAt: 7000, prior: null }

  it.each<readonly [string, Partial<FolderRow>, Partial<Entry>, Partial<Sighting>, boolean]>([
    ['changed before the folder was watched', {}, { ctime: 4000 }, {}, true],
    ['changed after it', {}, { ctime: 6000 }, {}, false],
    ['changed in the very millisecond in which it was read', {}, { ctime: 7000.9 }, {}, false],
    ['a change time later than it was read: a clock was set back', {}, { ctime: 8000 }, {}, true],
    ['a time of its own later than it was read, as on FAT', {}, { mtime: 8000, ctime: 0 }, {}, true],
    ['old bytes that arrived after it', {}, { mtime: 1, ctime: 6000 }, {}, false],
    ['no change time, as on FAT: its own time counts', {}, { mtime: 4000, ctime: 0 }, {}, true],
    [
      'a change time of 1601, as Windows reports it on exFAT, and saved after it',
      {},
      { mtime: 6000, ctime: Date.UTC(1601, 0, 1) },
      {},
      false,
    ],
    [
      'a change time of 1601, and saved before it',
      {},
      { mtime: 4000, ctime: Date.UTC(1601, 0, 1) },
      {},
      true,
    ],
    ['turned up after a complete scan, whatever its times', { counted: true }, { ctime: 4000 }, {}, false],
    ['turned up after it on a server whose clock is ahead', { counted: true }, { ctime: 8000 }, {}, false],
    ['passed over by that scan: its times count', { counted: true }, { ctime: 4000 }, { late: true }, true],
    [
      'passed over, with a time later than it was read',
      { counted: true },
      { ctime: 8000 },
      { late: true },
      true,
    ],
    [
      'recorded by it, and saved again where the clock is ahead',
      { counted: true },
      { ctime: 8000 },
      { late: true, hasChanged: true },
      false,
    ],
    [
      'recorded by it, with other permissions since',
      { counted: true },
      { ctime: 6000 },
      { late: true, skippedAs: EXISTING_RULE },
      true,
    ],
    [
      'recorded by it, but existing files are uploaded now',
      { existing: 'upload' },
      { ctime: 4000 },
      { skippedAs: EXISTING_RULE },
      false,
    ],
    ['existing files are uploaded', { existing: 'upload' }, { ctime: 4000 }, {}, false],
  ])('%s', (_what, settings, times, how, expected) => {
    const files = new ExistingFiles(
      { row: { ...folder, ...settings }, left: { around: () => null, hasSeen: () => false } },
      none,
    )
    expect(files.ruleFor('', { ...entry, ...times }, { ...seen, ...how })).toBe(
      expected ? EXISTING_RULE : null,
    )
  })

  it('knows a file again that has left its place, and no other', () => {
    const files = new ExistingFiles(
      { row: { ...folder, counted: true }, left: { around: () => null, hasSeen: () => false } },
      none,
    )
    files.remember(row({ class: 'ignored', rule: EXISTING_RULE }))
    files.remember(row({ class: 'ignored', rule: '*.log', ino: 8 }))
    expect(files.ruleFor('', entry, seen)).toBe(EXISTING_RULE)
    expect(files.ruleFor('', { ...entry, ino: 8 }, seen)).toBe(null)
    expect(files.ruleFor('', { ...entry, size: 11 }, seen)).toBe(null)
  })

  it('knows every file of a large directory again that has left its place', () => {
    const files = new ExistingFiles(
      { row: { ...folder, counted: true }, left: { around: () => null, hasSeen: () => false } },
      none,
    )
    const count = 250_000
    for (let ino = 1; ino <= count; ino++) files.remember(row({ class: 'ignored', rule: EXISTING_RULE, ino }))
    const published = Array.from({ length: count }, (_, i) => i + 1).filter(
      (ino) => files.ruleFor('', { ...entry, ino }, seen) === null,
    )
    expect(published).toEqual([])
  })

  it.each<readonly [string, boolean, Partial<Entry>, Partial<Sighting>, boolean]>([
    ['changed before the watch ended', false, { ctime: 5999 }, {}, true],
    ['changed after it', false, { ctime: 6001 }, {}, false],
    [
      'changed after it, by what is known, but recorded by the nested folder',
      false,
      { ctime: 6001, mtime: 4321 },
      {},
      true,
    ],
    ['recorded by it, and moved in after a complete scan', true, { ctime: 6001, mtime: 4321 }, {}, false],
    ['turned up after a complete scan', true, { ctime: 4000 }, {}, false],
    ['unreadable during that scan', true, { ctime: 4000 }, { late: true }, true],
    [
      'recorded by it, with other permissions since',
      true,
      { ctime: 6500 },
      { late: true, skippedAs: LEFT_RULE },
      true,
    ],
    [
      'skipped as existing until existing files are uploaded',
      true,
      { ctime: 6500 },
      { late: true, skippedAs: EXISTING_RULE },
      false,
    ],
    ['waiting in the outer folder', false, { ctime: 4000 }, { prior: { ...pending, folderId: 1 } }, false],
    ['waiting in the inner folder', false, { ctime: 4000 }, { prior: { ...pending, folderId: 2 } }, true],
  ])('skips what was left in a nested folder: %s', (_what, counted, times, how, expected) => {
    const ended = { innerId: 2, path: '/watched/inner', rootDev: 1, rootIno: 2, endedAt: 6000, counted }
    const left: ConstructorParameters<typeof ExistingFiles>[0]['left'] = {
      around: (dir) => (dir === 'inner' ? ended : null),
      hasSeen: (_ended, _dir, { mtime }) => mtime === 4321,
    }
    const files = new ExistingFiles({ row: { ...folder, existing: 'upload', counted: true }, left }, none)
    expect(files.ruleFor('inner', { ...entry, ...times }, { ...seen, ...how })).toBe(
      expected ? LEFT_RULE : null,
    )
    if (how.skippedAs === undefined)
      expect(files.ruleFor('', { ...entry, ...times }, { ...seen, ...how })).toBe(null)
  })
})

describe('foldName', () => {
  it.each([
    ['Photo.JPG', 'photo.jpg', true],
    ['u\u0308ber', '\u00fcber', true],
    ['photo.jpg', 'photo.jpeg', false],
  ])('%j and %j', (a, b, isSame) => {
    expect(foldName(a) === foldName(b)).toBe(isSame)
  })
})

describe('unansweredIn', () => {
  const failure = (code: DiskFailure['code']): DiskFailure => ({ code, message: code })

  it.each<readonly [string, readonly (Entry | DiskFailure | null)[], number, 'failed' | null]>([
    ['all answered', [entry, null], 2, null],
    ['nothing was asked', [], 0, null],
    ['a failure that says something', [failure('denied'), entry], 2, null],
    ['too few answers', [entry], 2, 'failed'],
    ['an interrupted one', [entry, failure('interrupted')], 2, 'failed'],
  ])('%s', (_what, stats, asked, reason) => {
    expect(unansweredIn(stats, asked)?.reason ?? null).toBe(reason)
  })
})

describe('ScanRun', () => {
  it('adds up what is in and below an ignored directory, under the rule that left it out', () => {
    const run = new ScanRun(new AbortController().signal, true)
    for (const count of [3, 0, 2]) run.countIgnored({ dir: 'node_modules', rule: 'node_modules/' }, count)
    run.countIgnored({ dir: 'empty', rule: '*' }, 0)
    expect([...run.ignoredCounts]).toEqual([
      ['node_modules', { rule: 'node_modules/', count: 5 }],
      ['empty', { rule: '*', count: 0 }],
    ])
    expect(ABORTED).toEqual({ reason: 'aborted', failure: null })
  })
})
