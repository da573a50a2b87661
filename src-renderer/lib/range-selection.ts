// A selection of rows that are identified by position, because most of them aren't in memory. It stores
// sorted ranges of indexes, so that 100,000 rows can be a single range. Pure. Lists with all rows in memory
// use key-selection.ts, where a row stays selected when it moves.
import type { Gesture } from './list-navigation.ts'

export type Range = readonly [first: number, last: number]

export interface RowSelection {
  readonly ranges: readonly Range[]
  /** The row with the keyboard focus; -1 if there is none. */
  readonly active: number
  /** The row from which Shift extends the selection; -1 if there is none. */
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

/** Returns the sorted ranges that contain exactly these indexes. */
export function rangesOf(indexes: Iterable<number>): Range[] {
  return normal(Array.from(indexes, (index) => [index, index]))
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

/** Returns the selection after a click or key press on the row at `index`. */
export function choose(selection: RowSelection, index: number, gesture: Gesture): RowSelection {
  if (gesture === 'move') return { ...selection, active: index }
  if (gesture === 'toggle') {
    const ranges = isSelected(selection, index)
      ? without(selection.ranges, index)
      : normal([...selection.ranges, [index, index]])
    return { ranges, active: index, anchor: index }
  }
  if (gesture === 'extend' && selection.anchor >= 0)
    return { ranges: [between(selection.anchor, index)], active: index, anchor: selection.anchor }
  return { ranges: [[index, index]], active: index, anchor: index }
}

/** Selects all `total` rows as one range. */
export function selectAll(selection: RowSelection, total: number): RowSelection {
  if (total === 0) return NOTHING_SELECTED
  return { ranges: [[0, total - 1]], active: Math.max(0, selection.active), anchor: 0 }
}
