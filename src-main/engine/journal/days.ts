// Converts times to local calendar days in the form `YYYY-MM-DD`. Pure, apart from this machine's time zone.

export function localDay(at: number): string {
  const date = new Date(at)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * Returns `count` days ending with the day of `at`, oldest first. Counts calendar days, whether they have 23,
 * 24 or 25 hours.
 */
export function lastDays(at: number, count: number): readonly string[] {
  const date = new Date(at)
  return Array.from({ length: count }, (_, i) =>
    // Noon exists on every day; midnight may be skipped by daylight saving time.
    localDay(new Date(date.getFullYear(), date.getMonth(), date.getDate() - (count - 1 - i), 12).getTime()),
  )
}
