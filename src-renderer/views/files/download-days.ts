// Downloads per day, from samples of a counter: the increase between two samples counts on the day of the later one.
// Pure; days are local.

export interface Sample {
  readonly at: number
  readonly count: number
}

export interface DayGain {
  /** Start of the day, local. */
  readonly day: number
  readonly gained: number
}

function startOfDay(at: number, back = 0): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime()
}

/** The last `days` days up to today, oldest first. A counter that fell, as after a reset by the service, adds nothing. */
export function gainedByDay(samples: readonly Sample[], days: number, now: number): readonly DayGain[] {
  const list = Array.from({ length: days }, (_, i) => ({ day: startOfDay(now, days - 1 - i), gained: 0 }))
  const sorted = samples.toSorted((a, b) => a.at - b.at)
  for (const [i, sample] of sorted.entries()) {
    // The first sample says how many there were when Slipway first looked, not when they came.
    const before = sorted[i - 1]
    if (before === undefined) continue
    const gained = Math.max(0, sample.count - before.count)
    const day = startOfDay(sample.at)
    const found = list.find((one) => one.day === day)
    if (found !== undefined) found.gained += gained
  }
  return list
}
