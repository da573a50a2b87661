// The current time for components. All components with the same interval render together.
// While the window is hidden, no timer runs.
import { useSyncExternalStore } from 'react'

/**
 * A component that shows a time renders every second while that time is less than this far away, in the past
 * or the future.
 */
const NEAR_MS = 60_000

interface Ticker {
  readonly subscribe: (listener: () => void) => () => void
  readonly now: () => number
}

export function createTicker(ms: number): Ticker {
  let at = Date.now()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const tick = (): void => {
    at = Date.now()
    for (const listener of listeners) listener()
  }
  const seen = (): void => {
    if (document.hidden) stop()
    else if (timer === undefined) {
      timer = setInterval(tick, ms)
      tick()
    }
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      if (listeners.size === 1) {
        at = Date.now()
        if (!document.hidden) timer = setInterval(tick, ms)
        document.addEventListener('visibilitychange', seen)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop()
        document.removeEventListener('visibilitychange', seen)
      }
    },
    now: () => {
      // Without listeners, no timer keeps the time current.
      if (listeners.size === 0 && Math.abs(Date.now() - at) >= ms) at = Date.now()
      return at
    },
  }
}

const tickers = new Map<number, Ticker>()

/** Returns the time in epoch ms and, while the window is visible, renders again every `ms`. */
export function useNow(ms: 1000 | 30_000): number {
  let ticker = tickers.get(ms)
  if (ticker === undefined) {
    ticker = createTicker(ms)
    tickers.set(ms, ticker)
  }
  return useSyncExternalStore(ticker.subscribe, ticker.now)
}

/**
 * Returns the interval in ms for a component that shows these times (epoch ms, null: none): a second if one
 * of them is less than `NEAR_MS` away, otherwise half a minute.
 */
export function intervalFor(times: readonly (number | null | undefined)[], now: number): 1000 | 30_000 {
  return times.some((at) => at != null && Math.abs(at - now) < NEAR_MS) ? 1000 : 30_000
}

/**
 * Returns the time in epoch ms, for a component that shows something else once one of these times (epoch ms,
 * null: none) has passed. It renders again every second within `NEAR_MS` of one of them. Otherwise it renders
 * only every 30 seconds, to save power.
 */
export function useNowNear(...times: readonly (number | null | undefined)[]): number {
  return useNow(intervalFor(times, Date.now()))
}
