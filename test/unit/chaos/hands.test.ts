// What `npm test` runs of the chaos and gesture runs: each kind of fault and each gesture, dealt to a few
// runs. Nothing is run.
import { describe, expect, it } from 'vitest'
import { dealtGestures, HANDS as GESTURE_HANDS, GESTURES } from '../../chaos/gestures.ts'
import {
  HANDS as CHAOS_HANDS,
  dealable,
  dealtKinds,
  drawKinds,
  GROWN,
  LONG_KINDS,
} from '../../chaos/kinds.ts'

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1)

describe('the kinds of faults, dealt to a few runs', () => {
  it('are all of them, each once, except those that wait for minutes and the big file', () => {
    const dealt = numbers(CHAOS_HANDS).flatMap(dealtKinds)
    expect(dealt.toSorted()).toEqual(dealable().toSorted())
    for (const long of Object.keys(LONG_KINDS)) expect(dealt).not.toContain(long)
  })

  it.each(numbers(CHAOS_HANDS))('lose none in run %d because another excludes it', (hand) => {
    const kinds = dealtKinds(hand)
    const { service, world, dialects, notRun } = drawKinds(hand, kinds)
    expect([...service, ...world, ...dialects, ...notRun].toSorted()).toEqual(kinds.toSorted())
    expect(kinds.length).toBeLessThanOrEqual(7)
  })

  it('are as before up to seed 200, and one or two more above', () => {
    const grown = (seed: number): number => {
      const { service, dialects } = drawKinds(seed)
      return [...service, ...dialects].filter((kind) => GROWN.includes(kind)).length
    }
    expect(numbers(200).filter((seed) => grown(seed) > 0)).toEqual([])
    expect(new Set(numbers(200).map((n) => grown(200 + n)))).toEqual(new Set([1, 2]))
  })
})

describe('the gestures, dealt to a few runs', () => {
  it('are all of them, each once', () => {
    const dealt = numbers(GESTURE_HANDS).flatMap(dealtGestures)
    expect(dealt.map(({ name }) => name).toSorted()).toEqual(GESTURES.map(({ name }) => name).toSorted())
  })

  it.each(numbers(GESTURE_HANDS))('are at most eight in run %d, in the same order each time', (hand) => {
    expect(dealtGestures(hand).length).toBeLessThanOrEqual(8)
    expect(dealtGestures(hand)).toEqual(dealtGestures(hand))
  })
})
