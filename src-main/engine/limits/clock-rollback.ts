// Detects rollbacks of the wall clock. The "not before" times of transfers, deletions and gates refer to that clock, so without a
// correction, each wait would be longer by the whole rollback; the owners of these times correct them. A clock set forward needs no
// correction: whatever runs too early is checked again.
import type { Clock } from '../ports.ts'

/** Smaller differences are ignored: they come from clock synchronization, and hardly affect a wait. */
const LEAST_MS = 2_000

/**
 * The returned function measures the rollback since its last call, in milliseconds: negative, or 0. `newest`: a stored time that was once
 * current, so that the first call also reports a rollback while the process wasn't running; null if none is stored.
 */
export function createClockRollback(clock: Clock, newest: number | null): () => number {
  let apart = (newest ?? Number.NEGATIVE_INFINITY) > clock.now() + LEAST_MS ? (newest ?? 0) - clock.mono() : clock.now() - clock.mono()
  return () => {
    const seen = clock.now() - clock.mono()
    const by = seen - apart
    apart = seen
    return by < -LEAST_MS ? by : 0
  }
}
