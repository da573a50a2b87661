// Detects rollbacks of the wall clock. Every "not before" time in the journal and in memory refers to that clock, so without a correction,
// waits would last hours too long; the owners of these times correct them. A clock set forward needs no correction: whatever runs too early
// is checked again.
import type { Clock } from '../ports.ts'

/** Smaller differences come from clock synchronization, and affect no wait. */
const LEAST_MS = 2_000

/**
 * The returned function measures the rollback since its last call, in milliseconds: negative, or 0. `newest`: a stored time that was once
 * current.
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
