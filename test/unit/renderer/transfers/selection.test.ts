// Choosing rows as lists of a desktop do it, and where the arrow keys lead.
// Rows are keys here; some keys in the list can't be chosen (headings, folds).
import { describe, expect, it } from 'vitest'
import { type Choice, choose, chooseAll, moveTo, NO_CHOICE, nearestStop } from '../../../../src-renderer/views/transfers/selection.ts'

const keys = ['a', 'b', 'c', 'd', 'e']
const play = (...steps: readonly (readonly [string, 'one' | 'toggle' | 'range' | 'move'])[]): Choice =>
  steps.reduce<Choice>((had, [key, mode]) => choose(had, keys, key, mode), NO_CHOICE)

describe('choose', () => {
  it.each([
    ['a click', [['b', 'one']], ['b'], 'b'],
    [
      'another click',
      [
        ['b', 'one'],
        ['d', 'one'],
      ],
      ['d'],
      'd',
    ],
    [
      'a click with Ctrl',
      [
        ['b', 'one'],
        ['d', 'toggle'],
      ],
      ['b', 'd'],
      'd',
    ],
    [
      'the same one again',
      [
        ['b', 'one'],
        ['b', 'toggle'],
      ],
      [],
      'b',
    ],
    [
      'a range',
      [
        ['b', 'one'],
        ['d', 'range'],
      ],
      ['b', 'c', 'd'],
      'd',
    ],
    [
      'a range backwards',
      [
        ['d', 'one'],
        ['b', 'range'],
      ],
      ['b', 'c', 'd'],
      'b',
    ],
    [
      'a range anew from where it began',
      [
        ['b', 'one'],
        ['e', 'range'],
        ['a', 'range'],
      ],
      ['a', 'b'],
      'a',
    ],
    ['a range from nowhere', [['c', 'range']], ['c'], 'c'],
    [
      'only moving',
      [
        ['b', 'one'],
        ['d', 'move'],
      ],
      ['b'],
      'd',
    ],
    [
      'a heading',
      [
        ['b', 'one'],
        ['head', 'one'],
      ],
      [],
      'head',
    ],
    [
      'a heading in a range',
      [
        ['b', 'one'],
        ['head', 'range'],
      ],
      ['b'],
      'head',
    ],
    [
      'a heading with Ctrl',
      [
        ['b', 'one'],
        ['head', 'toggle'],
      ],
      ['b'],
      'head',
    ],
  ] as const)('%s', (_name, steps, chosen, active) => {
    const choice = play(...steps)
    expect([...choice.chosen].toSorted()).toEqual(chosen)
    expect(choice.active).toBe(active)
  })

  it('takes all', () => {
    expect([...chooseAll(play(['c', 'one']), keys).chosen]).toEqual(keys)
  })
})

describe('moveTo', () => {
  it.each([
    ['ArrowDown', 2, 3],
    ['ArrowDown', 9, 9],
    ['ArrowDown', -1, 0],
    ['ArrowUp', 2, 1],
    ['ArrowUp', 0, 0],
    ['ArrowUp', -1, 9],
    ['PageDown', 2, 6],
    ['PageDown', 8, 9],
    ['PageUp', 2, 0],
    ['Home', 5, 0],
    ['End', 5, 9],
    ['x', 5, null],
  ] as const)('%s from %d', (key, at, expected) => {
    expect(moveTo(key, at, 10, 4)).toBe(expected)
  })

  it('leads nowhere in an empty list', () => {
    expect(moveTo('ArrowDown', -1, 0, 4)).toBeNull()
  })
})

describe('nearestStop', () => {
  // # are headings without anything to press, o are rows.
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
