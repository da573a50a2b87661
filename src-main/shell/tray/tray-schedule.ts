// Decides when the tray may change: the first change at once, then at most two a second, and always the last one. Has no clock: the caller
// passes the time and calls again at `wakeAt` if nothing changes before.

/** Milliseconds. An icon that changes more often flickers; one that changes later shows outdated state. */
const EVERY = 500

export interface TraySchedule {
  /** What the tray shows now, or null before anything was shown. */
  readonly shown: string | null
  readonly shownAt: number
}

export const NOTHING_SHOWN: TraySchedule = { shown: null, shownAt: 0 }

interface Step {
  readonly state: TraySchedule
  /** Whether to show what is wanted now. */
  readonly show: boolean
  /** When to call again with what is wanted then, or null if nothing is pending. */
  readonly wakeAt: number | null
}

/** `wanted`: a fingerprint of what should be shown; equal ones look the same. */
export function trayStep({ state, wanted, now }: { readonly state: TraySchedule; readonly wanted: string; readonly now: number }): Step {
  if (state.shown === wanted) return { state, show: false, wakeAt: null }
  const due = state.shownAt + EVERY
  // A clock rollback must not freeze the tray until the clock catches up.
  if (state.shown === null || now >= due || now < state.shownAt) return { state: { shown: wanted, shownAt: now }, show: true, wakeAt: null }
  return { state, show: false, wakeAt: due }
}
