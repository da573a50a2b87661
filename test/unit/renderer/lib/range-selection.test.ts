// The list's selection by places, compared with a plain set of indexes: clicks, Shift, and keys.
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Gesture } from '../../../../src-renderer/lib/list-navigation.ts'
import {
  choose,
  isSelected,
  NOTHING_SELECTED,
  type Range,
  type RowSelection,
  selectAll,
  selectedCount,
} from '../../../../src-renderer/lib/range-selection.ts'

function of(ranges: readonly Range[], active = ranges[0]?.[0] ?? -1, anchor = active): RowSelection {
  return { ranges, active, anchor }
}

function indexes({ ranges }: RowSelection): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
}

describe('choose', () => {
  it.each<[string, RowSelection, number, Gesture, RowSelection]>([
    ['one', NOTHING_SELECTED, 4, 'only', of([[4, 4]])],
    ['another one alone', of([[0, 9]]), 4, 'only', of([[4, 4]])],
    ['one more beside', of([[2, 3]]), 4, 'toggle', of([[2, 4]], 4)],
    [
      'one between two joins them',
      of([
        [2, 3],
        [5, 6],
      ]),
      4,
      'toggle',
      of([[2, 6]], 4),
    ],
    [
      'one away from the middle',
      of([[2, 6]]),
      4,
      'toggle',
      of(
        [
          [2, 3],
          [5, 6],
        ],
        4,
      ),
    ],
    ['one away from the edge', of([[2, 6]]), 2, 'toggle', of([[3, 6]], 2)],
    ['the last one away', of([[2, 2]]), 2, 'toggle', of([], 2)],
    ['down from the anchor', of([[2, 2]]), 5, 'extend', of([[2, 5]], 5, 2)],
    ['up from the anchor', of([[5, 5]]), 2, 'extend', of([[2, 5]], 2, 5)],
    ['back again', of([[2, 8]], 8, 2), 4, 'extend', of([[2, 4]], 4, 2)],
    ['extending nothing is choosing', NOTHING_SELECTED, 3, 'extend', of([[3, 3]])],
    ['the keyboard alone', of([[2, 3]]), 5, 'move', of([[2, 3]], 5, 2)],
  ])('%s', (_name, before, index, manner, after) => {
    expect(choose(before, index, manner)).toEqual(after)
  })

  it('is a set of indexes in sorted ranges that never touch, whatever is clicked', () => {
    const clicks = array(
      tuple(integer({ min: 0, max: 40 }), constantFrom<Gesture>('only', 'toggle', 'extend')),
      { maxLength: 60 },
    )
    assert(
      property(clicks, (list) => {
        let selection = NOTHING_SELECTED
        let model = new Set<number>()
        let anchor = -1
        for (const [index, manner] of list) {
          selection = choose(selection, index, manner)
          if (manner === 'toggle') {
            if (!model.delete(index)) model.add(index)
            anchor = index
          } else if (manner === 'extend' && anchor >= 0) {
            const [from, to] = [Math.min(anchor, index), Math.max(anchor, index)]
            model = new Set(Array.from({ length: to - from + 1 }, (_, i) => from + i))
          } else {
            model = new Set([index])
            anchor = index
          }
        }
        expect(indexes(selection)).toEqual([...model].toSorted((a, b) => a - b))
        expect(selectedCount(selection)).toBe(model.size)
        for (let i = 0; i <= 41; i++) expect(isSelected(selection, i)).toBe(model.has(i))
        for (const [i, [first]] of selection.ranges.entries()) {
          const before = selection.ranges[i - 1]
          if (before !== undefined) expect(first).toBeGreaterThan(before[1] + 1)
        }
      }),
    )
  })
})

describe('selectAll', () => {
  it('is one range, however many there are, and keeps the row of the keyboard', () => {
    expect(selectAll(of([[7, 7]]), 100_000)).toEqual({ ranges: [[0, 99_999]], active: 7, anchor: 0 })
    expect(selectedCount(selectAll(NOTHING_SELECTED, 100_000))).toBe(100_000)
    expect(selectAll(NOTHING_SELECTED, 3).active).toBe(0)
  })
  it('of nothing is nothing', () => {
    expect(selectAll(of([[0, 2]]), 0)).toEqual(NOTHING_SELECTED)
  })
})
