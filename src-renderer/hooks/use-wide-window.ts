// Reports whether the window has room for a panel next to the list, and updates the result when the window is resized. The threshold is in
// rem, because large text needs more room.
import { useSyncExternalStore } from 'react'

/** 1000 px at the default text size. */
const WIDE_REM = 62.5

function isWide(): boolean {
  return window.innerWidth >= WIDE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** Returns whether there is room for the panel, and renders again when that changes. */
export function useWideWindow(): boolean {
  return useSyncExternalStore(subscribe, isWide)
}
