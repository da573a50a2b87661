// Waits on the engine's clock that also end when a signal aborts: a sleep, which can be ended early, and a
// time limit for other work. They leave no timer and no listener behind. Also defines the error for a drive
// that doesn't answer in time.
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

// Defines how an unresponsive drive appears to the engine: the error for a request that the drive doesn't
// answer in time, and the test for failures that reveal nothing about a path.
export function silentDrive(): DiskError {
  return new DiskError({ code: 'silent', message: "The drive isn't responding." })
}

/** Whether there was no answer at all, so that nothing is known about the path. */
export function isUnanswered({ code }: Pick<DiskFailure, 'code'>): boolean {
  return code === 'silent' || code === 'interrupted'
}
