// Table-driven tests of the formatting of numbers, sizes, durations and times in both languages. Unknown
// values become a dash, absurd ones stay readable, nothing throws. Times are created in local time, so that
// the tables are valid in every time zone.
import { assert, constantFrom, double, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBytes, formatDuration } from '../../../src-shared/format.ts'
import { createFormats, type Formats, UNKNOWN } from '../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../src-shared/i18n/texts.ts'

const en = createFormats('en-GB', textsOf('en').time)
const de = createFormats('de-DE', textsOf('de').time)
const at = (day: number, hour = 14, minute = 3, second = 20, year = 2026): number =>
  new Date(year, 10, day, hour, minute, second).getTime()
const NOW = at(20)
/** A number and its unit are joined by a no-break space. In the tables a plain space is easier to read. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const ABSURD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

describe('figures', () => {
  it.each<[number | null, string, string]>([
    [null, UNKNOWN, UNKNOWN],
    [Number.NaN, UNKNOWN, UNKNOWN],
    [Number.POSITIVE_INFINITY, UNKNOWN, UNKNOWN],
    [0, '0', '0'],
    [1234, '1,234', '1.234'],
    [1_234_567.89, '1,234,567.9', '1.234.567,9'],
    [-5, '-5', '-5'],
  ])('%s', (value, english, german) => {
    expect(en.count(value)).toBe(english)
    expect(de.count(value)).toBe(german)
  })

  it.each<[number | null, string, string]>([
    [null, UNKNOWN, UNKNOWN],
    [Number.NaN, UNKNOWN, UNKNOWN],
    [950, '950', '950'],
    [4_800_000, '4.8m', '4,8 Mio.'],
  ])('%s in short', (value, english, german) => {
    // Over the years, British English has used both upper and lower case here.
    expect(plain(en.compact(value)).toLowerCase()).toBe(english)
    expect(plain(de.compact(value))).toBe(german)
  })

  it.each<[number, string, string]>([
    [0, '0%', '0 %'],
    [0.456, '46%', '46 %'],
    [1, '100%', '100 %'],
    [7, '100%', '100 %'],
    [-1, '0%', '0 %'],
    [Number.NaN, '0%', '0 %'],
  ])('%s of all', (value, english, german) => {
    expect(plain(en.percent(value))).toBe(english)
    expect(plain(de.percent(value))).toBe(german)
  })
})

describe('sizes, in the terminal as in the window', () => {
  it.each<[number | null, string, string]>([
    [null, UNKNOWN, UNKNOWN],
    [Number.NaN, UNKNOWN, UNKNOWN],
    [-1, UNKNOWN, UNKNOWN],
    [0, '0 B', '0 B'],
    [1, '1 B', '1 B'],
    [999, '999 B', '999 B'],
    [1000, '1 kB', '1 kB'],
    [1500, '1.5 kB', '1,5 kB'],
    [99_400, '99.4 kB', '99,4 kB'],
    [99_600, '100 kB', '100 kB'],
    [999_499, '999 kB', '999 kB'],
    [999_500, '1 MB', '1 MB'],
    [999_949_999, '1 GB', '1 GB'],
    [4_800_000, '4.8 MB', '4,8 MB'],
    [84_200_000_000, '84.2 GB', '84,2 GB'],
    [1e15, '1 PB', '1 PB'],
    [8e18, '8,000 PB', '8.000 PB'],
  ])('%s bytes', (value, english, german) => {
    expect(plain(en.bytes(value))).toBe(english)
    expect(plain(de.bytes(value))).toBe(german)
    if (english !== UNKNOWN) expect(formatBytes(value)).toBe(english.replace(',', ''))
    const [figure, unit] = en.bytesParts(value)
    expect(`${figure} ${unit}`.trim()).toBe(english)
  })

  it('speeds', () => {
    expect(plain(en.speed(4_800_000.4))).toBe('4.8 MB/s')
    expect(plain(de.speed(0))).toBe('0 B/s')
  })

  it('grow with their bytes, in figure and unit together', () => {
    const value = (text: string): number => {
      const [figure = '', unit = ''] = plain(text).replaceAll(',', '').split(' ')
      return Number(figure) * 1000 ** ['B', 'kB', 'MB', 'GB', 'TB', 'PB'].indexOf(unit)
    }
    assert(
      property(double({ min: 0, max: 1e17, noNaN: true }), (bytes) => {
        const whole = Math.floor(bytes)
        // Half of the last displayed digit.
        expect(Math.abs(value(en.bytes(whole)) - whole)).toBeLessThanOrEqual(whole * 0.051)
      }),
    )
  })
})

describe('durations, in the terminal as in the window', () => {
  it.each<[number | null, string, string]>([
    [null, UNKNOWN, UNKNOWN],
    [Number.NaN, UNKNOWN, UNKNOWN],
    [Number.POSITIVE_INFINITY, UNKNOWN, UNKNOWN],
    [-5000, '0 s', '0 s'],
    [0, '0 s', '0 s'],
    [1, '1 s', '1 s'],
    [59_000, '59 s', '59 s'],
    [59_001, '1 min', '1 min'],
    [80_000, '1 min 20 s', '1 min 20 s'],
    [599_000, '9 min 59 s', '9 min 59 s'],
    [600_000, '10 min', '10 min'],
    [3_599_000, '1 h', '1 Std.'],
    [5_400_000, '1 h 30 min', '1 Std. 30 min'],
    [86_399_000, '1 d', '1 T.'],
    [3.5 * 86_400_000, '3 d 12 h', '3 T. 12 Std.'],
    [1200 * 86_400_000, '1,200 d', '1.200 T.'],
  ])('%s ms', (value, english, german) => {
    expect(plain(en.duration(value))).toBe(english)
    expect(plain(de.duration(value))).toBe(german)
    if (english !== UNKNOWN) expect(formatDuration(value)).toBe(english.replace(',', ''))
  })
})

describe('moments', () => {
  it.each<[string, number, string, string]>([
    ['now', NOW, 'just now', 'gerade eben'],
    ['a little ahead of this clock', NOW + 30_000, 'just now', 'gerade eben'],
    ['seconds ago', NOW - 59_999, 'just now', 'gerade eben'],
    ['minutes ago', NOW - 150_000, '2 min ago', 'vor 2 min'],
    ['hours ago', at(20, 11), '3 h ago', 'vor 3 Std.'],
    ['yesterday, though only hours ago', at(19, 23, 59), 'Yesterday', 'Gestern'],
    ['days ago', at(17), '17 Nov', '17. Nov.'],
    ['years ago', at(17, 1, 1, 1, 2023), '17 Nov 2023', '17. Nov. 2023'],
    ['ahead today', at(20, 18), '18:03:20', '18:03:20'],
    ['never', Number.NaN, UNKNOWN, UNKNOWN],
    ['after the end of time', 1e300, UNKNOWN, UNKNOWN],
  ])('%s', (_name, when, english, german) => {
    expect(plain(en.ago(when, NOW))).toBe(english)
    expect(plain(de.ago(when, NOW))).toBe(german)
  })

  it.each<[string, number, string, string, string]>([
    ['today', at(20, 14, 5), '14:05:20', 'at 14:05:20', 'um 14:05:20'],
    ['a new day', at(21, 0, 5), '21 Nov, 00:05', 'tomorrow at 00:05', 'morgen um 00:05'],
    ['later', at(25, 9, 0), '25 Nov, 09:00', 'on 25 Nov at 09:00', 'am 25. Nov. um 09:00'],
    ['yesterday', at(19, 9, 0), '19 Nov, 09:00', 'on 19 Nov at 09:00', 'am 19. Nov. um 09:00'],
    ['never', Number.NaN, UNKNOWN, UNKNOWN, UNKNOWN],
  ])('%s', (_name, when, clock, english, german) => {
    expect(plain(en.clock(when, NOW))).toBe(clock)
    expect(plain(en.when(when, NOW))).toBe(english)
    expect(plain(de.when(when, NOW))).toBe(german)
  })

  it('midnight is 00, not 24', () => {
    expect(en.time(at(20, 0, 0))).toBe('00:00')
    expect(de.moment(at(20, 0, 0, 0))).toContain('00:00:00')
  })

  it('a day is a day where the clock changes', () => {
    // The day has 25 or 23 hours in time zones with daylight saving time. The next day is still "tomorrow".
    for (const [month, day] of [
      [2, 28],
      [9, 24],
      [10, 1],
    ] as const)
      for (let i = 0; i < 3; i++) {
        const today = new Date(2026, month, day + i, 23, 30).getTime()
        const tomorrow = new Date(2026, month, day + i + 1, 0, 30).getTime()
        expect(en.when(tomorrow, today)).toBe('tomorrow at 00:30')
        expect(en.ago(today, tomorrow + 3 * 3_600_000)).toBe('Yesterday')
      }
  })
})

describe('whatever comes', () => {
  it.each([
    ['en-GB', en],
    ['de-DE', de],
  ])('%s throws never and shows nothing of the machine', (_locale, f: Formats) => {
    const any = constantFrom(
      ...ABSURD,
      0,
      -0,
      1e-300,
      1e21,
      1e300,
      -1e300,
      Number.MAX_SAFE_INTEGER,
      8.64e15,
      8.64e15 + 1,
    )
    assert(
      property(any, double(), (a, b) => {
        for (const value of [a, b])
          for (const text of [
            f.count(value),
            f.compact(value),
            f.bytes(value),
            f.bytesParts(value).join(' '),
            f.speed(value),
            f.percent(value),
            f.duration(value),
            f.clock(value, NOW),
            f.time(value),
            f.when(value, NOW),
            f.ago(value, NOW),
            f.moment(value),
            f.day(value),
          ]) {
            expect(text).not.toMatch(/NaN|Infinity|Invalid|undefined|∞/)
            expect(text).not.toBe('')
          }
      }),
    )
  })
})
