// Keeps the keyboard focus in the window. When the focused element disappears (for example because the view
// changes, a notice closes or a list becomes empty), the focus returns to where it was before, or else to the
// view's element marked with `HOME`. A click on empty space doesn't move the focus.
import { useEffect } from 'react'
import { setQuiet } from '../state/keyboard.ts'

/** Marks the element of a view that gets the focus if no other element has it. */
export const HOME = { 'data-home': '' } as const

function isReachable(element: HTMLElement): boolean {
  return element.checkVisibility() && element.closest('[inert], [aria-hidden=true]') === null
}

/** Focuses `last` if it is still reachable, or else the view's home element, unless another one has the focus. */
function goHome(last: HTMLElement | null): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const home =
    last?.isConnected === true && isReachable(last)
      ? last
      : [...document.querySelectorAll<HTMLElement>('main [data-home]')].find(isReachable)
  home?.focus({ preventScroll: true })
}

/** Draws the focus ring of rows only for users of the keyboard, also if a list had the focus before a click. */
function useQuietRings(): void {
  useEffect(() => {
    setQuiet(true)
    const point = (): void => setQuiet(true)
    const press = ({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): void => {
      if (!ctrlKey && !metaKey && !altKey && key !== 'Control' && key !== 'Meta' && key !== 'Shift')
        setQuiet(false)
    }
    document.addEventListener('pointerdown', point, { capture: true })
    document.addEventListener('keydown', press, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', point, { capture: true })
      document.removeEventListener('keydown', press, { capture: true })
    }
  }, [])
}

/**
 * `key` identifies what is shown. When it changes, or when the focused element disappears, the focus moves to
 * the home element unless another element has it.
 */
export function useFocusHome(key: string): void {
  useQuietRings()
  useEffect(() => {
    // Wait two frames: in the first one, closing dialogs restore the focus if they can.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => goHome(null))
    })
    return () => cancelAnimationFrame(frame)
  }, [key])
  useEffect(() => {
    let last: EventTarget | null = null
    /** The last focused element of the view. */
    let inView: HTMLElement | null = null
    let frame = 0
    const note = ({ target }: FocusEvent): void => {
      last = target
      if (target instanceof HTMLElement && target.closest('main') !== null) inView = target
    }
    const look = (): void => {
      if (!(last instanceof Element) || last.isConnected || document.activeElement !== document.body) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => goHome(inView))
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
