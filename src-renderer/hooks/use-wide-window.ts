// Whether the window has room for a panel beside the list, by the size of text and not by pixels: with large text the panel would cover the list.
// It changes as the window is resized.
import { useSyncExternalStore } from 'react'

/** 1000 px at the usual size of text. */
const WIDE_REM = 62.5

function isWide(): boolean {
  return window.innerWidth >= WIDE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** True while the panel has room; renders again when that changes. */
export function useWideWindow(): boolean {
  return useSyncExternalStore(subscribe, isWide)
}
