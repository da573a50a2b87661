// Table-driven tests of keyboard navigation in lists: arrow keys, pages, first and last row, from every kind
// of position. It is the same for all lists, whatever their rows.
import { describe, expect, it } from 'vitest'
import { nearestStop, pageStep, rowAfterKey } from '../../../../src-renderer/lib/list-navigation.ts'

describe('rowAfterKey', () => {
  it.each([
    ['ArrowDown', -1, 50, 0],
    ['ArrowUp', -1, 50, 49],
    ['End', -1, 50, 49],
    ['Home', -1, 50, 0],
    ['PageDown', -1, 50, 0],
    ['PageUp', -1, 50, 0],
    ['ArrowUp', 0, 50, 0],
    ['ArrowDown', 49, 50, 49],
    ['ArrowDown', 10, 50, 11],
    ['ArrowUp', 10, 50, 9],
    ['PageDown', 10, 50, 19],
    ['PageUp', 10, 50, 1],
    ['PageUp', 3, 50, 0],
    ['PageDown', 45, 50, 49],
    ['Home', 10, 50, 0],
    ['End', 10, 50, 49],
    ['ArrowDown', 10, 0, null],
    ['x', 5, 50, null],
    // The list has become shorter than the position of the active row.
    ['ArrowUp', 80, 50, 49],
  ] as const)('%s from %d in %d rows', (key, at, count, expected) => {
    expect(rowAfterKey(key, at, { count, page: 9 })).toBe(expected)
  })
})

it.each([
  [440, 44, 9],
  [60, 44, 1],
  [0, 44, 1],
])('a page of %d px of rows of %d px is %d rows', (view, row, expected) => {
  expect(pageStep(view, row)).toBe(expected)
})

describe('nearestStop', () => {
  // # is a heading without a button, o is a row.
  it.each([
    ['ArrowDown', 2, '#o#oo', 3],
    ['ArrowUp', 2, '#o#oo', 1],
    ['ArrowUp', 0, '#o#oo', 1],
    ['Home', 0, '#o#oo', 1],
    ['End', 4, 'oo###', 1],
    ['PageDown', 4, 'oo###', 1],
    ['ArrowDown', 0, '##', null],
    ['ArrowDown', 1, 'ooo', 1],
  ] as const)('%s to %d in %s', (key, to, list, expected) => {
    expect(nearestStop(key, to, list.length, (at) => list[at] === 'o')).toBe(expected)
  })
})
