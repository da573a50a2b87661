// Waiting by the engine's clock: a sleep ends on time, when it is woken or when the signal aborts, an alarm
// rings at the earliest of its times, and both leave nothing behind. The clock is the simulated one.
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { RowWriter, type RowWriterOptions } from '../../../src-main/engine/send/file-failures.ts'
import { Alarm, sleep } from '../../../src-main/engine/sleep.ts'
import { createFakeClock } from '../../world/fake-clock.ts'

it.each<
  [
    string,
    (end: { clock: ReturnType<typeof createFakeClock>; stop: AbortController; wake: () => void }) => unknown,
  ]
>([
  ['time passes', ({ clock }) => clock.advance(1000)],
  ['it is woken', ({ wake }) => wake()],
  ['the signal aborts', ({ stop }) => stop.abort()],
])('ends when %s, and leaves no timer and no listener', async (_name, end) => {
  const clock = createFakeClock()
  const stop = new AbortController()
  let wake: () => void = () => undefined
  const sleeping = sleep(clock, 1000, stop.signal, (ends) => {
    wake = ends
  })
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
  await end({ clock, stop, wake: () => wake() })
  await sleeping
  expect([clock.next(), getEventListeners(stop.signal, 'abort')]).toEqual([null, []])
})

it('does not begin if the signal has aborted already', async () => {
  const clock = createFakeClock()
  await sleep(clock, 1000, AbortSignal.abort())
  expect(clock.next()).toBeNull()
})

it('between attempts to write to the journal adds no listener to the engine’s signal for good', async () => {
  const clock = createFakeClock()
  const stop = new AbortController()
  let failures = 20
  const rows = new RowWriter({
    clock,
    db: { soon: () => (failures-- > 0 ? Promise.reject(new Error('disk full')) : Promise.resolve()) },
    failed: () => undefined,
    stop: stop.signal,
  } as unknown as RowWriterOptions)
  const writing = rows.commit(() => undefined)
  await clock.advance(200_000)
  await writing
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

it('an alarm rings once, at the earliest of its times, and can be set again or cancelled', async () => {
  const clock = createFakeClock()
  const rung: number[] = []
  const from = clock.mono()
  const alarm = new Alarm(clock, () => rung.push(clock.mono() - from))
  for (const ms of [3000, 1000, 2000, Number.POSITIVE_INFINITY]) alarm.ringBy(from + ms)
  await clock.advance(5000)
  expect([rung, clock.next()]).toEqual([[1000], null])
  alarm.ringBy(from)
  await clock.advance(0)
  expect(rung).toEqual([1000, 5000])
  alarm.ringBy(from + 6000)
  alarm.cancel()
  await clock.advance(5000)
  expect([rung, clock.next()]).toEqual([[1000, 5000], null])
})
