// Limits the total upload rate, in bytes per second, with a token bucket. Uploads are served in turn and in
// small slices, so that each gets its share. Without a limit, bodies aren't sliced.
import type { Clock } from '../ports.ts'

/**
 * A slice is as large as the cap allows in this time, but at least `SLICE_LEAST` bytes. Slices are small, so
 * that every upload often gets its turn, and no connection looks idle.
 */
const SLICE_MS = 25
const SLICE_LEAST = 64
/**
 * Size of the bucket, as a time in milliseconds. Unused allowance up to this amount can be used later, for
 * example after a late timer.
 */
const BURST_MS = 50

export interface Throttle {
  /** Sets the cap in bytes per second; null removes it. Applies at once, even to bodies in flight. */
  setRate(bytesPerSecond: number | null): void
  limited(): boolean
  /**
   * Returns the number of bytes that may be sent, from 1 to `wanted`, or a promise of that number if none may
   * be sent yet. Once `signal` aborts, the number is `wanted`, so that the upload can end.
   */
  take(wanted: number, signal: AbortSignal): number | Promise<number>
}

interface Waiting {
  readonly wanted: number
  readonly resolve: (bytes: number) => void
}

export function createThrottle(clock: Clock): Throttle {
  let rate: number | null = null
  /** Bytes that may be sent now. Negative after a slice that was larger than the rest of the bucket. */
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
    if (rate !== null && queue.size > 0)
      cancel = clock.after(Math.max(1, Math.ceil((-tokens / rate) * 1000)), serve)
  }

  return {
    setRate: (next) => {
      if (rate !== null) refill(rate)
      if (rate === null) at = clock.mono()
      rate = next
      // Bytes saved or owed under the old rate don't carry over to the new one.
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

/**
 * Yields the bytes of `chunks` in slices, as fast as the cap allows. `onBytes` receives the total number of
 * bytes passed on so far.
 */
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
