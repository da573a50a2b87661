// When waits without a known end have lasted long enough: which files count as waiting like that, and what
// interrupts the count.
import { describe, expect, it } from 'vitest'
import { NOTHING } from '../../../src-main/cli/follow/reporter.ts'
import { createStuck, EndlessWaits } from '../../../src-main/cli/follow/stuck.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import { transfer } from './world.ts'

const waiting = (reason: Transfer['reason'], id = 1): Transfer => transfer(id, { state: 'waiting', reason })
const uploading = transfer(1, { state: 'uploading' })

describe('the remaining files', () => {
  it.each<readonly [string, Transfer[], string]>([
    ['none', [], 'other'],
    ['still being written', [waiting('settling')], 'endless'],
    ['changing during each upload', [waiting('changing')], 'endless'],
    ['on a drive that does not answer', [waiting('drive-silent')], 'endless'],
    ['never confirmed', [waiting('checking'), transfer(2, { state: 'unknown' })], 'endless'],
    ['different in their reasons', [waiting('backoff'), waiting('settling', 2)], 'endless'],
    ['one of them queued', [waiting('settling'), transfer(2)], 'other'],
    ['behind the rate limit', [waiting('rate-minute')], 'other'],
  ])('%s', (_name, rows, rest) => {
    expect(new EndlessWaits().restOf(rows)).toBe(rest)
  })

  it.each([
    ['the list of the service', 'comparing', 'endless'],
    ['a service that refuses every upload', 'uploads-refused', 'endless'],
    ['the rate limit', 'rate-minute', 'other'],
  ] as const)('queued behind %s: what they wait for may not have been said', (_name, reason, rest) => {
    expect(new EndlessWaits().restOf([transfer(1)], { reason, until: null, message: null })).toBe(rest)
  })

  it.each([
    ['all are sent, and no response comes', [4, 4], 'endless'],
    ['one is still being sent', [4, 3], 'other'],
    ['none is in flight', [], 'other'],
  ] as const)('queued behind uploads of which %s', (_name, sent, rest) => {
    const active = sent.map((bytes, id) => ({ id, path: '', sent: bytes, size: 4, speed: 0 }))
    expect(new EndlessWaits().restOf([transfer(3)], null, active)).toBe(rest)
    expect(new EndlessWaits().restOf([uploading], null, active)).toBe(rest)
  })

  it('are still the same while one of them is tried again, unless it waited for the service', () => {
    const waits = new EndlessWaits()
    expect([waits.restOf([uploading]), waits.restOf([waiting('changing')]), waits.gate().reason]).toEqual([
      'other',
      'endless',
      'changing',
    ])
    expect([waits.restOf([uploading]), waits.restOf([waiting('rate-minute')])]).toEqual([
      'retried',
      'retried',
    ])
    const others = new EndlessWaits()
    expect([others.restOf([waiting('checking')]), others.gate().reason, others.restOf([uploading])]).toEqual([
      'endless',
      'checking',
      'other',
    ])
  })
})

describe('the count', () => {
  it('adds up the waits between retries, but not the retries', () => {
    const isStuck = createStuck(100)
    expect([isStuck('endless', NOTHING, 0), isStuck('endless', NOTHING, 60)]).toEqual([false, false])
    expect([isStuck('retried', NOTHING, 70), isStuck('retried', NOTHING, 1000)]).toEqual([false, false])
    expect([isStuck('endless', NOTHING, 1010), isStuck('endless', NOTHING, 1039)]).toEqual([false, false])
    expect(isStuck('endless', NOTHING, 1040)).toBe(true)
  })

  it.each([
    ['another file', 'other', NOTHING],
    ['a finished file', 'endless', { ...NOTHING, uploaded: 1 }],
  ] as const)('starts again with %s', (_name, rest, sums) => {
    const isStuck = createStuck(100)
    isStuck('endless', NOTHING, 0)
    expect(isStuck(rest, sums, 90)).toBe(false)
    expect([isStuck('endless', sums, 110), isStuck('endless', sums, 210)]).toEqual([false, true])
  })
})
