// When the page gets events: immediately if the user is waiting for them, combined and at most four times a
// second if an engine repeats them. The test advances the clock; there is no page.
import { beforeEach, describe, expect, it } from 'vitest'
import { EventThrottle } from '../../../src-main/shell/window/event-throttle.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import { createFakeClock, type FakeClock } from '../../world/fake-clock.ts'

let clock: FakeClock
let throttle: EventThrottle
let sent: (readonly WindowEvent[])[]
beforeEach(() => {
  clock = createFakeClock()
  sent = []
  throttle = new EventThrottle((events) => sent.push(events), { now: clock.mono, after: clock.after })
})

const gate = (until: number): WindowEvent => ({
  kind: 'engine',
  event: { seq: 1, kind: 'gate', gate: { reason: 'rate-minute', until, message: null } },
})
const engine = (event: EngineEvent): WindowEvent => ({ kind: 'engine', event })
const rows = (seq: number): WindowEvent => engine({ seq, kind: 'transfers', items: [] })
const catalog = (changed: number): WindowEvent => engine({ seq: 1, kind: 'catalog', changed })
const notice: WindowEvent = engine({ seq: 9, kind: 'notice', level: 'info', title: 'x', hint: null })
const go: WindowEvent = { kind: 'go', view: 'files' }

describe('what an engine says of its own accord', () => {
  it('is told at once after a while of quiet', async () => {
    throttle.take(rows(1))
    expect(sent).toEqual([[rows(1)]])
    await clock.advance(1000)
    throttle.take(rows(2))
    expect(sent).toEqual([[rows(1)], [rows(2)]])
  })

  it('is told four times a second at most, in its order', async () => {
    for (let i = 0; i < 100; i++) {
      throttle.take(rows(i))
      await clock.advance(10)
    }
    await clock.advance(1000)
    expect(sent.length).toBeLessThanOrEqual(5)
    expect(sent.flat()).toEqual(Array.from({ length: 100 }, (_, i) => rows(i)))
  })

  it('gives way to a newer word of its kind, where that says all', async () => {
    throttle.take(rows(1))
    throttle.take(gate(1))
    throttle.take(catalog(3))
    throttle.take(gate(2))
    throttle.take(catalog(4))
    await clock.advance(1000)
    expect(sent).toEqual([[rows(1)], [catalog(3), gate(2), catalog(4)]])
  })
})

describe('what a person waits for', () => {
  it('is told at once, with what waited before it', async () => {
    throttle.take(rows(1))
    throttle.take(rows(2))
    throttle.take(go)
    throttle.take(notice)
    expect(sent).toEqual([[rows(1)], [rows(2), go], [notice]])
    await clock.advance(1000)
    expect(sent).toHaveLength(3)
  })
})

it('keeps nothing for a page that is gone', async () => {
  throttle.take(rows(1))
  throttle.take(rows(2))
  throttle.drop()
  await clock.advance(1000)
  expect(sent).toEqual([[rows(1)]])
  throttle.take(rows(3))
  expect(sent).toEqual([[rows(1)], [rows(3)]])
})
