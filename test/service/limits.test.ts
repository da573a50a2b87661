// Limits: the hit log compared with a naive count, and the service's 429 with both kinds of windows.
// The clock is a fake, so no test waits for a minute.
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createHitLog, dayCut, type Limits, planLimits, type WindowCut } from './limits.ts'
import { call, json } from './raw-client.ts'
import { createService, type Service, type ServiceOptions } from './service.ts'

describe('hit log', () => {
  const cuts: readonly WindowCut[] = [
    { kind: 'sliding', length: 60, offset: 0 },
    { kind: 'aligned', length: 60, offset: 0 },
    { kind: 'aligned', length: 60, offset: 25 },
  ]
  const inside = (cut: WindowCut, hit: number, now: number): boolean =>
    hit <= now &&
    (cut.kind === 'sliding'
      ? hit > now - cut.length
      : Math.floor((hit - cut.offset) / cut.length) === Math.floor((now - cut.offset) / cut.length))

  it('counts like one who looks at every moment, and is free exactly when it says', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cuts),
        fc.array(fc.nat(300), { maxLength: 60 }),
        fc.integer({ min: 150, max: 320 }),
        fc.integer({ min: 1, max: 8 }),
        (cut, moments, now, limit) => {
          const past = moments.filter((moment) => moment <= now)
          const log = createHitLog(200)
          for (const moment of past) log.add(moment)
          const count = (at: number): number => past.filter((hit) => inside(cut, hit, at)).length
          expect(log.count(cut, now)).toBe(count(now))
          let free = now
          while (count(free) >= limit) free++
          expect(log.freeAt(cut, limit, now)).toBe(free)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('forgets what is too old, however many there were', () => {
    const log = createHitLog(100)
    for (let at = 0; at < 10_000; at++) log.add(at)
    expect(log.count({ kind: 'sliding', length: 100_000, offset: 0 }, 10_000)).toBeLessThanOrEqual(101)
  })
})

describe('plans', () => {
  it.each([
    ['pro', 50, 5000],
    ['business', 100, 10_000],
    ['enterprise', 1000, 100_000],
    ['platinum', 50, 5000],
  ])('%s has %d a minute and %d a day', (plan, perMinute, perDay) => {
    expect(planLimits(plan, {})).toMatchObject({ perMinute, perDay })
  })

  it.each<[Partial<Limits>, WindowCut['kind'], number]>([
    [{ windows: 'sliding' }, 'sliding', 0],
    [{ windows: 'aligned' }, 'aligned', 0],
    [{ windows: 'aligned', dayTurnsAt: -8 }, 'aligned', -28_800_000],
    [{ windows: 'aligned', dayTurnsAt: 'rolling' }, 'sliding', 0],
    [{ windows: 'sliding', dayTurnsAt: 7 }, 'aligned', 25_200_000],
  ])('cuts the day of %j', (overrides, kind, offset) => {
    expect(dayCut(planLimits('pro', overrides), 86_400_000)).toEqual({ kind, length: 86_400_000, offset })
  })
})

describe('service', () => {
  let service: Service
  let clock = Date.UTC(2026, 0, 1, 12, 0, 30)

  async function open(options: ServiceOptions): Promise<void> {
    clock = Date.UTC(2026, 0, 1, 12, 0, 30)
    service = await createService({ now: () => clock, ...options })
  }
  async function statuses(count: number): Promise<readonly (number | null)[]> {
    const got: (number | null)[] = []
    for (let n = 0; n < count; n++) got.push((await call(service, { path: '/stats' })).status)
    return got
  }
  afterEach(() => service.close())

  it('slides: a place comes free a minute after it was taken, to the millisecond', async () => {
    await open({ limits: { perMinute: 2 } })
    expect(await statuses(1)).toEqual([200])
    clock += 10_000
    expect(await statuses(2)).toEqual([200, 429])
    clock += 49_999
    expect(await statuses(1)).toEqual([429])
    clock += 1
    expect(await statuses(2)).toEqual([200, 429])
  })

  it('aligned: the window turns with the minute of the clock', async () => {
    await open({ limits: { perMinute: 2, windows: 'aligned' } })
    expect(await statuses(3)).toEqual([200, 200, 429])
    clock += 29_999
    expect(await statuses(1)).toEqual([429])
    clock += 1
    expect(await statuses(3)).toEqual([200, 200, 429])
  })

  it.each([
    ['rolling', 86_400_000],
    [0, 11.5 * 3_600_000 + 1_770_000],
    [14, 2 * 3_600_000 - 30_000],
  ] as const)('counts the day that turns at %s', async (dayTurnsAt, wait) => {
    await open({ limits: { perDay: 1, dayTurnsAt } })
    expect(await statuses(2)).toEqual([200, 429])
    clock += wait - 1
    expect(await statuses(1)).toEqual([429])
    clock += 1
    expect(await statuses(2)).toEqual([200, 429])
  })

  it('counts failing requests, not those with a wrong key, and rejected ones only if told so', async () => {
    await open({ limits: { perMinute: 2 } })
    await call(service, { path: '/stats', key: 'wrong' })
    expect((await call(service, { path: '/files/9' })).status).toBe(404)
    expect((await call(service, { path: '/nothing' })).status).toBe(404)
    expect(await statuses(1)).toEqual([429])
    clock += 30_000
    expect(await statuses(1)).toEqual([429])
    clock += 30_000
    expect(await statuses(1)).toEqual([200])
    service.setLimits({ countRejected: true })
    expect(await statuses(2)).toEqual([200, 429])
    clock += 59_999
    expect(await statuses(1)).toEqual([429])
    clock += 1
    expect(await statuses(1)).toEqual([200])
  })

  it('says when to come again in seconds, as a date, or not at all', async () => {
    await open({ limits: { perMinute: 1 } })
    await statuses(1)
    clock += 500
    const retry = async (): Promise<unknown> =>
      (await call(service, { path: '/stats' })).headers['retry-after']
    expect(await retry()).toBe('60')
    service.setDialect({ retryAfter: 'date' })
    expect(await retry()).toBe('Thu, 01 Jan 2026 12:01:30 GMT')
    service.setDialect({ retryAfter: 'none' })
    expect(await retry()).toBeUndefined()
  })

  it('tells its rate in the headers of the dialect', async () => {
    await open({ limits: { perMinute: 5, windows: 'aligned' } })
    const rate = async (): Promise<unknown> =>
      Object.entries((await call(service, { path: '/stats' })).headers).filter(([name]) =>
        name.includes('ratelimit'),
      )
    expect(await rate()).toEqual([])
    service.setDialect({ rateHeaders: 'ratelimit' })
    expect(await rate()).toEqual([
      ['ratelimit-limit', '5'],
      ['ratelimit-remaining', '3'],
      ['ratelimit-reset', '30'],
    ])
    service.setDialect({ rateHeaders: 'x-ratelimit-delta' })
    expect(await rate()).toContainEqual(['x-ratelimit-reset', '30'])
    service.setDialect({ rateHeaders: 'x-ratelimit-epoch' })
    expect(await rate()).toContainEqual(['x-ratelimit-reset', String(Date.UTC(2026, 0, 1, 12, 1) / 1000)])
  })

  it('takes over the figures of another plan, but keeps what was set by hand', async () => {
    await open({ limits: { perDay: 7 } })
    service.setPlan('enterprise')
    expect(service.limits).toMatchObject({ perMinute: 1000, perDay: 7 })
    expect(json(await call(service, { path: '/stats' }))).toMatchObject({
      plan: 'enterprise',
      limits: { requests_per_minute: 1000 },
    })
  })

  it('keeps a window of another length', async () => {
    await open({ limits: { perMinute: 1 }, windowMs: 200 })
    expect(await statuses(2)).toEqual([200, 429])
    clock += 200
    expect(await statuses(1)).toEqual([200])
  })
})
