// The individual rules of the pacer: windows, reserve, pauses, what a refusal reveals, what survives a
// restart. request-pacer-property.test.ts contains the long runs.
import { describe, expect, it } from 'vitest'
import { type Claim, type Pacer, type Priority } from '../../../../src-main/engine/budget/pacer-types.ts'
import { createPacer } from '../../../../src-main/engine/budget/request-pacer.ts'
import { createSlidingWindow } from '../../../../src-main/engine/budget/window-budget.ts'
import { answer, fakeClock, HOUR, MINUTE, memoryStore, SECOND, START } from './pacer-world.ts'

const none = { perMinute: null, perDay: null }
const HOLD = MINUTE + 1_050

function setup(
  plan: string | null = 'pro',
  told = none as { perMinute: number | null; perDay: number | null },
) {
  const clock = fakeClock()
  const store = memoryStore()
  let rooms = 0
  const open = (): Pacer =>
    createPacer({ clock, store, random: () => 0, onCapacity: () => void (rooms += 1) })
  const pacer = open()
  pacer.setPlan(plan, told)
  return { clock, store, pacer, open, rooms: () => rooms }
}

const ask = (pacer: Pacer, priority: Priority = 'watched'): Claim => pacer.claim({ kind: 'upload', priority })

/** Claims until refused. Returns the IDs and the refusal. */
function drain(pacer: Pacer, priority: Priority = 'watched') {
  const ids: number[] = []
  for (;;) {
    const claim = ask(pacer, priority)
    if (!claim.ok) return { ids, refused: claim }
    ids.push(claim.id)
  }
}

function settleAll(pacer: Pacer, ids: readonly number[], status = 200) {
  for (const id of ids) pacer.settle(id, { meta: answer(status) })
}

describe('places', () => {
  it('gives a burst of the whole minute, and says exactly when the next comes', () => {
    const { clock, pacer } = setup()
    const { ids, refused } = drain(pacer)
    expect(ids).toHaveLength(50)
    // All requests are in progress, so the end of the wait is unknown.
    expect(refused).toEqual({ ok: false, reason: 'rate-minute', until: null, waitMs: null })
    clock.advance(400)
    settleAll(pacer, ids.slice(0, 1))
    clock.advance(600)
    settleAll(pacer, ids.slice(1))
    const full = ask(pacer)
    expect(full).toMatchObject({
      ok: false,
      reason: 'rate-minute',
      waitMs: HOLD - 600,
      until: clock.now() + HOLD - 600,
    })
    expect(pacer.nextAt('watched')).toBe(clock.now() + HOLD - 600)
    clock.advance(HOLD - 601)
    expect(ask(pacer).ok).toBe(false)
    clock.advance(1)
    expect(ask(pacer).ok).toBe(true)
    expect(ask(pacer).ok).toBe(false)
  })

  it('a long request holds its place from the claim until a minute after its answer', () => {
    const { clock, pacer } = setup('pro', { perMinute: 1, perDay: 100 })
    const claim = ask(pacer)
    clock.advance(HOUR)
    expect(ask(pacer)).toMatchObject({ ok: false, until: null })
    if (claim.ok) pacer.settle(claim.id, { meta: answer(200) })
    expect(ask(pacer)).toMatchObject({ waitMs: HOLD })
  })

  it('a request without an answer holds it a little longer, one that was never sent not at all', () => {
    const { store, pacer, rooms } = setup('pro', { perMinute: 1, perDay: 100 })
    const first = ask(pacer)
    expect(store.rows.size).toBe(1)
    const before = rooms()
    if (first.ok) pacer.cancel(first.id)
    expect(store.rows.size).toBe(0)
    expect(rooms()).toBe(before + 1)
    const second = ask(pacer)
    if (second.ok) pacer.settle(second.id, { meta: null })
    expect(ask(pacer)).toMatchObject({ waitMs: HOLD + 5 * SECOND })
  })

  it('settling or cancelling what is not under way changes nothing', () => {
    const { pacer } = setup()
    pacer.settle(99, { meta: null })
    pacer.cancel(98)
    expect(pacer.snapshot()).toMatchObject({
      inFlight: 0,
      minute: { used: 0, free: 50, nextAt: null, resetsAt: null },
    })
  })

  it('counts the day as well, and shows when it comes free', () => {
    const { clock, pacer } = setup('pro', { perMinute: 50, perDay: 60 })
    settleAll(pacer, drain(pacer).ids)
    clock.advance(HOLD)
    settleAll(pacer, drain(pacer).ids)
    const refused = ask(pacer)
    expect(refused).toMatchObject({ ok: false, reason: 'rate-day' })
    const { day } = pacer.snapshot()
    expect(day).toMatchObject({ limit: 60, used: 60, free: 0 })
    expect(day.nextAt).toBe(refused.ok ? 0 : refused.until)
    expect(pacer.dayReleases(HOUR).reduce((sum, r) => sum + r.count, 0)).toBe(60)
    clock.advance((day.nextAt ?? 0) - clock.now())
    expect(ask(pacer).ok).toBe(true)
  })

  it('writes the claim before it says yes', () => {
    const clock = fakeClock()
    const store = memoryStore()
    const pacer = createPacer({
      clock,
      store: {
        ...store,
        addRequest: () => {
          throw new Error('disk full')
        },
      },
      random: () => 0,
    })
    expect(() => ask(pacer)).toThrow('disk full')
    expect(pacer.snapshot().inFlight).toBe(0)
  })
})

describe('the reserve for a person', () => {
  it('is kept only while somebody is there', () => {
    const { pacer, rooms } = setup()
    pacer.setPersonPresent(true)
    expect(drain(pacer).ids).toHaveLength(48)
    expect(drain(pacer, 'person').ids).toHaveLength(2)
    const other = setup()
    other.pacer.setPersonPresent(true)
    drain(other.pacer)
    const before = other.rooms()
    other.pacer.setPersonPresent(false)
    expect(other.rooms()).toBe(before + 1)
    expect(drain(other.pacer).ids).toHaveLength(2)
    expect(rooms()).toBeGreaterThan(0)
  })

  it('is larger for what only fills a list: of a minute a tenth, of a day a fifth', () => {
    const { pacer } = setup()
    expect(drain(pacer, 'list').ids).toHaveLength(45)
    expect(drain(pacer).ids).toHaveLength(5)
    const day = setup('pro', { perMinute: 5000, perDay: 1000 })
    expect(drain(day.pacer, 'spare').ids).toHaveLength(800)
    expect(drain(day.pacer).ids).toHaveLength(200)
  })

  it('never takes all of a tiny budget', () => {
    const { pacer } = setup('pro', { perMinute: 1, perDay: 3 })
    pacer.setPersonPresent(true)
    expect(drain(pacer).ids).toHaveLength(1)
  })
})

describe('plans', () => {
  it.each([
    ['pro', 50],
    ['business', 100],
    ['Enterprise', 1_000],
    ['nobody knows', 50],
    [null, 50],
  ] as const)('%s has %s a minute', (plan, limit) => {
    const { pacer } = setup(plan)
    expect(drain(pacer).ids).toHaveLength(limit)
  })

  it('a change forgets what was learned and ends a pause; the same plan again does not', () => {
    const { pacer } = setup()
    const { ids } = drain(pacer)
    settleAll(pacer, ids.slice(0, 20))
    pacer.settle(ids[20] ?? 0, { meta: answer(429) })
    const learned = pacer.snapshot().minute.learned
    expect(learned).toBe(20)
    pacer.setPlan('pro', none)
    expect(pacer.snapshot()).toMatchObject({ minute: { learned } })
    expect(pacer.snapshot().pausedUntil).not.toBeNull()
    pacer.setPlan('business', none)
    expect(pacer.snapshot()).toMatchObject({
      minute: { learned: null, limit: 100 },
      pausedUntil: null,
      plan: 'business',
      planKnown: true,
    })
  })
})

describe('a 429', () => {
  function refusedWith(over: Parameters<typeof answer>[1]) {
    const made = setup()
    const ids = drain(made.pacer).ids
    settleAll(made.pacer, ids.slice(0, 49))
    made.pacer.settle(ids[49] ?? 0, { meta: answer(429, over) })
    return made
  }

  it.each([
    ['Retry-After', { retryAfterMs: 7_000 }, 7_250],
    ['Retry-After of nothing', { retryAfterMs: 0 }, 1_250],
    ['a reset', { resetMs: 12_000 }, 12_250],
    ['nothing', {}, HOLD],
    ['an absurd Retry-After', { retryAfterMs: 1e12 }, 24 * HOUR + MINUTE],
  ] as const)('pauses the account by %s', (_, over, wait) => {
    const { clock, pacer } = refusedWith(over)
    expect(pacer.snapshot().pausedUntil).toBe(clock.now() + wait)
    // The minute is used up as well, so a shorter pause doesn't end the wait.
    const until = clock.now() + Math.max(wait, HOLD)
    expect(ask(pacer, 'person')).toEqual({ ok: false, reason: 'paused', until, waitMs: until - clock.now() })
  })

  it('lets one request ahead after the pause, and all others when it has passed', () => {
    const { clock, pacer } = refusedWith({})
    clock.advance(HOLD)
    const probe = ask(pacer)
    expect(probe.ok).toBe(true)
    expect(ask(pacer)).toEqual({ ok: false, reason: 'probing', until: null, waitMs: null })
    if (probe.ok) pacer.settle(probe.id, { meta: answer(200) })
    expect(ask(pacer).ok).toBe(true)
    expect(ask(pacer).ok).toBe(true)
    expect(pacer.snapshot()).toMatchObject({ probing: false, refusals: 0 })
  })

  it('climbs the ladder while nothing passes', () => {
    const { clock, pacer } = refusedWith({ retryAfterMs: 1_000 })
    const waits: number[] = []
    for (let i = 0; i < 6; i += 1) {
      clock.advance((pacer.nextAt('watched') ?? 0) - clock.now())
      const probe = ask(pacer)
      if (!probe.ok) throw new Error(`refused: ${probe.reason}`)
      pacer.settle(probe.id, { meta: answer(429, { retryAfterMs: 1_000 }) })
      const paused = pacer.snapshot().pausedUntil ?? 0
      waits.push((paused - clock.now()) / MINUTE)
    }
    expect(waits.slice(0, 3)).toEqual([2, 5, 15])
    expect(waits.slice(3)).toEqual([30, 60, 60])
    // It was the daily limit that refused the requests, so the limit per minute is unchanged.
    expect(pacer.snapshot().minute.learned).toBeNull()
    expect(pacer.snapshot().day.learned).not.toBeNull()
  })

  it('survives a restart', () => {
    const { clock, pacer, open } = refusedWith({ retryAfterMs: 30_000 })
    const until = pacer.snapshot().pausedUntil
    const again = open()
    expect(again.snapshot().pausedUntil).toBeGreaterThanOrEqual((until ?? 0) - 1)
    expect(again.snapshot().pausedUntil).toBeLessThanOrEqual((until ?? 0) + 6 * SECOND)
    expect(ask(again)).toMatchObject({ reason: 'paused' })
    clock.advance(36 * SECOND)
    expect(ask(again)).not.toMatchObject({ reason: 'paused' })
  })

  it('raises a learned limit after a quiet minute, one request at a time above what was proved', () => {
    const { clock, pacer } = setup()
    const { ids } = drain(pacer)
    clock.advance(100)
    settleAll(pacer, ids.slice(0, 20))
    for (const id of ids.slice(20)) pacer.settle(id, { meta: answer(429) })
    expect(pacer.snapshot().minute).toMatchObject({ limit: 20, learned: 20, planned: 50 })
    clock.advance(HOLD)
    const probe = ask(pacer)
    if (probe.ok) pacer.settle(probe.id, { meta: answer(200) })
    clock.advance(MINUTE + 100)
    expect(pacer.snapshot().minute.limit).toBe(40)
    clock.advance(SECOND)
    for (const upTo of [8, 16]) {
      // No more requests in progress than may be refused together.
      const { ids: some } = drain(pacer)
      expect(some).toHaveLength(8)
      settleAll(pacer, some)
      expect(pacer.snapshot().minute.used).toBe(upTo)
    }
    const { ids: more, refused } = drain(pacer)
    // Four remain of the learned limit of 20; the fifth probes whether the service now allows more.
    expect(more).toHaveLength(5)
    expect(refused).toMatchObject({ reason: 'probing', until: null })
    settleAll(pacer, more)
    expect(drain(pacer).ids).toHaveLength(1)
  })

  // A service that lowers its limit in the middle of a minute refuses requests in progress, and answers in
  // any order.
  it.each([
    ['the first claims, answered last', (i: number) => i < 38, (ids: readonly number[]) => ids.toReversed()],
    ['the last claims, answered first', (i: number) => i >= 12, (ids: readonly number[]) => ids.toReversed()],
    [
      'every fourth passed, answered in order',
      (i: number) => i % 4 !== 0 || i === 48,
      (ids: readonly number[]) => ids,
    ],
  ])('learns how many passed, where the refused were %s', (_, isRefused, order) => {
    const { clock, pacer } = setup()
    const { ids } = drain(pacer)
    clock.advance(100)
    for (const id of order(ids)) pacer.settle(id, { meta: answer(isRefused(ids.indexOf(id)) ? 429 : 200) })
    expect(pacer.snapshot().minute).toMatchObject({ limit: 12, learned: 12, planned: 50 })
  })

  it('counts requests refused together as one refusal, so that the limit grows again after a minute', () => {
    const { clock, pacer } = setup()
    const { ids } = drain(pacer)
    clock.advance(100)
    settleAll(pacer, ids.slice(0, 12))
    for (const id of ids.slice(12)) pacer.settle(id, { meta: answer(429) })
    clock.advance(HOLD)
    const probe = ask(pacer)
    if (probe.ok) pacer.settle(probe.id, { meta: answer(200) })
    clock.advance(MINUTE)
    expect(pacer.snapshot().minute.limit).toBe(24)
  })

  it('is forgiven by a person', () => {
    const { pacer } = refusedWith({ retryAfterMs: HOUR })
    expect(ask(pacer)).toMatchObject({ reason: 'paused' })
    pacer.forgive()
    expect(pacer.snapshot().pausedUntil).toBeNull()
  })
})

describe('rate headers', () => {
  function answered(over: Parameters<typeof answer>[1], plan: string | null = 'pro') {
    const made = setup(plan)
    const claim = ask(made.pacer)
    if (claim.ok) made.pacer.settle(claim.id, { meta: answer(200, over) })
    return made
  }

  it('lower a limit, and never raise that of a known plan', () => {
    expect(answered({ limit: 30, resetMs: 40_000 }).pacer.snapshot().minute).toMatchObject({
      limit: 30,
      learned: 30,
    })
    expect(answered({ limit: 400, resetMs: 40_000 }).pacer.snapshot().minute).toMatchObject({
      limit: 50,
      learned: null,
    })
    expect(answered({ limit: 400, resetMs: 40_000 }, 'nobody knows').pacer.snapshot().minute.limit).toBe(400)
    expect(answered({ limit: 4_000, resetMs: 9 * HOUR }).pacer.snapshot().day.limit).toBe(4_000)
    expect(answered({ limit: 0 }).pacer.snapshot().minute.limit).toBe(50)
    expect(answered({ limit: Number.NaN, remaining: Number.NaN }).pacer.snapshot().minute).toMatchObject({
      limit: 50,
      used: 1,
    })
  })

  it('show what others use, until the reset', () => {
    const { clock, pacer } = answered({ limit: 50, remaining: 29, resetMs: 10_000 })
    expect(pacer.snapshot().minute).toMatchObject({ used: 21, free: 29 })
    expect(drain(pacer).ids).toHaveLength(29)
    clock.advance(11_050)
    expect(drain(pacer).ids).toHaveLength(20)
  })

  it('with nothing left by others wait for the reset, with nothing left by us need not', () => {
    const { clock, pacer } = answered({ limit: 50, remaining: 0, resetMs: 10_000 })
    expect(pacer.snapshot().pausedUntil).toBe(clock.now() + 10_250)
    expect(ask(pacer)).toMatchObject({ reason: 'paused' })
    const own = setup()
    const { ids } = drain(own.pacer)
    for (const [i, id] of ids.entries())
      own.pacer.settle(id, { meta: answer(200, { limit: 50, remaining: 49 - i, resetMs: 60_000 }) })
    own.clock.advance(HOLD)
    expect(drain(own.pacer).ids).toHaveLength(50)
  })
})

describe('restart', () => {
  it('counts what was under way as answered at the start', () => {
    const { clock, store, pacer, open } = setup()
    drain(pacer)
    clock.advance(20 * SECOND)
    const again = open()
    expect(again.snapshot()).toMatchObject({ inFlight: 0, minute: { used: 50, free: 0 } })
    expect([...store.rows.values()].every((row) => row.settledAt !== null)).toBe(true)
    expect(ask(again)).toMatchObject({ ok: false })
  })

  it('goes on at full width where the stored windows have room', () => {
    const { pacer, open } = setup()
    const first = ask(pacer)
    if (first.ok) pacer.settle(first.id, { meta: answer(200) })
    const again = open()
    expect(drain(again).ids).toHaveLength(49)
  })

  it('after hours off, a full minute is over at once, and one request finds out that a full day is', () => {
    const { clock, pacer, open } = setup('pro', { perMinute: 50, perDay: 60 })
    const date = () => ({ meta: answer(200, { serverDate: Math.floor(clock.real() / SECOND) * SECOND }) })
    for (const count of [50, 10]) {
      const { ids } = drain(pacer)
      expect(ids).toHaveLength(count)
      clock.advance(100)
      for (const id of ids) pacer.settle(id, date())
      clock.advance(HOLD)
    }
    pacer.tick()
    clock.advance(30 * HOUR)
    clock.reboot()
    clock.advance(10 * SECOND)
    const again = open()
    const probe = ask(again)
    if (!probe.ok) throw new Error('no probe')
    expect(ask(again)).toMatchObject({ ok: false, reason: 'probing' })
    clock.advance(50)
    again.settle(probe.id, date())
    expect(drain(again).ids).toHaveLength(49)
    expect(Math.abs(again.now() - clock.real())).toBeLessThan(5_000)
  })

  it('reads a broken state as none', () => {
    for (const json of ['', 'null', '{', '[]', '{"v":2}', '{"v":1,"time":{}}']) {
      const store = memoryStore()
      store.saveState(json)
      const pacer = createPacer({ clock: fakeClock(), store, random: () => 0 })
      expect(drain(pacer).ids).toHaveLength(50)
    }
  })

  it('forgets rows that no window holds any more', () => {
    const { clock, store, pacer } = setup()
    settleAll(pacer, drain(pacer).ids)
    expect(store.rows.size).toBe(50)
    clock.advance(25 * HOUR)
    const next = ask(pacer)
    expect(next.ok).toBe(true)
    expect(store.rows.size).toBe(1)
  })

  it('keeps numbers apart from those that are stored', () => {
    const { pacer, open } = setup()
    const first = ask(pacer)
    const second = ask(open())
    expect(first.ok && second.ok && second.id > first.id).toBe(true)
  })
})

describe('the window', () => {
  it('folds by its grain, leaves late rather than early, and stays small', () => {
    const window = createSlidingWindow({ length: 1_000_000, margin: 0, grain: 1_000 })
    for (let at = 0; at < 100_000; at += 1) window.add(START + at)
    expect(window.count()).toBe(100_000)
    expect(window.releases(1).length).toBeLessThanOrEqual(101)
    expect(window.freeAt(1)).toBe(START + 1_000 + 1_000_000)
    expect(window.freeAt(100_001)).toBeNull()
    window.expire(START + 1_000_000 + 999)
    expect(window.count()).toBe(100_000)
    window.expire(START + 1_000_000 + 1_000)
    expect(window.count()).toBe(98_999)
  })

  it('takes input that is a little out of order', () => {
    const window = createSlidingWindow({ length: 100, margin: 0, grain: 0 })
    for (const at of [5, 9, 7, 6, 9]) window.add(at)
    expect([1, 2, 3, 4, 5].map((n) => window.freeAt(n))).toEqual([105, 106, 107, 109, 109])
  })

  it('moves only what came after a gap', () => {
    const window = createSlidingWindow({ length: 100, margin: 0, grain: 10 })
    window.add(1)
    window.add(20)
    expect(window.countIfOlder(100, 15, 50)).toBe(1)
    window.shift(15, 1_000)
    expect([window.freeAt(1), window.freeAt(2)]).toEqual([101, 1_120])
  })
})
