// How far a list must scroll so that the rows in sight stay where they are.
import { expect, it } from 'vitest'
import { shiftOf } from '../../../../src-renderer/hooks/use-anchored-scroll.ts'

const SIZE = 44
const BEFORE = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function shift(after: readonly string[], pointerAt: string | null): number {
  const startOf = (list: readonly string[], id: string): number | null =>
    list.includes(id) ? list.indexOf(id) * SIZE : null
  return shiftOf(
    BEFORE.map((id, at) => ({ id, start: at * SIZE, size: SIZE })),
    // The rows c to f are in sight.
    {
      from: 2 * SIZE,
      to: 6 * SIZE,
      pointer: pointerAt === null ? null : BEFORE.indexOf(pointerAt) * SIZE + 9,
    },
    ({ id }) => startOf(after, id),
  )
}

it.each<[string, readonly string[], string | null, number]>([
  ['new rows above', ['1', '2', '3', ...BEFORE], 'd', 3],
  ['new rows above, without a pointer', ['1', '2', '3', ...BEFORE], null, 3],
  ['new rows below', [...BEFORE, '1'], 'd', 0],
  ['a row is gone above', BEFORE.slice(1), 'd', -1],
  [
    'the row under the pointer is gone, and one is new above',
    ['1', 'a', 'b', 'c', 'e', 'f', 'g', 'h'],
    'd',
    0,
  ],
  ['a new row between the top and the pointer', ['a', 'b', 'c', 'd', '1', 'e', 'f', 'g', 'h'], 'f', 1],
  ['a new row between the pointer and the end', ['a', 'b', 'c', 'd', '1', 'e', 'f', 'g', 'h'], 'c', 0],
  ['the row under the pointer moves away alone', ['a', 'b', 'c', 'e', 'f', 'g', 'h', 'd'], 'd', -1],
  ['nothing in sight is left', ['1', '2', 'a', 'b'], 'd', 0],
])('%s', (_name, after, pointer, rows) => {
  expect(shift(after, pointer)).toBe(rows * SIZE)
})
