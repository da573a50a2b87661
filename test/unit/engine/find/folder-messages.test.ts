// What a folder shows after a scan, when it is scanned again, and what a watcher's hint triggers.
// Table-driven; scenario tests cover the sessions themselves.
import { describe, expect, it } from 'vitest'
import type { AggregatorHint } from '../../../../src-main/engine/find/aggregator.ts'
import { hintFor } from '../../../../src-main/engine/find/folder-watch.ts'
import { brokenScanMessage, scanOutcome } from '../../../../src-main/engine/find/scan-queue.ts'
import type { ScanReport } from '../../../../src-main/engine/find/scan-run.ts'

describe('a scan that ended in an exception', () => {
  it.each<readonly [string, unknown, RegExp]>([
    [
      'the journal found no room',
      Object.assign(new Error('database or disk is full'), { errcode: 13 }),
      /^Couldn't write to the disk/,
    ],
    [
      'the journal may not be written',
      Object.assign(new Error('readonly database'), { errcode: 8 }),
      /^Couldn't write to the disk/,
    ],
    ['a mistake', new Error('undefined is not a function'), /^The folder couldn't be read completely/],
  ])('says so: %s', (_what, error, message) => {
    expect(brokenScanMessage(error)).toMatch(message)
  })
})

describe('scanOutcome', () => {
  const complete = (count: number): ScanReport => ({
    kind: 'complete',
    unreadable: Array.from({ length: count }, (_, i) => ({ dir: `d${i}`, message: 'denied' })),
    files: 3,
    covers: () => true,
  })

  it.each<readonly [string, ScanReport, string, string | null, number | null]>([
    ['complete', complete(0), 'watching', null, null],
    ['one unreadable entry', complete(1), 'watching', "1 place can't be read.", null],
    ['two unreadable entries', complete(2), 'watching', "2 places can't be read.", null],
    [
      'the root is gone',
      { kind: 'incomplete', reason: 'root', failure: { code: 'gone', message: 'no such file' } },
      'away',
      'The folder is unavailable. Its uploads wait, and nothing counts as deleted.',
      3000,
    ],
    [
      'the root is another one',
      { kind: 'incomplete', reason: 'root', failure: null },
      'away',
      'The folder is unavailable. Its uploads wait, and nothing counts as deleted.',
      3000,
    ],
    [
      "the root can't be read",
      { kind: 'incomplete', reason: 'root', failure: { code: 'denied', message: 'permission denied' } },
      'away',
      "The folder can't be read (permission denied). Its uploads wait, and nothing counts as deleted.",
      3000,
    ],
    [
      'the disk did not answer',
      { kind: 'incomplete', reason: 'failed', failure: null },
      'watching',
      "The folder couldn't be read completely. Slipway reads it again in a few seconds.",
      5000,
    ],
  ])('%s', (_what, report, state, message, retryMs) => {
    expect(scanOutcome(report, [])).toEqual({ state, message, retryMs })
  })

  it('leaves the view alone after an abort', () => {
    expect(scanOutcome({ kind: 'incomplete', reason: 'aborted', failure: null }, [])).toBeNull()
  })
})

describe('hintFor', () => {
  it.each<readonly [string, 'path' | 'tree', string | null, AggregatorHint | null]>([
    ['a file', 'path', 'a/b.txt', { kind: 'path', rel: 'a/b.txt' }],
    ['a new directory', 'tree', 'a', { kind: 'tree', rel: 'a' }],
    ['the root itself', 'path', '', { kind: 'all' }],
    ['something outside', 'tree', null, { kind: 'all' }],
    ['a rules file at the top', 'path', '.slipwayignore', { kind: 'tree', rel: '' }],
    ['a rules file below', 'path', 'a/b/.slipwayignore', { kind: 'tree', rel: 'a/b' }],
    [
      'a name that only ends like one',
      'path',
      'a/x.slipwayignore',
      { kind: 'path', rel: 'a/x.slipwayignore' },
    ],
    ['a directory that is not for this folder', 'path', 'nested/f.txt', null],
    ['a rules file there', 'path', 'nested/.slipwayignore', null],
  ])('%s', (_what, kind, rel, asked) => {
    expect(hintFor(kind, rel, { isElsewhere: (dir) => dir === 'nested' })).toEqual(asked)
  })
})
