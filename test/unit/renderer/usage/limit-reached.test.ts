// When a daily limit is reached: the pace derived from minutes and days, and the resulting sentence.
// Times are created from local dates, so that the tables are valid in every time zone.
import { describe, expect, it } from 'vitest'
import {
  dayName,
  forecast,
  requestPace,
  uploadPace,
} from '../../../../src-renderer/views/usage/limit-reached.ts'
import type { History } from '../../../../src-shared/model.ts'

const MINUTE = 60_000
const now = new Date(2026, 10, 20, 14, 2, 0).getTime()

function minutes(requests: (ago: number) => number): History['minutes'] {
  return Array.from({ length: 60 }, (_, i) => ({ at: now - (59 - i) * MINUTE, requests: requests(59 - i) }))
}

function day(of: Partial<History['days'][number]>): History['days'][number] {
  return {
    day: dayName(now),
    uploads: 0,
    bytes: 0,
    requests: 0,
    downloads: 0,
    storedFiles: null,
    storedBytes: null,
    ...of,
  }
}

describe('requestPace', () => {
  it.each([
    ['nothing', () => 0, true, 0],
    ['evenly one a minute', () => 1, true, 1],
    [
      'a burst of the last quarter, still going on',
      (ago: number) => (ago < 15 ? 48 : 0),
      true,
      (16 * 48) / 15,
    ],
    ['the same burst, over', (ago: number) => (ago < 15 ? 48 : 0), false, (15 * 48) / 60],
    ['a burst half an hour ago', (ago: number) => (ago > 25 && ago < 36 ? 60 : 0), true, 10],
  ])('%s', (_name, requests, busy, perMinute) => {
    expect(requestPace({ minutes: minutes(requests), busy, now }) * MINUTE).toBeCloseTo(perMinute, -1)
  })

  it('counts no minute of another hour and none of the future', () => {
    const odd = [
      { at: now - 61 * MINUTE, requests: 1000 },
      { at: now + MINUTE, requests: 1000 },
      { at: now - 30 * MINUTE, requests: 60 },
    ]
    expect(requestPace({ minutes: odd, busy: true, now }) * MINUTE).toBeCloseTo(1)
  })
})

describe('uploadPace', () => {
  const steady = minutes(() => 1)
  it.each([
    ['no day yet', [], 0],
    ['the last day is yesterday', [day({ day: dayName(now - 86_400_000), uploads: 10, requests: 10 })], 0],
    ['no request today', [day({ uploads: 3 })], 0],
    ['half of the requests were uploads', [day({ uploads: 50, requests: 100 })], 0.5],
    ['more uploads than requests, as no ledger should say', [day({ uploads: 300, requests: 100 })], 1],
  ])('%s', (_name, days, perMinute) => {
    const pace = uploadPace({ history: { days, minutes: steady, top: [] }, busy: false, now })
    expect(pace * MINUTE).toBeCloseTo(perMinute, 2)
  })
})

describe('forecast', () => {
  const at = (hours: number): number => now + hours * 3_600_000
  const perHour = (n: number): number => n / 3_600_000
  it.each([
    ['no limit', { limit: null, used: 5, nextAt: null }, perHour(10), { kind: 'unknown' }],
    ['full', { limit: 100, used: 100, nextAt: at(2) }, perHour(10), { kind: 'full', nextAt: at(2) }],
    ['over full', { limit: 100, used: 130, nextAt: null }, 0, { kind: 'full', nextAt: null }],
    ['a limit of nothing', { limit: 0, used: 0, nextAt: null }, 0, { kind: 'full', nextAt: null }],
    ['nothing moves', { limit: 100, used: 88, nextAt: null }, 0, { kind: 'quiet' }],
    ['a pace that is no number', { limit: 100, used: 88, nextAt: null }, Number.NaN, { kind: 'quiet' }],
    ['today', { limit: 100, used: 88, nextAt: null }, perHour(4), { kind: 'reached', at: at(3) }],
    ['after midnight', { limit: 100, used: 88, nextAt: null }, perHour(1), { kind: 'enough' }],
    [
      'exactly at midnight',
      { limit: 100, used: 0, nextAt: null },
      100 / (new Date(2026, 10, 21).getTime() - now),
      { kind: 'enough' },
    ],
  ])('%s', (_name, window, pace, expected) => {
    expect(forecast({ window, pace, now })).toEqual(expected)
  })
})
