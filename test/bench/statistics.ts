// The arithmetic of the bench: medians, percentiles, ratios.
// Pure; each row interprets its figures.

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

/** Null if there is nothing to compare with. */
export function ratio(ours: number, theirs: number): number | null {
  return theirs > 0 && Number.isFinite(ours) ? ours / theirs : null
}
