// The time line of the request budget, in milliseconds. Within a process it runs on monotonic time, so no change of the wall clock moves it.
// Time that passed unseen (sleep, the process was off) is added only once the service's Date header agrees; until then none has passed, which
// errs to the safe side: places of the budget are held too long, never too short. A service without a usable Date leaves it on monotonic time.
import type { Clock } from '../ports.ts'

/** Wall and monotonic time further apart than this: the machine slept or a person set the clock. Date headers have 1 s, NTP steps start at 0.1 s. */
const JUMP_MS = 2_000
/** Dates that differ by less are the same clock: header resolution and a second server behind a balancer. */
const SAME_CLOCK_MS = 2_000
/** `Date` is cut to whole seconds. */
const DATE_RESOLUTION_MS = 1_000
/** A slower answer says too little about when its Date was written. */
const USABLE_WIDTH_MS = 30_000
/** Clocks run apart by at most this: 500 ppm is the most that NTP slews, a poor quartz has 100. */
const DRIFT = 5e-4
/** So many Dates in a row that agree with monotonic time make the service's clock trusted alone, without the wall clock's word. */
const TRUST = 3
/** No window is longer than a day, so older gaps decide nothing any more. */
const GAP_LIFE_MS = 25 * 3_600_000

/** The service's clock minus this time line lies in [lo, hi], as known at `at`. */
export interface Anchor {
  readonly lo: number
  readonly hi: number
  readonly at: number
  /** Observations in a row that agreed. */
  readonly streak: number
}

export interface TimebaseState {
  readonly t: number
  /** Wall clock minus this time line. */
  readonly wallMinusT: number
  readonly anchor: Anchor | null
}

/** Time that may have passed unseen. */
export interface Gap {
  /** Where it lies on the time line: all that was stamped before is older by the gap, if there was one. */
  readonly since: number
  /** What the wall clock says of its length; 0 and less: nothing, or the clock was set back. */
  readonly wallMs: number
  readonly kind: 'start' | 'jump'
}

export interface Step {
  readonly since: number
  /** Milliseconds by which the time line was moved forward. */
  readonly by: number
}

export interface Timebase {
  /** Never goes back within a process. */
  now(): number
  /** A moment of the time line as wall time, for display and for people. */
  toWall(t: number): number
  /**
   * An answer came now to a request sent at `sentAt` (time line), with this Date. Gives the step that was made, `by` 0 if a gap turned
   * out to be none, null if nothing was decided.
   */
  observe(seen: { readonly sentAt: number; readonly serverDate: number }): Step | null
  gap(): Gap | null
  /** The service's clock now, give or take `errorMs`; null while it is not known. */
  server(): { readonly now: number; readonly errorMs: number } | null
  /** Gives up an open gap: no time has passed beyond monotonic time. */
  dropGap(): void
  state(): TimebaseState
}

interface OpenGap {
  since: number
  wallMs: number
  kind: 'start' | 'jump'
  before: Anchor | null
  /** Length of the gap by an earlier Date that claimed more than the wall clock. */
  claimed: number | null
}

/** `newest`: the newest stored moment on the time line, null if none is stored. */
export function createTimebase({
  clock,
  saved,
  newest,
}: {
  readonly clock: Clock
  readonly saved: TimebaseState | null
  readonly newest: number | null
}): Timebase {
  const startWall = clock.now()
  const startMono = clock.mono()
  let wallMono = startWall - startMono
  let wallMinusT = saved?.wallMinusT ?? 0
  let anchor: Anchor | null = saved?.anchor ?? null
  let gap: OpenGap | null = null
  let base: number

  if (saved === null && newest === null) {
    base = startWall - startMono
  } else {
    const byWall = startWall - wallMinusT
    const ceiling = Math.max(saved?.t ?? -Infinity, byWall)
    // Rows that lie beyond all that is known are a broken clock's: now.
    const known = Math.max(saved?.t ?? -Infinity, Math.min(newest ?? -Infinity, saved === null ? ceiling : ceiling + GAP_LIFE_MS))
    const t = known + 1
    base = t - startMono
    gap = { since: t, wallMs: byWall - t, kind: 'start', before: anchor, claimed: null }
  }

  function closeGap(by: number, t: number): Step | null {
    if (gap === null) return null
    const { since, wallMs } = gap
    base += by
    gap = null
    // A small rest stays on the account: many short runs in a row must not lose a second each.
    if (Math.abs(wallMs - by) > JUMP_MS + DATE_RESOLUTION_MS) wallMinusT = clock.now() - (t + by)
    return { since, by }
  }

  function now(): number {
    const mono = clock.mono()
    const t = base + mono
    const apart = clock.now() - mono
    const jump = apart - wallMono
    wallMono = apart
    if (Math.abs(jump) > JUMP_MS) {
      if (gap !== null) {
        gap.wallMs += jump
        if (gap.kind === 'jump' && gap.wallMs <= JUMP_MS) {
          anchor = gap.before
          closeGap(0, t)
        }
      } else if (jump > 0 && anchor !== null) {
        gap = { since: t, wallMs: jump, kind: 'jump', before: anchor, claimed: null }
      } else wallMinusT += jump
    }
    if (gap !== null && t - gap.since > GAP_LIFE_MS) closeGap(0, t)
    return t
  }

  function aged(a: Anchor, t: number): Anchor {
    const spread = Math.max(0, t - a.at) * DRIFT
    return { ...a, lo: a.lo - spread, hi: a.hi + spread, at: t }
  }

  function learn(lo: number, hi: number, t: number): void {
    if (anchor === null) {
      anchor = { lo, hi, at: t, streak: 1 }
      return
    }
    const old = aged(anchor, t)
    if (lo <= old.hi && hi >= old.lo) {
      anchor = { lo: Math.max(lo, old.lo), hi: Math.min(hi, old.hi), at: t, streak: Math.min(old.streak + 1, 100) }
    } else if (lo - old.hi <= SAME_CLOCK_MS && old.lo - hi <= SAME_CLOCK_MS) {
      anchor = { lo: Math.min(lo, old.lo), hi: Math.max(hi, old.hi), at: t, streak: old.streak }
    } else anchor = { lo, hi, at: t, streak: 1 }
  }

  function observeInGap(open: OpenGap, lo: number, hi: number, t: number): Step | null {
    if (open.before === null) {
      learn(lo, hi, t)
      return null
    }
    const before = aged(open.before, t)
    const least = lo - before.hi
    const most = hi - before.lo
    const byWall = open.wallMs
    const agreed = least - SAME_CLOCK_MS <= byWall && byWall <= most + SAME_CLOCK_MS
    if (!agreed && before.streak < TRUST) {
      // One clock against the other, and neither proved: begin anew, on monotonic time.
      open.before = null
      anchor = { lo, hi, at: t, streak: 1 }
      return open.kind === 'jump' ? closeGap(0, t) : null
    }
    if (most < -SAME_CLOCK_MS) {
      anchor = { lo, hi, at: t, streak: 1 }
      return closeGap(0, t)
    }
    if (agreed || least <= byWall) {
      const by = Math.max(0, Math.min(byWall, least))
      // The anchor itself stays: what the Date's whole seconds hide now shows up at the next comparison.
      anchor = { ...before, streak: Math.min(before.streak + 1, 100) }
      return closeGap(by, t)
    }
    // The service claims more time than the wall clock (which was set back meanwhile, or was dead): believed when said twice.
    if (open.claimed !== null && Math.abs(open.claimed - least) <= SAME_CLOCK_MS) {
      const by = Math.max(0, Math.min(open.claimed, least))
      anchor = before
      return closeGap(by, t)
    }
    open.claimed = least
    return null
  }

  return {
    now,
    toWall: (t) => clock.now() + (t - now()),
    observe({ sentAt, serverDate }) {
      const t = now()
      if (!Number.isFinite(serverDate) || t - sentAt > USABLE_WIDTH_MS) return null
      const lo = serverDate - t
      const hi = serverDate + DATE_RESOLUTION_MS - sentAt
      if (gap === null) {
        learn(lo, hi, t)
        return null
      }
      // Sent before the gap: its Date may be from either side.
      if (sentAt < gap.since) return null
      return observeInGap(gap, lo, hi, t)
    },
    gap() {
      now()
      return gap === null ? null : { since: gap.since, wallMs: gap.wallMs, kind: gap.kind }
    },
    server() {
      const t = now()
      if (anchor === null || anchor.streak < 2 || (gap !== null && Math.abs(gap.wallMs) > JUMP_MS)) return null
      return { now: t + (anchor.lo + anchor.hi) / 2, errorMs: (anchor.hi - anchor.lo) / 2 }
    },
    dropGap() {
      const t = now()
      if (gap === null) return
      anchor = gap.before ?? anchor
      closeGap(0, t)
    },
    state() {
      const t = now()
      return { t, wallMinusT, anchor: gap === null ? anchor : (gap.before ?? anchor) }
    },
  }
}
