// Which rows of a long list are rendered: those in or near the visible part. The list is an element that
// scrolls; its last child is the body, in which the list positions its rows.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Number of rows rendered above and below the visible ones. */
export const OVERSCAN = 8

interface RowPlaces {
  readonly count: number
  /** Distance of a row from the first one, in CSS pixels. That of row `count` is the height of all rows. */
  readonly startOf: (index: number) => number
}

interface RowRange {
  /** First and last visible row; 0 and -1 if there are none. */
  readonly first: number
  readonly last: number
}

/** Returns the rows in the visible part, which is `height` high and begins at `top`. Pure. */
export function rowsIn(
  { count, startOf }: RowPlaces,
  { top, height }: { readonly top: number; readonly height: number },
): RowRange {
  /** The last row that starts at or above `at`. */
  const rowAt = (at: number): number => {
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (startOf(middle) <= at) low = middle
      else high = middle - 1
    }
    return low
  }
  return count === 0 ? { first: 0, last: -1 } : { first: rowAt(top), last: rowAt(top + height) }
}

export interface RowPlace {
  readonly index: number
  readonly start: number
  readonly size: number
}

interface RowWindow extends RowRange {
  /** The rows to render, in their order. */
  readonly shown: readonly RowPlace[]
  /** Height of all rows. */
  readonly height: number
  /** Scrolls as little as possible to bring a whole row into sight. */
  readonly scrollTo: (index: number) => void
}

/** `keep`: index of a row that is always rendered, or -1. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, startOf, keep = -1 }: RowPlaces & { readonly keep?: number },
): RowWindow {
  const [view, setView] = useState({ top: 0, height: 0 })
  const { first, last } = rowsIn({ count, startOf }, view)
  const rendered = useRef({ count, startOf, first, last })
  useLayoutEffect(() => {
    rendered.current = { count, startOf, first, last }
  })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const look = (): void => {
      const now = { top: element.scrollTop, height: element.clientHeight }
      const range = rowsIn(rendered.current, now)
      // Within a frame, so that no empty part is seen.
      if (range.first !== rendered.current.first || range.last !== rendered.current.last)
        flushSync(() => setView(now))
    }
    setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])

  const from = Math.max(0, first - OVERSCAN)
  const to = Math.min(count - 1, last + OVERSCAN)
  const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  if (keep >= 0 && keep < from) indexes.unshift(keep)
  if (keep > to && keep < count) indexes.push(keep)
  return {
    first,
    last,
    shown: indexes.map((index) => {
      const start = startOf(index)
      return { index, start, size: startOf(index + 1) - start }
    }),
    height: startOf(count),
    scrollTo: (index) => {
      const element = scroller.current
      const body = element?.lastElementChild
      if (element === null || body == null || index < 0 || index >= count) return
      // The headers above the body stay in sight, so there is less room for rows.
      const above = body.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop
      const least = startOf(index + 1) - (element.clientHeight - above)
      element.scrollTop = Math.min(startOf(index), Math.max(least, element.scrollTop))
    },
  }
}
