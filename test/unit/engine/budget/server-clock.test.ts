// The timeline that survives changed clocks, sleep and restarts.
// Each case consists of two clocks and a Date header.
import { describe, expect, it } from 'vitest'
import {
  createTimebase,
  type Timebase,
  type TimebaseState,
} from '../../../../src-main/engine/budget/server-clock.ts'
import { fakeClock, HOUR, SECOND, START } from './pacer-world.ts'

type FakeClock = ReturnType<typeof fakeClock>

/** One answer with a Date truncated to seconds, after 100 ms. */
function exchange(clock: FakeClock, time: Timebase, offset = 0) {
  const sentAt = time.now()
  clock.advance(100)
  return time.observe({ sentAt, serverDate: Math.floor((clock.real() + offset) / SECOND) * SECOND })
}

function fresh(saved: TimebaseState | null = null, newest: number | null = null, clock = fakeClock()) {
  return { clock, time: createTimebase({ clock, saved, newest }) }
}

function trusted(offset = 0) {
  const made = fresh()
  for (let i = 0; i < 6; i += 1) {
    exchange(made.clock, made.time, offset)
    made.clock.advance(1_300)
  }
  return made
}

describe('within a process', () => {
  it('runs on monotonic time, whatever the wall clock does', () => {
    const { clock, time } = fresh()
    expect(time.now()).toBe(START)
    for (const by of [3 * HOUR, -9 * HOUR, 1_500, -1_500]) {
      clock.set(by)
      clock.advance(10)
    }
    expect(time.now()).toBe(START + 40)
  })

  it('adds no sleep without a Date', () => {
    const { clock, time } = fresh()
    clock.sleep(HOUR)
    expect(time.now()).toBe(START)
    expect(time.gap()).toBeNull()
  })

  it('adds a sleep that the service confirms, never more than it was', () => {
    for (const slept of [5 * SECOND, HOUR + 333, 9 * HOUR]) {
      const { clock, time } = trusted(-4 * HOUR)
      clock.sleep(slept)
      expect(time.gap()).toMatchObject({ kind: 'jump', wallMs: slept })
      const step = exchange(clock, time, -4 * HOUR)
      expect(step?.by).toBeLessThanOrEqual(slept)
      expect(step?.by).toBeGreaterThan(slept - 2_200)
      expect(time.now()).toBeLessThanOrEqual(clock.real())
      expect(time.gap()).toBeNull()
    }
  })

  it('does not take a clock set by hand for sleep', () => {
    const { clock, time } = trusted()
    clock.set(3 * HOUR)
    const before = time.now()
    expect(exchange(clock, time)).toMatchObject({ by: 0 })
    expect(time.now()).toBe(before + 100)
  })

  it('adds just the sleep when the clock was set forward as well', () => {
    const { clock, time } = trusted()
    clock.sleep(HOUR)
    clock.set(5 * HOUR)
    const step = exchange(clock, time)
    expect(step?.by).toBeLessThanOrEqual(HOUR)
    expect(step?.by).toBeGreaterThan(HOUR - 2_200)
  })

  it('forgets a jump that is taken back', () => {
    const { clock, time } = trusted()
    clock.set(3 * HOUR)
    expect(time.gap()).not.toBeNull()
    clock.set(-3 * HOUR)
    expect(time.gap()).toBeNull()
  })

  it('ignores answers to requests from before the gap, and slow ones', () => {
    const { clock, time } = trusted()
    const sentAt = time.now()
    clock.advance(5)
    clock.sleep(HOUR)
    expect(time.observe({ sentAt, serverDate: clock.real() })).toBeNull()
    const late = time.now()
    clock.advance(40 * SECOND)
    expect(time.observe({ sentAt: late, serverDate: clock.real() })).toBeNull()
    expect(time.gap()).not.toBeNull()
  })

  it('is not moved by Dates that jump at random', () => {
    const { clock, time } = fresh()
    for (const [i, offset] of [5, -3, 7, 0, -8, 2, 6, -1].entries()) {
      if (i === 4) clock.set(2 * HOUR)
      exchange(clock, time, offset * HOUR)
    }
    expect(time.now()).toBe(START + 800)
  })

  it('knows the clock of the service', () => {
    const { clock, time } = trusted(2 * HOUR)
    const server = time.server()
    const truth = clock.real() + 2 * HOUR
    expect(Math.abs((server?.now ?? 0) - truth)).toBeLessThanOrEqual((server?.errorMs ?? 0) + 1)
    expect(server?.errorMs).toBeLessThan(600)
    expect(fresh().time.server()).toBeNull()
  })

  it('shows its moments in wall time', () => {
    const { clock, time } = fresh()
    clock.set(HOUR)
    expect(time.toWall(time.now() + 5_000)).toBe(clock.now() + 5_000)
  })
})

describe('across a restart', () => {
  function restarted(off: number, wallJump: number) {
    const { clock, time } = trusted()
    const state = time.state()
    const last = time.now()
    clock.advance(off)
    clock.set(wallJump)
    return { clock, last, time: createTimebase({ clock, saved: state, newest: last }) }
  }

  it('begins where it knows it was, whatever the wall clock says', () => {
    for (const jump of [0, 5 * HOUR, -5 * HOUR]) {
      const { time, last } = restarted(HOUR, jump)
      expect(time.now()).toBe(last + 1)
    }
  })

  it.each([
    ['right', 0],
    ['set forward', 5 * HOUR],
  ])('with a wall clock that is %s, one Date tells what passed', (_, jump) => {
    const { clock, time } = restarted(HOUR, jump)
    const step = exchange(clock, time)
    expect(step?.by).toBeGreaterThan(HOUR - 2_200)
    expect(time.now()).toBeLessThanOrEqual(clock.real())
  })

  it('with a wall clock set back, two Dates tell it', () => {
    const { clock, time } = restarted(HOUR, -5 * HOUR)
    expect(exchange(clock, time)).toBeNull()
    clock.advance(500)
    expect(exchange(clock, time)?.by).toBeGreaterThan(HOUR - 2_200)
    expect(time.now()).toBeLessThanOrEqual(clock.real())
  })

  it('does not lose a second in each of many short runs', () => {
    const first = trusted()
    let state = first.time.state()
    const { clock } = first
    for (let i = 0; i < 200; i += 1) {
      clock.advance(700)
      const time = createTimebase({ clock, saved: state, newest: null })
      exchange(clock, time)
      expect(time.now()).toBeLessThanOrEqual(clock.real())
      state = time.state()
    }
    expect(clock.real() - state.t).toBeLessThan(4_000)
  })

  it('takes stored moments of the future for now', () => {
    const { clock, time } = fresh(null, START + 400 * 24 * HOUR)
    expect(time.now()).toBeLessThanOrEqual(clock.now() + 1)
  })

  it('gives up a gap when asked to', () => {
    const { time } = restarted(HOUR, 0)
    const t = time.now()
    time.dropGap()
    expect(time.gap()).toBeNull()
    expect(time.now()).toBe(t)
  })
})
