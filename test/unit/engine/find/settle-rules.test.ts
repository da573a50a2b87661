// Table-driven tests of when a file counts as finished: the result of one check, what an unchanged file waits
// for, how the quiet period grows. finding.test.ts tests the timers around these rules.
import { describe, expect, it } from 'vitest'
import {
  afterChange,
  type CheckOutcome,
  checkOutcome,
  firstSeen,
  isOldEnough,
  type Observed,
  quietUntil,
  waitsFor,
  withWriters,
} from '../../../../src-main/engine/find/settle.ts'
import type { DiskFailure, Entry } from '../../../../src-main/engine/ports.ts'

const entry = (over: Partial<Entry> = {}): Entry => ({
  name: 'f',
  kind: 'file',
  size: 10,
  mtime: 500,
  ctime: 500,
  ino: 1,
  dev: 1,
  ...over,
})
const observed = (over: Partial<Observed> = {}): Observed => ({
  entry: entry(),
  stillSince: 1000,
  usualMs: 180,
  quietMs: 0,
  checks: 1,
  failedSince: null,
  ...over,
})
const failure = (code: DiskFailure['code']): DiskFailure => ({ code, message: code })

describe('checkOutcome', () => {
  it.each<readonly [string, Observed, Entry | DiskFailure | null | undefined, number, Partial<CheckOutcome>]>(
    [
      ['no answer', observed(), undefined, 2000, { kind: 'unanswered', failedSince: 2000, isLasting: false }],
      [
        'the disk was interrupted',
        observed(),
        failure('interrupted'),
        2000,
        { kind: 'unanswered', isLasting: false },
      ],
      [
        'the disk is busy again',
        observed({ failedSince: 1500 }),
        failure('busy'),
        2000,
        { kind: 'unanswered', failedSince: 1500 },
      ],
      [
        'it fails for 30 s',
        observed({ failedSince: 1500 }),
        failure('io'),
        31_500,
        { kind: 'unanswered', isLasting: true },
      ],
      ['a failure that says what is wrong', observed(), failure('denied'), 2000, { kind: 'unreadable' }],
      ['nothing is there', observed(), null, 2000, { kind: 'gone' }],
      ['a directory is there', observed(), entry({ kind: 'dir' }), 2000, { kind: 'gone' }],
      ['another size', observed(), entry({ size: 11 }), 2000, { kind: 'changed' }],
      ['another time', observed(), entry({ mtime: 501 }), 2000, { kind: 'changed' }],
      ['another file', observed(), entry({ ino: 2 }), 2000, { kind: 'changed' }],
      [
        'another change time alone',
        observed(),
        entry({ ctime: 900 }),
        2000,
        { kind: 'still', entry: entry({ ctime: 900 }) },
      ],
      ['too early', observed(), entry(), 1100, { kind: 'quiet-time', until: 1180 }],
      ['a timer that fired a little early', observed(), entry(), 1176, { kind: 'still' }],
      ['after a surprise', observed({ quietMs: 720 }), entry(), 1500, { kind: 'quiet-time', until: 1720 }],
      [
        'an empty file',
        observed({ entry: entry({ size: 0 }) }),
        entry({ size: 0 }),
        3900,
        { kind: 'quiet-time', until: 4000 },
      ],
    ],
  )('%s', (_what, file, stat, mono, outcome) => {
    expect(checkOutcome(file, stat, mono)).toMatchObject(outcome)
  })
})

describe('waitsFor', () => {
  it.each<readonly [string, boolean | null, boolean, number, 'writer' | 'download' | null]>([
    ['nothing', false, false, 2000, null],
    ['a program that writes', true, false, 2000, 'writer'],
    ['no answer about programs', null, false, 2000, 'writer'],
    ['a program that never closes it', true, false, 31_000, null],
    ['a download beside it', false, true, 2000, 'download'],
    ['a download beside it, however long', false, true, 9_000_000, 'download'],
  ])('%s', (_what, isWriting, isPlaceholder, mono, why) => {
    expect(waitsFor(observed(), isWriting, isPlaceholder, mono)).toBe(why)
  })
})

describe('the quiet time', () => {
  const now = 1_000_000
  it.each<readonly [string, Partial<Entry>, number]>([
    ['a file written this moment', { mtime: now }, 180],
    ['a file written 100 ms ago', { mtime: now - 100 }, 80],
    ['a file of long ago', { mtime: 0 }, -2820],
    ['a time in the future', { mtime: now + 60_000 }, 180],
    ['an empty file of long ago that was created now', { size: 0, mtime: 0, ctime: now }, 3000],
    ['an empty file of long ago', { size: 0, mtime: 0, ctime: 0 }, 0],
  ])('of %s', (_what, over, ms) => {
    expect(quietUntil(firstSeen(entry(over), 5000, now, { knowsWriters: true })) - 5000).toBe(ms)
  })

  it.each<readonly [string, Partial<Entry>, number]>([
    ['a file written this moment', { mtime: now }, 2000],
    ['a file written 1.5 s ago', { mtime: now - 1500 }, 500],
    ['a file of long ago', { mtime: 0 }, -1000],
    ['an empty file', { size: 0, mtime: now, ctime: now }, 3000],
  ])('where writers are not known, of %s', (_what, over, ms) => {
    expect(quietUntil(firstSeen(entry(over), 5000, now, { knowsWriters: false })) - 5000).toBe(ms)
  })

  it.each<readonly [string, Partial<Entry>, number]>([
    ['a file written this moment', { mtime: now }, 105],
    ['an empty file', { size: 0, mtime: now, ctime: now }, 3000],
  ])('where the disk sets a shorter one, of %s', (_what, over, ms) => {
    const file = firstSeen(entry(over), 5000, now, { knowsWriters: true, quietMs: 105 })
    expect(quietUntil(file) - 5000).toBe(ms)
    expect(afterChange({ ...file, entry: entry(), checks: 1 }, entry({ size: 20 }), 5100).quietMs).toBe(210)
  })

  it.each<readonly [string, Partial<Observed>, number, number]>([
    ['stays for a file that is still growing', {}, 1050, 0],
    ['grows after a surprise', {}, 1150, 360],
    ['doubles after another one', { quietMs: 360 }, 1300, 720],
    ['ends at five seconds', { quietMs: 4000 }, 4900, 5000],
    ['stays if the file was not checked yet', { checks: 0 }, 1150, 0],
  ])('%s', (_what, over, mono, quietMs) => {
    expect(afterChange(observed(over), entry({ size: 20 }), mono)).toMatchObject({
      quietMs,
      stillSince: mono,
    })
  })
})

describe('withWriters', () => {
  it.each<readonly [string, number, Entry | DiskFailure | null | undefined, number]>([
    ['two seconds where a writer may be invisible', 0, entry({ hasHiddenWriters: true }), 2000],
    ['more after a surprise', 4000, entry({ hasHiddenWriters: true }), 4000],
    ['the same where writers are known', 0, entry(), 0],
    ['the same without an answer', 0, undefined, 0],
    ['the same for a file that is gone', 0, null, 0],
    ['the same after a failure', 0, failure('io'), 0],
  ])('%s', (_what, before, stat, after) => {
    expect(withWriters(observed({ quietMs: before }), stat).quietMs).toBe(after)
  })
})

describe('isOldEnough', () => {
  it.each<readonly [string, Partial<Entry>, boolean]>([
    ['moved here: only its change time is new', { mtime: 1000, ctime: 10_000 }, true],
    ['just written', { mtime: 9900 }, false],
    ['empty, however old', { size: 0, mtime: 0 }, false],
    ['from the future', { mtime: 60_000 }, false],
  ])('%s', (_what, over, expected) => {
    expect(isOldEnough(entry(over), 10_000)).toBe(expected)
  })
})
