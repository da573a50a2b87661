// Table-driven tests of the formatting of sizes, times, names and links. Hostile input must become harmless.
// Times are created in local time, so that the tables are valid in every time zone.
import { assert, double, property, string } from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatLink,
  formatSpeed,
  formatWhen,
  isoSeconds,
  LINK_FORMATS,
  middleEllipsis,
  plural,
  printable,
} from '../../../src-shared/format.ts'

const at = (day: number, hour = 14, minute = 3, second = 20): number =>
  new Date(2026, 10, day, hour, minute, second).getTime()
const NOW = at(20)

describe('sizes and numbers', () => {
  it('unknown sizes and durations', () => {
    expect([null, Number.NaN, -1].map(formatBytes)).toEqual(['?', '?', '?'])
    expect([null, Number.NaN].map(formatDuration)).toEqual(['?', '?'])
  })

  it.each<[number | null, string]>([
    [0, '0'],
    [9999, '9999'],
    [10_000, '10\u202f000'],
    [1_234_567, '1\u202f234\u202f567'],
    [0.5, '0.5'],
    [null, '?'],
    [Number.POSITIVE_INFINITY, '?'],
  ])('count %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })

  it('speeds and plurals', () => {
    expect(formatSpeed(1_234_567)).toBe('1.2 MB/s')
    expect([0, 1, 2].map((n) => plural(n, 'file'))).toEqual(['0 files', '1 file', '2 files'])
  })
})

describe('the days around a change of the clocks', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  afterEach(() => {
    // On Windows, deleting the variable wouldn't restore the zone.
    process.env['TZ'] = timeZone
  })

  // In London, noon is at 12:00 UTC in winter and at 11:00 UTC in summer. In Azores, it is at 13:00 or 12:00
  // UTC.
  it.each([
    ['Europe/London', 2026, 2, 29],
    ['Europe/London', 2026, 9, 25],
    ['Atlantic/Azores', 2026, 2, 29],
    ['Africa/Casablanca', 2026, 1, 15],
    ['Pacific/Auckland', 2026, 8, 27],
  ])('in %s', (name, year, month, day) => {
    process.env['TZ'] = name
    const [before, after] = [
      new Date(year, month, day - 1, 23, 50).getTime(),
      new Date(year, month, day, 9, 5).getTime(),
    ]
    expect([formatWhen(after, before), formatClock(before, after)]).toEqual([
      'tomorrow at 09:05',
      'yesterday 23:50',
    ])
  })
})

describe('times', () => {
  it.each<[number, string, string]>([
    [at(20, 9, 0, 5), '09:00:05', 'at 09:00:05'],
    [at(21, 0, 5), 'tomorrow 00:05', 'tomorrow at 00:05'],
    [at(19, 23, 59), 'yesterday 23:59', 'yesterday at 23:59'],
    [at(24, 9, 0), '24 Nov 09:00', 'on 24 Nov at 09:00'],
    [new Date(2027, 0, 2, 9, 0).getTime(), '2 Jan 2027 09:00', 'on 2 Jan 2027 at 09:00'],
    [Number.NaN, '?', 'at ?'],
    [1e300, '?', 'at ?'],
  ])('a clock at %s', (time, clock, when) => {
    expect(formatClock(time, NOW)).toBe(clock)
    expect(formatWhen(time, NOW)).toBe(when)
  })

  it('ISO times have seconds and no parts of them, and waits are rounded up', () => {
    const time = Date.UTC(2026, 10, 20, 20, 11, 4, 1)
    expect(isoSeconds(time)).toBe('2026-11-20T20:11:04Z')
    expect(isoSeconds(time, 'up')).toBe('2026-11-20T20:11:05Z')
    assert(property(double(), (any) => /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(isoSeconds(any))))
  })
})

describe('names', () => {
  it.each([
    ['report.pdf', 20, 'report.pdf'],
    ['a very long name.txt', 10, 'a ve…e.txt'],
    ['👍👍👍👍', 3, '👍…👍'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('%s in %i', (text, max, expected) => {
    expect(middleEllipsis(text, max)).toBe(expected)
  })

  it.each([
    ['plain näme 日本.txt', 'plain näme 日本.txt'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['\u001b[2J\u0007\u009b', '\\x1b[2J\\x07\\x9b'],
    ['exe.\u202efdp', 'exe.\\u202efdp'],
    ['\ud800x\u2028', '\\ud800x\\u2028'],
    ['👍', '👍'],
    ['a\u061cb', 'a\\u061cb'],
    ['in\u00advoice\u200b.p\u2060df\u3164', 'in\\xadvoice\\u200b.p\\u2060df\\u3164'],
    ['\ufffa\u{e0041}', '\\ufffa\\u{e0041}'],
    ['می\u200cخواهم 👩\u200d💻 ❤\ufe0f 葛\u{e0100}', 'می\u200cخواهم 👩\u200d💻 ❤\ufe0f 葛\u{e0100}'],
  ])('%j is made safe', (text, expected) => {
    expect(printable(text)).toBe(expected)
  })

  it('nothing that steers a terminal is left in any text', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
      }),
    )
  })
})

describe('links', () => {
  const url = 'https://files.example.com/download/a'

  it.each([
    ['url', 'a.pdf', url],
    ['markdown', 'a_b*c[1]`<x>|~.pdf', `[a\\_b\\*c\\[1\\]\\\`\\<x\\>\\|\\~.pdf](${url})`],
    ['markdown', 'a\\b\nc', `[a\\\\b c](${url})`],
    ['markdown', 'a-b+c (1)#!{&}.pdf', `[a-b+c (1)\\#\\!\\{\\&\\}.pdf](${url})`],
    ['html', `<b>"a" & 'b'</b>`, `<a href="${url}">&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;</a>`],
    ['bbcode', 'a[/url][b].pdf', `[url=${url}]a(/url)(b).pdf[/url]`],
  ] as const)('%s of %j', (format, name, expected) => {
    expect(formatLink(format, { name, url })).toBe(expected)
  })

  it('an address cannot leave its place', () => {
    const odd = 'https://files.example.com/a)"><script>[/url] é'
    expect(formatLink('markdown', { name: 'n', url: odd })).toBe(
      '[n](https://files.example.com/a%29%22%3E%3Cscript%3E%5B/url%5D%20%C3%A9)',
    )
    expect(formatLink('html', { name: 'n', url: odd })).not.toMatch(/"><script>/)
    expect(formatLink('bbcode', { name: 'n', url: odd })).toBe(
      '[url=https://files.example.com/a%29%22%3E%3Cscript%3E%5B/url%5D%20%C3%A9]n[/url]',
    )
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'no address', ''])(
    '%j is never made clickable',
    (bad) => {
      for (const format of LINK_FORMATS.filter((one) => one !== 'url'))
        expect(formatLink(format, { name: 'n', url: bad })).toBe('n')
    },
  )

  it('a terminal is not steered by an address', () => {
    expect(formatLink('url', { name: 'n', url: 'https://x\u001b[2J' })).toBe('https://x\\x1b[2J')
  })
})
