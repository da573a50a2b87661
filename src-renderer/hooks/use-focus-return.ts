// Returns the focus to the view when a menu or a dialog has closed and the element that opened it is gone.
// Otherwise the focus would fall to the page, and the view's keys would stop working.
import { type RefObject, useEffect, useRef } from 'react'

/** `isCovered`: something is open over the view. Once it has closed and the focus is nowhere, `home` gets it. */
export function useFocusReturn(isCovered: boolean, home: RefObject<HTMLElement | null>): void {
  const wasCovered = useRef(false)
  useEffect(() => {
    if (isCovered) wasCovered.current = true
    // Two frames: the library returns the focus in the first one where it can.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (isCovered || !wasCovered.current) return
        wasCovered.current = false
        if (document.activeElement === document.body) home.current?.focus({ preventScroll: true })
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [isCovered, home])
}
