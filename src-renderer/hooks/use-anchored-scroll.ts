// Keeps rows where they are on screen while others are added or removed above them: under the pointer if it
// is over the list, otherwise at the top of the visible part. A list scrolled to its start stays there, so
// that new rows come into sight.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A rendered row. `start` is in CSS pixels from the first row. */
export interface PlacedRow<Id> {
  readonly id: Id
  readonly start: number
  readonly size: number
}

/**
 * Returns how far the content has moved: the new start of a row in sight, less its old one; 0 if none of them
 * is left. A row that moves alone, for example to another group, says nothing about the content. `from` and
 * `to` are the visible part; `pointer` is null if the pointer isn't over the list. Pure.
 */
export function shiftOf<Id>(
  rows: readonly PlacedRow<Id>[],
  sight: { readonly from: number; readonly to: number; readonly pointer: number | null },
  startOf: (row: PlacedRow<Id>) => number | null,
): number {
  const at = sight.pointer ?? sight.from
  const distance = ({ start, size }: PlacedRow<Id>): number =>
    Math.max(start - at, at - (start + size - 1), 0)
  const inSight = rows.filter(({ start, size }) => start + size > sight.from && start < sight.to)
  const shifts = inSight
    .toSorted((a, b) => distance(a) - distance(b))
    .flatMap((row) => {
      const start = startOf(row)
      return start === null ? [] : [start - row.start]
    })
  const isShared = (shift: number): boolean => shifts.filter((one) => one === shift).length > 1
  return shifts.find(isShared) ?? shifts[0] ?? 0
}

/**
 * `list` identifies the list: when it changes, nothing is kept in place. `content` changes whenever rows may
 * have moved. `startOf` returns where a row of the last rendering is now, or null if that isn't known.
 * `onShift` is called with how far the content has moved down, in CSS pixels.
 */
export function useAnchoredScroll<Id>(
  scroller: RefObject<HTMLElement | null>,
  {
    list,
    content,
    rows,
    startOf,
    onShift,
  }: {
    readonly list: unknown
    readonly content: unknown
    readonly rows: readonly PlacedRow<Id>[]
    readonly startOf: (row: PlacedRow<Id>) => number | null
    readonly onShift?: (by: number) => void
  },
): void {
  const last = useRef({ list, content, rows })
  const pointerY = useRef<number | null>(null)
  useEffect(() => {
    const element = scroller.current
    const move = (event: PointerEvent): void => {
      pointerY.current = event.clientY
    }
    const leave = (): void => {
      pointerY.current = null
    }
    element?.addEventListener('pointermove', move, { passive: true })
    element?.addEventListener('pointerleave', leave)
    return () => {
      element?.removeEventListener('pointermove', move)
      element?.removeEventListener('pointerleave', leave)
    }
  }, [scroller])
  useLayoutEffect(() => {
    const before = last.current
    last.current = { list, content, rows }
    const element = scroller.current
    const body = element?.lastElementChild
    if (element === null || body == null) return
    if (before.list !== list || before.content === content || element.scrollTop === 0) return
    const view = element.getBoundingClientRect()
    const { top } = body.getBoundingClientRect()
    const pointer = pointerY.current === null ? null : pointerY.current - top
    const from = Math.max(0, view.top - top)
    const by = shiftOf(before.rows, { from, to: view.bottom - top, pointer }, startOf)
    if (by === 0) return
    element.scrollTop += by
    onShift?.(by)
  })
}
