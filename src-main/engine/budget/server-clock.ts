// Implements the timeline of the request budget, in milliseconds. Within a process it follows monotonic time,
// so changes of the wall clock don't move it. Time that passed unobserved (sleep, or the process wasn't
// running) is added only once the service's Date header confirms it. Until then, the unobserved time doesn't
// count, so that no request leaves a window too early.
import { assertNever } from '../../../src-shared/assert.ts'
import type { Clock } from '../ports.ts'

/**
 * If wall and monotonic time diverge by more than this, the machine slept or the clock was set. It is above
 * the resolution of Date headers (1 s) and above small NTP steps (from 0.1 s).
 */
const JUMP_MS = 2_000
/** No window is longer than a day, so older gaps no longer matter. */
const GAP_LIFE_MS = 25 * 3_600_000

/**
 * Dates at most this far apart count as those of one clock: allows for header resolution and a second server
 * behind a load balancer.
 */
const SAME_CLOCK_MS = 2_000

/** `Date` is truncated to whole seconds. */
const DATE_RESOLUTION_MS = 1_000

/** If a request took longer than this, its Date is too imprecise to be used. */
const USABLE_WIDTH_MS = 30_000

/** Maximum drift between two clocks: NTP slews by at most 500 ppm, and a poor quartz drifts by 100 ppm. */
const DRIFT = 5e-4

/**
 * After this many consecutive Dates that agree with monotonic time, the service's clock is trusted even if
 * the wall clock disagrees.
 */
const TRUSTED_STREAK = 3
const LONGEST_STREAK = 100

export interface TimebaseState {
  readonly t: number
  /** Wall clock minus this timeline. */
  readonly wallMinusT: number
  readonly anchor: Anchor | null
}

/** Time that may have passed unobserved. */
export interface Gap {
  /**
   * Where the gap is on the timeline. Everything before this time is older by the gap's length than it looks.
   */
  readonly since: number
  /**
   * The gap's length according to the wall clock. 0 or less if the wall clock was rolled back or doesn't
   * reveal the length.
   */
  readonly wallMs: number
  readonly kind: 'start' | 'jump'
}

export interface Step {
  readonly since: number
  /** Milliseconds by which the timeline was moved forward. */
  readonly by: number
}

export interface Timebase {
  /** The current time on the timeline. Never goes back within a process. */
  now(): number
  /** Converts a time on the timeline to wall time, for display. */
  toWall(t: number): number
  /**
   * Call when a response arrives. `sentAt`: when its request was sent (timeline); `serverDate`: its Date
   * header. Returns the step by which an open gap was closed, with `by` 0 if no time is added for the gap, or
   * null if nothing was decided.
   */
  observe(seen: { readonly sentAt: number; readonly serverDate: number }): Step | null
  gap(): Gap | null
  /** The service's current time, accurate to `errorMs`; null if unknown. */
  server(): { readonly now: number; readonly errorMs: number } | null
  /** Closes an open gap as empty: only monotonic time counts as passed. */
  dropGap(): void
  state(): TimebaseState
}

interface OpenGap {
  readonly since: number
  wallMs: number
  readonly kind: 'start' | 'jump'
  before: Anchor | null
  /**
   * The gap's length according to an earlier Date, if that was longer than the wall clock shows; null if
   * there was no such Date.
   */
  claimedMs: number | null
}

export interface TimebaseOptions {
  readonly clock: Clock
  readonly saved: TimebaseState | null
  /** The newest stored time on the timeline; null if none is stored. */
  readonly newest: number | null
}

export function createTimebase(options: TimebaseOptions): Timebase {
  return new MonotonicTimebase(options)
}

class MonotonicTimebase implements Timebase {
  readonly #clock: Clock
  /** The timeline minus monotonic time. */
  #base: number
  /** Wall time minus monotonic time, as of the last check. */
  #wallMinusMono: number
  #wallMinusT: number
  #anchor: Anchor | null
  #gap: OpenGap | null = null

  constructor({ clock, saved, newest }: TimebaseOptions) {
    this.#clock = clock
    const startWall = clock.now()
    const startMono = clock.mono()
    this.#wallMinusMono = startWall - startMono
    this.#wallMinusT = saved?.wallMinusT ?? 0
    this.#anchor = saved?.anchor ?? null
    if (saved === null && newest === null) {
      this.#base = startWall - startMono
      return
    }
    const byWall = startWall - this.#wallMinusT
    const ceiling = Math.max(saved?.t ?? Number.NEGATIVE_INFINITY, byWall)
    // A `newest` above this maximum was written while the clock was wrong, so the maximum is used instead.
    const latest = Math.min(
      newest ?? Number.NEGATIVE_INFINITY,
      saved === null ? ceiling : ceiling + GAP_LIFE_MS,
    )
    const t = Math.max(saved?.t ?? Number.NEGATIVE_INFINITY, latest) + 1
    this.#base = t - startMono
    this.#gap = { since: t, wallMs: byWall - t, kind: 'start', before: this.#anchor, claimedMs: null }
  }

  now(): number {
    const mono = this.#clock.mono()
    const t = this.#base + mono
    const wallMinusMono = this.#clock.now() - mono
    const jump = wallMinusMono - this.#wallMinusMono
    this.#wallMinusMono = wallMinusMono
    if (Math.abs(jump) > JUMP_MS) this.#jumped(jump, t)
    if (this.#gap !== null && t - this.#gap.since > GAP_LIFE_MS) this.#closeGap(0, t)
    return t
  }

  toWall(t: number): number {
    return this.#clock.now() + (t - this.now())
  }

  observe({ sentAt, serverDate }: { readonly sentAt: number; readonly serverDate: number }): Step | null {
    const t = this.now()
    const seen = boundsOf(serverDate, sentAt, t)
    if (seen === null) return null
    const gap = this.#gap
    // The request was sent before the gap, so its Date may be from either side of it.
    if (gap !== null && sentAt < gap.since) return null
    if (gap === null || gap.before === null) {
      this.#anchor = learnDate(this.#anchor, seen, t)
      return null
    }
    const verdict = judgeGap({ wallMs: gap.wallMs, before: gap.before, claimedMs: gap.claimedMs }, seen, t)
    switch (verdict.kind) {
      case 'length':
        this.#anchor = verdict.anchor
        return this.#closeGap(verdict.byMs, t)
      case 'unknown':
        gap.before = null
        this.#anchor = verdict.anchor
        return gap.kind === 'jump' ? this.#closeGap(0, t) : null
      case 'claimed':
        gap.claimedMs = verdict.claimedMs
        return null
      default:
        return assertNever(verdict, 'verdict')
    }
  }

  gap(): Gap | null {
    this.now()
    return this.#gap === null
      ? null
      : { since: this.#gap.since, wallMs: this.#gap.wallMs, kind: this.#gap.kind }
  }

  server(): { readonly now: number; readonly errorMs: number } | null {
    const t = this.now()
    const anchor = this.#anchor
    const isDoubtful = this.#gap !== null && Math.abs(this.#gap.wallMs) > JUMP_MS
    if (anchor === null || anchor.streak < 2 || isDoubtful) return null
    return { now: t + (anchor.lo + anchor.hi) / 2, errorMs: (anchor.hi - anchor.lo) / 2 }
  }

  dropGap(): void {
    const t = this.now()
    if (this.#gap === null) return
    this.#anchor = this.#gap.before ?? this.#anchor
    this.#closeGap(0, t)
  }

  state(): TimebaseState {
    const t = this.now()
    return { t, wallMinusT: this.#wallMinusT, anchor: this.#gap?.before ?? this.#anchor }
  }

  /**
   * Handles a move of the wall clock by `jump` relative to monotonic time: the machine slept, or the clock
   * was set.
   */
  #jumped(jump: number, t: number): void {
    const gap = this.#gap
    if (gap === null) {
      if (jump > 0 && this.#anchor !== null)
        this.#gap = { since: t, wallMs: jump, kind: 'jump', before: this.#anchor, claimedMs: null }
      else this.#wallMinusT += jump
      return
    }
    gap.wallMs += jump
    if (gap.kind !== 'jump' || gap.wallMs > JUMP_MS) return
    this.#anchor = gap.before
    this.#closeGap(0, t)
  }

  #closeGap(by: number, t: number): Step | null {
    if (this.#gap === null) return null
    const { since, wallMs } = this.#gap
    this.#base += by
    this.#gap = null
    // A small difference stays in `#wallMinusT` and is part of the next gap. Otherwise, many short runs in a
    // row would each lose up to a second.
    if (Math.abs(wallMs - by) > JUMP_MS + DATE_RESOLUTION_MS) this.#wallMinusT = this.#clock.now() - (t + by)
    return { since, by }
  }
}

// Learns the offset of the service's clock, and the length of gaps (unobserved time), from `Date` headers.
// Pure; server-clock.ts keeps the state. All times are in milliseconds; `t` is on the pacer's timeline.

/** Bounds, in ms, on the offset of the service's clock from the pacer's timeline, as known at `at`. */
export interface Anchor {
  readonly lo: number
  readonly hi: number
  readonly at: number
  /** Number of consecutive observations that agreed. */
  readonly streak: number
}

/** Bounds, in ms, on the same offset, derived from one `Date` header. */
interface DateBounds {
  readonly lo: number
  readonly hi: number
}

/**
 * Returns the bounds that the Date of one response (`serverDate`) implies. Its request was sent at `sentAt`,
 * and the response arrived at `t`. Null if the request took longer than `USABLE_WIDTH_MS`, or if the Date
 * isn't a number.
 */
export function boundsOf(serverDate: number, sentAt: number, t: number): DateBounds | null {
  if (!Number.isFinite(serverDate) || t - sentAt > USABLE_WIDTH_MS) return null
  return { lo: serverDate - t, hi: serverDate + DATE_RESOLUTION_MS - sentAt }
}

/** The anchor at `t`, widened by how much the clocks may have drifted since. */
function aged(anchor: Anchor, t: number): Anchor {
  const spread = Math.max(0, t - anchor.at) * DRIFT
  return { ...anchor, lo: anchor.lo - spread, hi: anchor.hi + spread, at: t }
}

/**
 * The anchor after one more Date: narrowed if the bounds of both overlap, widened if they are at most
 * SAME_CLOCK_MS apart (a second server), otherwise replaced (a different clock).
 */
export function learnDate(anchor: Anchor | null, { lo, hi }: DateBounds, t: number): Anchor {
  if (anchor === null) return { lo, hi, at: t, streak: 1 }
  const old = aged(anchor, t)
  if (lo <= old.hi && hi >= old.lo) {
    return {
      lo: Math.max(lo, old.lo),
      hi: Math.min(hi, old.hi),
      at: t,
      streak: Math.min(old.streak + 1, LONGEST_STREAK),
    }
  }
  if (lo - old.hi <= SAME_CLOCK_MS && old.lo - hi <= SAME_CLOCK_MS) {
    return { lo: Math.min(lo, old.lo), hi: Math.max(hi, old.hi), at: t, streak: old.streak }
  }
  return { lo, hi, at: t, streak: 1 }
}

export interface GapFacts {
  /**
   * The gap's length according to the wall clock. 0 or less if the wall clock was rolled back or doesn't
   * reveal the length.
   */
  readonly wallMs: number
  /** The anchor from before the gap. */
  readonly before: Anchor
  /**
   * The gap's length according to an earlier Date, if that was longer than the wall clock shows; null if
   * there was no such Date.
   */
  readonly claimedMs: number | null
}

export type GapVerdict =
  /** `byMs`: how much time has passed unobserved. */
  | { readonly kind: 'length'; readonly byMs: number; readonly anchor: Anchor }
  /**
   * The service's clock and the wall clock contradict each other, and neither is trusted. Learning starts
   * over with this Date.
   */
  | { readonly kind: 'unknown'; readonly anchor: Anchor }
  /**
   * The service's clock shows a longer gap than the wall clock. The longer gap counts once a second Date
   * agrees.
   */
  | { readonly kind: 'claimed'; readonly claimedMs: number }

/** Judges the length of an open gap from one Date. */
export function judgeGap(
  { wallMs, before: anchor, claimedMs }: GapFacts,
  { lo, hi }: DateBounds,
  t: number,
): GapVerdict {
  const before = aged(anchor, t)
  const least = lo - before.hi
  const most = hi - before.lo
  const fresh: Anchor = { lo, hi, at: t, streak: 1 }
  const isAgreed = least - SAME_CLOCK_MS <= wallMs && wallMs <= most + SAME_CLOCK_MS
  if (!isAgreed && before.streak < TRUSTED_STREAK) return { kind: 'unknown', anchor: fresh }
  if (most < -SAME_CLOCK_MS) return { kind: 'length', byMs: 0, anchor: fresh }
  if (isAgreed || least <= wallMs) {
    // The anchor from before the gap is kept: a Date is in whole seconds, so `byMs` may be about a second too
    // short. Compared with the old anchor, the next Date after a gap still shows that second.
    const kept = { ...before, streak: Math.min(before.streak + 1, LONGEST_STREAK) }
    return { kind: 'length', byMs: Math.max(0, Math.min(wallMs, least)), anchor: kept }
  }
  // The service's clock shows a longer gap than the wall clock, which may have been rolled back during the
  // gap, or reset by an empty battery.
  if (claimedMs !== null && Math.abs(claimedMs - least) <= SAME_CLOCK_MS) {
    return { kind: 'length', byMs: Math.max(0, Math.min(claimedMs, least)), anchor: before }
  }
  return { kind: 'claimed', claimedMs: least }
}
