// The request limits in the contract's terms: the reason and time of a refused claim, what is made durable
// when, and the displayed windows. The calculation of windows is tested with the pacer.

import { describe, expect, it } from 'vitest'
import { type Budget, createBudget } from '../../../../src-main/engine/budget/budget.ts'
import { quietBus } from '../quiet-bus.ts'
import { answer, DAY, type FakeClock, fakeClock, HOUR, MINUTE, memoryStore, SECOND } from './pacer-world.ts'

interface Tried {
  readonly budget: Budget
  readonly clock: FakeClock
  flushes(): number
  spent(): number
  woken(): number
}

function open(): Tried {
  const clock = fakeClock()
  let flushes = 0
  let spent = 0
  let woken = 0
  const budget = createBudget({
    clock,
    random: () => 0,
    store: memoryStore(),
    journal: {
      soon: (work) => work(),
      db: {
        flush: () => {
          flushes += 1
        },
      },
      remote: {
        addUsage: () => {
          spent += 1
        },
      },
    },
    bus: quietBus({
      wake: () => {
        woken += 1
      },
    }),
  })
  return { budget, clock, flushes: () => flushes, spent: () => spent, woken: () => woken }
}

function claimed(budget: Budget, kind: 'upload' | 'list' = 'upload'): number {
  const claim = budget.claim(kind, 'watched')
  if (!claim.ok) throw new Error(`refused: ${claim.reason}`)
  return claim.id
}

/** Uses up the minute: 50 requests of the smallest plan, all answered. */
function fill(budget: Budget): void {
  for (let i = 0; i < 50; i += 1) budget.settle(claimed(budget), answer(200))
}

describe('a service that can not answer and says when to ask again', () => {
  it.each([
    ['a minute', MINUTE, MINUTE],
    ['two days', 2 * DAY, 15 * MINUTE],
  ])(
    'is asked nothing until then, but never for longer than 15 minutes: %s',
    (_name, retryAfterMs, waitMs) => {
      const { budget, clock } = open()
      budget.settle(claimed(budget, 'list'), answer(503, { retryAfterMs }))
      for (const kind of ['list', 'stats', 'file', 'delete', 'upload'] as const) {
        const claim = budget.claim(kind, 'person')
        expect(claim).toMatchObject({ ok: false, reason: 'server-pause' })
        expect(claim.ok ? 0 : claim.until - clock.now()).toBe(waitMs)
      }
      expect(budget.heldUntil()).toBe(clock.now() + waitMs)
      clock.advance(waitMs)
      expect([budget.claim('list', 'watched').ok, budget.heldUntil()]).toEqual([true, null])
    },
  )

  it('is asked at once when the user retries, and no limit is learned from it', () => {
    const { budget } = open()
    budget.settle(claimed(budget), answer(503, { retryAfterMs: MINUTE }))
    budget.forgive()
    for (let i = 0; i < 8; i += 1) expect(budget.claim('upload', 'watched').ok).toBe(true)
  })
})

describe('a claim', () => {
  it('is flushed at once, unless it is committed together with an upload', () => {
    const tried = open()
    claimed(tried.budget, 'upload')
    expect(tried.flushes()).toBe(0)
    claimed(tried.budget, 'list')
    expect(tried.flushes()).toBe(1)
  })

  it('is not flushed where it is refused', () => {
    const tried = open()
    fill(tried.budget)
    expect(tried.budget.claim('list', 'watched').ok).toBe(false)
    expect(tried.flushes()).toBe(0)
  })

  it('waits for the minute once that is used up', () => {
    const tried = open()
    fill(tried.budget)
    const refused = tried.budget.claim('upload', 'watched')
    expect(refused).toMatchObject({ ok: false, reason: 'rate-minute' })
    expect(refused.ok ? 0 : refused.until - tried.clock.now()).toBe(MINUTE + 1_050)
    tried.clock.advance(MINUTE + 1_050)
    expect(tried.budget.claim('upload', 'watched').ok).toBe(true)
  })

  it('is asked again in a second where it depends on requests in flight', () => {
    const tried = open()
    for (let i = 0; i < 50; i += 1) claimed(tried.budget)
    const refused = tried.budget.claim('upload', 'watched')
    expect(refused).toEqual({ ok: false, reason: 'rate-minute', until: tried.clock.now() + SECOND })
  })

  it('waits for the pause that the service asked for, and then for its probe', () => {
    const tried = open()
    tried.budget.settle(claimed(tried.budget), answer(429, { retryAfterMs: 2 * MINUTE }))
    expect(tried.budget.claim('upload', 'watched')).toMatchObject({
      reason: 'server-pause',
      until: tried.clock.now() + 2 * MINUTE + 250,
    })
    tried.clock.advance(2 * MINUTE + 250)
    claimed(tried.budget)
    // The probe is in progress. The contract has no separate reason for that.
    expect(tried.budget.claim('upload', 'watched')).toMatchObject({ ok: false, reason: 'rate-minute' })
  })

  it('may be tried at once after the user asked for it', () => {
    const tried = open()
    tried.budget.settle(claimed(tried.budget), answer(429, { retryAfterMs: HOUR }))
    tried.budget.forgive()
    expect(tried.budget.claim('upload', 'watched').ok).toBe(true)
  })
})

describe('a request', () => {
  it('counts as spent once it is settled, whatever became of it', () => {
    const tried = open()
    tried.budget.settle(claimed(tried.budget), answer(500))
    tried.budget.settle(claimed(tried.budget), null)
    expect(tried.spent()).toBe(2)
  })

  it('gives its place back, unspent, where it was never sent', () => {
    const tried = open()
    tried.budget.cancel(claimed(tried.budget))
    expect(tried.spent()).toBe(0)
    expect(tried.budget.view().minute.used).toBe(0)
    expect(tried.woken()).toBe(1)
  })
})

describe('what is shown', () => {
  it('has the limits of the smallest plan until another is known, and no time while there is capacity', () => {
    const tried = open()
    expect(tried.budget.view()).toEqual({
      minute: { limit: 50, used: 0, nextAt: null },
      day: { limit: 5_000, used: 0, nextAt: null },
    })
    tried.budget.setPlan('Business', {})
    expect(tried.budget.view().minute.limit).toBe(100)
    tried.budget.setPlan('Business', { requests_per_minute: 120 })
    expect(tried.budget.view().minute.limit).toBe(120)
  })

  it('names when the minute frees up', () => {
    const tried = open()
    fill(tried.budget)
    expect(tried.budget.view()).toEqual({
      minute: { limit: 50, used: 50, nextAt: tried.clock.now() + MINUTE + 1_050 },
      day: { limit: 5_000, used: 50, nextAt: null },
    })
  })

  it('keeps a reserve from background requests while a user is present', () => {
    const tried = open()
    tried.budget.setPersonPresent(true)
    for (let i = 0; i < 48; i += 1) claimed(tried.budget)
    expect(tried.budget.claim('list', 'watched').ok).toBe(false)
    expect(tried.budget.claim('list', 'person').ok).toBe(true)
  })

  it('groups the places of the day into quarters of an hour', () => {
    const tried = open()
    fill(tried.budget)
    const releases = tried.budget.dayReleases()
    expect(releases.map((release) => release.count)).toEqual([50])
    expect((releases[0]?.at ?? 0) - tried.clock.now()).toBe(DAY + 30 * SECOND)
  })
})

describe('the time line', () => {
  it('is the wall clock’s at first, and stays when that is set', () => {
    const tried = open()
    expect(tried.budget.offset()).toBe(0)
    tried.clock.set(-HOUR)
    expect(tried.budget.offset()).toBe(HOUR)
  })

  it('knows the service’s time only after its answers agree', () => {
    const tried = open()
    expect(tried.budget.serverNow()).toBeNull()
    for (let i = 0; i < 3; i += 1) {
      const id = claimed(tried.budget)
      tried.clock.advance(100)
      tried.budget.settle(id, answer(200, { serverDate: Math.floor(tried.clock.real() / SECOND) * SECOND }))
    }
    expect(Math.abs((tried.budget.serverNow() ?? 0) - tried.clock.real())).toBeLessThan(SECOND)
  })
})
