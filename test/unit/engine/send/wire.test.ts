// The limit of active uploads: a prepared upload waits for the disk and for a free place, and stops waiting
// at once if it is cancelled. A promise replaces the disk.

import { expect, it } from 'vitest'
import { createWire } from '../../../../src-main/engine/send/propagator.ts'
import { quietBus } from '../quiet-bus.ts'

it('lets go of an upload that is called off while the disk does not answer', async () => {
  const wire = createWire(quietBus())
  const called = new AbortController()
  const entered = wire.enter(new Promise<boolean>(() => undefined), called.signal)
  expect(wire.waiting()).toBe(1)
  called.abort()
  expect(await Promise.race([entered, new Promise((resolve) => setTimeout(resolve, 200, 'hangs'))])).toBe(
    false,
  )
  expect(wire.waiting()).toBe(0)
  // The cancelled upload didn't take a place.
  expect(await wire.enter(null, new AbortController().signal)).toBe(true)
})

it('starts the uploads that wait for a place as soon as the user allows more at once', async () => {
  const wire = createWire(quietBus())
  const { signal } = new AbortController()
  expect(await wire.enter(null, signal)).toBe(true)
  const waiting = [wire.enter(null, signal), wire.enter(null, signal), wire.enter(null, signal)]
  await Promise.resolve()
  expect(wire.waiting()).toBe(3)
  wire.resize(3)
  expect(await Promise.all(waiting.slice(0, 2))).toEqual([true, true])
  expect(wire.waiting()).toBe(1)
  wire.leave()
  expect(await waiting[2]).toBe(true)
})
