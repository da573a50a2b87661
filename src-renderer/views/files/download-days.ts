// Computes downloads per day from samples of a counter. The increase between two samples counts towards the
// day of the later one. Also names the day of a date as the service wrote it. Pure; days are in local time.
import type { Formats } from '../../../src-shared/i18n/formats.ts'

export interface Sample {
  readonly at: number
  readonly count: number
}

export interface DayGain {
  /** Start of the day in local time, epoch ms. */
  readonly day: number
  readonly gained: number
}

/** Returns the start of the local day that is `back` days before the one that contains `at`, in epoch ms. */
export function startOfDay(at: number, back = 0): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime()
}

/**
 * Returns the last `days` days including today, oldest first. A decrease of the counter, for example after a
 * reset by the service, counts as no downloads.
 */
export function gainedByDay(samples: readonly Sample[], days: number, now: number): readonly DayGain[] {
  const list = Array.from({ length: days }, (_, i) => ({ day: startOfDay(now, days - 1 - i), gained: 0 }))
  const sorted = samples.toSorted((a, b) => a.at - b.at)
  for (const [i, sample] of sorted.entries()) {
    // The downloads before the first sample aren't counted, because their days are unknown.
    const before = sorted[i - 1]
    if (before === undefined) continue
    const gained = Math.max(0, sample.count - before.count)
    const day = startOfDay(sample.at)
    const found = list.find((one) => one.day === day)
    if (found !== undefined) found.gained += gained
  }
  return list
}

/**
 * Formats the day of a date whose time zone isn't known yet; '' if the service's text is no date that Slipway
 * can read.
 */
export function dayAsWritten(date: string | null, f: Pick<Formats, 'day'>): string {
  const found = /^(\d{4})-(\d{2})-(\d{2})/.exec(date ?? '')
  return found === null
    ? ''
    : f.day(new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3])).getTime())
}
