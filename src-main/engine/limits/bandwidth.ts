// Limits the bytes per second of all uploads together: a token bucket from which every body takes small slices, first come, first served, so
// that each upload gets its share. Costs nothing while no limit is set.
import type { Clock } from '../ports.ts'

/** A slice is 25 ms of the cap: small enough for sixteen uploads to make progress every second at the lowest cap, so no connection looks idle. */
const SLICE_MS = 25
const SLICE_LEAST = 64
/** How much may be caught up after a late timer or a pause. With the slice, the error over two seconds stays below 4 %. */
const BURST_MS = 50

export interface Throttle {
  /** Bytes per second, null: no cap. Applies at once, to bodies in flight as well. */
  setRate(bytesPerSecond: number | null): void
  limited(): boolean
  /** How many of `wanted` bytes may go; resolves once they may, at the latest when `signal` aborts. At least 1. */
  take(wanted: number, signal: AbortSignal): number | Promise<number>
}

interface Waiting {
  readonly wanted: number
  readonly resolve: (bytes: number) => void
}

export function createThrottle(clock: Clock): Throttle {
  let rate: number | null = null
  /** Bytes that may go now; below zero while a slice is being paid off. */
  let tokens = 0
  let at = clock.mono()
  const queue = new Set<Waiting>()
  let cancel: (() => void) | null = null

  const refill = (perSecond: number): void => {
    const now = clock.mono()
    tokens = Math.min((perSecond * BURST_MS) / 1000, tokens + ((now - at) * perSecond) / 1000)
    at = now
  }
  const slice = (perSecond: number, wanted: number): number =>
    Math.min(wanted, Math.max(SLICE_LEAST, Math.floor((perSecond * SLICE_MS) / 1000)))

  const serve = (): void => {
    cancel?.()
    cancel = null
    if (rate !== null) refill(rate)
    for (const item of queue) {
      if (rate !== null && tokens <= 0) break
      queue.delete(item)
      const bytes = rate === null ? item.wanted : slice(rate, item.wanted)
      tokens -= bytes
      item.resolve(bytes)
    }
    if (rate !== null && queue.size > 0) cancel = clock.after(Math.max(1, Math.ceil((-tokens / rate) * 1000)), serve)
  }

  return {
    setRate: (next) => {
      if (rate !== null) refill(rate)
      if (rate === null) at = clock.mono()
      rate = next
      // Neither debt nor burst carries over to a new rate.
      tokens = 0
      serve()
    },
    limited: () => rate !== null,
    take: (wanted, signal) => {
      if (rate === null || signal.aborted) return wanted
      refill(rate)
      if (queue.size === 0 && tokens > 0) {
        const bytes = slice(rate, wanted)
        tokens -= bytes
        return bytes
      }
      return new Promise((resolve) => {
        const onAbort = (): void => {
          queue.delete(item)
          resolve(wanted)
        }
        const item: Waiting = {
          wanted,
          resolve: (bytes) => {
            signal.removeEventListener('abort', onAbort)
            resolve(bytes)
          },
        }
        signal.addEventListener('abort', onAbort, { once: true })
        queue.add(item)
        if (cancel === null) serve()
      })
    },
  }
}

/** The same bytes in slices, each passed on when the cap allows it; `onBytes` receives the total passed on so far. */
export async function* throttled(
  throttle: Throttle,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sent = 0
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const room = throttle.take(chunk.length - from, signal)
      const bytes = typeof room === 'number' ? room : await room
      yield chunk.subarray(from, from + bytes)
      from += bytes
      sent += bytes
      onBytes?.(sent)
    }
  }
}
