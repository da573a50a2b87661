// A repeating job: it runs when it is due, never twice at once, and a run that throws is logged and repeated
// later. The test advances the clock.
import { beforeEach, expect, it } from 'vitest'
import { PeriodicRound } from '../../../../src-main/engine/queue/scheduler.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'

let clock: FakeClock
let begun: number
let ended: (number | null)[]
let errors: string[]
let finish: (next: number | null) => void
let fail: (error: Error) => void

function round(): PeriodicRound {
  return new PeriodicRound({
    name: 'lookups',
    clock,
    log: { info: () => undefined, warn: () => undefined, error: (event) => errors.push(event) },
    run: () => {
      begun++
      return new Promise((resolve, reject) => {
        finish = resolve
        fail = reject
      })
    },
    onEnd: (next) => ended.push(next),
  })
}

beforeEach(() => {
  clock = createFakeClock()
  begun = 0
  ended = []
  errors = []
})

it('runs at once, and not again while it runs', async () => {
  const one = round()
  expect(one.runIfDue()).toBeNull()
  expect(one.isRunning()).toBe(true)
  expect(one.runIfDue()).toBeNull()
  expect(begun).toBe(1)
  finish(null)
  await one.settled()
  expect([one.isRunning(), ended]).toEqual([false, [null]])
})

it('names the time of the next round, and runs then', async () => {
  const one = round()
  one.runIfDue()
  finish(clock.now() + 500)
  await one.settled()
  expect(one.runIfDue()).toBe(clock.now() + 500)
  await clock.advance(500)
  expect(one.runIfDue()).toBeNull()
  expect(begun).toBe(2)
})

it('does not run again by itself after a round that planned none', async () => {
  const one = round()
  one.runIfDue()
  finish(null)
  await one.settled()
  expect(one.runIfDue()).toBeNull()
  expect(begun).toBe(1)
  one.dueIfIdle()
  one.runIfDue()
  expect(begun).toBe(2)
})

it('runs once more for a user who asks while it runs, and forgets other requests', async () => {
  const one = round()
  one.runIfDue()
  one.dueNow()
  finish(null)
  await one.settled()
  expect(one.runIfDue()).toBeNull()
  expect([begun, ended]).toEqual([1, [null]])
  one.dueNow()
  one.runIfDue()
  one.dueAgain()
  finish(null)
  await one.settled()
  one.runIfDue()
  expect([begun, ended]).toEqual([3, [null, 0]])
  finish(null)
  await one.settled()
  expect(one.runIfDue()).toBeNull()
})

it('takes the earlier of two times', async () => {
  const one = round()
  one.runIfDue()
  finish(clock.now() + 900)
  await one.settled()
  one.dueBy(clock.now() + 2000)
  expect(one.runIfDue()).toBe(clock.now() + 900)
  one.dueBy(clock.now() + 300)
  one.dueIfIdle()
  expect(one.runIfDue()).toBe(clock.now() + 300)
  one.dueNow()
  one.runIfDue()
  expect(begun).toBe(2)
})

it('logs a round that throws, and tries again half a minute later', async () => {
  const one = round()
  one.runIfDue()
  fail(new Error('broken'))
  await one.settled()
  expect(errors).toEqual(['lookups.defect'])
  expect(ended).toEqual([clock.now() + 30_000])
})
