// Decides when a failed upload is retried: soon at first, then less and less often. Pure: randomness is
// passed in. send/upload-answers.ts decides what counts as a failure.
import type { Random } from '../ports.ts'

/**
 * Upper limits of the random part of the first delays. They are short, because a first failure often has a
 * brief cause.
 */
const QUICK_MS = [500, 1000, 2000, 4000, 8000, 16_000] as const
/**
 * Later delays, varied by ±25 %. They are long, because a cause that outlasts the first retries is unlikely
 * to end within seconds.
 */
const LADDER_MS = [60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const

/**
 * Delays after refusals, varied by ±25 %. The service answered, so another attempt within seconds would only
 * send the bytes again.
 */
const REFUSED_MS = [30_000, 300_000, 900_000, 1_800_000, 3_600_000] as const

/** Milliseconds until the next attempt, after `attempts` (1 or more) have failed. */
export function backoffMs(attempts: number, random: Random): number {
  const quick = QUICK_MS[Math.max(0, attempts - 1)]
  // At least 100 ms, because a random delay near zero would flood a server that is down.
  if (quick !== undefined) return 100 + Math.floor(random() * quick)
  return varied(LADDER_MS, attempts - QUICK_MS.length, random)
}

/** Milliseconds until a file is sent again, after `refusals` (1 or more) definite refusals of it. */
export function refusalBackoffMs(refusals: number, random: Random): number {
  return varied(REFUSED_MS, refusals, random)
}

function varied(ladder: readonly number[], nth: number, random: Random): number {
  const step = ladder[Math.min(nth, ladder.length) - 1] ?? 3_600_000
  return Math.floor(step * (0.75 + random() * 0.5))
}
