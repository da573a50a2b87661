// Limits how many uploads send at once, separately from how many are being prepared. While one intent is synced to disk, the next files are
// read and recorded, so that the connection doesn't idle.
import { orAborted } from '../../../src-shared/or-aborted.ts'

export interface Wire {
  /**
   * Waits for `durable` (null: nothing to wait for) and then for a free slot. Resolves to true once the caller has a slot, which it must
   * release with `leave`. Resolves to false, without a slot, if the signal aborts or the disk fails.
   */
  enter(durable: Promise<boolean> | null, signal: AbortSignal): Promise<boolean>
  leave(): void
  /** Starts prepared uploads that wait for a slot. Call when the result of `places` may have grown. */
  refill(): void
  /** Number of prepared uploads that wait for the disk or for a slot. */
  waiting(): number
}

/** `places` returns how many uploads may send at once, at least 1. It is called each time, because the setting can change. */
export function createWire(options: { readonly places: () => number; readonly onWaiting: () => void }): Wire {
  let taken = 0
  let parked = 0
  let queue: (() => void)[] = []

  const next = (): void => {
    while (taken < options.places() && queue.length > 0) {
      taken++
      queue.shift()?.()
    }
  }

  const place = (signal: AbortSignal): Promise<boolean> | true => {
    if (taken < options.places() && queue.length === 0) {
      taken++
      return true
    }
    return new Promise((resolve) => {
      const got = (): void => {
        signal.removeEventListener('abort', left)
        resolve(true)
      }
      const left = (): void => {
        queue = queue.filter((item) => item !== got)
        resolve(false)
      }
      queue.push(got)
      signal.addEventListener('abort', left, { once: true })
    })
  }

  return {
    enter: async (durable, signal) => {
      parked++
      if (durable !== null) options.onWaiting()
      try {
        // A disk that doesn't answer must not delay cancelling.
        if (durable !== null && !(await orAborted(durable, signal, () => false))) return false
        if (signal.aborted) return false
        return await place(signal)
      } finally {
        parked--
      }
    },
    leave: () => {
      taken--
      next()
    },
    refill: next,
    waiting: () => parked,
  }
}
