// Reads what an answer's headers say of time and rate, in every spelling that services use. Nonsense is null, never an error.
import type { AnswerMeta, RateHints } from './types.ts'

/** A service that asks for more than two days is not believed. */
const MOST_MS = 48 * 3_600_000

export type Headers = Readonly<Record<string, string | string[] | undefined>>

function first(headers: Headers, ...names: string[]): string | null {
  for (const name of names) {
    const value = headers[name]
    const text = Array.isArray(value) ? value[0] : value
    if (text !== undefined && text.trim() !== '') return text.trim()
  }
  return null
}

function numeric(text: string | null): number | null {
  const m = text === null ? null : /^\d+(\.\d+)?/.exec(text)
  if (m === null) return null
  const n = Number(m[0])
  return Number.isFinite(n) ? n : null
}

function clamp(ms: number): number {
  return Math.min(MOST_MS, Math.max(0, ms))
}

/** Seconds from now, or a moment: epoch seconds or milliseconds are told apart by their size. */
function untilMs(value: number | null, now: number): number | null {
  if (value === null) return null
  if (value > 1e12) return clamp(value - now)
  if (value > 1e9) return clamp(value * 1000 - now)
  return clamp(value * 1000)
}

export function readMeta(status: number, headers: Headers, now: number): AnswerMeta {
  const dateText = first(headers, 'date')
  const date = dateText === null ? Number.NaN : Date.parse(dateText)
  const serverDate = Number.isFinite(date) ? date : null
  return { status, serverDate, rate: readRate(headers, serverDate ?? now) }
}

export function readRate(headers: Headers, now: number): RateHints {
  const retry = first(headers, 'retry-after')
  let retryAfterMs: number | null = null
  if (retry !== null) {
    if (/^\d+(\.\d+)?$/.test(retry)) retryAfterMs = clamp(Number(retry) * 1000)
    else {
      const at = Date.parse(retry)
      if (Number.isFinite(at)) retryAfterMs = clamp(at - now)
    }
  }
  const joined = first(headers, 'ratelimit')
  const inJoined = (key: string): number | null =>
    numeric(joined === null ? null : (new RegExp(`(?:^|[;,\\s])${key}=(\\d+)`).exec(joined)?.[1] ?? null))
  return {
    retryAfterMs,
    limit: numeric(first(headers, 'ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit')) ?? inJoined('limit') ?? inJoined('q'),
    remaining:
      numeric(first(headers, 'ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining')) ??
      inJoined('remaining') ??
      inJoined('r'),
    resetMs: untilMs(
      numeric(first(headers, 'ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset')) ?? inJoined('reset') ?? inJoined('t'),
      now,
    ),
  }
}
