// What runs next, and when: the number of simultaneous uploads, what delays them and for how long, and the
// log. upload-queue.test.ts tests which row is next.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Gate } from '../../../../src-shared/model.ts'
import { type SchedulerWorld, schedulerWorld } from './scheduler-world.ts'

let w: SchedulerWorld
beforeEach(() => {
  w = schedulerWorld()
})
afterEach(() => w.close())

const LARGE = 17 * 1024 * 1024
const waits = (): readonly unknown[] =>
  w.debugged.filter(({ event }) => event === 'scheduler.wait').map(({ why }) => why)

async function work(): Promise<void> {
  w.scheduler.startWorking()
  await w.settle()
}

describe('uploads', () => {
  it('start only once the scheduler works, while lookups and deletions wait with them', async () => {
    w.add()
    w.scheduler.wake()
    await w.settle()
    expect([w.started, w.rounds]).toEqual([[], { reconcile: 0, remove: 0, resize: 0 }])
    await work()
    expect([w.started, w.rounds]).toEqual([[1], { reconcile: 1, remove: 1, resize: 0 }])
  })

  it('fill the places, and the next one starts as one ends', async () => {
    for (let i = 0; i < 3; i++) w.add()
    await work()
    expect(w.started).toEqual([1, 2])
    await w.finish(1)
    expect(w.started).toEqual([1, 2, 3])
  })

  it('leave a place to small files while as many large ones as may are being sent', async () => {
    w.add({ size: LARGE })
    w.add({ size: LARGE })
    w.add()
    await work()
    expect(w.started).toEqual([1, 3])
  })

  it('use the places that a changed setting gives', async () => {
    for (let i = 0; i < 4; i++) w.add()
    await work()
    w.scheduler.setConcurrency(4)
    expect(w.rounds.resize).toBe(1)
    await w.settle()
    expect(w.started).toHaveLength(4)
  })

  it('go one at a time while it is not known whether answers come again', async () => {
    w.gates.isOn = true
    w.add()
    w.add()
    await work()
    expect(w.started).toEqual([1])
  })

  it('that are broken off are back in the queue and are sent again', async () => {
    const id = w.add()
    await work()
    w.gates.isPaused = true
    await w.scheduler.breakOff()
    expect([w.scheduler.activeCount(), w.transfers.get(id)?.state]).toEqual([0, 'queued'])
    w.gates.isPaused = false
    w.scheduler.wake()
    await w.settle()
    expect(w.started).toEqual([id, id])
  })

  it('that are put back have their old place in the queue', async () => {
    for (let i = 0; i < 4; i++) w.add()
    await work()
    await w.finish(2)
    w.scheduler.abort(1)
    await w.settle()
    expect(w.started).toEqual([1, 2, 3, 1])
  })

  it('do not start after the end, and those under way go on', async () => {
    w.add()
    w.add({ priority: 0 })
    w.add()
    await work()
    w.scheduler.close()
    await w.finish(1)
    expect([w.started, w.scheduler.activeCount()]).toEqual([[1, 2], 1])
  })
})

describe('what holds uploads back', () => {
  const gate = (reason: Gate['reason'], inMs: number): Gate => ({
    reason,
    until: w.clock.now() + inMs,
    message: null,
  })

  it.each([
    ['account', 'offline'],
    ['limits', 'daily-uploads'],
    ['lost', 'answers-lost'],
  ] as const)('%s: nothing starts until its end, and then without any event', async (part, reason) => {
    w.gates[part] = gate(reason, 5000)
    w.add()
    await work()
    await w.clock.advance(4999)
    expect([w.started, waits().at(-1)]).toEqual([[], reason])
    w.gates[part] = null
    await w.clock.advance(1)
    expect(w.started).toEqual([1])
  })

  it('the request rate: the next try is when there is room', async () => {
    w.gates.rateUntil = w.clock.now() + 3000
    w.add()
    await work()
    await w.clock.advance(2999)
    expect(w.started).toEqual([])
    await w.clock.advance(1)
    expect(w.started).toEqual([1])
  })

  it('a pause: lookups and deletions go on', async () => {
    w.gates.isPaused = true
    w.add()
    await work()
    expect([w.started, w.rounds, waits()]).toEqual([[], { reconcile: 1, remove: 1, resize: 0 }, ['paused']])
  })

  it.each([
    [
      'a disk that can not be written to',
      () => (w.gates.disk = { reason: 'disk', until: null, message: null }),
      'disk',
    ],
    ['no key', () => (w.gates.hasIdentity = false), 'no-key'],
    [
      'a policy that can not be used',
      () => (w.gates.policy = { reason: 'policy', until: null, message: null }),
      'policy',
    ],
  ])('%s: neither uploads nor rounds', async (_name, close, why) => {
    close()
    w.add()
    await work()
    expect([w.started, w.rounds, waits()]).toEqual([[], { reconcile: 0, remove: 0, resize: 0 }, [why]])
  })

  it('a policy that is repaired: uploads start by themselves within five seconds', async () => {
    w.gates.policy = { reason: 'policy', until: null, message: null }
    w.add()
    await work()
    w.gates.policy = null
    await w.clock.advance(5000)
    expect(w.started).toHaveLength(1)
  })

  it('a row of its own: it is queued again when its time has come', async () => {
    const id = w.add()
    w.transfers.transition(id, {
      kind: 'deferred',
      reason: 'backoff',
      message: null,
      until: w.clock.now() + 60_000,
    })
    await work()
    await w.clock.advance(59_999)
    expect(w.started).toEqual([])
    await w.clock.advance(1)
    expect(w.started).toEqual([id])
  })
})

describe('the debug topic', () => {
  it('tells which upload started and why nothing more does, each reason once', async () => {
    w.add({ name: 'a.txt', size: 7, priority: 3 })
    await work()
    w.scheduler.wake()
    await w.settle()
    expect(w.debugged).toEqual([
      { event: 'scheduler.start', id: 1, path: '/files/a.txt', size: 7, priority: 3, why: 'next', active: 1 },
      { event: 'scheduler.wait', why: 'nothing-due', until: null, active: 1 },
    ])
  })

  it('tells until when, and why a row was passed over', async () => {
    w.add({ name: 'a.txt' })
    w.add({ name: 'A.txt' })
    const later = w.add()
    const until = w.clock.now() + 60_000
    w.transfers.transition(later, { kind: 'deferred', reason: 'backoff', message: null, until })
    await work()
    expect(w.debugged.slice(1)).toEqual([
      { event: 'scheduler.passed-over', id: 2, path: '/files/A.txt', why: 'same-name-and-size-active' },
      { event: 'scheduler.wait', why: 'nothing-due', until: new Date(until).toISOString(), active: 1 },
    ])
  })
})
