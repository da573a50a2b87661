// The forecast of an upload under the plan's limits: what goes out now, what later and until when, and what
// is too big. The test supplies limits and usage; no service is involved.
import { describe, expect, it } from 'vitest'
import { DailyUploadCounter } from '../../../../src-main/engine/budget/daily-uploads.ts'
import { forecast } from '../../../../src-main/engine/budget/forecast.ts'
import { noQuota } from '../../../../src-main/engine/budget/plan-limits.ts'
import { daysUntil } from '../../../../src-renderer/lib/folder-forecast.ts'
import { planOf } from '../../../../src-renderer/views/transfers/upload-plan.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { factsIn } from '../journal/facts-store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const now = 20_000 * DAY
const free = { limit: 5_000, free: 5_000, releases: [] }
const base = { now, minute: { limit: 50, free: 50 }, day: free, daily: null, quota: noQuota, unit: null }
const files = (count: number, size = 1_000) => Array.from({ length: count }, () => size)

describe('the forecast of an upload', () => {
  it('says nothing about nothing', () => {
    expect(forecast({ ...base, sizes: [] })).toEqual({
      nowCount: 0,
      atOnce: 0,
      nowUntil: null,
      laterCount: 0,
      heldTooBig: 0,
      bytes: 0,
      steps: [],
      doneAt: null,
      limitedBy: null,
    })
  })

  it('sends a burst at once', () => {
    expect(forecast({ ...base, sizes: files(50) })).toMatchObject({
      nowCount: 50,
      laterCount: 0,
      doneAt: now,
      limitedBy: null,
      bytes: 50_000,
    })
  })

  it('counts minutes beyond the burst', () => {
    expect(forecast({ ...base, sizes: files(200) })).toMatchObject({
      nowCount: 200,
      doneAt: now + 3 * MINUTE,
      limitedBy: 'rate-minute',
    })
    expect(forecast({ ...base, minute: { limit: 50, free: 0 }, sizes: files(10) })).toMatchObject({
      nowCount: 10,
      doneAt: now + MINUTE,
    })
  })

  it('says how many of them the minute lets go at once, and when the last of them goes', () => {
    const daily = { limit: 100, free: 100, releases: [] }
    expect(forecast({ ...base, sizes: files(50) })).toMatchObject({ atOnce: 50, nowUntil: now })
    expect(forecast({ ...base, sizes: files(51) })).toMatchObject({
      nowCount: 51,
      atOnce: 50,
      nowUntil: now + MINUTE,
    })
    expect(forecast({ ...base, daily, minute: { limit: 50, free: 48 }, sizes: files(131) })).toMatchObject({
      nowCount: 100,
      atOnce: 48,
      nowUntil: now + 2 * MINUTE,
      laterCount: 31,
    })
    expect(
      forecast({
        ...base,
        daily: { limit: 5, free: 0, releases: [{ at: now + HOUR, count: 5 }] },
        sizes: files(3),
      }),
    ).toMatchObject({
      atOnce: 0,
      nowUntil: null,
    })
  })

  it('lets the first file of later start when an upload becomes free, as the banner says', () => {
    const at = now + HOUR + 7 * MINUTE + 3000
    const releases = [
      { at, count: 1 },
      { at: at + 1000, count: 4 },
    ]
    const { steps } = forecast({ ...base, daily: { limit: 5, free: 0, releases }, sizes: files(3) })
    expect(steps).toEqual([{ at, count: 3 }])
  })

  it('lets go first what is in the queue already', () => {
    const daily = { limit: 100, free: 100, releases: [] }
    expect(forecast({ ...base, ahead: 45, sizes: files(10) })).toMatchObject({
      nowCount: 10,
      atOnce: 5,
      nowUntil: now + MINUTE,
    })
    expect(forecast({ ...base, ahead: 80, sizes: files(10) })).toMatchObject({
      nowCount: 10,
      atOnce: 0,
      nowUntil: now + MINUTE,
    })
    expect(forecast({ ...base, daily, ahead: 95, sizes: files(10) })).toMatchObject({
      nowCount: 5,
      laterCount: 5,
      atOnce: 0,
    })
    expect(forecast({ ...base, daily, ahead: 300, sizes: files(10) })).toMatchObject({
      nowCount: 0,
      laterCount: 10,
      atOnce: 0,
      nowUntil: null,
    })
    expect(forecast({ ...base, ahead: 300, sizes: [] })).toMatchObject({
      nowCount: 0,
      doneAt: null,
      steps: [],
    })
  })

  it('goes on the next day when the day is used up', () => {
    const result = forecast({ ...base, sizes: files(12_000) })
    expect(result).toMatchObject({ nowCount: 5_000, laterCount: 7_000, limitedBy: 'rate-day' })
    expect(result.steps.map((step) => step.count)).toEqual([5_000, 5_000, 2_000])
    const [, second, third] = result.steps
    expect(second?.at).toBeGreaterThanOrEqual(now + DAY)
    expect(second?.at).toBeLessThanOrEqual(now + DAY + 2 * HOUR)
    expect(result.doneAt).toBeGreaterThan(third?.at ?? 0)
  })

  it('is limited by daily uploads, and by what was used before', () => {
    const daily = {
      limit: 100,
      free: 30,
      releases: [
        { at: now + 2 * HOUR, count: 50 },
        { at: now + 5 * HOUR, count: 20 },
      ],
    }
    const result = forecast({ ...base, daily, sizes: files(110) })
    expect(result).toMatchObject({ nowCount: 30, laterCount: 80, limitedBy: 'daily-uploads' })
    expect(result.steps).toEqual([
      { at: now, count: 30 },
      { at: now + 2 * HOUR, count: 50 },
      { at: now + 5 * HOUR, count: 20 },
      { at: now + DAY, count: 10 },
    ])
  })

  it('begins later when nothing is free now', () => {
    const day = { limit: 5_000, free: 0, releases: [{ at: now + HOUR, count: 5_000 }] }
    expect(forecast({ ...base, day, sizes: files(10) })).toMatchObject({
      nowCount: 0,
      laterCount: 10,
      steps: [{ at: now + HOUR, count: 10 }],
      doneAt: now + HOUR,
      limitedBy: 'rate-day',
    })
  })

  it('goes on when the requests of other clients free up, or else within a day', () => {
    const day = { limit: 5_000, free: 0, releases: [] }
    expect(forecast({ ...base, day: { ...day, nextAt: now + 3 * HOUR }, sizes: files(2) })).toMatchObject({
      laterCount: 2,
      doneAt: now + 3 * HOUR,
      limitedBy: 'rate-day',
    })
    expect(forecast({ ...base, day, sizes: files(2) })).toMatchObject({ laterCount: 2, doneAt: now + DAY })
  })

  it('waits until what exceeds a lowered limit has left, too', () => {
    const releases = [
      { at: now + HOUR, count: 350 },
      { at: now + 2 * HOUR, count: 50 },
    ]
    expect(forecast({ ...base, day: { limit: 100, free: -300, releases }, sizes: files(70) }).steps).toEqual([
      { at: now + HOUR, count: 50 },
      { at: now + 2 * HOUR, count: 20 },
    ])
  })

  it('holds what is surely too big, and nothing on a guess', () => {
    const quota = { ...noQuota, maxFileSize: { kind: 'limited', value: 2_000_000, unit: 'bare' } as const }
    const sizes = [1_000, 3_000_000, 5_000_000]
    expect(forecast({ ...base, quota, unit: 'bytes', sizes })).toMatchObject({
      nowCount: 1,
      heldTooBig: 2,
      bytes: 1_000,
    })
    expect(forecast({ ...base, quota, unit: null, sizes })).toMatchObject({ nowCount: 3, heldTooBig: 0 })
  })

  it('ends for a budget that never comes free', () => {
    expect(forecast({ ...base, daily: { limit: 0, free: 0, releases: [] }, sizes: files(3) })).toMatchObject({
      nowCount: 0,
      laterCount: 3,
      doneAt: null,
    })
  })
})

describe('the days until all is done', () => {
  it('are as many in the queue as in the forecast of a folder', () => {
    const limit = 100
    const none = {
      queued: 0,
      uploading: 0,
      waiting: 0,
      held: 0,
      unknown: 0,
      failed: 0,
      cancelled: 0,
      gone: 0,
      done: 0,
      paused: 0,
      settling: 0,
    }
    for (const used of [0, 1, 12, 50, 88, 99, 100])
      for (const hours of [0.5, 1, 5, 12, 23.5])
        for (const open of [101, 150, 200, 201, 288, 300, 588, 1000]) {
          const nextAt = used === 0 ? null : now + hours * HOUR
          const releases = nextAt === null ? [] : [{ at: nextAt, count: used }]
          const sizes = files(open)
          const { doneAt } = forecast({
            ...base,
            minute: { limit: 1000, free: 1000 },
            daily: { limit, free: limit - used, releases },
            sizes,
          })
          const plan = planOf(
            { counts: { ...none, queued: open }, dailyUploads: { limit, used, nextAt } },
            now,
          )
          expect([used, hours, open, plan?.days]).toEqual([
            used,
            hours,
            open,
            doneAt === null ? null : daysUntil(doneAt, now),
          ])
        }
  })
})

describe('the sizes in a forecast', () => {
  it.each<readonly [string, Parameters<typeof forecast>[0]['quota'], number]>([
    ['no stated limit: what was refused is held', noQuota, 2],
    [
      'a limit in an unknown unit',
      { ...noQuota, maxFileSize: { kind: 'limited', value: 9_000, unit: 'bare' } },
      2,
    ],
    [
      'a stated limit is believed',
      { ...noQuota, maxFileSize: { kind: 'limited', value: 2_500, unit: 'bytes' } },
      1,
    ],
    ['stated to be unlimited', { ...noQuota, maxFileSize: { kind: 'unlimited' } }, 0],
  ])('are held as an upload holds them: %s', (_what, quota, heldTooBig) => {
    const evidence = { largestAccepted: null, smallestRefused: 2_000 }
    expect(forecast({ ...base, quota, evidence, sizes: [1_000, 2_000, 3_000] })).toMatchObject({
      heldTooBig,
      nowCount: 3 - heldTooBig,
    })
  })

  it('fit if a larger one was accepted', () => {
    const evidence = { largestAccepted: 5_000, smallestRefused: 6_000 }
    expect(forecast({ ...base, evidence, sizes: [5_000, 6_000] })).toMatchObject({ heldTooBig: 1 })
  })
})

describe('the daily uploads in a forecast', () => {
  /** After uploads this many milliseconds ago, oldest first, under a limit of 100 a day. */
  function budget(...ago: readonly number[]) {
    const times = ago.map((ms) => now - ms)
    const transfers = {
      unconfirmedTimes: () => [],
      uploadsSince: (at: number) => times.filter((time) => time > at).length,
      uploadTimes: (at: number, most: number) => times.filter((time) => time > at).slice(-most),
    }
    const counter = new DailyUploadCounter(createFakeClock(now), transfers, factsIn(new Map()))
    counter.setQuota({ ...noQuota, dailyUploads: { kind: 'limited', value: 100 } }, now)
    return counter.budget(null)
  }

  it('do not count the places of older uploads a second time', () => {
    const daily = budget(...files(100, 30 * HOUR))
    expect(daily).toEqual({ limit: 100, free: 100, releases: [] })
    expect(forecast({ ...base, daily, sizes: files(200) })).toMatchObject({ nowCount: 100, laterCount: 100 })
  })

  it('free up when the next upload is allowed, a little more than a day after each upload', () => {
    expect(budget(30 * HOUR, DAY + 10_000, HOUR)).toEqual({
      limit: 100,
      free: 98,
      releases: [
        { at: now + 20_000, count: 1 },
        { at: now + 23 * HOUR + 30_000, count: 1 },
      ],
    })
  })
})
