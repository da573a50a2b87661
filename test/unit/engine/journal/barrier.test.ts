// The durability barrier does one sync for all waiting callers. After a failed sync everything is written
// again before any caller continues, and no wait outlasts the engine. Also tests the limit on simultaneous
// uploads, whose waiting callers are released in the same way.

import { expect, it } from 'vitest'
import { createBarrier } from '../../../../src-main/engine/journal/barrier.ts'
import { createWire } from '../../../../src-main/engine/send/propagator.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'

function setup() {
  const clock = createFakeClock()
  const did: string[] = []
  const troubles: unknown[] = []
  let gates: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  let rewriteFails = 0
  const barrier = createBarrier({
    sync: () =>
      new Promise<void>((resolve, reject) => {
        did.push('sync')
        gates.push({ resolve, reject })
      }),
    rewrite: () => {
      did.push('rewrite')
      if (rewriteFails-- > 0) throw new Error('still full')
    },
    clock,
    onTrouble: (error) => troubles.push(error?.message ?? null),
  })
  const end = async (error?: Error): Promise<void> => {
    const [gate, ...rest] = gates
    gates = rest
    if (error === undefined) gate?.resolve()
    else gate?.reject(error)
    await clock.advance(0)
  }
  return { clock, barrier, did, troubles, end, failRewrites: (n: number) => (rewriteFails = n) }
}

it('waits for nothing where nothing was committed', () => {
  expect(setup().barrier.durable()).toBeNull()
})

it('serves all who wait by one sync, and those who commit meanwhile by the next', async () => {
  const { barrier, did, end } = setup()
  const done: string[] = []
  const wait = (name: string): void => {
    barrier.committed()
    void barrier.durable()?.then((isDurable) => done.push(`${name} ${isDurable}`))
  }
  wait('a')
  wait('b')
  await end()
  // `b` was committed after the sync had begun.
  expect(done).toEqual(['a true'])
  wait('c')
  await end()
  expect([did.length, done]).toEqual([3, ['a true', 'b true']])
  await end()
  expect([did.length, done]).toEqual([3, ['a true', 'b true', 'c true']])
  expect(barrier.durable()).toBeNull()
})

it('writes again what a failed sync may have dropped, and trusts no later sync alone', async () => {
  const { clock, barrier, did, troubles, end, failRewrites } = setup()
  failRewrites(2)
  barrier.committed()
  const patient = barrier.durable()
  const impatient = barrier.attempt()
  await end(new Error('EIO'))
  expect(await impatient).toBe(false)
  await clock.advance(5000)
  expect(await patient).toBe(true)
  expect(did).toEqual(['sync', 'rewrite', 'rewrite', 'rewrite'])
  expect(troubles).toEqual(['EIO', 'still full', 'still full', null])
})

it('writes again what a failed sync may have dropped, also if the retry has no waiting caller', async () => {
  const { clock, barrier, did, troubles, end } = setup()
  barrier.committed()
  const first = barrier.attempt()
  await end(new Error('EIO'))
  expect(await first).toBe(false)
  await clock.advance(60_000)
  const second = barrier.attempt()
  await end()
  await clock.advance(0)
  expect(await second).toBe(true)
  expect(did).toEqual(['sync', 'rewrite'])
  expect(troubles).toEqual(['EIO', null])
})

it('gives up all waits when the engine closes', async () => {
  const { barrier } = setup()
  barrier.committed()
  const wait = barrier.durable()
  barrier.stop()
  expect(await wait).toBe(false)
  expect(await barrier.durable()).toBe(false)
})

it('keeps the places on the wire, first come, first served', async () => {
  const wire = createWire(quietBus())
  wire.resize(2)
  const signal = new AbortController().signal
  const order: number[] = []
  const enter = (n: number, own = signal): Promise<void> =>
    wire.enter(null, own).then((got) => void (got && order.push(n)))
  const leaving = new AbortController()
  const all = [enter(1), enter(2), enter(3), enter(4, leaving.signal), enter(5)]
  await Promise.all(all.slice(0, 2))
  expect([order, wire.waiting()]).toEqual([[1, 2], 3])
  leaving.abort()
  wire.leave()
  wire.leave()
  await Promise.all(all)
  expect([order, wire.waiting()]).toEqual([[1, 2, 3, 5], 0])
  expect(await wire.enter(Promise.resolve(false), signal)).toBe(false)
})
