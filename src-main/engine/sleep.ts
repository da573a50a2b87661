// Waits on the engine's clock: a sleep, which can be ended early, a time limit for other work, both of which
// end when a signal aborts, and a timer for the earliest of many times. They leave no timer and no listener
// behind. Also defines the error for a drive that doesn't answer in time.
import { type Clock, DiskError, type DiskFailure } from './ports.ts'

/**
 * Resolves after `ms` milliseconds, or as soon as the signal aborts. `onWake` receives a function that ends
 * the sleep early; calling it again has no effect.
 */
export function sleep(
  clock: Pick<Clock, 'after'>,
  ms: number,
  signal: AbortSignal,
  onWake: (wake: () => void) => void = () => undefined,
): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    signal.addEventListener('abort', end, { once: true })
    onWake(end)
  })
}

/**
 * Settles like `work`, or resolves to `late` after `ms` milliseconds or once the signal aborts. In that case,
 * `work` continues, and its outcome is ignored.
 */
export function inTime<T>(
  clock: Pick<Clock, 'after'>,
  work: Promise<T>,
  ms: number,
  signal: AbortSignal,
): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', late)
    }
    const late = (): void => {
      end()
      resolve('late')
    }
    const cancel = clock.after(ms, late)
    signal.addEventListener('abort', late, { once: true })
    if (signal.aborted) late()
    work.finally(end).then(resolve, reject)
  })
}

/** A timer for the earliest of many due times. */
export class Alarm {
  readonly #clock: Pick<Clock, 'after' | 'mono'>
  readonly #ring: () => void
  #at = Number.POSITIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor(clock: Pick<Clock, 'after' | 'mono'>, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  /** Rings once at `at` (monotonic milliseconds), unless it rings earlier anyway. Infinity changes nothing. */
  ringBy(at: number): void {
    if (at >= this.#at) return
    this.cancel()
    this.#at = at
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.mono()), () => {
      this.cancel()
      this.#ring()
    })
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#at = Number.POSITIVE_INFINITY
  }
}

// Defines how an unresponsive drive appears to the engine: the error for a request that the drive doesn't
// answer in time, and the test for failures that reveal nothing about a path.
export function silentDrive(): DiskError {
  return new DiskError({ code: 'silent', message: "The drive isn't responding." })
}

/** Whether there was no answer at all, so that nothing is known about the path. */
export function isUnanswered({ code }: Pick<DiskFailure, 'code'>): boolean {
  return code === 'silent' || code === 'interrupted'
}
