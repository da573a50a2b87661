// Table-driven tests of the limits from `/stats` in every format, units learned from receipts, daily uploads,
// and the meaning of a 403. An unknown limit must never refuse a file.
import { describe, expect, it } from 'vitest'
import { type DailyUploads, dailyUploads } from '../../../../src-main/engine/budget/daily-uploads.ts'
import { diagnose403 } from '../../../../src-main/engine/budget/forbidden.ts'
import {
  fits,
  type Limit,
  noQuota,
  type Quota,
  type SizeLimit,
  sizeLimit,
} from '../../../../src-main/engine/budget/plan-limits.ts'
import {
  effectivePlan,
  hintWindow,
  planLimits,
  readRates,
} from '../../../../src-main/engine/budget/rate-limits.ts'
import { learnUnit } from '../../../../src-main/engine/budget/size-unit.ts'
import {
  readLimit,
  readQuota,
  readSize,
  writtenBytes,
} from '../../../../src-main/engine/budget/stats-reader.ts'

const MB = 1_048_576
const GB = 1_073_741_824
const HOUR = 3_600_000
const DAY = 24 * HOUR
const limited = (value: number): Limit => ({ kind: 'limited', value })
const bytes = (value: number): SizeLimit => ({ kind: 'limited', value, unit: 'bytes' })
const bare = (value: number): SizeLimit => ({ kind: 'limited', value, unit: 'bare' })
const unlimited = { kind: 'unlimited' } as const
const unknown = { kind: 'unknown' } as const
const quota = (over: Partial<Quota>): Quota => ({ ...noQuota, ...over })

describe('a count limit in every form', () => {
  it.each<[unknown, Limit]>([
    [100, limited(100)],
    ['100', limited(100)],
    [' 1,000 ', limited(1_000)],
    ['1 000', unknown],
    [99.9, limited(99)],
    [0, unknown],
    ['0', unknown],
    [0.4, unknown],
    [-1, unlimited],
    ['-1', unlimited],
    [-500, unlimited],
    ['Unlimited', unlimited],
    ['no limit', unlimited],
    ['∞', unlimited],
    [2_147_483_647, unlimited],
    [2 ** 63, unlimited],
    [Number.POSITIVE_INFINITY, unlimited],
    [Number.NaN, unknown],
    [null, unknown],
    [undefined, unknown],
    ['', unknown],
    ['many', unknown],
    [true, unknown],
    [false, unknown],
    [[], unknown],
    [[5], unknown],
    [{}, unknown],
    [{ limit: 20, used: 3 }, limited(20)],
    [{ max: '20' }, limited(20)],
    [{ unlimited: true, limit: 20 }, unlimited],
    [{ limit: null }, unknown],
    ['1,000', limited(1000)],
    ['1.000', unknown],
    ['12.500', unknown],
    [{ limit: { limit: { limit: {} } } }, unknown],
  ])('%j', (value, expected) => {
    expect(readLimit(value)).toEqual(expected)
  })
})

describe('a size limit in every form', () => {
  it.each<[unknown, SizeLimit]>([
    [5_368_709_120, bare(5_368_709_120)],
    ['5368709120', bare(5_368_709_120)],
    [2_048, bare(2_048)],
    [1.5, bare(1.5)],
    ['100 MB', bytes(100 * MB)],
    ['100MB', bytes(100 * MB)],
    ['100 mb', bytes(100 * MB)],
    ['100M', bytes(100 * MB)],
    ['1.5 GiB', bytes(1.5 * GB)],
    ['1,5 GB', unknown],
    ['1,500 MB', bytes(1_500 * MB)],
    ['1.500 MB', unknown],
    ['0.125 GB', bytes(0.125 * GB)],
    ['2 TB', bytes(2_048 * GB)],
    ['512 bytes', bytes(512)],
    ['10 megabytes', unknown],
    ['0 MB', unknown],
    [0, unknown],
    [-1, unlimited],
    ['unlimited', unlimited],
    [Number.MAX_SAFE_INTEGER, unlimited],
    [1e300, unlimited],
    [null, unknown],
    [undefined, unknown],
    [true, unknown],
    ['large', unknown],
    ['MB', unknown],
    [{ value: 100, unit: 'MB' }, unknown],
    [{ bytes: 1_234 }, bytes(1_234)],
    [{ mb: 5 }, unknown],
    [{ limit: '2 GB' }, bytes(2 * GB)],
    [{ value: { value: 3 } }, unknown],
    [{ unlimited: true }, unlimited],
  ])('%j', (value, expected) => {
    expect(readSize(value)).toEqual(expected)
  })

  it('reads a unit at the end of a name', () => {
    expect(readSize(100, 'max_file_size_mb')).toEqual(bytes(100 * MB))
    expect(readSize(100, 'max_file_size_bytes')).toEqual(bytes(100))
  })

  it('takes no text for a size that is none', () => {
    for (const text of ['', '12', '12 apples', '1.2.3.4 GB', 'GB 12', '12 GB each'])
      expect(writtenBytes(text)).toBeNull()
  })
})

describe('reading /stats', () => {
  it('reads the documented form', () => {
    const read = readQuota({
      plan: 'pro',
      stats: { total_files: 12, total_size: 3_456 },
      limits: { max_file_size: 5_368_709_120, daily_uploads: 500 },
    })
    expect(read).toEqual(
      quota({
        maxFileSize: bare(5_368_709_120),
        dailyUploads: limited(500),
        totalFiles: 12,
        totalSize: 3_456,
      }),
    )
  })

  it('reads further fields where their names are plain', () => {
    const read = readQuota({
      plan: 'pro',
      stats: {
        total_files: '12',
        uploads_today: 7,
        requests_today: 41,
        storage_used: 5,
        junk: { deep: { deeper: { deepest: 1 } } },
      },
      limits: {
        max_file_size_mb: 100,
        dailyUploads: { limit: 50, used: 8 },
        max_storage: '10 GB',
        max_files: 1_000,
        rate_limit: { minute: 60, day: 6_000 },
      },
    })
    expect(read).toEqual({
      maxFileSize: bytes(100 * MB),
      dailyUploads: limited(50),
      storage: bytes(10 * GB),
      maxFiles: limited(1_000),
      uploadsToday: 7,
      requestsToday: 41,
      totalFiles: 12,
      totalSize: 5,
      rates: { perMinute: 60, perDay: 6_000 },
    })
  })

  it('takes daily_uploads among stats for use, among limits for the limit', () => {
    const read = readQuota({ plan: null, stats: { daily_uploads: 3 }, limits: { daily_uploads: 10 } })
    expect(read).toMatchObject({ dailyUploads: limited(10), uploadsToday: 3 })
  })

  it('is not troubled by anything', () => {
    const odd: unknown[] = [
      null,
      0,
      -1,
      '',
      'x',
      true,
      [],
      {},
      [[]],
      { limit: [] },
      Number.NaN,
      Number.POSITIVE_INFINITY,
      () => 1,
    ]
    for (const value of odd) {
      const record = {
        max_file_size: value,
        daily_uploads: value,
        total_files: value,
        total_size: value,
        storage: value,
        rate_limit: value,
      }
      const read = readQuota({ plan: 'pro', stats: record, limits: record })
      for (const part of [read.maxFileSize, read.dailyUploads, read.storage])
        expect(part.kind).not.toBe('limited')
      expect(fits({ size: 9e12, quota: read, unit: 'bytes' })).not.toBe('too-big')
    }
  })
})

describe('request rates', () => {
  it.each<[Record<string, unknown>, number | null, number | null]>([
    [{ requests_per_minute: 60, requests_per_day: 6_000 }, 60, 6_000],
    [{ rate_limit_per_minute: '70' }, 70, null],
    [{ per_minute: 5, per_day: 8 }, 5, 8],
    [{ rpm: 3, rpd: 4 }, 3, 4],
    [{ rateLimit: { perMinute: 4, perDay: 9 } }, 4, 9],
    [{ api: { rate_limits: { minute: { limit: 3 } } } }, 3, null],
    [{ daily_uploads: 5, uploads_per_day: 4, uploads: { per_minute: 1, per_day: 2 } }, null, null],
    [{ requests_per_minute: 0, requests_per_day: -1 }, null, null],
    [{ requests_per_minute: 1e12, requests_per_day: 'many' }, null, null],
    [{ max_file_size: 100 }, null, null],
  ])('%j', (limits, perMinute, perDay) => {
    expect(readRates(limits)).toEqual({ perMinute, perDay })
  })

  it('knows the plans by name, and is careful with others', () => {
    expect(planLimits('Pro')).toEqual({ perMinute: 50, perDay: 5_000 })
    expect(planLimits('ENTERPRISE (yearly)')).toEqual({ perMinute: 1_000, perDay: 100_000 })
    expect(planLimits('professional')).toBeNull()
    expect(planLimits('pro business')).toBeNull()
    const none = { perMinute: null, perDay: null }
    expect(effectivePlan('ultra', none)).toEqual({ limits: { perMinute: 50, perDay: 5_000 }, known: false })
    expect(effectivePlan('business', none)).toEqual({
      limits: { perMinute: 100, perDay: 10_000 },
      known: true,
    })
    expect(effectivePlan('pro', { perMinute: 30, perDay: null })).toEqual({
      limits: { perMinute: 30, perDay: 5_000 },
      known: true,
    })
    expect(effectivePlan(null, { perMinute: 9_000, perDay: null })).toEqual({
      limits: { perMinute: 9_000, perDay: 9_000 },
      known: false,
    })
  })

  it.each<[number | null, number | null, number | null, 'minute' | 'day' | null]>([
    [50, 40, 30_000, 'minute'],
    [30, 0, null, 'minute'],
    [5_000, 100, 7_200_000, 'day'],
    [4_000, 100, null, 'day'],
    [1_000, 900, 1_800_000, null],
    [null, 5, 20_000, 'minute'],
    [null, 5, 40_000_000, 'day'],
    [null, 5, 1_000_000, null],
    [null, 5, null, 'minute'],
    [null, 4_000, null, null],
    [null, null, null, null],
  ])('limit %s, remaining %s, reset %s is of the %s', (limit, remaining, resetMs, expected) => {
    expect(
      hintWindow({ retryAfterMs: null, limit, remaining, resetMs }, { perMinute: 50, perDay: 5_000 }),
    ).toBe(expected)
  })
})

describe('the unit of sizes', () => {
  const sent = [10, 900, 123_456, 5_000_000, 73_400_321, 1_999_999_999]
  for (const [unit, factor] of [
    ['kB', 1_000],
    ['KiB', 1_024],
    ['MB', 1_000_000],
    ['MiB', 1_048_576],
  ] as const) {
    for (const round of [Math.floor, Math.round, Math.ceil]) {
      it(`learns ${unit} with ${round.name}`, () => {
        expect(
          learnUnit(sent.map((sentBytes) => ({ sentBytes, receiptSize: round(sentBytes / factor) }))),
        ).toBe(unit)
      })
    }
  }

  it('learns bytes from one exact figure, not from a short one', () => {
    expect(learnUnit([{ sentBytes: 123_456, receiptSize: 123_456 }])).toBe('bytes')
    expect(learnUnit([{ sentBytes: 10, receiptSize: 10 }])).toBeNull()
    expect(
      learnUnit([
        { sentBytes: 10, receiptSize: 10 },
        { sentBytes: 11, receiptSize: 11 },
      ]),
    ).toBe('bytes')
  })

  it('does not decide on small files, one file or nothing', () => {
    expect(learnUnit([])).toBeNull()
    expect(learnUnit([{ sentBytes: 1_000, receiptSize: 1 }])).toBeNull()
    expect(learnUnit([{ sentBytes: 70_000_000, receiptSize: 70_000 }])).toBeNull()
    expect(learnUnit([100, 200, 1_000].map((sentBytes) => ({ sentBytes, receiptSize: 1 })))).toBeNull()
  })

  it('believes no unit against the evidence, but bears one odd receipt in twenty', () => {
    const good = Array.from({ length: 39 }, (_, i) => ({
      sentBytes: 50_000 + i * 777,
      receiptSize: 50_000 + i * 777,
    }))
    expect(learnUnit([...good, { sentBytes: 4_000, receiptSize: 4_001 }])).toBe('bytes')
    expect(learnUnit([...good.slice(0, 5), { sentBytes: 4_000, receiptSize: 4_001 }])).toBeNull()
    expect(
      learnUnit([
        { sentBytes: 0, receiptSize: 0 },
        { sentBytes: 5, receiptSize: Number.NaN },
      ]),
    ).toBeNull()
  })
})

describe('does a file fit', () => {
  it('believes a bare figure only in a known unit', () => {
    const q = quota({ maxFileSize: bare(100 * MB) })
    expect(fits({ size: 200 * MB, quota: q, unit: null })).toBe('unknown')
    expect(fits({ size: 200 * MB, quota: q, unit: 'bytes' })).toBe('too-big')
    expect(fits({ size: 200 * MB, quota: q, unit: 'KiB' })).toBe('fits')
    expect(fits({ size: 100 * MB, quota: q, unit: null })).toBe('fits')
  })

  it('believes no absurdly small limit until a refusal agrees', () => {
    const q = quota({ maxFileSize: bare(2_048) })
    expect(fits({ size: 5 * MB, quota: q, unit: 'bytes' })).toBe('unknown')
    expect(
      fits({
        size: 5 * MB,
        quota: q,
        unit: 'bytes',
        evidence: { largestAccepted: null, smallestRefused: 5_000 },
      }),
    ).toBe('too-big')
    expect(
      fits({
        size: 5 * MB,
        quota: q,
        unit: 'bytes',
        evidence: { largestAccepted: 3_000, smallestRefused: 5_000 },
      }),
    ).toBe('unknown')
    expect(fits({ size: 5 * MB, quota: q, unit: 'MiB' })).toBe('fits')
    expect(fits({ size: 3 * GB, quota: q, unit: 'MiB' })).toBe('too-big')
  })

  it('is disproved by an upload that was accepted', () => {
    const q = quota({ maxFileSize: bare(100 * MB) })
    const evidence = { largestAccepted: 150 * MB, smallestRefused: null }
    expect(fits({ size: 120 * MB, quota: q, unit: 'bytes', evidence })).toBe('fits')
    expect(fits({ size: 200 * MB, quota: q, unit: 'bytes', evidence })).toBe('unknown')
    expect(sizeLimit(q.maxFileSize, 'bytes', evidence)).toEqual(unknown)
  })

  it('refuses nothing without a limit', () => {
    for (const maxFileSize of [unknown, unlimited]) {
      for (const unit of [null, 'bytes', 'MiB'] as const)
        expect(fits({ size: 9e15, quota: quota({ maxFileSize }), unit })).not.toBe('too-big')
    }
    expect(fits({ size: 101 * MB, quota: quota({ maxFileSize: bytes(100 * MB) }), unit: null })).toBe(
      'too-big',
    )
  })
})

describe('daily uploads', () => {
  const now = 1_000 * DAY
  const ten = quota({ dailyUploads: limited(10) })
  const at = (...hours: number[]) => hours.map((h) => now - h * HOUR)
  it.each<[string, Parameters<typeof dailyUploads>[0], DailyUploads]>([
    [
      'no limit known',
      { quota: noQuota, uploadedAt: at(3, 2), now },
      { room: null, limit: null, used: 2, nextAt: null },
    ],
    ['room', { quota: ten, uploadedAt: at(30, 3, 2), now }, { room: 8, limit: 10, used: 2, nextAt: null }],
    [
      'full of ours: the oldest of the last ten decides',
      { quota: ten, uploadedAt: at(23, 22, 9, 8, 7, 6, 5, 4, 3, 2, 1), now },
      { room: 0, limit: 10, used: 11, nextAt: now - 22 * HOUR + DAY + 30_000 },
    ],
    [
      'the service counts more',
      { quota: ten, uploadedAt: at(1), now, server: { uploadsToday: 7, readAt: now - HOUR, ownSince: 1 } },
      { room: 2, limit: 10, used: 8, nextAt: null },
    ],
    [
      'full by the service alone: ask again',
      { quota: ten, uploadedAt: at(1), now, server: { uploadsToday: 10, readAt: now, ownSince: 0 } },
      { room: 0, limit: 10, used: 10, nextAt: now + HOUR },
    ],
    [
      'not read again since: the next of the attempts, which are a minute apart',
      {
        quota: ten,
        uploadedAt: at(1),
        now,
        server: { uploadsToday: 10, readAt: now - 2 * HOUR - 20_000, ownSince: 0 },
      },
      { room: 0, limit: 10, used: 10, nextAt: now + 40_000 },
    ],
    [
      'the service counts less: ours holds',
      { quota: ten, uploadedAt: at(5, 4, 3), now, server: { uploadsToday: 0, readAt: now, ownSince: 0 } },
      { room: 7, limit: 10, used: 3, nextAt: null },
    ],
    [
      'refused for today',
      { quota: ten, uploadedAt: [], now, fullUntil: now + 5 },
      { room: 0, limit: 10, used: 0, nextAt: now + 5 },
    ],
    [
      'refused, no limit known',
      { quota: noQuota, uploadedAt: [], now, fullUntil: now + 5 },
      { room: 0, limit: null, used: 0, nextAt: now + 5 },
    ],
    [
      'refused yesterday',
      { quota: ten, uploadedAt: [], now, fullUntil: now - 5 },
      { room: 10, limit: 10, used: 0, nextAt: null },
    ],
  ])('%s', (_, input, expected) => {
    expect(dailyUploads(input)).toEqual(expected)
  })
})

describe('what a 403 meant', () => {
  const base = { isStatsRead: true, fileSize: 5 * MB, quota: noQuota, unit: null, uploadsLast24h: 3 } as const
  it.each<[string, Partial<Parameters<typeof diagnose403>[0]>, string, RegExp]>([
    ['too big', { quota: quota({ maxFileSize: bytes(MB) }) }, 'too-big', /5\.2 MB.*1 MB/],
    [
      'too big, small limit confirmed by this refusal',
      { quota: quota({ maxFileSize: bare(2_048) }), unit: 'bytes' },
      'too-big',
      /2 kB/,
    ],
    [
      'small limit in an unknown unit',
      { quota: quota({ maxFileSize: bare(2_048) }) },
      'undetermined',
      /no known limit/,
    ],
    [
      'larger was taken before',
      {
        quota: quota({ maxFileSize: bare(4 * MB) }),
        unit: 'bytes',
        evidence: { largestAccepted: 9 * MB, smallestRefused: null },
      },
      'undetermined',
      /5\.2 MB/,
    ],
    ['our own count', { quota: quota({ dailyUploads: limited(3) }) }, 'daily-limit', /3 uploads.*allows 3/],
    [
      'the count of the service',
      { quota: quota({ dailyUploads: limited(9), uploadsToday: 9 }) },
      'daily-limit',
      /9/,
    ],
    [
      'storage',
      { quota: quota({ storage: bytes(10 * MB), totalSize: 6 * MB }), unit: 'bytes' },
      'storage-full',
      /6\.3 MB of 10\.5 MB/,
    ],
    [
      'storage in an unknown unit',
      { quota: quota({ storage: bare(100), totalSize: 100 }) },
      'storage-full',
      /used up/,
    ],
    ['number of files', { quota: quota({ maxFiles: limited(4), totalFiles: 4 }) }, 'storage-full', /4 files/],
    [
      'the words of the service',
      { detail: 'Daily upload limit exceeded' },
      'daily-limit',
      /Daily upload limit exceeded/,
    ],
    ['words about size', { detail: 'File too large' }, 'too-big', /File too large/],
    ['words about a plan that has the API', { detail: 'Please upgrade' }, 'undetermined', /Please upgrade/],
    ['words that say two things', { detail: 'daily storage' }, 'undetermined', /daily storage/],
    ['no statistics', { isStatsRead: false }, 'undetermined', /couldn't be read/],
    // A verdict that names no limit would send the file again at once.
    [
      'words about a plan, and no statistics',
      { isStatsRead: false, detail: 'Please upgrade' },
      'undetermined',
      /Please upgrade/,
    ],
    ['nothing known', {}, 'undetermined', /no known limit/],
  ])('%s', (_, over, verdict, words) => {
    const diagnosis = diagnose403({ ...base, ...over })
    expect(diagnosis.verdict).toBe(verdict)
    expect(diagnosis.evidence).toMatch(words)
  })
})
