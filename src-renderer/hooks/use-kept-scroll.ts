// Scroll positions that outlive a change of view, so that coming back finds the place that was left.
// They are gone when the window closes.
import { type RefObject, useLayoutEffect } from 'react'
import { onAccountSwitch } from '../state/account-switch.ts'

const kept = new Map<string, number>()
onAccountSwitch(() => kept.clear())

/** Restores the position of `name` once `isReady`: before, the content may be too short for it. */
export function useKeptScroll(element: RefObject<HTMLElement | null>, name: string, isReady = true): void {
  useLayoutEffect(() => {
    const scroller = element.current
    if (scroller === null || !isReady) return undefined
    scroller.scrollTop = kept.get(name) ?? 0
    const note = (): void => {
      kept.set(name, scroller.scrollTop)
    }
    scroller.addEventListener('scroll', note, { passive: true })
    return () => scroller.removeEventListener('scroll', note)
  }, [element, name, isReady])
}
