// Selecting rows as in a desktop's lists: one, several, a range.
// Rows are keys here; some keys in the list can't be selected (headings, folds).
import { describe, expect, it } from 'vitest'
import { type Choice, choose, chooseAll, NO_CHOICE } from '../../../../src-renderer/lib/key-selection.ts'
import type { Gesture } from '../../../../src-renderer/lib/list-navigation.ts'

const keys = ['a', 'b', 'c', 'd', 'e']
const play = (...steps: readonly (readonly [string, Gesture])[]): Choice =>
  steps.reduce<Choice>((had, [key, mode]) => choose(had, keys, key, mode), NO_CHOICE)

describe('choose', () => {
  it.each([
    ['a click', [['b', 'only']], ['b'], 'b'],
    [
      'another click',
      [
        ['b', 'only'],
        ['d', 'only'],
      ],
      ['d'],
      'd',
    ],
    [
      'a click with Ctrl',
      [
        ['b', 'only'],
        ['d', 'toggle'],
      ],
      ['b', 'd'],
      'd',
    ],
    [
      'the same one again',
      [
        ['b', 'only'],
        ['b', 'toggle'],
      ],
      [],
      'b',
    ],
    [
      'a range',
      [
        ['b', 'only'],
        ['d', 'extend'],
      ],
      ['b', 'c', 'd'],
      'd',
    ],
    [
      'a range backwards',
      [
        ['d', 'only'],
        ['b', 'extend'],
      ],
      ['b', 'c', 'd'],
      'b',
    ],
    [
      'a range anew from where it began',
      [
        ['b', 'only'],
        ['e', 'extend'],
        ['a', 'extend'],
      ],
      ['a', 'b'],
      'a',
    ],
    ['a range from nowhere', [['c', 'extend']], ['c'], 'c'],
    [
      'only moving',
      [
        ['b', 'only'],
        ['d', 'move'],
      ],
      ['b'],
      'd',
    ],
    [
      'a heading',
      [
        ['b', 'only'],
        ['head', 'only'],
      ],
      [],
      'head',
    ],
    [
      'a heading in a range',
      [
        ['b', 'only'],
        ['head', 'extend'],
      ],
      ['b'],
      'head',
    ],
    [
      'a heading with Ctrl',
      [
        ['b', 'only'],
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
    expect([...chooseAll(play(['c', 'only']), keys).chosen]).toEqual(keys)
  })
})
