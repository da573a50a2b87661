// The timer for a point in time: it neither fires at once if the time is far away, nor late after sleep.
// Time advances only when the test says so.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callAt } from '../../../../src-renderer/hooks/use-ahead.ts'

const START = Date.UTC(2026, 10, 22, 12)
const DAY = 86_400_000

beforeEach(() => vi.useFakeTimers({ now: START }))
afterEach(() => vi.useRealTimers())

it.each([
  ['a second', 1000],
  ['an hour', 3_600_000],
  ['30 days, more than a timer can wait', 30 * DAY],
])('calls once after %s', (_what, ms) => {
  const call = vi.fn()
  callAt(START + ms, call)
  vi.advanceTimersByTime(ms - 1)
  expect(call).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(call).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(DAY)
  expect(call).toHaveBeenCalledOnce()
})

it('calls soon after the computer wakes up, because timers stop during sleep', () => {
  const call = vi.fn()
  callAt(START + 3_600_000, call)
  vi.advanceTimersByTime(60_000)
  vi.setSystemTime(START + 2 * 3_600_000)
  vi.advanceTimersByTime(30_000)
  expect(call).toHaveBeenCalledOnce()
})

it('does not call for a time that has not come because the clock was set back', () => {
  const call = vi.fn()
  callAt(START + 10_000, call)
  vi.setSystemTime(START - 60_000)
  vi.advanceTimersByTime(10_000)
  expect(call).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(call).toHaveBeenCalledOnce()
})

it('does not call once it is cancelled', () => {
  const call = vi.fn()
  const cancel = callAt(START + DAY, call)
  vi.advanceTimersByTime(3_600_000)
  cancel()
  vi.advanceTimersByTime(2 * DAY)
  expect(call).not.toHaveBeenCalled()
})
