// The clock of the window's components: it runs only while someone can see it, and every second only near a
// time that is shown.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTicker, intervalFor } from '../../../../src-renderer/hooks/use-now.ts'

const page = Object.assign(new EventTarget(), { hidden: false })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('document', page)
})
afterEach(() => {
  page.hidden = false
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function show(isShown: boolean): void {
  page.hidden = !isShown
  page.dispatchEvent(new Event('visibilitychange'))
}

it('calls its listeners at its interval', () => {
  const ticker = createTicker(1000)
  const listener = vi.fn()
  const end = ticker.subscribe(listener)
  vi.advanceTimersByTime(3000)
  expect([listener.mock.calls.length, ticker.now()]).toEqual([3, 1_003_000])
  end()
  expect(vi.getTimerCount()).toBe(0)
})

it('has no timer while the window is hidden, and the right time once it is shown', () => {
  const ticker = createTicker(1000)
  const listener = vi.fn()
  const end = ticker.subscribe(listener)
  show(false)
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(listener).not.toHaveBeenCalled()
  show(true)
  expect([listener.mock.calls.length, ticker.now(), vi.getTimerCount()]).toEqual([1, 1_060_000, 1])
  show(true)
  vi.advanceTimersByTime(1000)
  expect([listener.mock.calls.length, vi.getTimerCount()]).toEqual([2, 1])
  end()
  show(true)
  expect(vi.getTimerCount()).toBe(0)
})

it('starts without a timer in a hidden window', () => {
  page.hidden = true
  const end = createTicker(1000).subscribe(() => undefined)
  expect(vi.getTimerCount()).toBe(0)
  show(true)
  expect(vi.getTimerCount()).toBe(1)
  end()
})

it('knows the time before it has a listener', () => {
  const ticker = createTicker(1000)
  vi.advanceTimersByTime(500)
  expect(ticker.now()).toBe(1_000_000)
  vi.advanceTimersByTime(3_600_000)
  expect(ticker.now()).toBe(4_600_500)
})

it.each<[readonly (number | null | undefined)[], number]>([
  [[], 30_000],
  [[null, undefined], 30_000],
  [[1_059_000], 1000],
  [[1_061_000], 30_000],
  // A time that has just passed: what depends on it is still shown for a moment.
  [[null, 999_000], 1000],
  [[900_000], 30_000],
])('near %j, the interval is %d ms', (times, ms) => {
  expect(intervalFor(times, 1_000_000)).toBe(ms)
})
