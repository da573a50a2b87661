// The decisions of a scan as tables: what a file is beside its row, which names a disk may take for the same, which files count as existing.
// The scanner as a whole is tried in scanner.test.ts.
import { describe, expect, it } from 'vitest'
import { type FileVerdict, fileVerdict } from '../../../src-main/engine/discovery/compare-entry.ts'
import { EXISTING_RULE } from '../../../src-main/engine/discovery/existing-files.ts'
import { fileRow } from '../../../src-main/engine/discovery/file-row.ts'
import { ABORTED, foldName, ScanRun, unansweredIn } from '../../../src-main/engine/discovery/scan-run.ts'
import type { FileRow } from '../../../src-main/engine/journal/files.ts'
import type { DiskFailure, Entry } from '../../../src-main/engine/ports.ts'

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
    ['existing, and existing files are skipped', row({ class: 'ignored', rule: EXISTING_RULE }), true, 'existing'],
    ['existing, and existing files are uploaded by now', row({ class: 'ignored', rule: EXISTING_RULE }), false, 'new'],
    ['existing, and another size', row({ class: 'ignored', rule: EXISTING_RULE, size: 11 }), true, 'new'],
    ['left out by a rule that no longer applies', row({ class: 'ignored', rule: '*.log' }), true, 'new'],
  ])('%s', (_what, known, skipsExisting, verdict) => {
    expect(fileVerdict(entry, known, skipsExisting)).toBe(verdict)
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
