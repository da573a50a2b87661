// Keeps the keyboard in the window: when the focused element disappears (another view, a closed dialog, a list that became empty), the home of the
// view gets the focus, an element marked with `HOME`. A click on empty space keeps the focus where the click put it.
import { useEffect } from 'react'

/** Marks the element of a view that has the focus where nothing else does. */
export const HOME = { 'data-home': '' } as const

function isReachable(element: HTMLElement): boolean {
  return element.checkVisibility() && element.closest('[inert], [aria-hidden=true]') === null
}

/** Focuses the home of the view where nothing has the focus. */
function goHome(): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const home = [...document.querySelectorAll<HTMLElement>('main [data-home]')].find(isReachable)
  if (home === undefined) return
  // A ring around a whole list that nothing was done with yet would only be noise; the first key brings it.
  home.dataset['quiet'] = ''
  for (const end of ['keydown', 'blur']) home.addEventListener(end, () => delete home.dataset['quiet'], { once: true })
  home.focus({ preventScroll: true })
}

/** `key`: what is shown; when it changes, the focus goes home if it has no other place. */
export function useFocusHome(key: string): void {
  useEffect(() => {
    // Two frames: closing dialogs return the focus in the first one where they can.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(goHome)
    })
    return () => cancelAnimationFrame(frame)
  }, [key])
  useEffect(() => {
    let last: EventTarget | null = null
    let frame = 0
    const note = (event: FocusEvent): void => {
      last = event.target
    }
    const look = (): void => {
      if (!(last instanceof Element) || last.isConnected || document.activeElement !== document.body) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(goHome)
      })
    }
    const observer = new MutationObserver(look)
    document.addEventListener('focusin', note)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      document.removeEventListener('focusin', note)
    }
  }, [])
}
