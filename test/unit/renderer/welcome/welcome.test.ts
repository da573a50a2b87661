// What the welcome screen says about a plan and a folder: known and unknown limits, plain http, forecasts.
// Tested in English; types ensure that the other language has all texts.
import { describe, expect, it } from 'vitest'
import { forecastWords } from '../../../../src-renderer/lib/folder-forecast.ts'
import { planName } from '../../../../src-renderer/lib/words.ts'
import { isPlainHttp, limitWords } from '../../../../src-renderer/views/connect/connection-check.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import type { PlanForecast, StatsView } from '../../../../src-shared/model.ts'
import { uploadLines, uploadWords } from '../../../../src-shared/upload-words.ts'

const words = { t: textsOf('en'), f: createFormats('en', textsOf('en').time) }
const NOW = new Date(2026, 10, 20, 14, 3).getTime()
const DAY = 86_400_000

const window = (limit: number | null): StatsView['minute'] => ({ limit, used: 0, nextAt: null })
const stats = (fields: Partial<StatsView>): StatsView => ({
  plan: 'pro',
  totalFiles: 12_481,
  totalSize: null,
  stats: {},
  limits: {},
  maxFileSize: { kind: 'limited', value: 5e9, unit: 'bytes' },
  minute: window(50),
  day: window(5000),
  dailyUploads: window(100),
  ...fields,
})

describe('planName', () => {
  it.each([
    ['pro', 'Pro'],
    ['Enterprise', 'Enterprise'],
    ['  ', null],
    [null, null],
  ])('%s', (plan, name) => {
    expect(planName(plan)).toBe(name)
  })
})

describe('limitWords', () => {
  it('says all that is told', () => {
    expect(limitWords(words, stats({}))).toEqual({
      parts: [
        '50 requests per minute, 5,000 per day',
        '100 uploads per day',
        'files up to 5\u00a0GB',
        '12,481 files stored',
      ],
      someUnknown: false,
    })
  })

  it.each([
    [
      'nothing told',
      {
        minute: window(null),
        day: window(null),
        dailyUploads: window(null),
        maxFileSize: { kind: 'unknown', value: null, unit: 'bytes' },
      },
      'request limit unknown',
    ],
    ['only the minute', { day: window(null) }, '50 requests per minute'],
    ['only the day', { minute: window(null) }, '5,000 requests per day'],
    ['no uploads told', { dailyUploads: window(null) }, 'no known daily upload limit'],
    [
      'a size without a unit',
      { maxFileSize: { kind: 'limited', value: 500, unit: 'unknown' } },
      'files up to about 500\u00a0B',
    ],
    [
      'no size told',
      { maxFileSize: { kind: 'unknown', value: null, unit: 'bytes' } },
      'file size limit unknown',
    ],
  ] as const)('says what is not told: %s', (_name, fields, part) => {
    const said = limitWords(words, stats(fields))
    expect(said.parts).toContain(part)
    expect(said.someUnknown).toBe(true)
  })

  it('knows a plan without a limit of size', () => {
    expect(
      limitWords(
        words,
        stats({ maxFileSize: { kind: 'unlimited', value: null, unit: 'bytes' }, totalFiles: null }),
      ).parts,
    ).toEqual(['50 requests per minute, 5,000 per day', '100 uploads per day', 'files of any size'])
  })
})

describe('isPlainHttp', () => {
  it.each([
    ['http://files.example.com', true],
    [' HTTP://files.example.com/api/v1 ', true],
    ['http://192.168.1.4:8080', true],
    ['https://files.example.com', false],
    ['files.example.com', false],
    ['http://localhost:8080', false],
    ['http://127.0.0.1', false],
    ['http://[::1]:80/', false],
    ['http://', false],
    ['', false],
  ])('%s', (address, expected) => {
    expect(isPlainHttp(address)).toBe(expected)
  })
})

describe('forecastWords', () => {
  const forecast = (fields: Partial<PlanForecast>): PlanForecast => ({
    files: 1240,
    bytes: 3.1e9,
    already: 0,
    now: 0,
    later: 0,
    tooBig: 0,
    held: 0,
    ignored: 0,
    doneAt: null,
    steps: [],
    limitedBy: null,
    ...fields,
  })

  it.each([
    ['all at once', { now: 1240 }, 'Uploads now.'],
    ['within minutes', { now: 120, atOnce: 48, nowUntil: NOW + 2 * 60_000 }, 'Uploads within 2 min.'],
    [
      'over days',
      { now: 88, later: 1152, doneAt: NOW + 2.2 * DAY },
      '88 today, the rest within 3 days on your plan.',
    ],
    [
      'within a day',
      { now: 88, later: 2, doneAt: NOW + 1000 },
      '88 today, the rest within a day on your plan.',
    ],
    ['an end nobody knows', { now: 88, later: 2 }, '88 now, 2 later.'],
    ['nothing today', { later: 5, doneAt: NOW + DAY }, 'Done within a day on your plan.'],
    ['nothing to do', { already: 1240 }, null],
  ] as const)('%s', (_name, fields, when) => {
    expect(forecastWords(words, forecast(fields), NOW).when?.replaceAll(/\s/g, ' ') ?? null).toBe(when)
  })

  const TOMORROW = NOW + DAY
  const HOURS = 3_600_000
  it.each<[string, Partial<PlanForecast>, readonly string[]]>([
    ['all at once', { now: 5, atOnce: 5, nowUntil: NOW }, ['3.1 GB · uploads now']],
    ['told by an engine that knows no minutes', { now: 5 }, ['3.1 GB · uploads now']],
    ['over minutes', { now: 100, atOnce: 48, nowUntil: NOW + 120_000 }, ['3.1 GB · 48 now, 52 within 2 min']],
    ['the minute is full', { now: 100, atOnce: 0, nowUntil: NOW + 120_000 }, ['3.1 GB · 100 within 2 min']],
    [
      'minutes and another day',
      {
        now: 100,
        atOnce: 48,
        nowUntil: NOW + 120_000,
        later: 31,
        doneAt: TOMORROW,
        steps: [
          { at: NOW - 20, count: 100 },
          { at: TOMORROW, count: 31 },
        ],
      },
      ['3.1 GB · 48 now, 52 within 2 min, 31 starting tomorrow at 14:03'],
    ],
    [
      'several days',
      {
        now: 12,
        atOnce: 12,
        nowUntil: NOW,
        later: 300,
        doneAt: TOMORROW + 2 * DAY,
        steps: [
          { at: NOW, count: 12 },
          { at: TOMORROW, count: 100 },
          { at: TOMORROW + 2 * DAY, count: 200 },
        ],
      },
      ['3.1 GB · 12 now, 300 starting tomorrow at 14:03', 'The last upload starts on 23 Nov at 14:03.'],
    ],
    [
      'nothing today',
      { later: 9, doneAt: NOW + 2 * HOURS, steps: [{ at: NOW + 2 * HOURS, count: 9 }] },
      ['3.1 GB · 9 starting at 16:03:00'],
    ],
    ['an end nobody knows', { now: 3, later: 9 }, ['3.1 GB · 3 now, 9 later']],
  ])('of a drop: %s', (_name, fields, expected) => {
    const f = createFormats('en-GB', words.t.time)
    const said = uploadWords({ t: words.t, f }, forecast(fields), null, NOW)
    expect(uploadLines(words, said).map((line) => line.replaceAll(/\s/g, ' '))).toEqual(expected)
  })

  it('of a drop: keeps each figure apart from what happens to so many files', () => {
    const fields = { now: 1100, atOnce: 1048, nowUntil: NOW + 120_000, later: 31, held: 1, tooBig: 1200 }
    const said = uploadWords(words, forecast(fields), null, NOW)
    expect([...said.when, ...said.notes]).toEqual([
      { figure: '1,048', words: 'now' },
      { figure: '52', words: expect.stringMatching(/^within 2\smin$/) },
      { figure: '31', words: 'later' },
      { figure: '1', words: 'looks like a secret and needs your approval' },
      { figure: '1,200', words: 'exceed your plan’s file size limit' },
    ])
    expect(uploadWords(words, forecast(fields), 'Paused', NOW)).toMatchObject({
      total: expect.stringMatching(/^3\.1\sGB · Paused$/),
      when: [],
      last: null,
    })
  })

  it('says what stays behind, and nothing of what does not', () => {
    expect(
      forecastWords(words, forecast({ now: 1, already: 2, held: 1, tooBig: 1, ignored: 12 }), NOW),
    ).toMatchObject({
      holds: '1 file, 3.1 GB to upload',
      notes: [
        '2 are already uploaded',
        '1 looks like a secret and needs your approval',
        '1 exceeds your plan’s file size limit',
        '12 are ignored by rules',
      ],
    })
    expect(forecastWords(words, forecast({ files: 0, bytes: 0 }), NOW)).toEqual({
      holds: 'Empty',
      when: null,
      notes: [],
    })
  })

  it('calls no folder empty that holds files, and names no size where nothing is to be uploaded', () => {
    expect(forecastWords(words, forecast({ files: 0, bytes: 0, ignored: 3, failed: 1 }), NOW)).toEqual({
      holds: '0 files',
      when: null,
      notes: ['3 are ignored by rules', '1 can’t be read'],
    })
    expect(forecastWords(words, forecast({ bytes: 0, already: 1240 }), NOW).holds).toBe('1,240 files')
  })
})
