// The list's selection, compared with a plain set of indexes: clicks, Shift, keys, and a list that changes.
// If rows can't be followed, the selection must be cleared, because copying the wrong link would be a leak.
import { array, assert, constantFrom, integer, property, record, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Gesture } from '../../../../src-renderer/lib/list-navigation.ts'
import {
  choose,
  follow,
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
    const clicks = array(tuple(integer({ min: 0, max: 40 }), constantFrom<Gesture>('only', 'toggle', 'extend')), { maxLength: 60 })
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

describe('follow', () => {
  const shift =
    (by: number) =>
    (index: number): number =>
      index + by

  it.each<[string, RowSelection, { before: number; after: number }, (index: number) => number | null, RowSelection]>([
    ['one came above', of([[3, 5]], 4), { before: 10, after: 11 }, shift(1), of([[4, 6]], 5)],
    [
      'the order changed',
      of([[0, 1]]),
      { before: 10, after: 10 },
      (i) => [7, 3][i] ?? null,
      of(
        [
          [3, 3],
          [7, 7],
        ],
        7,
      ),
    ],
    ['one of them is gone', of([[3, 5]], 4), { before: 10, after: 9 }, (i) => (i === 4 ? -1 : i > 4 ? i - 1 : i), of([[3, 4]], 3)],
    ['all of them are gone', of([[3, 5]]), { before: 10, after: 7 }, () => -1, NOTHING_SELECTED],
    ['one is nowhere to be found', of([[3, 5]]), { before: 10, after: 10 }, (i) => (i === 4 ? null : i), NOTHING_SELECTED],
    ['all stays all', of([[0, 9]], 3), { before: 10, after: 12 }, () => null, { ranges: [[0, 11]], active: 3, anchor: 0 }],
    ['all of a list that emptied', of([[0, 9]], 3), { before: 10, after: 0 }, () => null, NOTHING_SELECTED],
    ['nothing selected, nothing moved', of([], 3), { before: 10, after: 12 }, () => null, of([], 3)],
    ['nothing selected, the row of the keyboard went', of([], 9), { before: 10, after: 4 }, () => null, of([], 3)],
    [
      'the row of the keyboard is unknown, the others are not',
      of([[3, 4]], 8),
      { before: 10, after: 10 },
      (i) => (i === 8 ? null : i),
      of([[3, 4]]),
    ],
  ])('%s', (_name, before, totals, find, after) => {
    expect(follow(before, totals, find)).toEqual(after)
  })

  it('lets a range that a person is in the middle of go on from where it began', () => {
    const began = choose(NOTHING_SELECTED, 2, 'only')
    const middle = choose(began, 6, 'extend')
    // A file was added above while Shift was held.
    const after = follow(middle, { before: 30, after: 31 }, (index) => index + 1)
    expect(after).toEqual({ ranges: [[3, 7]], active: 7, anchor: 3 })
    expect(choose(after, 8, 'extend').ranges).toEqual([[3, 8]])
    // The range's first row is gone, so the range continues from the active row.
    const cut = follow(middle, { before: 30, after: 29 }, (index) => (index === 2 ? -1 : index - 1))
    expect(cut).toEqual({ ranges: [[2, 5]], active: 5, anchor: 5 })
  })

  it('never selects a row that was not selected before', () => {
    const list = record({
      picked: array(integer({ min: 0, max: 29 }), { minLength: 1, maxLength: 12 }),
      gone: array(integer({ min: 0, max: 29 }), { maxLength: 20 }),
      added: integer({ min: 0, max: 5 }),
    })
    assert(
      property(list, ({ picked, gone, added }) => {
        const before = [...new Set(picked)].reduce((selection, index) => choose(selection, index, 'toggle'), NOTHING_SELECTED)
        const left = Array.from({ length: 30 }, (_, i) => i).filter((i) => !gone.includes(i))
        const place = (index: number): number => {
          const at = left.indexOf(index)
          return at < 0 ? -1 : at + added
        }
        const after = follow(before, { before: 30, after: left.length + added }, place)
        const was = new Set(indexes(before))
        for (const index of indexes(after)) expect(was.has(left[index - added] ?? -1)).toBe(true)
        expect(indexes(after)).toHaveLength(indexes(before).filter((index) => place(index) >= 0).length)
      }),
    )
  })
})
