// When a failed upload is tried again: soon at first, then less and less often. Pure: chance comes in.
// What counts as failed is decided in transfer/outcome.ts.
import type { Random } from '../ports.ts'

/** Full jitter up to these limits while the trouble is probably short ... */
const QUICK_MS = [500, 1000, 2000, 4000, 8000, 16_000] as const
/** ... then minutes, up to an hour: an outage that lasts longer isn't ended by retrying quickly. */
const LADDER_MS = [60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const

/** Milliseconds until the next try, after `attempts` (1 and more) that failed. */
export function backoffMs(attempts: number, random: Random): number {
  const quick = QUICK_MS[Math.max(0, attempts - 1)]
  // At least 100 ms, since a random pause near zero would hammer a server that is down.
  if (quick !== undefined) return 100 + Math.floor(random() * quick)
  const step = LADDER_MS[Math.min(attempts - QUICK_MS.length - 1, LADDER_MS.length - 1)] ?? 3_600_000
  return Math.floor(step * (0.75 + random() * 0.5))
}
