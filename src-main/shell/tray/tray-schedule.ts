// When the tray may change: the first change at once, then one in five seconds at most, and the last change always. It keeps no time itself:
// the caller brings the time, and comes again at `wakeAt` if no change comes before.

/** A native menu that is set anew closes under the pointer on some desktops, and an icon that changes faster flickers. */
const EVERY = 5000

export interface TraySchedule {
  /** What the tray shows now; null: nothing was shown yet. */
  readonly shown: string | null
  readonly shownAt: number
}

export const NOTHING_SHOWN: TraySchedule = { shown: null, shownAt: 0 }

interface Step {
  readonly state: TraySchedule
  /** True: show what is wanted, now. */
  readonly show: boolean
  /** When to come again with what is wanted then; null: nothing is outstanding. */
  readonly wakeAt: number | null
}

/** `wanted` is a print of what should be shown: equal prints look the same. */
export function trayStep({ state, wanted, now }: { readonly state: TraySchedule; readonly wanted: string; readonly now: number }): Step {
  if (state.shown === wanted) return { state, show: false, wakeAt: null }
  const due = state.shownAt + EVERY
  // A clock that was set back must not freeze the tray until it catches up.
  if (state.shown === null || now >= due || now < state.shownAt) return { state: { shown: wanted, shownAt: now }, show: true, wakeAt: null }
  return { state, show: false, wakeAt: due }
}
