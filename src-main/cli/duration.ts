// Parses durations as people type them: 500ms, 90s, 15m (or 15min), 24h, 2d, and combinations like 1h30m. Pure. A number without a unit is
// rejected unless it is 0, because its meaning would be a guess.

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns whole milliseconds, or null if the text isn't a duration or the result isn't a safe integer. */
export function parseDuration(text: string): number | null {
  const typed = text.trim().toLowerCase()
  if (typed === '0') return 0
  if (!/^(?:\d+(?:\.\d+)?(?:ms|min|[smhd])\s*)+$/.test(typed)) return null
  let sum = 0
  for (const [, amount = '', unit = ''] of typed.matchAll(/(\d+(?:\.\d+)?)(ms|min|[smhd])/g))
    sum += Number(amount) * (UNIT_MS[unit] ?? Number.NaN)
  return Number.isSafeInteger(Math.round(sum)) ? Math.round(sum) : null
}
