// The timeline that survives changed clocks, sleep and restarts. Each case consists of the clocks of this machine
// and a Date header.
import { describe, expect, it } from 'vitest'
import { Timebase, type TimebaseState } from '../../../../src-main/engine/budget/server-clock.ts'
import { fakeClock, HOUR, MINUTE, SECOND, START } from './pacer-world.ts'

type FakeClock = ReturnType<typeof fakeClock>

/** One answer with a Date truncated to seconds, after 100 ms. */
function exchange(clock: FakeClock, time: Timebase, offset = 0) {
  const sentAt = time.now()
  clock.advance(100)
  return time.observe({ sentAt, serverDate: Math.floor((clock.real() + offset) / SECOND) * SECOND })
}

function fresh(saved: TimebaseState | null = null, newest: number | null = null, clock = fakeClock()) {
  return { clock, time: new Timebase({ clock, saved, newest }) }
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
    expect(exchange(clock, time)).toBe(0)
  })

  it('adds the time that the machine slept, never more', () => {
    const { clock, time } = fresh()
    for (const sleptMs of [5 * SECOND, HOUR + 333, 9 * HOUR]) {
      const before = time.now()
      clock.sleep(sleptMs)
      clock.set(-HOUR)
      const passed = time.now() - before
      expect(passed).toBeLessThanOrEqual(sleptMs + SECOND)
      expect(passed).toBeGreaterThanOrEqual(sleptMs - SECOND)
      expect(time.now()).toBeLessThanOrEqual(clock.real())
    }
  })

  it('adds no sleep where the system tells no uptime', () => {
    const clock = { ...fakeClock(), uptime: () => null }
    const time = new Timebase({ clock, saved: null, newest: null })
    clock.sleep(HOUR)
    expect(time.now()).toBe(START)
  })

  it('is not moved by Dates that jump at random', () => {
    const { clock, time } = fresh()
    for (const offset of [5, -3, 7, 0, -8, 2, 6, -1]) exchange(clock, time, offset * HOUR)
    expect(time.now()).toBe(START + 800)
    expect(time.server()).toBeNull()
  })

  it('knows the clock of the service, also with a second server or after another clock', () => {
    const { clock, time } = trusted(2 * HOUR)
    const truth = (): number => clock.real() + 2 * HOUR
    const server = time.server()
    expect(Math.abs((server?.now ?? 0) - truth())).toBeLessThanOrEqual((server?.errorMs ?? 0) + 1)
    expect(server?.errorMs).toBeLessThan(600)
    exchange(clock, time, 2 * HOUR + 2_500)
    expect(Math.abs((time.server()?.now ?? 0) - truth())).toBeLessThan(3_000)
    exchange(clock, time, 5 * HOUR)
    expect(time.server()).toBeNull()
    expect(fresh().time.server()).toBeNull()
  })

  it('ignores the Date of a slow answer', () => {
    const { clock, time } = fresh()
    const sentAt = time.now()
    clock.advance(40 * SECOND)
    time.observe({ sentAt, serverDate: clock.real() })
    expect(time.state().anchor).toBeNull()
  })

  it('shows its moments in wall time', () => {
    const { clock, time } = fresh()
    clock.set(HOUR)
    expect(time.toWall(time.now() + 5_000)).toBe(clock.now() + 5_000)
  })
})

describe('across a restart', () => {
  function restarted(offMs: number, { wallJump = 0, upMs = null as number | null } = {}) {
    const { clock, time } = trusted()
    const state = time.state()
    const last = time.now()
    clock.advance(offMs - (upMs ?? 0))
    if (upMs !== null) clock.reboot()
    clock.advance(upMs ?? 0)
    clock.set(wallJump)
    return { clock, last, time: new Timebase({ clock, saved: state, newest: last }) }
  }

  it('adds the time off while the system ran, whatever the wall clock says', () => {
    for (const wallJump of [0, 5 * HOUR, -5 * HOUR]) {
      const { time, last } = restarted(HOUR, { wallJump })
      expect(time.now() - last).toBeGreaterThan(HOUR - 1_100)
      expect(time.now() - last).toBeLessThanOrEqual(HOUR + 1)
    }
  })

  it('adds at least the uptime after a restart of the system', () => {
    const { time, last } = restarted(8 * HOUR, { upMs: 3 * MINUTE })
    expect(time.now() - last).toBeLessThanOrEqual(3 * MINUTE)
    expect(time.now() - last).toBeGreaterThan(3 * MINUTE - 1_100)
  })

  it.each([
    ['right', 0, 8 * HOUR],
    ['set forward', 5 * HOUR, 8 * HOUR],
    ['set back, so that it shows less', -5 * HOUR, 3 * HOUR],
    ['far behind', -50 * HOUR, MINUTE],
  ])('with a wall clock that is %s, one Date tells what passed', (_, wallJump, passedMs) => {
    const { clock, last, time } = restarted(8 * HOUR, { wallJump, upMs: MINUTE })
    expect(time.gapMs()).toBeGreaterThan(-60 * HOUR)
    exchange(clock, time)
    expect(time.gapMs()).toBeNull()
    expect(time.now() - last).toBeGreaterThan(passedMs - 2_200)
    expect(time.now() - last).toBeLessThanOrEqual(passedMs + 101)
  })

  it('is not moved where the Date shows less, or the service sends none', () => {
    const less = restarted(8 * HOUR, { upMs: MINUTE })
    exchange(less.clock, less.time, -9 * HOUR)
    const none = restarted(8 * HOUR, { upMs: MINUTE })
    none.time.observe({ sentAt: none.time.now(), serverDate: null })
    for (const { time, last } of [less, none]) {
      expect(time.gapMs()).toBeNull()
      expect(time.now() - last).toBeLessThan(2 * MINUTE)
    }
  })

  it('loses little in many short runs', () => {
    const first = trusted()
    let state = first.time.state()
    const { clock } = first
    for (let i = 0; i < 200; i += 1) {
      clock.advance(700)
      const time = new Timebase({ clock, saved: state, newest: null })
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
})
