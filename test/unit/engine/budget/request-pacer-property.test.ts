// The pacer with a simulated service over days of simulated time: never a 429, and nearly all of the
// allowance is used. Seeds are fixed, and a failure prints its seed.
import { describe, expect, it } from 'vitest'
import { share } from '../../../tools/share.ts'
import {
  createWorld,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  type ServiceOptions,
  START,
  seeded,
  type WindowStyle,
} from './pacer-world.ts'

const SEEDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const
const styles: readonly WindowStyle[] = ['sliding', 'aligned']
const pro = { perMinute: 50, perDay: 5_000 }

function serviceFor(
  seed: number,
  limits: { perMinute: number; perDay: number },
  over: Partial<ServiceOptions> = {},
): ServiceOptions {
  const random = seeded(seed + 7_000)
  return {
    ...limits,
    minuteStyle: styles[seed % 2] ?? 'sliding',
    dayStyle: styles[(seed >> 1) % 2] ?? 'sliding',
    phase: random() * DAY,
    coarse: seed % 3 === 0,
    clockOffset: (random() - 0.5) * 6 * HOUR,
    ...over,
  }
}

describe('S3: 200 requests at 50 a minute', () => {
  for (const minuteStyle of styles) {
    for (const retryAfter of [true, false]) {
      it(`${minuteStyle}, ${retryAfter ? 'with' : 'without'} Retry-After: at most 186 s, no 429`, () => {
        for (const phase of [0, 1, 20 * SECOND, 59_990]) {
          const world = createWorld({
            seed: 1,
            service: { ...pro, minuteStyle, dayStyle: 'aligned', retryAfter, phase },
            backlog: 200,
            concurrency: 4,
            latency: () => 20,
          })
          world.run(HOUR)
          expect(world.figures).toMatchObject({ passed: 200, refused: 0 })
          expect(world.figures.lastAnswerAt - START).toBeLessThanOrEqual(186 * SECOND)
        }
      })
    }
  }

  it('sends 110 in about two minutes', () => {
    const world = createWorld({
      seed: 2,
      service: { ...pro, minuteStyle: 'sliding', dayStyle: 'sliding' },
      backlog: 110,
      latency: () => 20,
    })
    world.run(HOUR)
    expect(world.figures).toMatchObject({ passed: 110, refused: 0 })
    expect(world.figures.lastAnswerAt - START).toBeLessThanOrEqual(124 * SECOND)
  })
})

describe('a backlog for days', () => {
  for (const seed of SEEDS.slice(0, share(4, 12))) {
    it(`seed ${seed}: no 429, and the day's allowance is used`, () => {
      const world = createWorld({ seed, service: serviceFor(seed, pro) })
      // Three daily allowances, of which the last one takes 100 minutes (5,000 at 50 a minute).
      world.run(2 * DAY + 3 * HOUR)
      expect(world.figures.refused).toBe(0)
      expect(world.figures.passed).toBeGreaterThanOrEqual(0.95 * 15_000)
    })

    it(`seed ${seed}: the minute is used`, () => {
      const plenty = { perMinute: 50, perDay: 1_000_000 }
      const world = createWorld({
        seed,
        service: serviceFor(seed, plenty),
        told: { perMinute: 50, perDay: 1_000_000 },
      })
      const hours = 4
      world.run(hours * HOUR)
      expect(world.figures.refused).toBe(0)
      // A place is free again only a minute after its answer, which takes 2.5 s on average. So more than this
      // isn't possible.
      const possible = (50 * hours * HOUR) / (MINUTE + 2.5 * SECOND)
      expect(world.figures.passed).toBeGreaterThanOrEqual(0.95 * possible)
    })
  }

  it('holds on Enterprise, with lost answers', () => {
    const limits = { perMinute: 1_000, perDay: 100_000 }
    const world = createWorld({
      seed: 11,
      service: serviceFor(11, limits),
      plan: 'enterprise',
      concurrency: 64,
      lost: 0.02,
      latency: (r) => r() * 1_000,
    })
    world.run(DAY)
    expect(world.figures.refused).toBe(0)
    expect(world.figures.passed).toBeGreaterThanOrEqual(95_000)
  })
})

describe('restarts, clock jumps and sleep', () => {
  for (const seed of SEEDS.slice(0, share(6, 12))) {
    it(`seed ${seed}: hardly any 429 in two rough days`, () => {
      const world = createWorld({ seed, service: serviceFor(seed, pro), lost: 0.02 })
      const r = seeded(seed + 99)
      const end = world.clock.real() + 2 * DAY
      while (world.clock.real() < end) {
        world.run(r() * (r() < 0.3 ? 3 * HOUR : 10 * MINUTE))
        const what = r()
        const hours = (r() - 0.5) * 10 * HOUR
        if (what < 0.3) world.restart(r() < 0.5 ? 0 : r() * 2 * HOUR, r() < 0.5 ? 0 : hours, false, r() < 0.5)
        else if (what < 0.6) world.clock.set(hours)
        else if (what < 0.9) world.sleep(r() * (r() < 0.5 ? 5 * SECOND : 3 * HOUR))
        else {
          world.sleep(r() * HOUR)
          world.clock.set(hours)
        }
      }
      // If the clock is wrong after a restart while the daily limit is used up, single requests find out
      // whether time has passed.
      expect(world.figures.refused).toBeLessThanOrEqual(3)
      // The daily limit is what counts.
      expect(world.figures.passed).toBeGreaterThanOrEqual(0.9 * 10_000)
    })
  }

  for (const [name, date] of [
    ['absent', () => null],
    ['random', (at: number) => at + (seeded(Math.floor(at))() - 0.5) * 8 * HOUR],
    ['hours off', (at: number) => Math.floor((at + 5 * HOUR) / SECOND) * SECOND],
  ] as const) {
    it(`a Date that is ${name} breaks nothing while the clock is set and the machine sleeps`, () => {
      const world = createWorld({ seed: 21, service: serviceFor(21, pro, { date }) })
      const r = seeded(5)
      const end = world.clock.real() + DAY
      while (world.clock.real() < end) {
        world.run(r() * 20 * MINUTE)
        if (r() < 0.5) world.clock.set((r() - 0.5) * 4 * HOUR)
        else world.sleep(r() * 10 * MINUTE)
      }
      // Only if Dates are hours off, a few requests may be refused: the clock is set forward while the daily
      // limit is used up.
      expect(world.figures.refused).toBeLessThanOrEqual(name === 'hours off' ? 3 : 0)
      expect(world.figures.passed).toBeGreaterThanOrEqual(4_900)
    })
  }

  it('a restart in a full minute sends nothing too early, and is at work again when the minute is over', () => {
    for (const off of [0, 1, 10 * SECOND, 59 * SECOND, 10 * MINUTE]) {
      const world = createWorld({
        seed: 3,
        service: { ...pro, minuteStyle: 'sliding', dayStyle: 'sliding' },
        latency: () => 200,
        backlog: 100,
      })
      world.run(5 * SECOND)
      expect(world.figures.passed).toBe(50)
      world.restart(off)
      const from = world.clock.real()
      world.run(HOUR)
      expect(world.figures).toMatchObject({ passed: 100, refused: 0 })
      // The rest of the minute, or the time allowed for a Date if the process was off for longer.
      const least = Math.max(0, 61.05 * SECOND - off)
      expect(world.figures.lastAnswerAt - from).toBeLessThanOrEqual(least + 12 * SECOND)
    }
  })

  it('many short runs in a row use one budget', () => {
    const world = createWorld({
      seed: 4,
      service: { ...pro, minuteStyle: 'sliding', dayStyle: 'sliding' },
      latency: () => 300,
      concurrency: 1,
    })
    for (let i = 0; i < 400; i += 1) {
      world.run(600)
      world.restart(250, 0, true)
    }
    expect(world.figures.refused).toBe(0)
    // 340 s in which at most 250 requests can pass. Each run may lose some, because a Date has a resolution
    // of a second.
    expect(world.figures.passed).toBeGreaterThanOrEqual(180)
  })
})

describe('F7: a second client on the same key takes half', () => {
  for (const [plan, perMinute, perDay] of [
    ['pro', 50, 5_000],
    ['business', 100, 10_000],
    ['enterprise', 1_000, 100_000],
  ] as const) {
    for (const minuteStyle of styles) {
      // A million requests are enough for one combination.
      if (plan === 'enterprise' && minuteStyle === 'sliding') continue
      it(`${plan}, ${minuteStyle}: under one 429 an hour over a week, and the backlog drains`, () => {
        const world = createWorld({
          seed: 31,
          service: serviceFor(31, { perMinute, perDay }, { minuteStyle, dayStyle: minuteStyle }),
          plan,
          concurrency: 16,
          latency: (r) => 50 + r() * 500,
        })
        // Uses half of each minute's limit until half of the day's limit is used.
        const other = seeded(77)
        let today = 0
        let day = 0
        const gap = MINUTE / (perMinute / 2)
        function tick(): void {
          const index = Math.floor((world.clock.real() - START) / DAY)
          if (index !== day) {
            day = index
            today = 0
          }
          if (today < perDay / 2 && world.service.count(world.clock.real())) today += 1
          world.at(gap * (0.5 + other()), tick)
        }
        world.at(10, tick)
        world.run(7 * DAY)
        expect(world.figures.refused).toBeLessThan(7 * 24)
        expect(world.figures.passed).toBeGreaterThanOrEqual(0.7 * (perDay / 2) * 7)
      })
    }
  }

  for (const latency of [300, 1_000]) {
    it(`a short burst of another client is over in minutes, with answers after ${latency} ms`, () => {
      const limits = { perMinute: 1_000, perDay: 100_000 }
      const world = createWorld({
        seed: 34,
        service: { ...limits, minuteStyle: 'sliding', dayStyle: 'sliding' },
        plan: 'enterprise',
        latency: () => latency,
      })
      const burst = (): void => {
        while (world.service.count(world.clock.real()));
      }
      const perMinute: number[] = []
      world.at(1, () => {
        for (let i = 0; i < 998; i += 1) world.service.count(world.clock.real())
      })
      for (let i = 0; i < 10; i += 1) {
        const before = world.figures.passed
        world.run(MINUTE)
        perMinute.push(world.figures.passed - before)
      }
      // Eight requests were in flight, of which two were let through.
      expect(world.figures.refused).toBe(6)
      expect(perMinute.slice(2, 5).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(600)
      expect(Math.min(...perMinute.slice(6))).toBeGreaterThan(450)
      // The burst comes again every quarter of an hour.
      const from = world.figures.passed
      for (let i = 0; i < 4; i += 1) {
        burst()
        world.run(15 * MINUTE)
      }
      expect(world.figures.passed - from).toBeGreaterThan(4 * 15 * 200)
      expect(world.figures.refused).toBeLessThanOrEqual(6 + 4 * 9)
    })
  }

  it('a second client spread over the whole day', () => {
    const world = createWorld({
      seed: 32,
      service: serviceFor(32, pro, { minuteStyle: 'sliding', dayStyle: 'sliding' }),
      concurrency: 4,
      latency: (r) => 50 + r() * 500,
    })
    const other = seeded(78)
    function tick(): void {
      world.service.count(world.clock.real())
      world.at((DAY / 2_500) * 2 * other(), tick)
    }
    world.at(10, tick)
    world.run(7 * DAY)
    expect(world.figures.refused).toBeLessThan(7 * 24)
    expect(world.figures.passed).toBeGreaterThanOrEqual(0.7 * 2_500 * 7)
  })

  it('a plan that is smaller than its name says is learned', () => {
    const world = createWorld({
      seed: 33,
      service: serviceFor(33, { perMinute: 20, perDay: 100_000 }, { minuteStyle: 'sliding' }),
      told: { perMinute: null, perDay: 100_000 },
    })
    world.run(DAY)
    expect(world.figures.refused).toBeLessThan(40)
    expect(world.figures.passed).toBeGreaterThanOrEqual(0.8 * 20 * 1_440)
  })
})
