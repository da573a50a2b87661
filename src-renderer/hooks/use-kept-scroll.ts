// Keeps the scroll positions of views, so that users find their place when they come back. The positions are
// kept while the window is closed to the tray, even if its page is unloaded (state/page-release.ts), and are
// discarded when the account is switched.
import { type RefObject, useLayoutEffect } from 'react'
import { onAccountSwitch } from '../state/account-switch.ts'
import { keepInPlace } from '../state/saved-place.ts'

const kept = new Map<string, number>()
onAccountSwitch(() => kept.clear())
keepInPlace('scroll', {
  take: () => kept,
  put: (left) => {
    for (const [name, top] of left) kept.set(name, top)
  },
})

/**
 * Restores the scroll position saved as `name` once `isReady` is true, and then records it. Before that, the
 * content may be too short to scroll.
 */
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
