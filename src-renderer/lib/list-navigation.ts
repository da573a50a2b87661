// Where the keys of a list lead, shared by every list of rows: arrows, pages, both ends.
// It counts positions and knows no rows; which rows are selected is in range-selection.ts and key-selection.ts.

/** What a click or a key does to a selection: `only` selects the row alone, `toggle` adds or removes it, `extend` selects up to the anchor,
 * `move` takes the keyboard there and selects nothing. */
export type Gesture = 'only' | 'toggle' | 'extend' | 'move'

/** The index that a key leads to from `at` (-1: no row yet) among `count` rows; `page` rows is one press of Page Down. Null: not a movement. */
export function rowAfterKey(key: string, at: number, { count, page }: { readonly count: number; readonly page: number }): number | null {
  const last = count - 1
  const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count }
  const step = steps[key]
  if (step === undefined || count === 0) return null
  // Without a row yet, every key begins at an end of the list.
  if (at < 0) return key === 'ArrowUp' || key === 'End' ? last : 0
  return Math.min(last, Math.max(0, at + step))
}

/** Rows of one press of Page Down: a screenful less one, so that a row stays in sight. */
export function pageStep(viewHeight: number, rowHeight: number): number {
  return Math.max(1, Math.floor(viewHeight / rowHeight) - 1)
}

/** The index nearest to `to` that the keyboard may stop at: first onward in the direction of the key, then back. Null: there is none. */
export function nearestStop(key: string, to: number, count: number, isStop: (index: number) => boolean): number | null {
  const backward = key === 'ArrowUp' || key === 'PageUp' || key === 'End'
  for (const step of backward ? [-1, 1] : [1, -1]) for (let at = to; at >= 0 && at < count; at += step) if (isStop(at)) return at
  return null
}
