// Decides when the tray may change. The first change is shown at once, further ones at most twice a second,
// and the last one always. The function has no clock: the caller passes in the time and calls again at
// `wakeAt` if nothing changes before then.

/**
 * Minimum interval between two changes, in milliseconds. An icon that changes more often flickers; one that
 * changes less often shows outdated state.
 */
const EVERY = 500

export interface TraySchedule {
  /** Fingerprint of what the tray shows now; null until something has been shown. */
  readonly shown: string | null
  readonly shownAt: number
}

export const NOTHING_SHOWN: TraySchedule = { shown: null, shownAt: 0 }

interface Step {
  readonly state: TraySchedule
  /** Whether to show the wanted state now. */
  readonly show: boolean
  /** When to call again; null if nothing is pending. */
  readonly wakeAt: number | null
}

/** `wanted` is a fingerprint of the state to show. States that look the same have equal fingerprints. */
export function trayStep({
  state,
  wanted,
  now,
}: {
  readonly state: TraySchedule
  readonly wanted: string
  readonly now: number
}): Step {
  if (state.shown === wanted) return { state, show: false, wakeAt: null }
  const due = state.shownAt + EVERY
  // A clock rollback must not freeze the tray until the clock has caught up.
  if (state.shown === null || now >= due || now < state.shownAt)
    return { state: { shown: wanted, shownAt: now }, show: true, wakeAt: null }
  return { state, show: false, wakeAt: due }
}
