// Single values in the journal: written in the format of earlier versions, and validated when they are read.
// A corrupt value counts as never learned, so that it can't stop the engine.
import { describe, expect, it } from 'vitest'
import type { FactKey, FactValue } from '../../../../src-main/engine/journal/single-values.ts'
import { factsIn } from './facts-store.ts'

type Sample = { [K in FactKey]: readonly [key: K, stored: string, value: FactValue<K>] }[FactKey]

const SAMPLES: readonly Sample[] = [
  ['account', 'a1', 'a1'],
  ['paused', '1', true],
  ['stamp', 'abc 7', 'abc 7'],
  ['past', '{"at":5,"cause":"older","walk":"newest"}', { at: 5, cause: 'older', walk: 'newest' }],
  ['samples', '[{"sentBytes":10,"receiptSize":1}]', [{ sentBytes: 10, receiptSize: 1 }]],
  ['zone', '7200000', 7_200_000],
  ['zone-at', '5', 5],
  ['sizes', '{"largestAccepted":9,"smallestRefused":null}', { largestAccepted: 9, smallestRefused: null }],
  ['ids', '{"grew":3,"fell":0}', { grew: 3, fell: 0 }],
  ['habits', '{"firstPage":1,"limit":100}', { firstPage: 1, limit: 100 }],
  ['catalog-at', '1700000000000', 1_700_000_000_000],
  [
    'catalog-ways',
    '{"pages":2,"perPage":500,"order":"descending","counts":true}',
    { pages: 2, perPage: 500, order: 'descending', counts: true },
  ],
  ['catalog-held', '{"at":5,"files":3,"size":null}', { at: 5, files: 3, size: null }],
  ['deduplicates', '1', true],
  ['errands', '{"at":5,"sample":1.5,"fill":0}', { at: 5, sample: 1.5, fill: 0 }],
]

describe('a fact', () => {
  it.each(SAMPLES)('%s is stored as %s and read back', (key, text, value) => {
    const stored = new Map<string, string>()
    const facts = factsIn(stored)
    expect(facts.get(key)).toBeNull()
    facts.set(key, value)
    expect(stored.get(key)).toBe(text)
    expect(facts.get(key)).toEqual(value)
    facts.set(key, null)
    expect(stored.size).toBe(0)
  })

  it('is read as it was last written, also by other code', () => {
    const stored = new Map<string, string>()
    const facts = factsIn(stored)
    facts.set('ids', { grew: 1, fell: 0 })
    expect(facts.get('ids')).toEqual({ grew: 1, fell: 0 })
    stored.set('ids', '{"grew":2,"fell":1}')
    expect(facts.get('ids')).toEqual({ grew: 2, fell: 1 })
    stored.set('ids', '{')
    expect([facts.get('ids'), facts.get('ids')]).toEqual([null, null])
  })

  const corrupt: readonly (readonly [FactKey, string])[] = [
    ['past', '{'],
    ['past', '{"at":"x","cause":"older","walk":"done"}'],
    ['past', '{"at":5,"cause":"other","walk":"done"}'],
    ['samples', '{"sentBytes":10}'],
    ['zone', '"7200000"'],
    ['sizes', '{"largestAccepted":"9","smallestRefused":null}'],
    ['ids', '[]'],
    ['habits', '{"firstPage":2,"limit":100}'],
    ['habits', '{"firstPage":1,"limit":0}'],
    ['catalog-at', 'soon'],
    ['catalog-ways', '{"pages":2'],
    ['catalog-ways', '{"pages":2,"perPage":500,"order":"mixed"}'],
    ['catalog-held', 'null'],
    ['errands', '{"at":5,"sample":"1"'],
  ]
  it.each(corrupt)('%s that reads %s is none', (key, text) => {
    expect(factsIn(new Map([[key, text]])).get(key)).toBeNull()
  })

  it('keeps what can be read of a value written by another version', () => {
    const facts = factsIn(
      new Map([
        ['catalog-ways', '{"pages":2,"perPage":500,"order":"sideways","counts":true}'],
        ['catalog-held', '{"at":5,"files":3,"size":"many"}'],
        ['past', '{"at":5,"cause":"fresh","walk":"half"}'],
      ]),
    )
    expect(facts.get('catalog-ways')?.order).toBe('mixed')
    expect(facts.get('catalog-held')).toEqual({ at: 5, files: 3, size: null })
    expect(facts.get('past')?.walk).toBe('whole')
  })
})
