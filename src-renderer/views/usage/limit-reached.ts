// Estimates when a daily limit will be reached at the current pace, from the counts of this computer and the
// known limits. Pure. All times are epoch milliseconds; days are local.
import type { History, Window } from '../../../src-shared/model.ts'

export type Forecast =
  /** The limit is unknown, or there is none. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'full'; readonly nextAt: number | null }
  | { readonly kind: 'reached'; readonly at: number }
  /** The limit won't be reached before midnight. */
  | { readonly kind: 'enough' }
  /** There is no pace: no requests in the last hour, no uploads today, or the counts aren't known yet. */
  | { readonly kind: 'quiet' }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/**
 * The time span of the recent rate: short enough to react to a burst, but long enough that a single busy
 * minute changes it little.
 */
const LATELY = 15 * MINUTE

function midnightAfter(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}

/** Returns the local date of `at` as `YYYY-MM-DD`. */
export function dayName(at: number): string {
  const date = new Date(at)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function rate(minutes: History['minutes'], span: number, now: number): number {
  let sum = 0
  for (const minute of minutes) if (minute.at >= now - span && minute.at <= now) sum += minute.requests
  return sum / span
}

/**
 * Returns the requests per millisecond over the last hour. During uploads, returns the rate over the last 15
 * minutes if that is higher, so that warnings come early.
 */
export function requestPace(options: {
  readonly minutes: History['minutes']
  readonly busy: boolean
  readonly now: number
}): number {
  const hour = rate(options.minutes, HOUR, options.now)
  return options.busy ? Math.max(hour, rate(options.minutes, LATELY, options.now)) : hour
}

/**
 * Returns the uploads per millisecond: the pace of requests times the proportion of uploads among today's
 * requests. Returns 0 if no requests were made today.
 */
export function uploadPace(options: {
  readonly history: History
  readonly busy: boolean
  readonly now: number
}): number {
  const today = options.history.days.at(-1)
  if (today === undefined || today.day !== dayName(options.now) || today.requests <= 0) return 0
  const share = Math.min(1, today.uploads / today.requests)
  return requestPace({ minutes: options.history.minutes, busy: options.busy, now: options.now }) * share
}

/**
 * Estimates when the limit of `window` will be reached. `pace` is the number of requests or uploads per
 * millisecond.
 */
export function forecast(options: {
  readonly window: Window
  readonly pace: number
  readonly now: number
}): Forecast {
  const { window, pace, now } = options
  if (window.limit === null) return { kind: 'unknown' }
  const left = window.limit - window.used
  if (left <= 0) return { kind: 'full', nextAt: window.nextAt }
  if (!Number.isFinite(pace) || pace <= 0) return { kind: 'quiet' }
  const at = now + left / pace
  return at < midnightAfter(now) ? { kind: 'reached', at } : { kind: 'enough' }
}
