// The current time for components. All components with the same interval render together.
// Updates pause while the window is hidden.
import { useSyncExternalStore } from 'react'

interface Ticker {
  readonly subscribe: (listener: () => void) => () => void
  readonly now: () => number
}

function createTicker(ms: number): Ticker {
  let at = Date.now()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = (): void => {
    if (document.hidden) return
    at = Date.now()
    for (const listener of listeners) listener()
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      if (listeners.size === 1) {
        at = Date.now()
        timer = setInterval(tick, ms)
        document.addEventListener('visibilitychange', tick)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        document.removeEventListener('visibilitychange', tick)
      }
    },
    now: () => at,
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
