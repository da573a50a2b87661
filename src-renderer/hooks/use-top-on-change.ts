// Scrolls a list to its start when its content is replaced, for example by the results of another search.
// A list that is shown again keeps the position that use-kept-scroll.ts restored.
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Scrolls `element` to its top whenever `content` changes, but not when it is first rendered. */
export function useTopOnChange(element: RefObject<HTMLElement | null>, content: unknown): void {
  const shown = useRef(content)
  // Scroll before the browser draws the new content, so that it never appears at the old content's scroll
  // position.
  useLayoutEffect(() => {
    if (element.current !== null && content !== shown.current) element.current.scrollTop = 0
    shown.current = content
  }, [element, content])
}
