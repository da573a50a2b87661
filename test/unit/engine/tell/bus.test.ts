// The event stream combines many changes into few events, each with the latest row, and reports the end of
// the work promptly. The test advances the clock and supplies rows and snapshots.
import { beforeEach, expect, it } from 'vitest'
import { type Bus, createBus } from '../../../../src-main/engine/tell/bus.ts'
import type { EngineEvent } from '../../../../src-shared/events.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'

let clock: FakeClock
let bus: Bus
/** The sync of the journal that is under way. */
let syncing: Promise<boolean> | null
let heard: { readonly at: number; readonly event: EngineEvent }[]
beforeEach(() => {
  clock = createFakeClock()
  heard = []
  syncing = null
  bus = createBus({
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  bus.attach({
    db: { durable: () => syncing, attemptDurable: () => syncing },
    snapshots: { transfers: (ids) => ids.map((id) => ({ id }) as never), snapshot: () => ({}) as never },
    scheduler: { wake: () => undefined },
  })
  bus.on((event) => heard.push({ at: clock.mono(), event }))
})

const ids = (): number[] =>
  heard.flatMap(({ event }) => (event.kind === 'transfers' ? event.items.map((item) => item.id) : []))
const times = (): number[] => heard.flatMap(({ at, event }) => (event.kind === 'transfers' ? [at] : []))

it('tells a first change at once, and what follows at most four times a second, each row once', async () => {
  const start = clock.mono()
  for (let i = 0; i < 100; i++) {
    bus.changed(i % 3)
    await clock.advance(10)
  }
  await clock.advance(1000)
  expect(times()[0]).toBe(start)
  expect(times().length).toBeLessThanOrEqual(6)
  expect(
    Math.min(...times().map((at, i, all) => (i === 0 ? 1000 : at - (all[i - 1] ?? 0)))),
  ).toBeGreaterThanOrEqual(250)
  expect(heard.map(({ event }) => event.seq)).toEqual(heard.map((_, i) => i + 1))
})

it('tells the end of the work soon, and not more than twenty-five times a second', async () => {
  bus.changed(1)
  await clock.advance(1)
  expect(ids()).toEqual([1])
  bus.changed(2)
  bus.ended()
  await clock.advance(45)
  expect(ids()).toEqual([1, 2])
  for (let i = 0; i < 100; i++) {
    bus.changed(3 + i)
    bus.ended()
    await clock.advance(10)
  }
  await clock.advance(1000)
  expect(times().length).toBeLessThanOrEqual(28)
  expect(ids()).toHaveLength(102)
})

it('tells nothing at an end without a change', async () => {
  bus.ended()
  await clock.advance(1000)
  expect(heard).toEqual([])
})

it('pages what is very much, without losing a row', async () => {
  for (let i = 0; i < 1200; i++) bus.changed(i)
  await clock.advance(1000)
  expect(ids().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1200 }, (_, i) => i))
  expect(times()).toHaveLength(3)
})

it('tells what is left when it closes, and nothing after', async () => {
  bus.changed(1)
  await clock.advance(1)
  bus.changed(2)
  await bus.close()
  expect(ids()).toEqual([1, 2])
  bus.changed(3)
  await clock.advance(1000)
  expect(ids()).toEqual([1, 2])
})

it.each([
  ['tells what a sync was still writing when it closes', true, [1, 2]],
  ['tells nothing that could not be written', false, []],
])('%s', async (_what, isDurable, told) => {
  const sync = Promise.withResolvers<boolean>()
  syncing = sync.promise
  bus.changed(1)
  await clock.advance(1000)
  bus.changed(2)
  const closing = bus.close()
  expect(ids()).toEqual([])
  sync.resolve(isDurable)
  await closing
  expect(ids()).toEqual(told)
})
