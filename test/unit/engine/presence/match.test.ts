// Which remote file is our own: names that services change, sizes in their units, dates in their time zones,
// ages, and files of other clients. If this is inconclusive, the reconciler compares contents.

import { describe, expect, it } from 'vitest'
import type { RemoteFile } from '../../../../src-main/api/types.ts'
import { sizeCouldBe } from '../../../../src-main/engine/budget/size-unit.ts'
import { readUploadDate, zoneFrom } from '../../../../src-main/engine/journal/upload-date.ts'
import {
  type Candidacy,
  candidacy,
  dated,
  type Knowledge,
  type Listed,
} from '../../../../src-main/engine/presence/match.ts'

describe('sizeCouldBe', () => {
  it.each([
    [1000, 1000, 'bytes', true],
    [1000, 1001, 'bytes', false],
    [2048, 2, 'KiB', true],
    [5000, 2, 'KiB', false],
    [1_500_000, 1.5, 'MB', true],
    [1234, 1234, null, true],
    [10_240, 10, null, true],
    [10_240, 5000, null, false],
  ] as const)('%d bytes shown as %d in %s: %s', (bytes, shown, unit, fits) => {
    expect(sizeCouldBe(bytes, shown, unit)).toBe(fits)
  })
})

describe('readUploadDate and zoneFrom', () => {
  const at = Date.UTC(2026, 10, 20, 10, 0, 0)
  it('reads the documented form and its relatives', () => {
    expect(readUploadDate('2026-11-20 10:00:00')).toEqual({ at, zoned: false })
    expect(readUploadDate('2026-11-20T10:00:00Z')).toEqual({ at, zoned: true })
    expect(readUploadDate('2026-11-20T12:00:00+02:00')).toEqual({ at, zoned: true })
    expect(readUploadDate('2026-11-20T02:00:00-0800')).toEqual({ at, zoned: true })
    expect(readUploadDate('yesterday')).toBeNull()
    expect(readUploadDate('')).toBeNull()
  })
  it.each([
    '0000-00-00 00:00:00',
    '0001-01-01 00:00:00',
    '0001-01-01T00:00:00Z',
    '2026-13-01 10:00:00',
    '2026-02-30 10:00:00',
    '2026-11-20 24:30:00',
    '2026-11-20 10:61:00',
  ])('takes %s, which services show for an unknown date or which is none, as unknown', (shown) => {
    expect(readUploadDate(shown)).toBeNull()
  })
  it('learns a zone from an own upload, and no nonsense', () => {
    expect(zoneFrom('2026-11-20 12:00:02', at)).toBe(7_200_000)
    expect(zoneFrom('2026-11-20 02:00:01', at)).toBe(-28_800_000)
    expect(zoneFrom('2026-11-20 10:00:00', at)).toBe(0)
    expect(zoneFrom('2026-11-25 10:00:00', at)).toBeNull()
    expect(zoneFrom('2026-11-20 10:07:00', at)).toBeNull()
  })
})

describe('candidacy', () => {
  const intent = Date.UTC(2026, 10, 20, 10, 0, 0)
  const lost = { name: 'a.txt', size: 100, server: intent }
  const know: Knowledge = {
    unit: 'bytes',
    zone: 0,
    idAbove: null,
    wasBefore: () => false,
    taken: () => false,
    namesIdentify: true,
    sizesTell: true,
  }
  const file = (over: Partial<RemoteFile> = {}): Listed => ({
    filename: 'a.txt',
    size: 100,
    uploadDate: '2026-11-20 10:00:03',
    downloadCount: 0,
    publicLink: 'https://x.test/download/t',
    ...over,
    fileId: 50,
  })

  it.each<readonly [string, Listed, Knowledge, Candidacy]>([
    ['all fits', file(), know, 'sure'],
    ['another size', file({ filename: 'b.txt', size: 101 }), know, 'no'],
    ['another size, but our name', file({ size: 101 }), know, 'maybe'],
    ['another name', file({ filename: 'b.txt' }), know, 'maybe'],
    ['the same name where names are cut or replaced', file(), { ...know, namesIdentify: false }, 'maybe'],
    ['a changed name', file({ filename: 'a (1).txt' }), know, 'maybe'],
    ['uploaded two hours before', file({ uploadDate: '2026-11-20 08:00:00' }), know, 'no'],
    ['a date that is all zeros', file({ uploadDate: '0000-00-00 00:00:00' }), know, 'maybe'],
    [
      'an hour before, and the clocks may have been changed',
      file({ uploadDate: '2026-11-20 09:00:00' }),
      know,
      'maybe',
    ],
    ['an hour before, and the date says its zone', file({ uploadDate: '2026-11-20T09:00:00Z' }), know, 'no'],
    ['no date', file({ uploadDate: null }), know, 'maybe'],
    ['no size', file({ size: null }), know, 'maybe'],
    ['zone not known', file(), { ...know, zone: null }, 'maybe'],
    ['id above all before', file({ uploadDate: null }), { ...know, idAbove: 49 }, 'sure'],
    ['id from before', file(), { ...know, idAbove: 50 }, 'no'],
    ['an id of unknown order: the date decides', { ...file(), fileId: -1 }, { ...know, idAbove: 50 }, 'sure'],
    [
      'an id of unknown order, and no date',
      { ...file({ uploadDate: null }), fileId: -1 },
      { ...know, idAbove: 50 },
      'maybe',
    ],
    ["another transfer's", file(), { ...know, taken: () => true }, 'no'],
    ['there before the intent', file(), { ...know, wasBefore: () => true }, 'no'],
  ])('%s: %s', (_name, remote, knowledge, kind) => {
    expect(candidacy(lost, remote, knowledge)).toBe(kind)
  })
})

describe('dated', () => {
  const start = Date.UTC(2026, 10, 1, 12, 0, 30)
  const during = { start, end: start + 5000 }

  it.each([
    ['2026-11-01 12:00:31', 0, 'during'],
    ['2026-11-01T12:00:20Z', null, 'before'],
    ['2026-11-01 12:01:00', 0, 'after'],
    ['2026-11-01 12:00:31', null, 'unsaid'],
    // Without seconds, the date may be anywhere within its minute.
    ['2026-11-01 12:00', 0, 'during'],
    ['2026-11-01T11:59Z', null, 'before'],
    // The service's clock may have been changed by an hour since its zone was learned.
    ['2026-11-01 11:00:31', 0, 'unsaid'],
    ['2026-11-01 11:30:00', 0, 'before'],
    ['2026-11-01T11:00:31Z', 0, 'before'],
  ] as const)('%s in the zone %s is %s', (shown, zone, expected) => {
    expect(dated(shown, zone, during)).toBe(expected)
  })
})
