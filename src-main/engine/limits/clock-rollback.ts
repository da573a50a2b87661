// Notices that somebody set the wall clock back. Every "not before" in the journal and in memory is a moment of that clock, so each would else
// come hours late. It tells by how much; moving the moments is the business of those who hold them. A clock set forward needs nothing: what
// comes too early is asked again.
import type { Clock } from '../ports.ts'

/** Less than this is the slewing of a clock that is kept right, or a difference that no wait is hurt by. */
const NOTICED_MS = 2_000

/** Gives the milliseconds by which the clock went back since the last call: 0, or less than 0. `newest`: a stored moment that was once now. */
export function createSetBack(clock: Clock, newest: number | null): () => number {
  let apart = (newest ?? Number.NEGATIVE_INFINITY) > clock.now() + NOTICED_MS ? (newest ?? 0) - clock.mono() : clock.now() - clock.mono()
  return () => {
    const seen = clock.now() - clock.mono()
    const by = seen - apart
    apart = seen
    return by < -NOTICED_MS ? by : 0
  }
}
