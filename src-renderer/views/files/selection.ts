// Which rows are selected, as pure steps: sorted index ranges, so that all of 100,000 rows are one range, with the row that holds the focus and
// the one that a range begins at. It knows positions, not files.

export type Range = readonly [first: number, last: number]

export interface RowSelection {
  readonly ranges: readonly Range[]
  /** The row that the keyboard is at; -1: none. */
  readonly active: number
  /** Where Shift extends from. */
  readonly anchor: number
}

export const NOTHING_SELECTED: RowSelection = { ranges: [], active: -1, anchor: -1 }

export function isSelected({ ranges }: RowSelection, index: number): boolean {
  return ranges.some(([first, last]) => index >= first && index <= last)
}

export function selectedCount({ ranges }: RowSelection): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

function normal(ranges: readonly Range[]): Range[] {
  const out: [number, number][] = []
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = out.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else out.push([first, last])
  }
  return out
}

function without(ranges: readonly Range[], index: number): Range[] {
  return ranges.flatMap(([first, last]): Range[] => {
    if (index < first || index > last) return [[first, last]]
    const parts: Range[] = []
    if (first < index) parts.push([first, index - 1])
    if (index < last) parts.push([index + 1, last])
    return parts
  })
}

function between(a: number, b: number): Range {
  return a <= b ? [a, b] : [b, a]
}

/** How a row is chosen: alone, added or taken away, or with all up to the anchor. */
export type Manner = 'only' | 'toggle' | 'extend'

export function choose(selection: RowSelection, index: number, manner: Manner): RowSelection {
  if (manner === 'toggle') {
    const ranges = isSelected(selection, index) ? without(selection.ranges, index) : normal([...selection.ranges, [index, index]])
    return { ranges, active: index, anchor: index }
  }
  if (manner === 'extend' && selection.anchor >= 0)
    return { ranges: [between(selection.anchor, index)], active: index, anchor: selection.anchor }
  return { ranges: [[index, index]], active: index, anchor: index }
}

export function selectAll(selection: RowSelection, total: number): RowSelection {
  if (total === 0) return NOTHING_SELECTED
  return { ranges: [[0, total - 1]], active: Math.max(0, selection.active), anchor: 0 }
}

export type Move = 'up' | 'down' | 'page-up' | 'page-down' | 'home' | 'end'

/** Where a key leads. `page`: rows that are seen at once. */
export function moveTo(active: number, move: Move, { total, page }: { readonly total: number; readonly page: number }): number {
  if (total === 0) return -1
  const from = Math.max(active, -1)
  const step = { up: -1, down: 1, 'page-up': -Math.max(1, page - 1), 'page-down': Math.max(1, page - 1), home: -total, end: total }[move]
  // Without a row yet, every key begins at an end of the list.
  if (from < 0) return move === 'up' || move === 'end' ? total - 1 : 0
  return Math.min(total - 1, Math.max(0, from + step))
}

/**
 * After the list changed: the rows that were chosen stand elsewhere. `find` gives the new place of a row by its old one, null where that is not
 * known. All rows stay all rows; otherwise one row of unknown place clears it all, since a link copied by mistake is a leak.
 */
export function follow(
  selection: RowSelection,
  totals: { readonly before: number; readonly after: number },
  find: (index: number) => number | null,
): RowSelection {
  const count = selectedCount(selection)
  if (count === 0)
    return selection.active >= totals.after ? { ...selection, active: totals.after - 1, anchor: totals.after - 1 } : selection
  if (totals.before > 0 && count === totals.before) return selectAll(selection, totals.after)
  const places: Range[] = []
  for (const [first, last] of selection.ranges)
    for (let index = first; index <= last; index++) {
      const place = find(index)
      if (place === null) return NOTHING_SELECTED
      if (place >= 0) places.push([place, place])
    }
  if (places.length === 0) return NOTHING_SELECTED
  const ranges = normal(places)
  const placeOf = (index: number, instead: number): number => {
    const place = index < 0 ? null : find(index)
    return place === null || place < 0 ? instead : place
  }
  const active = placeOf(selection.active, ranges[0]?.[0] ?? -1)
  // A person may be in the middle of a range: it goes on from where it began.
  return { ranges, active, anchor: placeOf(selection.anchor, active) }
}
