// Detects a rollback of the wall clock and by how much. Every "not before" in the journal and in memory is a moment on that clock, so without
// a correction each would come hours late; their owners correct them. A clock set forward needs no correction: what comes too early is
// checked again.
import type { Clock } from '../ports.ts'

/** Less than this is the slewing of a disciplined clock, or a difference that affects no wait. */
const LEAST_MS = 2_000

/** Returns the milliseconds by which the clock went back since the last call: 0 or less. `newest`: a stored moment that once was the present. */
export function createClockRollback(clock: Clock, newest: number | null): () => number {
  let apart = (newest ?? Number.NEGATIVE_INFINITY) > clock.now() + LEAST_MS ? (newest ?? 0) - clock.mono() : clock.now() - clock.mono()
  return () => {
    const seen = clock.now() - clock.mono()
    const by = seen - apart
    apart = seen
    return by < -LEAST_MS ? by : 0
  }
}
