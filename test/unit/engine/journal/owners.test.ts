// Table-driven tests of whether a remote file may be deleted: the reason, its owners, and what is known about
// its origin. The scenario tests for deletion cover how claims change.
import { describe, expect, it } from 'vitest'
import { mayDelete, originOf } from '../../../../src-main/engine/journal/owners.ts'

describe('mayDelete', () => {
  const free = { owners: 0, borrowed: false, origin: 'unknown', deduplicates: false } as const
  const cases: readonly (readonly [string, Parameters<typeof mayDelete>[0], boolean])[] = [
    ['a version that was replaced and serves nothing else', { ...free, reason: 'replaced' }, true],
    ['a replaced version that serves another file', { ...free, reason: 'replaced', owners: 1 }, false],
    [
      'a replaced version on a service that deduplicates',
      { ...free, reason: 'replaced', deduplicates: true },
      true,
    ],
    [
      "a replaced version whose file was there before the upload: perhaps another device's",
      { ...free, reason: 'replaced', borrowed: true },
      false,
    ],
    [
      'what a person deletes',
      { ...free, reason: 'asked', borrowed: true, origin: 'older', deduplicates: true },
      true,
    ],
    ['what a person deletes and another file has meanwhile', { ...free, reason: 'asked', owners: 1 }, false],
    ['a torn upload', { ...free, reason: 'torn' }, true],
    [
      'a torn upload that made a new file',
      { ...free, reason: 'torn', origin: 'new', deduplicates: true },
      true,
    ],
    [
      'a torn upload answered with a file that was there before',
      { ...free, reason: 'torn', origin: 'older' },
      false,
    ],
    [
      'a torn upload of unknown origin on a service that deduplicates',
      { ...free, reason: 'torn', deduplicates: true },
      false,
    ],
    [
      'a torn upload answered with the file of another one',
      { ...free, reason: 'torn', origin: 'new', owners: 2 },
      false,
    ],
    ['a cancelled upload', { ...free, reason: 'cancelled' }, true],
    [
      'a cancelled upload whose receipt names an owned file',
      { ...free, reason: 'cancelled', owners: 1 },
      false,
    ],
    [
      'a cancelled upload whose receipt names an older file',
      { ...free, reason: 'cancelled', origin: 'older' },
      false,
    ],
  ]
  it.each(cases)('%s', (_name, question, may) => {
    expect(mayDelete(question)).toBe(may)
  })
})

describe('originOf', () => {
  const unknown = {
    isKnownReceipt: false,
    intentMark: null,
    firstMark: null,
    uploadedAt: null,
    zone: 0,
    intentServer: null,
    nowServer: null,
  }
  const cases: readonly (readonly [
    string,
    Partial<Parameters<typeof originOf>[0]>,
    ReturnType<typeof originOf>,
  ])[] = [
    ['nothing is known', {}, 'unknown'],
    ['the receipt of another transfer', { isKnownReceipt: true }, 'older'],
    ['seen before the intent', { intentMark: 7, firstMark: 6 }, 'older'],
    ['first seen after the intent', { intentMark: 7, firstMark: 7 }, 'unknown'],
    ['dated before the intent', { uploadedAt: 1_000_000, intentServer: 1_010_000 }, 'older'],
    ['dated after the intent', { uploadedAt: 1_010_000, intentServer: 1_000_000 }, 'new'],
    [
      'dated within a second of the intent, since dates have no fractions',
      { uploadedAt: 1_000_000, intentServer: 1_000_900 },
      'new',
    ],
    ['dated two hours east', { uploadedAt: 8_210_000, zone: 7_200_000, intentServer: 1_000_000 }, 'new'],
    [
      'dated before the intent, two hours east',
      { uploadedAt: 8_190_000, zone: 7_200_000, intentServer: 1_000_000 },
      'older',
    ],
    [
      'dated within the upload in some unknown zone',
      { uploadedAt: 8_203_000, zone: null, intentServer: 1_000_000, nowServer: 1_005_000 },
      'unknown',
    ],
    [
      'dated within the upload in no zone of the world',
      { uploadedAt: 8_400_000, zone: null, intentServer: 1_000_000, nowServer: 1_005_000 },
      'older',
    ],
    ['a date, but no time of the intent', { uploadedAt: 1_000_000 }, 'unknown'],
  ]
  it.each(cases)('%s', (_name, evidence, origin) => {
    expect(originOf({ ...unknown, ...evidence })).toBe(origin)
  })
})
