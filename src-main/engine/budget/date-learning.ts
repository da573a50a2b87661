// Learns the offset of the service's clock, and the length of gaps (unobserved time), from `Date` headers. Pure; server-clock.ts keeps the
// state. All times are in milliseconds; `t` is on the pacer's timeline.

/** Dates at most this far apart count as those of one clock: allows for header resolution and a second server behind a load balancer. */
const SAME_CLOCK_MS = 2_000
/** `Date` is truncated to whole seconds. */
export const DATE_RESOLUTION_MS = 1_000
/** If a request took longer than this, its Date is too imprecise to be used. */
const USABLE_WIDTH_MS = 30_000
/** Maximum drift between two clocks: NTP slews by at most 500 ppm, and a poor quartz drifts by 100 ppm. */
const DRIFT = 5e-4
/** After this many consecutive Dates that agree with monotonic time, the service's clock is trusted even if the wall clock disagrees. */
const TRUSTED_STREAK = 3
const LONGEST_STREAK = 100

/** Bounds, in ms, on the offset of the service's clock from the pacer's timeline, as known at `at`. */
export interface Anchor {
  readonly lo: number
  readonly hi: number
  readonly at: number
  /** Number of consecutive observations that agreed. */
  readonly streak: number
}

/** Bounds, in ms, on the same offset, derived from one `Date` header. */
export interface DateBounds {
  readonly lo: number
  readonly hi: number
}

/**
 * Returns the bounds that the Date of one response (`serverDate`) implies. Its request was sent at `sentAt`, and the response arrived at
 * `t`. Null if the request took longer than `USABLE_WIDTH_MS`, or if the Date isn't a number.
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
 * The anchor after one more Date: narrowed if the bounds of both overlap, widened if they are at most SAME_CLOCK_MS apart (a second
 * server), otherwise replaced (a different clock).
 */
export function learnDate(anchor: Anchor | null, { lo, hi }: DateBounds, t: number): Anchor {
  if (anchor === null) return { lo, hi, at: t, streak: 1 }
  const old = aged(anchor, t)
  if (lo <= old.hi && hi >= old.lo) {
    return { lo: Math.max(lo, old.lo), hi: Math.min(hi, old.hi), at: t, streak: Math.min(old.streak + 1, LONGEST_STREAK) }
  }
  if (lo - old.hi <= SAME_CLOCK_MS && old.lo - hi <= SAME_CLOCK_MS) {
    return { lo: Math.min(lo, old.lo), hi: Math.max(hi, old.hi), at: t, streak: old.streak }
  }
  return { lo, hi, at: t, streak: 1 }
}

export interface GapFacts {
  /** The gap's length according to the wall clock. 0 or less if the wall clock was rolled back or doesn't reveal the length. */
  readonly wallMs: number
  /** The anchor from before the gap. */
  readonly before: Anchor
  /** The gap's length according to an earlier Date, if that was longer than the wall clock shows; null if there was no such Date. */
  readonly claimedMs: number | null
}

export type GapVerdict =
  /** `byMs`: how much time has passed unobserved. */
  | { readonly kind: 'length'; readonly byMs: number; readonly anchor: Anchor }
  /** The service's clock and the wall clock contradict each other, and neither is trusted. Learning starts over with this Date. */
  | { readonly kind: 'unknown'; readonly anchor: Anchor }
  /** The service's clock shows a longer gap than the wall clock. The longer gap counts once a second Date agrees. */
  | { readonly kind: 'claimed'; readonly claimedMs: number }

/** Judges the length of an open gap from one Date. */
export function judgeGap({ wallMs, before: anchor, claimedMs }: GapFacts, { lo, hi }: DateBounds, t: number): GapVerdict {
  const before = aged(anchor, t)
  const least = lo - before.hi
  const most = hi - before.lo
  const fresh: Anchor = { lo, hi, at: t, streak: 1 }
  const isAgreed = least - SAME_CLOCK_MS <= wallMs && wallMs <= most + SAME_CLOCK_MS
  if (!isAgreed && before.streak < TRUSTED_STREAK) return { kind: 'unknown', anchor: fresh }
  if (most < -SAME_CLOCK_MS) return { kind: 'length', byMs: 0, anchor: fresh }
  if (isAgreed || least <= wallMs) {
    // The anchor from before the gap is kept: a Date is in whole seconds, so `byMs` may be about a second too short. Compared with the old
    // anchor, the next Date after a gap still shows that second.
    const kept = { ...before, streak: Math.min(before.streak + 1, LONGEST_STREAK) }
    return { kind: 'length', byMs: Math.max(0, Math.min(wallMs, least)), anchor: kept }
  }
  // The service's clock shows a longer gap than the wall clock, which may have been rolled back during the gap, or reset by an empty
  // battery.
  if (claimedMs !== null && Math.abs(claimedMs - least) <= SAME_CLOCK_MS) {
    return { kind: 'length', byMs: Math.max(0, Math.min(claimedMs, least)), anchor: before }
  }
  return { kind: 'claimed', claimedMs: least }
}
