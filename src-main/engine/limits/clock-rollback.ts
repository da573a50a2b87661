// Detects rollbacks of the wall clock. The "not before" times of transfers, deletions and gates refer to that clock, so a rollback would
// lengthen every wait by the full amount. The modules that keep these times shift them after a rollback. A clock that was set forward needs
// no correction, because work that starts too early is checked again.
import type { Clock } from '../ports.ts'

/** Smaller differences are ignored, because clock synchronization causes them and they hardly affect a wait. */
const LEAST_MS = 2_000

/**
 * Returns a function that reports how many milliseconds the wall clock has been rolled back since the last call: a negative number, or 0
 * if it hasn't. `newest`: the newest stored time in epoch milliseconds, 0 if none is stored. If that time is ahead of the clock, the first
 * call also reports a rollback that happened while the process wasn't running.
 */
export function createClockRollback(clock: Clock, newest: number): () => number {
  let apart = newest > clock.now() + LEAST_MS ? newest - clock.mono() : clock.now() - clock.mono()
  return () => {
    const seen = clock.now() - clock.mono()
    const by = seen - apart
    apart = seen
    return by < -LEAST_MS ? by : 0
  }
}
