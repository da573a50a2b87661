// Formats the forecast for a folder to watch, under the limits of the plan, as lines of text. Pure; the engine
// provides the figures.
import type { PlanForecast } from '../../src-shared/model.ts'
import { isSpread } from '../../src-shared/upload-words.ts'
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
  /** What of the folder is uploaded: `1,240 files, 3.1 GB to upload`; if nothing is, how many files it has. */
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
  // `bytes` covers only the files to upload; the notes count the others.
  const sent = forecast.now + forecast.later
  const [shown, bytes] = sent === 0 ? [files, ''] : [sent, f.bytes(forecast.bytes)]
  return {
    holds: isEmpty ? own.folderEmpty : own.folderHolds(shown, f.count(shown), bytes),
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
