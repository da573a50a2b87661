// Compares two runs of the bench figure by figure and decides which changes exceed the noise. Also checks
// whether a ratio is far above a stored one. Pure: main.ts prints the findings and sets the exit code.
import { z } from 'zod'
import { ratios, type Series } from './series.ts'
import { type RatioInterval, ratioInterval } from './statistics.ts'

/** With fewer runs on either side, the interval is too narrow for its confidence level. */
const RUNS_LEAST = 5
/**
 * Smaller changes don't count: caches and clock rates differ between runs, and the noise within a run doesn't
 * show that.
 */
const LEAST_CHANGE = 0.03

export interface Change {
  readonly name: string
  readonly verdict: 'worse' | 'better' | 'same' | 'too-few' | 'new'
  readonly text: string
}

const percent = (ratio: number): string => `${Math.round((ratio - 1) * 100)}`.replace('-0', '0')

/** Converts the interval so that worse is above 1, whatever the unit. */
function worsening(interval: RatioInterval, unit: Series['unit']): RatioInterval {
  return unit === 'fps'
    ? { ratio: 1 / interval.ratio, low: 1 / interval.high, high: 1 / interval.low }
    : interval
}

function change(before: Series | undefined, after: Series): Change {
  const { name, unit, floor } = after
  const of = floor === null ? name : `${name}, over ${floor.name}`
  if (before === undefined) return { name, verdict: 'new', text: `${of}: nothing to compare with` }
  if ((before.floor?.name ?? null) !== (floor?.name ?? null))
    return { name, verdict: 'new', text: `${of}: measured against ${before.floor?.name ?? 'nothing'} before` }
  const [old, now] = [ratios(before), ratios(after)]
  if (Math.min(old.length, now.length) < RUNS_LEAST)
    return {
      name,
      verdict: 'too-few',
      text: `${of}: too few runs to tell (${old.length} and ${now.length}, at least ${RUNS_LEAST})`,
    }
  const found = ratioInterval(old, now)
  if (found === null) return { name, verdict: 'too-few', text: `${of}: there are no figures above 0` }
  const { ratio, low, high } = worsening(found, unit)
  const [more, less] = unit === 'MiB' ? ['larger', 'smaller'] : ['slower', 'faster']
  if (low > 1 && ratio > 1 + LEAST_CHANGE)
    return {
      name,
      verdict: 'worse',
      text: `${of}: ${more} by ${percent(ratio)} % (${percent(low)} to ${percent(high)})`,
    }
  if (high < 1 && ratio < 1 - LEAST_CHANGE) {
    const [by, least, most] = [ratio, high, low].map((one) => percent(2 - one))
    return { name, verdict: 'better', text: `${of}: ${less} by ${by} % (${least} to ${most})` }
  }
  return {
    name,
    verdict: 'same',
    text: `${of}: no change beyond the noise (${percent(low)} to ${percent(high)} %)`,
  }
}

export function compareRuns(before: readonly Series[], after: readonly Series[]): readonly Change[] {
  const byName = new Map(before.map((one) => [one.name, one]))
  return after.map((one) => change(byName.get(one.name), one))
}

/**
 * Ratios to the floor that `--quick` measured once, and how far above them a run may be. Contains no absolute
 * times.
 */
export const Reference = z.object({
  /** A ratio is far out if it exceeds the stored one by more than this factor. */
  farOut: z.number().min(1),
  ratios: z.record(z.string(), z.number().positive()),
})
export type Reference = z.infer<typeof Reference>

export interface FarOut {
  readonly name: string
  readonly isFarOut: boolean
  readonly text: string
}

/**
 * Compares the best run of each figure: other load makes a run slower, never faster, and slower code is
 * slower in every run.
 */
export function compareWithReference(reference: Reference, series: readonly Series[]): readonly FarOut[] {
  return series.flatMap((one) => {
    const stored = reference.ratios[one.name]
    const best = Math.min(...ratios(one))
    if (stored === undefined || !Number.isFinite(best)) return []
    const isFarOut = best > stored * reference.farOut
    const text = `${one.name}: ${best.toFixed(2)}, usually ${stored.toFixed(2)}${isFarOut ? `, more than ${reference.farOut} times that` : ''}`
    return [{ name: one.name, isFarOut, text }]
  })
}

/**
 * Includes only figures that were measured in turn with their floor. The others have only a yardstick before
 * and after their row, which is too inexact on a busy machine.
 */
export function referenceOf(series: readonly Series[], farOut: number): Reference {
  const kept = series
    .filter((one) => one.floor?.isPaired === true)
    .map((one) => [one.name, Number(Math.min(...ratios(one)).toFixed(3))] as const)
  return { farOut, ratios: Object.fromEntries(kept) }
}
