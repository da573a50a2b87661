// Which rows of a long list are in its visible part.
import { describe, expect, it } from 'vitest'
import { rowsIn } from '../../../../src-renderer/hooks/use-row-window.ts'

/** A heading of 38 px above every ten rows of 46 px. */
const mixed = (index: number): number => {
  const heads = Math.ceil(index / 11)
  return heads * 38 + (index - heads) * 46
}

describe('rowsIn', () => {
  it.each([
    ['none', { count: 0, startOf: () => 0 }, { top: 0, height: 600 }, { first: 0, last: -1 }],
    [
      'the top',
      { count: 100, startOf: (i: number) => i * 44 },
      { top: 0, height: 100 },
      { first: 0, last: 2 },
    ],
    [
      'the middle of 100,000',
      { count: 100_000, startOf: (i: number) => i * 44 },
      { top: 2_200_043, height: 88 },
      { first: 50_000, last: 50_002 },
    ],
    [
      'beyond the end, when rows have gone',
      { count: 5, startOf: (i: number) => i * 44 },
      { top: 9000, height: 600 },
      { first: 4, last: 4 },
    ],
    ['two heights', { count: 33, startOf: mixed }, { top: 498, height: 38 }, { first: 11, last: 12 }],
  ])('%s', (_name, places, view, expected) => {
    expect(rowsIn(places, view)).toEqual(expected)
  })
})
