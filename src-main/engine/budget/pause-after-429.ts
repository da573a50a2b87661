// Handles the pause after a 429, and the probe that follows it: one request is sent alone, and the others
// follow once it is accepted. A refusal also lowers the limit of the window that was full, if
// rate-learning.ts can determine which window that was.
import type { RateHints } from '../../api/types.ts'
import {
  DAY_MS,
  type LearnedLimit,
  LONGEST_PAUSE_MS,
  lessonOf429,
  loweredLimit,
  MINUTE_MARGIN_MS,
  MINUTE_MS,
  PAUSE_MARGIN_MS,
} from './rate-learning.ts'
import { dropOld, type WindowBudget } from './window-budget.ts'

/**
 * Minimum pause, indexed by level. The first entry isn't used: at level 0, the pause is the stated wait or,
 * if none is stated, a minute, the shortest documented window.
 */
const PAUSE_LADDER_MS = [60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const
/**
 * Maximum random delay, in milliseconds and as a share of the pause, so that clients refused at the same
 * moment don't return at the same moment.
 */
const PAUSE_JITTER_MS = 2_000
const PAUSE_JITTER_SHARE = 0.05
const REFUSALS_KEPT = 48
/** Longest wait that an overloaded service, or something in front of it, can ask for. */
export const LONGEST_HOLD_MS = 15 * 60_000

export interface RefusalState {
  readonly pausedUntil: number
  readonly level: number
  readonly probing: boolean
  readonly refusals: readonly number[]
}

/**
 * A refused request: when it was claimed, and how many requests each window counted then, without this one.
 */
export interface RefusedRequest {
  readonly at: number
  readonly minuteUsed: number
  readonly dayUsed: number
  /** Number of claims made before it. */
  readonly order: number
}

/** The wait that a refusal states, in milliseconds; null if it states none. */
export function statedWaitMs(hints: RateHints): number | null {
  return hints.retryAfterMs ?? hints.resetMs
}

/**
 * Milliseconds to pause after a 429. `waitMs`: the stated wait, null if there is none; `level`: number of
 * earlier pauses of the same episode that ended in another 429; `chance`: a random number in [0, 1).
 */
export function pauseAfter429(waitMs: number | null, level: number, chance: number): number {
  const ladderMs = level === 0 ? 0 : (PAUSE_LADDER_MS[Math.min(level, PAUSE_LADDER_MS.length - 1)] ?? 0)
  const statedMs = waitMs === null ? MINUTE_MS + MINUTE_MARGIN_MS : Math.max(1_000, waitMs) + PAUSE_MARGIN_MS
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(statedMs, ladderMs))
  return pauseMs + chance * Math.min(PAUSE_JITTER_MS, pauseMs * PAUSE_JITTER_SHARE)
}

/** All times are on the pacer's timeline. */
export class RefusalBackoff {
  readonly #minute: WindowBudget
  readonly #day: WindowBudget
  #pausedUntil: number
  /**
   * Until when a service that can't answer at the moment has asked to wait. Not kept across restarts, so each
   * command asks once.
   */
  #heldUntil = 0
  /** Number of consecutive pauses that ended in another refusal. */
  #level: number
  #isProbing: boolean
  /** ID of the probe in flight, the only request sent until it is answered; null if there is none. */
  #probeId: number | null = null
  /** Times of the refusals of the last day, at most `REFUSALS_KEPT`. Requests refused together count once. */
  #refusals: readonly number[]
  #lastRefusalAt = Number.NEGATIVE_INFINITY
  #minuteBeforeEpisode: LearnedLimit | null = null

  constructor(minute: WindowBudget, day: WindowBudget, saved: RefusalState | null) {
    this.#minute = minute
    this.#day = day
    this.#pausedUntil = saved?.pausedUntil ?? 0
    this.#level = saved?.level ?? 0
    this.#isProbing = saved?.probing ?? false
    this.#refusals = saved?.refusals ?? []
  }

  state(): RefusalState {
    return {
      pausedUntil: this.#pausedUntil,
      level: this.#level,
      probing: this.#isProbing,
      refusals: this.#refusals,
    }
  }

  pausedUntil(): number {
    return Math.max(this.#pausedUntil, this.#heldUntil)
  }

  heldUntil(): number {
    return this.#heldUntil
  }

  isProbing(): boolean {
    return this.#isProbing
  }

  isProbeInFlight(): boolean {
    return this.#isProbing && this.#probeId !== null
  }

  /**
   * Number of consecutive pauses without an accepted request in between; 0 once a request has been accepted.
   */
  pauses(): number {
    return this.#isProbing ? this.#level + 1 : 0
  }

  /** Whether a request was refused within the last day. */
  hasRefusals(): boolean {
    return this.#refusals.length > 0
  }

  claimed(id: number): void {
    if (this.#isProbing) this.#probeId = id
  }

  ended(id: number): void {
    if (this.#probeId === id) this.#probeId = null
  }

  /**
   * Drops old refusals, and raises the learned limits that are due to grow. Returns true if a limit changed.
   */
  expire(now: number): boolean {
    this.#refusals = dropOld(this.#refusals, now - DAY_MS)
    if (this.#isProbing) return false
    const isMinuteRaised = this.#minute.raise(this.#refusals.length, now)
    return this.#day.raise(this.#refusals.length, now) || isMinuteRaised
  }

  /**
   * Records at `now` that a request claimed at `claimedAt` was accepted. Returns true if that ends the pauses, or
   * shows that a limit was lowered too far.
   */
  passed(claimedAt: number, now: number): boolean {
    if (claimedAt < this.#lastRefusalAt) {
      const isMinuteRaised = this.#minute.raiseToPassed()
      return this.#day.raiseToPassed() || isMinuteRaised
    }
    if (!this.#isProbing && this.#level === 0) return false
    if (this.#isProbing) this.#minute.restartInterval(this.#refusals.length, now)
    this.#isProbing = false
    this.#level = 0
    return true
  }

  /**
   * Records a 429 received at `now`. `chance`: a random number in [0, 1), which varies the length of the
   * pause.
   */
  refused(request: RefusedRequest, hints: RateHints, now: number, chance: number): void {
    const waitMs = statedWaitMs(hints)
    const isSameEpisode = request.at < this.#lastRefusalAt
    const wasProbing = this.#isProbing
    if (!isSameEpisode && wasProbing) this.#level += 1
    else if (!isSameEpisode) {
      this.#level = 0
      this.#minuteBeforeEpisode = this.#minute.learned
    }
    // Requests refused together count as one event. Counted separately, they would keep a learned limit low
    // for hours.
    if (!isSameEpisode) this.#refusals = [...this.#refusals, now].slice(-REFUSALS_KEPT)
    const place = { at: now, order: request.order }
    this.#minute.addRefused(place)
    this.#day.addRefused(place)
    const lesson = lessonOf429({
      waitMs,
      isSameEpisode,
      wasProbing,
      level: this.#level,
      minute: { passed: passedWith(this.#minute, request.minuteUsed, request.order) },
      day: {
        used: request.dayUsed,
        passed: passedWith(this.#day, request.dayUsed, request.order),
        learned: this.#day.learned,
      },
      refusals: this.#refusals,
      now,
    })
    if (lesson.window === 'day' && lesson.isMinuteCleared) this.#minute.learned = this.#minuteBeforeEpisode
    if (lesson.window !== null)
      this.#lower(lesson.window === 'day' ? this.#day : this.#minute, lesson.passed, now)
    this.pauseUntil(now + pauseAfter429(waitMs, this.#level, chance))
    this.#isProbing = true
    if (!isSameEpisode) this.#lastRefusalAt = now
  }

  /**
   * Records that the service couldn't answer (503, for example). If it says when to ask again, nothing is
   * sent until then.
   */
  unavailable(hints: RateHints, now: number): void {
    if (hints.retryAfterMs !== null)
      this.#heldUntil = Math.max(this.#heldUntil, now + Math.min(hints.retryAfterMs, LONGEST_HOLD_MS))
  }

  pauseUntil(at: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, at)
  }

  /**
   * Resets the level of the pauses. Also ends a current pause; the next request is then sent alone, as a
   * probe.
   */
  endPause(now: number): void {
    this.#level = 0
    this.#heldUntil = 0
    if (this.#pausedUntil <= now) return
    this.#pausedUntil = 0
    this.#isProbing = true
  }

  #lower(budget: WindowBudget, passed: number, now: number): void {
    const next = loweredLimit({
      passed,
      before: budget.limit(),
      base: budget.base(),
      learned: budget.learned,
      window: budget.name,
      refusals: this.#refusals,
      now,
    })
    if (next !== null) budget.learned = next
  }
}

/**
 * Estimates how many requests had passed in the window when one was refused, at least 1. Returns the higher
 * of two counts: the requests counted when the refused one was claimed, without refused ones, and the
 * requests that have passed by now. The service decided at some point in between. Too low a limit costs
 * hours, but too high a limit costs only one more refusal.
 */
function passedWith(budget: WindowBudget, used: number, order: number): number {
  return Math.max(1, used - budget.refusedBefore(order), budget.passedCount())
}
