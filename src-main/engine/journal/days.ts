// Local calendar days as people count them, `YYYY-MM-DD`.
// Pure; the zone is that of this machine.

export function localDay(at: number): string {
  const date = new Date(at)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The last `count` days up to the one of `at`, oldest first. By the calendar: a day of 23 or 25 hours is one day. */
export function lastDays(at: number, count: number): readonly string[] {
  const date = new Date(at)
  return Array.from({ length: count }, (_, i) =>
    // Noon is there on every day, midnight is not.
    localDay(new Date(date.getFullYear(), date.getMonth(), date.getDate() - (count - 1 - i), 12).getTime()),
  )
}
