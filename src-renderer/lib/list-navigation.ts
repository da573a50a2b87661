// Keyboard navigation for all lists of rows: arrow keys, Page Up and Page Down, Home and End.
// It calculates positions only. Which rows are selected is up to range-selection.ts and key-selection.ts.

/**
 * What a click or a key does to a selection: `only` selects just the row, `toggle` adds or removes it,
 * `extend` selects all rows from the anchor to the row, and `move` makes the row active without changing the
 * selection.
 */
export type Gesture = 'only' | 'toggle' | 'extend' | 'move'

/**
 * Returns the index of the row that this key makes active, or null if it isn't a navigation key or the list
 * is empty. `at` is the index of the active row (-1 if there is none), `page` the number of rows per Page
 * Down.
 */
export function rowAfterKey(
  key: string,
  at: number,
  { count, page }: { readonly count: number; readonly page: number },
): number | null {
  const last = count - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -page,
    PageDown: page,
    Home: -count,
    End: count,
  }
  const step = steps[key]
  if (step === undefined || count === 0) return null
  // If no row is active, every key starts at one end of the list.
  if (at < 0) return key === 'ArrowUp' || key === 'End' ? last : 0
  return Math.min(last, Math.max(0, at + step))
}

/**
 * Returns the number of rows per Page Down: a screenful less one, so that one row stays visible. Both heights
 * are in CSS pixels.
 */
export function pageStep(viewHeight: number, rowHeight: number): number {
  return Math.max(1, Math.floor(viewHeight / rowHeight) - 1)
}

/**
 * Returns the first index where the keyboard may stop. Searches from `to` in the direction of the key (for
 * Home and End, towards the other end of the list), then in the opposite direction. Null if there is none.
 */
export function nearestStop(
  key: string,
  to: number,
  count: number,
  isStop: (index: number) => boolean,
): number | null {
  const backward = key === 'ArrowUp' || key === 'PageUp' || key === 'End'
  for (const step of backward ? [-1, 1] : [1, -1])
    for (let at = to; at >= 0 && at < count; at += step) if (isStop(at)) return at
  return null
}
