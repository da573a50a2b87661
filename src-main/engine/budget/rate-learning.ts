// Learns the request limits from responses: a 429, rate headers, and requests that pass. Pure: each function
// takes the facts and returns the new value; window-budget.ts and pause-after-429.ts keep the state. Times
// are on the pacer's timeline, in milliseconds.
import type { RateHints } from '../../api/types.ts'
import type { WindowName } from './rate-limits.ts'

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000
/**
 * Added to the length of the minute window: 1 s for a service that counts in whole seconds with both ends
 * included, 50 ms for clocks that drift apart (500 ppm of a minute is 30 ms). Costs 1.7 % of the allowance.
 */
export const MINUTE_MARGIN_MS = 1_050

/** No documented limit takes longer than a day to reset. */
export const LONGEST_PAUSE_MS = DAY_MS + 60_000
/** Added to the wait that the service states, because clocks and timers aren't exact to the millisecond. */
export const PAUSE_MARGIN_MS = 250
/**
 * From this level on, pauses of at least 2 and 5 minutes haven't helped, so the minute window can't be the
 * one that is full.
 */
const DAY_SUSPECT_LEVEL = 3
/** A stated wait of up to this long may come from a burst limiter, or from the last seconds of a window. */
const SHORT_WAIT_MS = 10_000
/**
 * Refusals closer together than this are one event: requests in flight at the same time are refused together.
 */
const SAME_BURST_MS = 5_000
/** A refusal at or above this share of a learned day limit means that the same limit was reached again. */
const AT_DAY_LIMIT_SHARE = 0.98
/** The share of a limit that remains after a second refusal within an hour. */
const REPEATED_SHARE = 0.95
const HOUR_MS = 3_600_000
/** A learned limit grows by at least this share of the plan's limit per step. */
const RAISE_SHARE = 0.1
/**
 * How long a limit per minute stays without a refusal before it grows, by the number of raises that were
 * refused: a short burst of another client is over in minutes.
 */
const QUICK_RAISES_MS = [MINUTE_MS, 10 * MINUTE_MS] as const
/**
 * The same after more refused raises, and for the day's limit. The more refusals there were in the last day,
 * the slower it grows: a second client that never yields causes about seven refusals a day.
 */
const RAISE_MIN_MS = 600_000
const RAISE_PER_REFUSAL_MS = 1_800_000
const RAISE_MAX_MS = 6 * HOUR_MS
/**
 * If no raise was refused, and this share more than at the last refusal has passed, each request that is
 * accepted alone proves this share more.
 */
const PROOF_SHARE = 1 / 8

/** A limit below the plan's, learned from refusals. It grows back step by step. */
export interface LearnedLimit {
  readonly limit: number
  /**
   * Number of requests in one window that the service is known to accept. Beyond that, requests are sent one
   * at a time.
   */
  readonly proven: number
  /** When the limit grows by its next step. */
  readonly raiseAt: number
  /** The limit that the last refusal left. `limit` is higher once it was raised. */
  readonly refusedAt: number
  /** Number of raises that ended in a refusal. */
  readonly failed: number
}

/** Milliseconds without a refusal until a limit grows by its next step. */
export function raiseIntervalMs(window: WindowName, failed: number, refusalsOfDay: number): number {
  const quickMs = window === 'minute' ? QUICK_RAISES_MS[failed] : undefined
  return quickMs ?? Math.min(RAISE_MAX_MS, Math.max(RAISE_MIN_MS, refusalsOfDay * RAISE_PER_REFUSAL_MS))
}

/**
 * The limit after one step. Until a raise is refused, it doubles. `base`: the limit that applies if nothing
 * was learned.
 */
export function nextStep({ limit, failed }: LearnedLimit, base: number): number {
  const least = limit + Math.max(1, Math.ceil(base * RAISE_SHARE))
  return Math.min(base, failed > 0 ? least : Math.max(limit * 2, least))
}

/**
 * The learned limit after all raises that are due at `now`; the same object if none is due, null once `base`
 * itself wasn't refused for a whole interval. That `base` requests passed together isn't enough: in aligned
 * windows, two halves may have.
 */
export function raisedLimit(
  learned: LearnedLimit,
  base: number,
  intervalMs: number,
  now: number,
): LearnedLimit | null {
  let raised = learned
  while (now >= raised.raiseAt) {
    if (raised.limit >= base) return null
    raised = { ...raised, limit: nextStep(raised, base), raiseAt: raised.raiseAt + intervalMs }
  }
  return raised
}

/** Records that the service accepted the `count`th request in a window. */
export function provenLimit(learned: LearnedLimit, count: number): LearnedLimit {
  const { proven, refusedAt, failed } = learned
  if (count <= proven) return learned
  const isSure = failed === 0 && count > refusedAt * (1 + PROOF_SHARE)
  return { ...learned, proven: isSure ? Math.max(count, Math.floor(proven * (1 + PROOF_SHARE))) : count }
}

export interface LowerFacts {
  /** Requests in the window that the service let through. */
  readonly passed: number
  /** The limit that was in force. */
  readonly before: number
  /** The limit that applies if nothing was learned. */
  readonly base: number
  readonly learned: LearnedLimit | null
  readonly window: WindowName
  /** Times of the refusals of the last day. */
  readonly refusals: readonly number[]
  readonly now: number
}

/** The limit after a refusal; null if the refusal shows nothing below `base`. */
export function loweredLimit(facts: LowerFacts): LearnedLimit | null {
  const { passed, before, base, learned, window, refusals, now } = facts
  // After a second refusal within an hour, a little more is left to other clients, because their use may
  // vary.
  const isRepeated = refusals.some((at) => at < now - SAME_BURST_MS && at > now - HOUR_MS)
  const limit = Math.max(
    1,
    Math.min(passed, before, isRepeated ? Math.floor(before * REPEATED_SHARE) : before),
  )
  if (limit >= base) return null
  const wasRaised = learned !== null && learned.limit > learned.refusedAt
  const failed = (learned?.failed ?? 0) + (wasRaised ? 1 : 0)
  const raiseAt = now + raiseIntervalMs(window, failed, refusals.length)
  return { limit, proven: limit, raiseAt, refusedAt: limit, failed }
}

export interface RefusalFacts {
  /** The wait that the service stated; null if it stated none. */
  readonly waitMs: number | null
  /**
   * Whether the refused request was sent before the last refusal arrived, so that both belong to the same
   * episode.
   */
  readonly isSameEpisode: boolean
  /**
   * Whether no request had been accepted since an earlier refusal, so that requests were sent one at a time.
   */
  readonly wasProbing: boolean
  /**
   * Number of consecutive pauses that ended in another refusal, including the pause that this refusal ended,
   * if any.
   */
  readonly level: number
  /**
   * `passed`: how many requests the service let through in the window in which this one was refused, at least
   * 1.
   */
  readonly minute: { readonly passed: number }
  /** `used`: number of other requests in the day window when the refused one was claimed. */
  readonly day: { readonly used: number; readonly passed: number; readonly learned: LearnedLimit | null }
  /** Times of the refusals of the last day. */
  readonly refusals: readonly number[]
  readonly now: number
}

/** Which window a 429 refers to, and how many requests had passed in it. */
export type RefusalLesson =
  | { readonly window: 'minute'; readonly passed: number }
  /** `isMinuteCleared`: earlier refusals of the episode were blamed on the minute window by mistake. */
  | { readonly window: 'day'; readonly passed: number; readonly isMinuteCleared: boolean }
  /** The refusal teaches nothing beyond the wait itself. */
  | { readonly window: null }

const NO_LESSON: RefusalLesson = { window: null }

/** Decides which window caused a 429, since the service doesn't say which window was full. */
export function lessonOf429(f: RefusalFacts): RefusalLesson {
  // If the day's use is close to a limit that was learned before, the refusal is attributed to that limit.
  if (
    f.day.learned !== null &&
    f.day.used + 1 >= Math.min(f.day.learned.proven, f.day.learned.limit * AT_DAY_LIMIT_SHARE)
  ) {
    return { window: 'day', passed: f.day.passed, isMinuteCleared: false }
  }
  if (f.wasProbing && !f.isSameEpisode) {
    // If pauses of several minutes didn't help, the day window was full all along, and the minute's limit is
    // unchanged. At a lower level, the cause is unknown.
    return f.level < DAY_SUSPECT_LEVEL
      ? NO_LESSON
      : { window: 'day', passed: f.day.passed, isMinuteCleared: true }
  }
  // A wait longer than a minute isn't caused by the minute window. Waiting as stated is enough; no limit has
  // to be lowered.
  if (f.waitMs !== null && f.waitMs > MINUTE_MS + MINUTE_MARGIN_MS) return NO_LESSON
  if (f.isSameEpisode && f.wasProbing && f.level > 0) return NO_LESSON
  // A short wait is due to the end of a window or to a burst limiter. Unless requests were refused shortly
  // before as well, the limit itself isn't lower.
  const isRecentlyRefused = f.refusals.some((at) => at < f.now - SAME_BURST_MS && at > f.now - 2 * MINUTE_MS)
  if (f.waitMs !== null && f.waitMs <= SHORT_WAIT_MS && !isRecentlyRefused) return NO_LESSON
  return { window: 'minute', passed: f.minute.passed }
}

/**
 * The limit that a rate header states; null if it is no lower than the limit of a known plan, undefined if
 * the header states none.
 */
export function headerLimit(
  hints: RateHints,
  planned: number,
  isPlanKnown: boolean,
): number | null | undefined {
  if (hints.limit === null || !(hints.limit >= 1)) return undefined
  const limit = Math.floor(hints.limit)
  return isPlanKnown && limit >= planned ? null : limit
}

/**
 * Requests of other clients on the same key, derived from `remaining`. `ours`: how many of our requests the
 * service may have counted.
 */
export function othersFromHeader(hints: RateHints, base: number, ours: number): number {
  if (hints.remaining === null || !(hints.remaining >= 0)) return 0
  return Math.max(0, Math.floor((hints.limit ?? base) - hints.remaining) - ours)
}

/**
 * How long the requests of other clients count: until the stated reset, at most one window, plus a margin.
 */
export function othersLastMs(hints: RateHints, windowMs: number): number {
  return Math.min(hints.resetMs ?? windowMs, windowMs) + MINUTE_MARGIN_MS
}

/**
 * Milliseconds to pause if the response to an accepted request says that no requests are left; null if it
 * doesn't say so, or gives no reset time.
 */
export function pauseAtZeroMs(hints: RateHints): number | null {
  if (hints.remaining === null || !(hints.remaining >= 0 && hints.remaining < 1) || hints.resetMs === null)
    return null
  return Math.min(LONGEST_PAUSE_MS, hints.resetMs) + PAUSE_MARGIN_MS
}
