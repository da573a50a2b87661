// Turns the history into the bars of each plot, and selects which bars get a label. A value missing from the
// history stays null and is never replaced by zero. Pure.
import type { History } from '../../../src-shared/model.ts'

export type Measure = 'uploads' | 'bytes' | 'downloads' | 'requests'

export interface Bar {
  /** Epoch ms: noon of a day, or the start of a minute. */
  readonly at: number
  readonly value: number | null
}

const DAYS_SHOWN = 30
/**
 * More bars than this are combined into weeks, because thinner ones can't be distinguished on half the page's
 * width.
 */
const BARS_MOST = 31
const WEEK = 7

/**
 * Returns noon of a local day, in epoch ms, or null if `day` isn't `YYYY-MM-DD`. Daylight saving time can't
 * shift noon to another day.
 */
export function noonOf(day: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (match === null) return null
  const at = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]), 12).getTime()
  return Number.isFinite(at) ? at : null
}

/** Returns one bar for each of the last 30 days of the history. */
export function dayBars(days: History['days'], measure: Measure): readonly Bar[] {
  return days.slice(-DAYS_SHOWN).flatMap((row) => {
    const at = noonOf(row.day)
    return at === null ? [] : [{ at, value: row[measure] }]
  })
}

/** Returns one bar per minute of the last hour. */
export function minuteBars(minutes: History['minutes']): readonly Bar[] {
  return minutes.slice(-60).map(({ at, requests }) => ({ at, value: requests }))
}

/** `unit` is `bytes` if the stored size is known in bytes for any day, otherwise `files`. */
export function storedBars(days: History['days']): {
  readonly unit: 'bytes' | 'files'
  readonly bars: readonly Bar[]
  /**
   * Number of days from the first known one to the end of the history, regardless of how they are combined.
   */
  readonly span: number
} {
  const unit = days.some((row) => row.storedBytes !== null) ? 'bytes' : 'files'
  const all = days.flatMap((row) => {
    const at = noonOf(row.day)
    return at === null ? [] : [{ at, value: unit === 'bytes' ? row.storedBytes : row.storedFiles }]
  })
  const first = all.findIndex((bar) => bar.value !== null)
  const known = first < 0 ? [] : all.slice(first)
  return { unit, bars: known.length > BARS_MOST ? weeks(known) : known, span: known.length }
}

/**
 * Combines every seven days, counted back from the last day, into one bar with the last known value of these
 * days.
 */
function weeks(bars: readonly Bar[]): readonly Bar[] {
  const out: Bar[] = []
  for (let end = bars.length; end > 0; end -= WEEK) {
    const group = bars.slice(Math.max(0, end - WEEK), end)
    const last = group.at(-1)
    if (last === undefined) continue
    out.unshift({ at: last.at, value: group.findLast((bar) => bar.value !== null)?.value ?? null })
  }
  return out
}

export interface Sums {
  readonly total: number
  /** The first bar with the largest value; null if no value is above zero. */
  readonly most: { readonly index: number; readonly value: number } | null
  readonly last: number | null
}

/**
 * Returns the total, the largest and the last value of the bars. Null values are skipped, except that `last`
 * is null if the last bar has no value.
 */
export function sumsOf(bars: readonly Bar[]): Sums {
  let total = 0
  let most: { index: number; value: number } | null = null
  for (const [index, { value }] of bars.entries()) {
    if (value === null || !Number.isFinite(value)) continue
    total += value
    if (value > 0 && (most === null || value > most.value)) most = { index, value }
  }
  return { total, most, last: bars.at(-1)?.value ?? null }
}

/**
 * Returns the indexes of the bars to label, up to `wanted` of them: evenly spaced ones starting with the
 * first bar, and the last bar.
 */
export function tickIndexes(count: number, wanted: number): readonly number[] {
  if (count <= 0) return []
  if (count === 1) return [0]
  const n = Math.max(2, Math.min(count, wanted))
  const step = Math.round((count - 1) / (n - 1))
  const inner = Array.from({ length: n - 1 }, (_, i) => i * step).filter((index) => index < count - 1)
  return [...inner, count - 1]
}

/**
 * Returns the top of the scale, and whether to draw the limit's line. If all values are below a quarter of
 * the limit, the line is left out, because the bars would be too small to read.
 */
export function scaleOf(
  most: number,
  limit: number | null,
): { readonly top: number; readonly line: boolean } {
  if (limit === null || limit <= 0 || most < limit / 4) return { top: most > 0 ? most : 1, line: false }
  return { top: Math.max(most, limit) * 1.04, line: true }
}

/** Returns the smallest of 1, 2, 5, 10, 20 and so on that is at least `least`, which is at least 1. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((digit) => digit * power >= least) ?? 10) * power
}

/**
 * Returns the round values to label between zero and the top of the scale, which is at least 1: up to five
 * whole numbers.
 */
export function axisValues(top: number): readonly number[] {
  const step = roundStep(Math.max(1, top / 5))
  return Array.from({ length: Math.floor(top / step) }, (_, i) => (i + 1) * step)
}

/**
 * Returns the scale of a line, which need not begin at zero, so that slow growth shows: the values to label,
 * from the bottom of the scale to its top. Steps are at least a fiftieth of the largest value, because labels
 * have three digits.
 */
export function lineScale(values: readonly number[]): readonly number[] {
  const most = Math.max(0, ...values)
  const least = Math.min(most, ...values)
  const step = roundStep(Math.max(1, (most - least) / 4, most / 50))
  const first = Math.max(0, Math.ceil(least / step) - 1)
  const last = Math.max(first + 1, Math.floor(most / step) + 1)
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}
