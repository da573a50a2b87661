// The speed limit: it holds on average over a few seconds, is shared fairly, can be changed while uploads are
// running, and is never so low that a connection looks dead.
import { describe, expect, it } from 'vitest'
import { createThrottle, type Throttle, throttled } from '../../../../src-main/engine/budget/bandwidth.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'

const NEVER = new AbortController().signal

interface Body {
  sent: number
  done: boolean
  /** The longest time without a byte. */
  gap: number
}

/** Sends chunks of `size` bytes as fast as the throttle allows. */
function send(clock: FakeClock, throttle: Throttle, chunks: number, size: number, signal = NEVER): Body {
  const bytes = new Uint8Array(size)
  const body: Body = { sent: 0, done: false, gap: 0 }
  let at = clock.mono()
  void (async () => {
    const source = Array.from({ length: chunks }, () => bytes)
    for await (const chunk of throttled(throttle, source, signal)) {
      body.gap = Math.max(body.gap, clock.mono() - at)
      at = clock.mono()
      body.sent += chunk.length
    }
    body.done = true
  })()
  return body
}

describe('a cap', () => {
  it.each([
    [1000, 1],
    [10_000, 3],
    [250_000, 8],
    [5_000_000, 4],
  ])('%i bytes a second over %i uploads is kept within 5 %', async (rate, uploads) => {
    const clock = createFakeClock()
    const throttle = createThrottle(clock)
    throttle.setRate(rate)
    const bodies = Array.from({ length: uploads }, () => send(clock, throttle, 1000, 512 * 1024))
    const total = (): number => bodies.reduce((sum, body) => sum + body.sent, 0)
    await clock.advance(1000)
    for (let second = 0; second < 4; second += 2) {
      const before = total()
      await clock.advance(2000)
      expect(Math.abs(total() - before - 2 * rate) / (2 * rate)).toBeLessThan(0.05)
    }
    // Each body got its share.
    const most = Math.max(...bodies.map((body) => body.sent))
    expect(Math.min(...bodies.map((body) => body.sent))).toBeGreaterThan(most * 0.8 - 64)
  })

  it('lets no connection stand still, with sixteen uploads at the lowest cap', async () => {
    const clock = createFakeClock()
    const throttle = createThrottle(clock)
    throttle.setRate(1000)
    const bodies = Array.from({ length: 16 }, () => send(clock, throttle, 10, 512 * 1024))
    await clock.advance(10_000)
    for (const body of bodies) {
      expect(body.sent).toBeGreaterThan(0)
      expect(body.gap).toBeLessThan(3000)
    }
  })

  it('saves nothing up while nothing is sent', async () => {
    const clock = createFakeClock()
    const throttle = createThrottle(clock)
    throttle.setRate(100_000)
    await clock.advance(3_600_000)
    const body = send(clock, throttle, 10, 512 * 1024)
    await clock.advance(2000)
    expect(body.sent).toBeLessThan(210_000)
  })

  it('is lifted and set under way', async () => {
    const clock = createFakeClock()
    const throttle = createThrottle(clock)
    throttle.setRate(1000)
    const slow = send(clock, throttle, 4, 512 * 1024)
    await clock.advance(1000)
    expect(slow.sent).toBeLessThan(1100)
    throttle.setRate(null)
    await clock.advance(0)
    expect(slow).toMatchObject({ sent: 4 * 512 * 1024, done: true })
    throttle.setRate(50_000)
    const next = send(clock, throttle, 4, 512 * 1024)
    await clock.advance(4000)
    expect(Math.abs(next.sent - 200_000)).toBeLessThan(10_000)
  })

  it('holds nobody who was called off', async () => {
    const clock = createFakeClock()
    const throttle = createThrottle(clock)
    throttle.setRate(1000)
    const abort = new AbortController()
    const first = send(clock, throttle, 1, 100_000, abort.signal)
    const second = send(clock, throttle, 1, 4000)
    await clock.advance(1000)
    abort.abort()
    await clock.advance(0)
    expect(first.done).toBe(true)
    await clock.advance(4000)
    expect(second.done).toBe(true)
  })

  it('costs nothing where there is none', () => {
    const throttle = createThrottle(createFakeClock())
    expect(throttle.limited()).toBe(false)
    expect(throttle.take(1_000_000, NEVER)).toBe(1_000_000)
  })
})
