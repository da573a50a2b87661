// Detects rollbacks of the wall clock. The "not before" times of transfers, deletions and gates refer to that clock, so a rollback would
// lengthen every wait by its whole size. The owners of these times shift them when they learn of one. A clock that was set forward needs no
// correction, because work that starts too early is checked again.
import type { Clock } from '../ports.ts'

/** Smaller differences are ignored, because clock synchronization causes them and they hardly affect a wait. */
const LEAST_MS = 2_000

/**
 * Returns a function that measures by how many milliseconds the wall clock was rolled back since its last call: a negative number, or 0 if
 * it wasn't. `newest` is a stored time that was once current, or null if none is stored. If it is ahead of the clock, the first call also
 * reports the rollback that happened while the process wasn't running.
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
