// The arithmetic of the bench: medians, percentiles, ratios, and confidence intervals of changes.
// Pure; each row interprets its own figures.

/** Returns 0 for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** The smallest value that at least `percent` of all values don't exceed; 0 for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0
}

/** Null if `theirs` isn't positive or `ours` isn't finite, so that there is nothing to compare. */
export function ratio(ours: number, theirs: number): number | null {
  return theirs > 0 && Number.isFinite(ours) ? ours / theirs : null
}

/**
 * Pseudo-random numbers in [0, 1), the same for each seed (mulberry32), so that the result of a comparison is
 * reproducible.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Confidence level: the share of comparisons without a real difference whose interval contains 1. */
const CONFIDENCE = 0.99
const RESAMPLES = 2000

export interface RatioInterval {
  /** Median of the later values over the median of the earlier ones. */
  readonly ratio: number
  readonly low: number
  readonly high: number
}

function spread(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1),
  )
}

/**
 * The change of the median with its 99 % interval, from a smoothed bootstrap of the logarithms (Silverman and
 * Young 1987). A handful of values has few distinct resampled medians, so each drawn value is shifted at
 * random, by about the standard error of the mean. Null if a value isn't above 0 or a side has no values.
 */
export function ratioInterval(
  before: readonly number[],
  after: readonly number[],
  { seed = 1, resamples = RESAMPLES }: { readonly seed?: number; readonly resamples?: number } = {},
): RatioInterval | null {
  const all = [...before, ...after]
  if (
    before.length === 0 ||
    after.length === 0 ||
    all.some((value) => !(value > 0 && Number.isFinite(value)))
  )
    return null
  const random = seededRandom(seed)
  // Box-Muller transform: two uniform random numbers give a normally distributed one.
  const bell = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const sampler = (values: readonly number[]): (() => number) => {
    const logs = values.map(Math.log)
    const shift = spread(logs) / Math.sqrt(logs.length)
    return () => median(logs.map(() => (logs[Math.floor(random() * logs.length)] ?? 0) + shift * bell()))
  }
  const [earlier, later] = [sampler(before), sampler(after)]
  const drawn = Array.from({ length: resamples }, () => Math.exp(later() - earlier()))
  const tail = ((1 - CONFIDENCE) / 2) * 100
  return {
    ratio: median(after) / median(before),
    low: percentile(drawn, tail),
    high: percentile(drawn, 100 - tail),
  }
}
