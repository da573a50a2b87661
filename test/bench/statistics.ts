// The arithmetic of the bench: medians, percentiles, ratios.
// Pure; what a figure means is decided by the row that has it.

/** 0 where there is nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** The smallest value that at least `percent` of all values do not exceed; 0 where there is nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0
}

/** Null where there is nothing to compare with. */
export function ratio(ours: number, theirs: number): number | null {
  return theirs > 0 && Number.isFinite(ours) ? ours / theirs : null
}
