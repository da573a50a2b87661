// Formats the forecasts for a folder to watch and for dropped files, under the limits of the plan, as lines
// of text. Pure; the engine provides the figures.
import type { PlanForecast } from '../../src-shared/model.ts'
import type { Words } from './words.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/**
 * Returns the number of 24-hour days until `at`, rounded up, at least 1. Up to one hour beyond a whole number
 * of days is ignored. `at` and `now` are in epoch ms.
 */
export function daysUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now - HOUR) / DAY))
}

export interface ForecastWords {
  /** What the folder contains: `1,240 files, 3.1 GB to upload`. */
  readonly holds: string
  /**
   * When the files are uploaded: `88 today, the rest within 3 days on your plan.` Null if there is nothing to
   * upload.
   */
  readonly when: string | null
  /** What isn't uploaded automatically, and why. */
  readonly notes: readonly string[]
}

/** Describes the forecast for a folder to watch. `now` is in epoch ms. */
export function forecastWords({ t, f }: Words, forecast: PlanForecast, now: number): ForecastWords {
  const own = t.welcomeView
  const note = (n: number, words: (n: number, shown: string) => string): readonly string[] =>
    n === 0 ? [] : [words(n, f.count(n))]
  const { files, ignored, failed = 0 } = forecast
  const isEmpty = files + ignored + failed === 0
  // `bytes` covers only the files to upload.
  const bytes = forecast.now + forecast.later === 0 ? '' : f.bytes(forecast.bytes)
  return {
    holds: isEmpty ? own.folderEmpty : own.folderHolds(files, f.count(files), bytes),
    when: whenWords({ t, f }, forecast, now),
    notes: [
      ...note(forecast.already, own.forecastAlready),
      ...note(forecast.held, own.forecastHeld),
      ...note(forecast.tooBig, own.forecastTooBig),
      ...note(ignored, own.forecastIgnored),
      ...note(failed, own.forecastFailed),
    ],
  }
}

/** Whether the per-minute rate limit delays some of today's uploads. */
function isSpread({ now, atOnce = now, nowUntil }: PlanForecast): boolean {
  return atOnce < now && nowUntil != null
}

/**
 * Says in one or two lines when dropped files are uploaded. The second line says when the last upload starts,
 * if the first doesn't. `now` is in epoch ms.
 */
export function dropWords({ t, f }: Words, forecast: PlanForecast, now: number): readonly string[] {
  const { atOnce = forecast.now, nowUntil, later, doneAt } = forecast
  const bytes = f.bytes(forecast.bytes)
  const hasSoon = isSpread(forecast)
  if (later === 0 && !hasSoon) return [t.dropNow(bytes)]
  const first = hasSoon ? atOnce : forecast.now
  const laterAt = forecast.steps.find((step) => step.at > now)?.at ?? null
  const parts = [
    ...(first > 0 ? [t.dropAtOnce(f.count(first))] : []),
    ...(hasSoon ? [t.dropSoon(f.count(forecast.now - first), f.duration((nowUntil ?? now) - now))] : []),
    ...(later > 0 ? [t.dropLater(f.count(later), laterAt === null ? '' : f.when(laterAt, now))] : []),
  ]
  const hasLast =
    later > 0 && doneAt !== null && (laterAt === null || f.when(doneAt, now) !== f.when(laterAt, now))
  return [
    t.transfersView.progressWords([bytes, parts.join(', ')]),
    ...(hasLast ? [t.dropLast(f.when(doneAt, now))] : []),
  ]
}

function whenWords({ t, f }: Words, forecast: PlanForecast, now: number): string | null {
  const own = t.welcomeView
  if (forecast.now + forecast.later === 0) return null
  if (forecast.later === 0)
    return isSpread(forecast)
      ? own.forecastSoon(f.duration((forecast.nowUntil ?? now) - now))
      : own.forecastAll
  if (forecast.doneAt === null) return own.forecastSplitOpen(f.count(forecast.now), f.count(forecast.later))
  const days = daysUntil(forecast.doneAt, now)
  return forecast.now === 0
    ? own.forecastLater(days, f.count(days))
    : own.forecastSplit(f.count(forecast.now), days, f.count(days))
}
