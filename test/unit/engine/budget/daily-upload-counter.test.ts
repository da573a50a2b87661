// The day's uploads under a high limit: counted without reading the journal for each of them, and exactly
// once the limit is near.
import { expect, it } from 'vitest'
import { DailyUploadCounter } from '../../../../src-main/engine/budget/daily-uploads.ts'
import { noQuota } from '../../../../src-main/engine/budget/plan-limits.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { factsIn } from '../journal/facts-store.ts'

const START = 20_000 * 86_400_000

function counterWith(limit: number, count: number) {
  const times = Array.from({ length: count }, (_, i) => START - count + i)
  let reads = 0
  const transfers = {
    unconfirmedTimes: () => [],
    uploadsSince: (at: number) => times.filter((time) => time > at).length,
    uploadTimes: (at: number, most: number) => {
      reads++
      return times.filter((time) => time > at).slice(-most)
    },
  }
  const clock = createFakeClock(START)
  const counter = new DailyUploadCounter(clock, transfers, factsIn(new Map()))
  counter.setQuota({ ...noQuota, dailyUploads: { kind: 'limited', value: limit } }, START)
  const upload = () => {
    times.push(clock.now())
    counter.uploaded()
    return counter.left(null)
  }
  return { counter, upload, reads: () => reads }
}

it('far from the limit, counts each upload without reading all of them again', () => {
  const { counter, upload, reads } = counterWith(100_000, 50_000)
  expect(counter.left(null)).toMatchObject({ used: 50_000, room: 50_000 })
  for (let i = 0; i < 100; i++) upload()
  expect([counter.left(null).used, reads()]).toEqual([50_100, 1])
})

it('near the limit, reads them again after each upload', () => {
  const { counter, upload, reads } = counterWith(100, 90)
  expect(counter.left(null)).toMatchObject({ used: 90, room: 10 })
  for (let i = 0; i < 9; i++) upload()
  const before = reads()
  expect(upload()).toMatchObject({ used: 100, room: 0, nextAt: START - 90 + 86_430_000 })
  expect(reads()).toBe(before + 1)
})
