// Implements the timeline of the request budget, in milliseconds. It follows monotonic time and, for sleep,
// the system's uptime, so changes of the wall clock don't move it. Of the time that the process wasn't
// running, the uptime shows what passed since the system started. The rest is added once the service's Date
// header confirms it: until then it doesn't count, so that no request leaves a window too early. Also learns
// the offset of the service's clock from `Date` headers.
import type { Clock } from '../ports.ts'

/**
 * If two clocks diverge by more than this, the machine slept or a clock was set. It is above the resolution of
 * Date headers and of uptimes (1 s) and above small NTP steps (from 0.1 s).
 */
const JUMP_MS = 2_000
/** Some systems report their uptime in whole seconds. */
const UPTIME_RESOLUTION_MS = 1_000
/** No window is longer than a day, so older requests no longer matter. */
const LONGEST_MS = 25 * 3_600_000

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

/** A service's clock is used once this many consecutive Dates agreed. */
const TRUSTED_STREAK = 2
const LONGEST_STREAK = 100

export interface TimebaseState {
  readonly t: number
  /** Wall clock minus this timeline. */
  readonly wallMinusT: number
  /** The system's uptime, and what it is ahead of this timeline; null if unknown. */
  readonly uptime: { readonly at: number; readonly minusT: number } | null
  readonly anchor: Anchor | null
}

/** Time that may have passed while the process wasn't running. */
interface Gap {
  /**
   * Where the gap is on the timeline. Everything before this time is older by the gap's length than it looks.
   */
  readonly since: number
  /** `TimebaseState.wallMinusT` from before the gap. */
  readonly wallMinusT: number
}

export interface TimebaseOptions {
  readonly clock: Clock
  readonly saved: TimebaseState | null
  /** The newest stored time on the timeline; null if none is stored. */
  readonly newest: number | null
}

export class Timebase {
  readonly #clock: Clock
  /** The timeline minus monotonic time. */
  #base: number
  /** The system's uptime minus this timeline. Rather too high, so that the timeline isn't moved too far. */
  #uptimeMinusT: number
  #anchor: Anchor | null
  #gap: Gap | null = null

  constructor({ clock, saved, newest }: TimebaseOptions) {
    this.#clock = clock
    const wall = clock.now()
    const mono = clock.mono()
    const uptime = clock.uptime() ?? 0
    this.#anchor = saved?.anchor ?? null
    this.#base = wall - mono
    this.#uptimeMinusT = uptime - wall + UPTIME_RESOLUTION_MS
    if (saved === null && newest === null) return
    const isSameBoot = saved?.uptime != null && uptime >= saved.uptime.at
    const least = saved === null ? Number.NEGATIVE_INFINITY : leastNow(saved, uptime)
    // A newer time than that of the wall clock was written while the clock was wrong.
    const most = Math.max(least, wall - (saved?.wallMinusT ?? 0)) + (saved === null ? 0 : LONGEST_MS)
    const t = Math.max(least, Math.min(newest ?? Number.NEGATIVE_INFINITY, most)) + 1
    this.#base = t - mono
    this.#uptimeMinusT = isSameBoot ? saved.uptime.minusT : uptime - t + UPTIME_RESOLUTION_MS
    const gap = { since: t, wallMinusT: saved?.wallMinusT ?? 0 }
    if (Math.abs(wall - gap.wallMinusT - t) > JUMP_MS) this.#gap = gap
  }

  /** The current time on the timeline. Never goes back within a process. */
  now(): number {
    const t = this.#base + this.#clock.mono()
    const sleptMs = (this.#clock.uptime() ?? 0) - this.#uptimeMinusT - t
    if (sleptMs <= JUMP_MS) return t
    this.#base += sleptMs
    return t + sleptMs
  }

  /** Converts a time on the timeline to wall time, for display. */
  toWall(t: number): number {
    return this.#clock.now() + (t - this.now())
  }

  /**
   * Call when a response arrives. `sentAt`: when its request was sent (timeline); `serverDate`: its Date
   * header. Closes an open gap, and returns by how much the timeline was moved forward.
   */
  observe({ sentAt, serverDate }: { readonly sentAt: number; readonly serverDate: number | null }): number {
    const t = this.now()
    const seen = serverDate === null ? null : boundsOf(serverDate, sentAt, t)
    if (seen === null) {
      // A service that sends no Date never shows how long the gap was.
      if (serverDate === null) this.#gap = null
      return 0
    }
    const before = this.#anchor
    const wallMs = this.gapMs()
    this.#gap = null
    const isTrusted = before !== null && before.streak >= TRUSTED_STREAK
    const serverMs = isTrusted ? seen.lo - aged(before, t).hi : 0
    const by = wallMs === null ? 0 : Math.max(0, Math.min(wallMs, serverMs))
    this.#base += by
    this.#uptimeMinusT -= by
    // `by` may be a second too short, so after a gap the anchor from before it says more than this Date.
    this.#anchor = by > 0 && before !== null ? { ...before, at: t + by } : learnDate(before, seen, t)
    return by
  }

  /** Where an open gap is on the timeline; null if none is open. */
  gapSince(): number | null {
    return this.#gap?.since ?? null
  }

  /** The length of an open gap in milliseconds, according to the wall clock; null if none is open. */
  gapMs(): number | null {
    return this.#gap === null ? null : this.#clock.now() - this.#gap.wallMinusT - this.now()
  }

  /** The service's current time, accurate to `errorMs`; null if unknown. */
  server(): { readonly now: number; readonly errorMs: number } | null {
    const anchor = this.#anchor
    if (anchor === null || anchor.streak < TRUSTED_STREAK || this.#gap !== null) return null
    return { now: this.now() + (anchor.lo + anchor.hi) / 2, errorMs: (anchor.hi - anchor.lo) / 2 }
  }

  state(): TimebaseState {
    const t = this.now()
    const wallMinusT = this.#gap?.wallMinusT ?? this.#clock.now() - t
    const at = this.#clock.uptime()
    const uptime = at === null ? null : { at, minusT: this.#uptimeMinusT }
    return { t, wallMinusT, uptime, anchor: this.#anchor }
  }
}

/** The earliest time that it can be now. If the system has restarted, at least its uptime has passed. */
function leastNow({ t, uptime: before }: TimebaseState, uptime: number): number {
  if (before === null) return t
  return Math.max(t, uptime >= before.at ? uptime - before.minusT : t + uptime - UPTIME_RESOLUTION_MS)
}

// Learns the offset of the service's clock from `Date` headers.

/** Bounds, in ms, on the offset of the service's clock from the pacer's timeline, as known at `at`. */
interface Anchor {
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
function boundsOf(serverDate: number, sentAt: number, t: number): DateBounds | null {
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
function learnDate(anchor: Anchor | null, { lo, hi }: DateBounds, t: number): Anchor {
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
