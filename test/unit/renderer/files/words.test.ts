// Table-driven tests of small decisions of the list: the filter chips, a file's origin, and downloads by day.
// Days are created in local time, so that the tables are valid in every time zone.
import { describe, expect, it } from 'vitest'
import { gainedByDay, type Sample } from '../../../../src-renderer/views/files/download-days.ts'
import {
  type DateFilter,
  dated,
  dayOf,
  FILTERS,
  type Filter,
  filtered,
} from '../../../../src-renderer/views/files/filters.ts'
import { originOf } from '../../../../src-renderer/views/files/row-origin.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { ListQuery } from '../../../../src-shared/window-contract.ts'

const at = (day: number, hour = 12, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

describe('filtered', () => {
  it.each<[Filter, unknown]>([
    ['all', { kind: null, unopened: false }],
    ['picture', { kind: 'picture', unopened: false }],
    ['code', { kind: 'code', unopened: false }],
    ['unopened', { kind: null, unopened: true }],
  ])('%s', (filter, expected) => {
    expect(filtered(filter)).toEqual(expected)
  })

  it('every chip is a query that the shell takes, and none is there twice', () => {
    for (const filter of FILTERS) {
      const query = {
        ...filtered(filter),
        since: null,
        search: '',
        folderId: null,
        sort: 'date',
        descending: true,
      }
      expect(ListQuery.safeParse(query).success).toBe(true)
    }
    expect(new Set(FILTERS.map((filter) => JSON.stringify(filtered(filter)))).size).toBe(FILTERS.length)
  })
})

describe('dated', () => {
  const days = (name: DateFilter['name'], from = '', to = ''): DateFilter => ({ name, range: { from, to } })
  it.each<[string, DateFilter, unknown]>([
    ['any time', days('any', '2026-11-01', '2026-11-02'), { since: null }],
    ['today', days('today'), { since: at(20, 0) }],
    ['the last 7 days include today', days('week'), { since: at(14, 0) }],
    ['the last 30 days include today', days('month'), { since: new Date(2026, 9, 22).getTime() }],
    [
      'a range includes its last day',
      days('range', '2026-11-03', '2026-11-05'),
      { since: at(3, 0), until: at(6, 0) },
    ],
    ['a range without a start', days('range', '', '2026-11-05'), { since: null, until: at(6, 0) }],
    ['a range without an end', days('range', '2026-11-03'), { since: at(3, 0) }],
    ['a range without days', days('range'), { since: null }],
  ])('%s', (_name, filter, expected) => {
    expect(dated(filter, at(20, 15))).toEqual(expected)
    expect(dayOf(at(3, 23, 59))).toBe('2026-11-03')
  })

  it.each([
    ['an ordinary day', new Date(2026, 10, 20)],
    ['a day after the clock went forward', new Date(2026, 2, 31)],
  ])('is the same query all day: %s', (_name, begins) => {
    const time = (hour: number, minute = 0): number =>
      new Date(begins.getFullYear(), begins.getMonth(), begins.getDate(), hour, minute).getTime()
    const { since } = dated(days('week'), time(0))
    for (const now of [time(0, 59), time(1), time(12), time(23, 59)])
      expect(dated(days('week'), now).since).toBe(since)
    expect(dated(days('week'), time(24)).since).not.toBe(since)
    const first = new Date(since ?? 0)
    expect([first.getHours(), first.getMinutes()]).toEqual([0, 0])
  })
})

describe('originOf', () => {
  const share = { path: '/home/ada/Share' }
  it.each<[string, string | null, 'watch' | 'upload' | null, readonly { readonly path: string }[], string]>([
    ['another device', null, null, [share], 'Other device'],
    ['a watched folder', '/home/ada/Share/a.txt', 'watch', [share], 'Share'],
    [
      'below a watched folder',
      '/home/ada/Share/offers/2026/a.txt',
      'watch',
      [share],
      'Share / offers / 2026',
    ],
    [
      'the nearest of two',
      '/home/ada/Share/offers/a.txt',
      'watch',
      [share, { path: '/home/ada/Share/offers' }],
      'offers',
    ],
    ['a name that only begins alike', '/home/ada/Share2/a.txt', 'watch', [share], 'Share2'],
    ['the folder itself is no file in it', '/home/ada/Share', 'watch', [share], 'ada'],
    [
      'Windows',
      'C:\\Users\\ada\\Share\\offers\\a.txt',
      'watch',
      [{ path: 'C:\\Users\\ada\\Share' }],
      'Share / offers',
    ],
    ['dropped', '/home/ada/a.txt', 'upload', [share], 'Dropped'],
    ['dropped out of a watched folder', '/home/ada/Share/a.txt', 'upload', [share], 'Dropped'],
    ['pasted', '/home/ada/.slipway/pasted/a.png', 'upload', [], 'Pasted'],
    ['watched once', '/home/ada/Old/a.txt', 'watch', [], 'Old'],
    ['at the top of a disk', '/a.txt', 'watch', [], 'Dropped'],
    ['with a direction mark', '/home/ada/Share/a\u202eb/a.txt', 'watch', [share], 'Share / a\\u202eb'],
    ['watched once, with a direction mark', '/home/ada/a\u202eb/a.txt', 'watch', [], 'a\\u202eb'],
  ])('%s', (_name, localPath, source, folders, expected) => {
    expect(originOf({ localPath, source }, folders, textsOf('en'))).toBe(expected)
  })
})

describe('gainedByDay', () => {
  const week = (samples: readonly Sample[]): number[] =>
    gainedByDay(samples, 7, at(20)).map((one) => one.gained)
  it.each<[string, readonly Sample[], number[]]>([
    ['nothing', [], [0, 0, 0, 0, 0, 0, 0]],
    ['the first sample alone says nothing', [{ at: at(20), count: 40 }], [0, 0, 0, 0, 0, 0, 0]],
    [
      'gained today',
      [
        { at: at(18), count: 40 },
        { at: at(20), count: 43 },
      ],
      [0, 0, 0, 0, 0, 0, 3],
    ],
    [
      'in any order',
      [
        { at: at(20), count: 43 },
        { at: at(18), count: 40 },
      ],
      [0, 0, 0, 0, 0, 0, 3],
    ],
    [
      'several a day add up',
      [
        { at: at(19), count: 1 },
        { at: at(20, 1), count: 2 },
        { at: at(20, 23), count: 5 },
      ],
      [0, 0, 0, 0, 0, 0, 4],
    ],
    [
      'a counter that began anew',
      [
        { at: at(18), count: 40 },
        { at: at(19), count: 0 },
        { at: at(20), count: 2 },
      ],
      [0, 0, 0, 0, 0, 0, 2],
    ],
    [
      'the first day counts',
      [
        { at: at(13), count: 1 },
        { at: at(14, 0, 1), count: 4 },
      ],
      [3, 0, 0, 0, 0, 0, 0],
    ],
    [
      'older days are left out',
      [
        { at: at(10), count: 1 },
        { at: at(13, 23, 59), count: 4 },
      ],
      [0, 0, 0, 0, 0, 0, 0],
    ],
  ])('%s', (_name, samples, expected) => {
    expect(week(samples)).toEqual(expected)
  })

  it('begins each day at midnight, also where the clock changes in between', () => {
    for (const now of [at(2), new Date(2026, 2, 30, 12).getTime(), new Date(2026, 9, 26, 12).getTime()]) {
      const days = gainedByDay([], 7, now).map((one) => new Date(one.day))
      expect(days.map((day) => day.getHours())).toEqual([0, 0, 0, 0, 0, 0, 0])
      expect(new Set(days.map((day) => day.getDate())).size).toBe(7)
      expect(days.at(-1)?.toDateString()).toBe(new Date(now).toDateString())
    }
  })
})
