// Parsing of headers about time and rate limits in every spelling, and of texts that are none of them.
// Points in time are distinguished from durations by their size, and evaluated on the server's clock.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { httpDate, readMeta, readRate } from '../../../src-main/api/rate-headers.ts'

const NOW = Date.UTC(2026, 10, 21, 4, 0, 0)
const HOUR = 3_600_000
const NOTHING = { retryAfterMs: null, limit: null, remaining: null, resetMs: null }

describe('Retry-After', () => {
  it.each([
    ['7', 7000],
    ['0', 0],
    ['1.5', 1500],
    [' 30 ', 30_000],
    ['Sat, 21 Nov 2026 04:01:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 04:01:00 GMT', 60_000],
    ['Sat Nov 21 04:01:00 2026', 60_000],
    ['2026-11-21T04:01:00Z', 60_000],
    ['Sat, 21 Nov 2026 03:00:00 GMT', 0],
    [String(NOW / 1000 + 20), 20_000],
    ['999999', 48 * HOUR],
    ['Sat, 21 Nov 2037 04:01:00 GMT', 48 * HOUR],
    ['-5', null],
    ['soon', null],
    ['soon 2026', null],
    ['7 minutes', null],
    ['1e3', null],
    ['NaN', null],
    ['Infinity', null],
    ['', null],
    ['Sat, 99 Nov 2026 04:01:00 GMT', null],
    ['Sat, 21 Foo 2026 04:01:00 GMT', null],
    ['Sat, 21 Nov 2026 24:61:00 GMT', null],
    ['9'.repeat(400), null],
  ])('%.40j is %s', (text, expected) => {
    expect(readRate({ 'retry-after': text }, NOW).retryAfterMs).toBe(expected)
  })

  it('as a date counts by the Date header, and by our clock without one', () => {
    const headers = { 'retry-after': 'Sat, 21 Nov 2026 04:01:00 GMT' }
    expect(
      readMeta(429, { ...headers, date: 'Sat, 21 Nov 2026 04:00:30 GMT' }, NOW - HOUR).rate.retryAfterMs,
    ).toBe(30_000)
    expect(readMeta(429, headers, NOW).rate.retryAfterMs).toBe(60_000)
    expect(readMeta(429, { ...headers, date: 'nonsense' }, NOW)).toMatchObject({
      serverDate: null,
      rate: { retryAfterMs: 60_000 },
    })
  })
})

describe('the rest', () => {
  it.each([
    [
      'the draft of old',
      { 'ratelimit-limit': '50', 'ratelimit-remaining': '3', 'ratelimit-reset': '20' },
      50,
      3,
      20_000,
    ],
    [
      'with its windows',
      { 'ratelimit-limit': '50, 50;w=60, 5000;w=86400', 'ratelimit-remaining': '3' },
      50,
      3,
      null,
    ],
    [
      'with an X',
      { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' },
      50,
      0,
      60_000,
    ],
    [
      'with another dash',
      { 'x-rate-limit-limit': '50', 'x-rate-limit-remaining': '1', 'x-rate-limit-reset': '1' },
      50,
      1,
      1000,
    ],
    ['reset in epoch seconds', { 'x-ratelimit-reset': String(NOW / 1000 + 42) }, null, null, 42_000],
    [
      'reset in epoch seconds with a part',
      { 'x-ratelimit-reset': `${NOW / 1000 + 42}.5` },
      null,
      null,
      42_500,
    ],
    ['reset in epoch milliseconds', { 'x-ratelimit-reset': String(NOW + 42_000) }, null, null, 42_000],
    ['reset in the past', { 'x-ratelimit-reset': String(NOW / 1000 - 42) }, null, null, 0],
    ['reset as a date', { 'x-ratelimit-reset': '2026-11-21T04:00:42.000Z' }, null, null, 42_000],
    ['reset after', { 'x-ratelimit-reset-after': '2.25' }, null, null, 2250],
    ['reset in a year', { 'ratelimit-reset': '31536000' }, null, null, 48 * HOUR],
    ['joined', { ratelimit: 'limit=50, remaining=3, reset=20' }, 50, 3, 20_000],
    ['joined with semicolons', { ratelimit: 'limit=50;remaining=3;reset=20' }, 50, 3, 20_000],
    [
      'structured',
      { ratelimit: '"default";r=3;t=20', 'ratelimit-policy': '"default";q=50;w=60' },
      50,
      3,
      20_000,
    ],
    [
      'structured, of two windows',
      { ratelimit: '"minute";r=3;t=20, "day";r=2;t=9000', 'ratelimit-policy': '"minute";q=50, "day";q=5000' },
      5000,
      2,
      48 * HOUR > 9_000_000 ? 9_000_000 : 0,
    ],
    ['structured, without its policy', { ratelimit: 'default;r=3' }, null, 3, null],
    ['twice', { 'x-ratelimit-remaining': ['3', '4'] }, null, 3, null],
    [
      'single ones before joined ones',
      { 'ratelimit-remaining': '9', ratelimit: 'limit=50, remaining=3' },
      50,
      9,
      null,
    ],
  ])('%s', (_name, headers, limit, remaining, resetMs) => {
    expect(readRate(headers as Record<string, string | string[]>, NOW)).toEqual({
      retryAfterMs: null,
      limit,
      remaining,
      resetMs,
    })
  })

  it.each([
    {},
    { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': 'never' },
    { ratelimit: 'unlimited' },
    { ratelimit: ';;;=,,=' },
    { ratelimit: 'limit=, remaining=x' },
    { 'retry-after': [], date: [] },
  ])('nonsense is nothing: %j', (headers) => {
    expect(readRate(headers as Record<string, string | string[]>, NOW)).toEqual(NOTHING)
  })

  it('any text gives a sane number or none', () => {
    const names = [
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'x-ratelimit-limit',
      'ratelimit-remaining',
      'x-ratelimit-reset',
      'date',
    ]
    const text = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), text), (headers) => {
        const { rate, serverDate } = readMeta(200, headers, NOW)
        const spans = [rate.retryAfterMs, rate.resetMs].filter((ms) => ms !== null)
        expect(spans.filter((ms) => !(ms >= 0 && ms <= 48 * HOUR && Number.isInteger(ms)))).toEqual([])
        const counts = [rate.limit, rate.remaining].filter((count) => count !== null)
        expect(counts.filter((count) => !(count >= 0 && Number.isSafeInteger(count)))).toEqual([])
        if (serverDate !== null) expect(Number.isFinite(serverDate)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('httpDate', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['Sunday, 06-Nov-94 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['Sun Nov  6 08:49:37 1994', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['Sun, 6 Nov 1994 08:49:37 +0000', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['1994-11-06T08:49:37.123Z', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['2026-11-21 04:00:00', null],
    ['0', null],
  ])('%j', (text, expected) => {
    expect(httpDate(text)).toBe(expected)
  })
})
