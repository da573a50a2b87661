// Sleeps by the engine's clock until the time has passed, the signal aborts, or it is woken.
// Leaves no timer and no listener behind.
import type { Clock } from './ports.ts'

/**
 * Resolves at once if the signal has aborted already. `onWake` receives a function that ends the sleep early; calling it again has no
 * effect.
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
