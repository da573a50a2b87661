// Keeps the keyboard focus in the window. When the focused element disappears (for example because the view
// changes, a dialog closes or a list becomes empty), the view's element marked with `HOME` gets the focus. A
// click on empty space doesn't move the focus to that element.
import { useEffect } from 'react'

/** Marks the element of a view that gets the focus if no other element has it. */
export const HOME = { 'data-home': '' } as const

function isReachable(element: HTMLElement): boolean {
  return element.checkVisibility() && element.closest('[inert], [aria-hidden=true]') === null
}

/** Focuses the view's home element if nothing has the focus. */
function goHome(): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const home = [...document.querySelectorAll<HTMLElement>('main [data-home]')].find(isReachable)
  if (home === undefined) return
  // Don't show a focus ring around a list that the user hasn't touched yet. The first key press shows it.
  home.dataset['quiet'] = ''
  for (const end of ['keydown', 'blur'])
    home.addEventListener(end, () => delete home.dataset['quiet'], { once: true })
  home.focus({ preventScroll: true })
}

/**
 * `key` identifies what is shown. When it changes, or when the focused element disappears, the focus moves to
 * the home element unless another element has it.
 */
export function useFocusHome(key: string): void {
  useEffect(() => {
    // Wait two frames: in the first one, closing dialogs restore the focus if they can.
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
