// What answers reveal about the account: which ones stop all uploads, for how long, and what ends that.
// The answers are made up here; tests of the API client show how they arise.

import { describe, expect, it } from 'vitest'
import type { AnswerMeta, ApiFailure, Stats } from '../../../../src-main/api/types.ts'
import { type AccountState, createAccount } from '../../../../src-main/engine/budget/account-state.ts'
import type { RequestKind } from '../../../../src-main/engine/budget/budget.ts'
import type { FactValue } from '../../../../src-main/engine/journal/single-values.ts'
import type { Account } from '../../../../src-shared/model.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'
import { answer } from './pacer-world.ts'

interface Tried {
  readonly account: AccountState
  readonly clock: FakeClock
  /**
   * The outcome of each claim: `cancelled`, `settled`, or with a response `settled` and its status (`settled
   * 429`).
   */
  readonly claims: string[]
  readonly notices: string[]
  readonly refusals: (string | null)[]
  readonly plans: (string | null)[]
  readonly worked: readonly boolean[]
  changes(): number
}

/** A `random` of 0.5 makes every pause exactly as long as its step. */
function open(random = 0.5): Tried {
  const clock = createFakeClock()
  const claims: string[] = []
  const notices: string[] = []
  const refusals: (string | null)[] = []
  const plans: (string | null)[] = []
  const worked: boolean[] = []
  let changes = 0
  const account = createAccount({
    clock,
    random: () => random,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    budget: {
      settle: (_id: number, meta: AnswerMeta | null) =>
        void claims.push(meta === null ? 'settled' : `settled ${meta.status}`),
      cancel: () => void claims.push('cancelled'),
      setPlan: (plan) => void plans.push(plan),
    },
    journal: {
      soon: (work) => work(),
      remote: {
        facts: {
          get: () => null,
          set: (key, value) => {
            if (key === 'worked-key') worked.push(true)
            else refusals.push(value === null ? null : (value as FactValue<'refusal'>).state)
          },
        },
      },
    },
    bus: quietBus({
      touched: () => {
        changes += 1
      },
      emit: (event) => void (event.kind === 'notice' && notices.push(event.about?.what ?? '')),
    }),
  })
  return { account, clock, claims, notices, refusals, plans, worked, changes: () => changes }
}

function status(code: number): ApiFailure {
  return {
    kind: 'status',
    phase: 'sent',
    status: code,
    detail: null,
    message: `status ${code}`,
    meta: answer(code),
  }
}
const unreachable: ApiFailure = { kind: 'connect', cause: 'refused', phase: 'unsent', message: 'no route' }
const cut: ApiFailure = { kind: 'cut', phase: 'sent', message: 'cut' }
const redirect: ApiFailure = { kind: 'redirect', phase: 'sent', message: 'elsewhere', meta: answer(302) }
const stats: Stats = { plan: 'pro', stats: {}, limits: {} }
const IDENTITY = { baseUrl: 'https://files.example.com', mark: 'abcd' }

/** Returns whether `/stats` must show whose answer it was. */
function fail(tried: Tried, failure: ApiFailure, kind: RequestKind = 'file'): boolean {
  return tried.account.observe(1, kind, { ok: false, failure }, false, tried.account.blocks())
}
function succeed(tried: Tried): void {
  tried.account.observe(1, 'file', { ok: true, meta: answer(200) }, false, tried.account.blocks())
}
/** An account whose key has never worked. */
function fresh(): Tried {
  const tried = open()
  tried.account.setIdentity(IDENTITY)
  return tried
}

function proved(random?: number): Tried {
  const tried = open(random)
  tried.account.setIdentity(IDENTITY)
  succeed(tried)
  return tried
}

describe('the state', () => {
  it('is none without a key, unproved with one, and ok after an answer', () => {
    const tried = open()
    const seen: Account['state'][] = [tried.account.view().state]
    expect(tried.account.isBlocked()).toBe(true)
    expect(tried.account.gate()).toMatchObject({ reason: 'account', until: null })
    tried.account.setIdentity(IDENTITY)
    seen.push(tried.account.view().state)
    expect(tried.account.isBlocked()).toBe(false)
    succeed(tried)
    seen.push(tried.account.view().state)
    expect(seen).toEqual(['none', 'unproved', 'ok'])
    expect(tried.account.gate()).toBeNull()
  })

  it('is ok at once for a key whose statistics are known', () => {
    const tried = open()
    tried.account.setStats(stats, 5)
    expect(tried.account.view()).toMatchObject({ state: 'none', plan: 'pro', provedAt: 5 })
    expect(tried.plans).toEqual(['pro'])
    tried.account.setIdentity(IDENTITY)
    expect(tried.account.view().state).toBe('ok')
    tried.account.setIdentity(null)
    expect(tried.account.view()).toMatchObject({ state: 'none', baseUrl: null })
  })

  it('is unproved, with an unknown plan, after a change to another account', () => {
    const tried = open()
    tried.account.setStats(stats, 5)
    tried.account.setIdentity(IDENTITY)
    tried.account.forgetStats()
    tried.account.setIdentity(IDENTITY)
    expect(tried.account.view()).toMatchObject({ state: 'unproved', plan: null })
    expect(tried.account.stats()).toBeNull()
  })

  const after: readonly (readonly [string, ApiFailure, Account['state']])[] = [
    ['401 says nothing about a key that worked', status(401), 'ok'],
    ['403 says nothing about the account', status(403), 'ok'],
    ['404 says nothing about the account', status(404), 'ok'],
    ['429 is the request budget’s matter', status(429), 'ok'],
    ['500 says nothing about the account', status(500), 'ok'],
    ['a refused connection is offline', unreachable, 'offline'],
    ['a cut connection says nothing yet', cut, 'ok'],
    ['a redirect leaves the state', redirect, 'ok'],
  ]
  it.each(after)('after %s', (_name, failure, state) => {
    const tried = proved()
    fail(tried, failure)
    expect(tried.account.view().state).toBe(state)
  })
})

describe('the budget', () => {
  const cases: readonly (readonly [string, ApiFailure, string])[] = [
    ['is given back where nothing was sent', unreachable, 'cancelled'],
    ['is charged where the answer was lost', cut, 'settled'],
    ['is charged for a refusal, with what its headers say', status(429), 'settled 429'],
    ['is charged for a redirect', redirect, 'settled 302'],
  ]
  it.each(cases)('%s', (_name, failure, claim) => {
    const tried = open()
    tried.account.setIdentity(IDENTITY)
    fail(tried, failure)
    expect(tried.claims).toEqual([claim])
  })
  it('is charged for an answer', () => {
    expect(proved().claims).toEqual(['settled 200'])
  })
})

describe('offline', () => {
  it('tries again after half a second, later each time, up to four seconds', () => {
    const tried = proved()
    const waits: number[] = []
    for (let i = 0; i < 10; i += 1) {
      const now = tried.clock.now()
      fail(tried, unreachable)
      const until = tried.account.outageUntil() ?? now
      waits.push(until - now)
      tried.clock.jumpWall(until - now)
    }
    expect(waits).toEqual([500, 1000, 2000, ...Array.from({ length: 7 }, () => 4000)])
  })

  it.each([
    [0, 375],
    [0.999_999, 624],
  ])('spreads the pause by a quarter: chance %d waits %d ms', (chance, waitMs) => {
    const tried = proved(chance)
    fail(tried, unreachable)
    expect((tried.account.outageUntil() ?? 0) - tried.clock.now()).toBe(waitMs)
  })

  it('counts failures of the same moment once', () => {
    const tried = proved()
    fail(tried, unreachable)
    const until = tried.account.outageUntil()
    fail(tried, unreachable)
    fail(tried, unreachable)
    expect(tried.account.outageUntil()).toBe(until)
  })

  it('closes the gate until the next try', () => {
    const tried = proved()
    const since = tried.clock.now()
    fail(tried, unreachable)
    expect(tried.account.gate()).toEqual({ reason: 'offline', until: since + 500, message: 'no route' })
    tried.clock.jumpWall(500)
    expect(tried.account.gate()).toBeNull()
  })

  it.each([
    ['an answer', null],
    ['a refusal', status(400)],
    ['a 404', status(404)],
    ['a 429', status(429)],
  ])('ends with %s', (_name, failure) => {
    const tried = proved()
    fail(tried, unreachable)
    if (failure === null) succeed(tried)
    else fail(tried, failure)
    expect(tried.account.view()).toMatchObject({ state: 'ok', message: null })
    expect(tried.account.outageUntil()).toBeNull()
  })

  it.each([
    ['a refusal', status(400)],
    ['a 403', status(403)],
    ['a 404', status(404)],
    ['a 429', status(429)],
  ])('before the first answer ends with %s, which does not prove the key', (_name, failure) => {
    const tried = open()
    tried.account.setIdentity(IDENTITY)
    fail(tried, unreachable)
    fail(tried, failure)
    expect(tried.account.view()).toMatchObject({ state: 'unproved', message: null })
    expect(tried.account.outageUntil()).toBeNull()
    succeed(tried)
    expect(tried.account.view().state).toBe('ok')
  })

  it('does not end with a lost answer', () => {
    const tried = proved()
    fail(tried, unreachable)
    fail(tried, cut)
    expect(tried.account.view().state).toBe('offline')
  })

  it('is tried again at once when the user asks', () => {
    const tried = proved()
    fail(tried, unreachable)
    tried.account.retry()
    expect(tried.account.gate()).toBeNull()
    expect(tried.account.view().state).toBe('offline')
  })
})

describe('a redirect', () => {
  it('closes the gate for longer each time, and an answer opens it', () => {
    const tried = proved()
    const waits: number[] = []
    for (let i = 0; i < 5; i += 1) {
      fail(tried, redirect)
      const gate = tried.account.gate()
      expect(gate).toMatchObject({ reason: 'redirected', message: 'elsewhere' })
      waits.push((gate?.until ?? 0) - tried.clock.now())
      tried.clock.jumpWall(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 120_000])
    fail(tried, redirect)
    succeed(tried)
    expect(tried.account.gate()).toBeNull()
  })
})

describe('a blocked account', () => {
  it('is announced once, however many answers refuse the key', () => {
    const tried = fresh()
    fail(tried, status(401))
    fail(tried, status(401))
    expect(tried.notices).toEqual(['key-refused'])
    expect(tried.account.isBlocked()).toBe(true)
    expect(tried.account.gate()).toMatchObject({ reason: 'account', until: null })
  })

  it('stays blocked while other requests are answered', () => {
    const tried = fresh()
    fail(tried, status(401))
    succeed(tried)
    expect(tried.account.view().state).toBe('key-refused')
  })

  it('is not proved, nor blocked again, by answers to requests that were sent before', () => {
    const tried = fresh()
    const before = tried.account.blocks()
    fail(tried, status(401))
    tried.account.observe(1, 'file', { ok: true, meta: answer(200) }, false, before)
    expect(tried.refusals).toEqual(['key-refused'])
    tried.account.retry()
    tried.account.observe(1, 'file', { ok: true, meta: answer(200) }, false, before)
    expect(tried.account.view()).toMatchObject({ state: 'unproved', refused: 'key-refused' })
    tried.account.observe(1, 'file', { ok: false, failure: status(401) }, false, before)
    expect(tried.account.isBlocked()).toBe(false)
    // They count against the rate limit like any other, with what they say about it.
    tried.account.observe(1, 'file', { ok: false, failure: status(429) }, false, before)
    expect(tried.claims.slice(-2)).toEqual(['settled 401', 'settled 429'])
    succeed(tried)
    expect([tried.account.view().state, tried.refusals]).toEqual(['ok', ['key-refused', null]])
  })

  it('takes no answer to a former key for one to the current key', () => {
    const tried = fresh()
    const before = tried.account.view()
    const claims = tried.claims.length
    const former = [cut, redirect, status(401), status(429), status(503)].map(
      (failure) => ({ ok: false, failure }) as const,
    )
    for (const result of [...former, { ok: true, meta: answer(200) } as const])
      tried.account.observe(1, 'file', result, true, 0)
    expect(tried.account.view()).toEqual(before)
    expect(tried.account.gate()).toBeNull()
    expect(new Set(tried.claims.slice(claims))).toEqual(new Set(['settled']))
  })

  it.each([
    [
      'no API',
      'unproved',
      (account: AccountState) => account.observe(1, 'stats', { ok: false, failure: status(403) }, false, 0),
    ],
    [
      'a refused key',
      'key-refused',
      (account: AccountState) => account.observe(1, 'file', { ok: false, failure: status(401) }, false, 0),
    ],
  ] as const)('for %s is proved again when the user asks', (_name, afterWake, block) => {
    const tried = fresh()
    block(tried.account)
    expect(tried.account.isBlocked()).toBe(true)
    // A wake or a returning network is no reason to send a refused key again, but a plan may have been
    // upgraded.
    tried.account.reconnect()
    expect(tried.account.view().state).toBe(afterWake)
    tried.account.retry()
    expect(tried.account.view()).toMatchObject({ state: 'unproved', message: null })
    succeed(tried)
    expect(tried.account.view().state).toBe('ok')
  })

  it.each([
    ['key', (tried: Tried) => fail(tried, status(401)), 'status 401'],
    [
      'plan',
      (tried: Tried) => {
        fail(tried, status(403))
        fail(tried, status(403), 'stats')
      },
      'status 403',
    ],
  ])('for its %s is not said to be unreachable once the service answers again', (_name, refuse, message) => {
    const tried = fresh()
    refuse(tried)
    fail(tried, unreachable)
    expect(tried.account.view().message).toBe('no route')
    refuse(tried)
    expect(tried.account.view().message).toBe(message)
    expect(tried.notices).toHaveLength(1)
  })

  it('is lifted by statistics', () => {
    const tried = fresh()
    fail(tried, status(403), 'stats')
    tried.account.setStats(stats, 9)
    expect(tried.account.view()).toMatchObject({ state: 'ok', message: null })
    expect(tried.account.stats()).toEqual({ stats, at: 9 })
  })
})

describe('a refusal of an earlier process', () => {
  it('is shown until a request succeeds, and blocks nothing', () => {
    const tried = open()
    tried.account.setIdentity({ ...IDENTITY, refused: 'key-refused' })
    expect(tried.account.view()).toMatchObject({ state: 'unproved', refused: 'key-refused' })
    tried.account.setStats(stats, 9)
    fail(tried, status(404))
    expect(tried.account.view()).toMatchObject({ state: 'ok', refused: 'key-refused' })
    expect([tried.account.isBlocked(), tried.account.gate()]).toEqual([false, null])
    succeed(tried)
    succeed(tried)
    expect(tried.account.view().refused).toBeUndefined()
    expect(tried.refusals).toEqual([null])
    fail(tried, status(401), 'stats')
    tried.account.forgetStats()
    tried.account.setIdentity(IDENTITY)
    fail(tried, status(403), 'stats')
    expect(tried.refusals).toEqual([null, 'key-refused', 'no-api'])
  })
})

it('reports a change only where there is one', () => {
  const tried = proved()
  const before = tried.changes()
  succeed(tried)
  fail(tried, status(404))
  expect(tried.changes()).toBe(before)
  fail(tried, unreachable)
  fail(tried, unreachable)
  expect(tried.changes()).toBe(before + 1)
})

// The forms are those of nginx, of Cloudflare's block page, of Apache's Basic challenge and of an allow list
// of addresses.
describe('an answer that may not be the service’s', () => {
  const page = (code: number, detail: string): ApiFailure => ({
    kind: 'status',
    phase: 'sent',
    status: code,
    detail,
    isPage: true,
    message: `status ${code}`,
    meta: answer(code),
  })
  const json = (code: number, detail: string): ApiFailure =>
    ({ ...page(code, detail), isPage: undefined }) as unknown as ApiFailure

  it.each([
    ['404 Not Found', page(404, '404 Not Found')],
    ['Access denied', page(403, 'Access denied')],
    ['401 Authorization Required', page(401, '401 Authorization Required')],
    ['Your IP address is not on the allow list', json(403, 'Your IP address is not on the allow list')],
  ])('needs a control, and is told in its own words if that fails too: %s', (words, failure) => {
    const tried = proved()
    expect(fail(tried, failure)).toBe(true)
    expect(tried.account.gate()).toBeNull()
    fail(tried, failure, 'stats')
    expect(tried.account.gate()?.message).toContain(words)
    expect(tried.account.gate()?.reason).toBe('foreign')
    expect([tried.account.isBlocked(), tried.account.isAnswered(), tried.notices]).toEqual([false, false, []])
  })

  it('is looked at again after 10 s, later each time, at least every two minutes', () => {
    const tried = proved()
    const waits: number[] = []
    for (let i = 0; i < 7; i += 1) {
      fail(tried, page(404, 'Not Found'), 'stats')
      waits.push((tried.account.outageUntil() ?? 0) - tried.clock.now())
      tried.clock.jumpWall(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000])
    succeed(tried)
    expect([tried.account.gate(), tried.account.isAnswered()]).toEqual([null, true])
  })

  it('refuses a key that worked only as a possibility, and tries it again by itself', () => {
    const tried = proved()
    fail(tried, json(401, 'Invalid API key'), 'stats')
    expect(tried.account.view().state).toBe('key-refused')
    expect(tried.account.gate()).toMatchObject({ reason: 'account', until: tried.clock.now() + 10_000 })
    expect(tried.account.gate()?.message).toContain('although it worked before')
    // While it is being tried, no time is known, but the refusal is no more certain.
    tried.clock.jumpWall(10_000)
    expect([tried.account.gate()?.until, tried.account.view().doubted]).toEqual([null, true])
    tried.account.setStats(stats, 9)
    expect([tried.account.view().state, tried.account.isBlocked(), tried.account.view().doubted]).toEqual([
      'ok',
      false,
      undefined,
    ])
  })

  it.each(['Your plan does not support the API.', 'Forbidden: upgrade required', 'API access is off'])(
    'says at once that the plan has lost its API, and tries it again by itself: %s',
    (words) => {
      const tried = proved()
      fail(tried, json(403, words), 'stats')
      expect(tried.account.view()).toMatchObject({ state: 'no-api', doubted: true })
      expect(tried.account.gate()).toMatchObject({ reason: 'account', until: tried.clock.now() + 10_000 })
      expect(tried.account.gate()?.message).toContain('although it did before')
      succeed(tried)
      tried.account.setStats(stats, 9)
      expect([tried.account.view().state, tried.account.gate()]).toEqual(['ok', null])
    },
  )

  it.each<[string, (tried: Tried, blocks: number) => void]>([
    [
      'an upload that was sent before ends',
      ({ account }, blocks) =>
        void account.observe(2, 'upload', { ok: true, meta: answer(200) }, false, blocks),
    ],
    [
      'the connection is lost and comes back',
      (tried) => {
        fail(tried, unreachable, 'stats')
        fail(tried, status(429), 'stats')
      },
    ],
  ])('still tries a refused key that worked, when %s', (_what, happens) => {
    const tried = proved()
    const blocks = tried.account.blocks()
    fail(tried, json(401, 'Invalid API key'), 'stats')
    happens(tried, blocks)
    expect(tried.account.isBlocked()).toBe(true)
    expect(tried.account.outageUntil()).not.toBeNull()
  })

  it('says in the service’s words why access is denied to a key that never worked', () => {
    const tried = fresh()
    fail(tried, json(403, 'Upgrade to Pro'), 'stats')
    expect(tried.account.view().state).toBe('no-api')
    expect(tried.account.gate()?.message).toContain('status 403')
  })

  it('proves nothing on a service whose statistics have never been readable', () => {
    const tried = fresh()
    fail(tried, json(404, 'No such route'), 'stats')
    expect([tried.account.gate(), tried.account.isAnswered()]).toEqual([null, true])
  })

  it('is not ended by a gateway error', () => {
    const tried = proved()
    fail(tried, page(404, 'Not Found'), 'stats')
    tried.clock.jumpWall(10_000)
    fail(tried, status(502), 'stats')
    expect(tried.account.gate()).toMatchObject({ reason: 'foreign', until: tried.clock.now() + 20_000 })
  })
})

describe('a service that is unavailable', () => {
  const waiting = (retryAfterMs: number): ApiFailure => ({
    kind: 'status',
    phase: 'sent',
    status: 503,
    detail: null,
    message: 'status 503',
    meta: answer(503, { retryAfterMs }),
  })

  it('holds all uploads once `/stats` is answered with 503 as well, not a single request alone', () => {
    const tried = proved()
    expect(fail(tried, status(503), 'upload')).toBe(true)
    expect(tried.account.gate()).toBeNull()
    fail(tried, status(503), 'stats')
    expect(tried.account.gate()).toEqual({
      reason: 'unavailable',
      until: tried.clock.now() + 500,
      message: 'status 503',
    })
    expect([tried.account.isAnswered(), tried.account.view().state]).toEqual([false, 'ok'])
  })

  it('is not what a 503 means after which other requests succeed', () => {
    const tried = proved()
    fail(tried, status(503), 'list')
    succeed(tried)
    fail(tried, status(503), 'stats')
    expect(tried.account.gate()).toBeNull()
  })

  it('is asked at most five seconds apart at first, and after minutes once a minute', () => {
    const tried = proved(1)
    fail(tried, status(503), 'upload')
    fail(tried, status(503), 'stats')
    let asked = 0
    for (const end = tried.clock.now() + 60 * 60_000; tried.clock.now() < end; asked++) {
      const ms = (tried.account.outageUntil() ?? 0) - tried.clock.now()
      expect(ms).toBeLessThanOrEqual(end - tried.clock.now() > 56 * 60_000 ? 5000 : 75_000)
      tried.clock.jumpWall(Math.max(1, ms))
      fail(tried, status(503), 'stats')
    }
    expect(asked).toBeLessThan(140)
  })

  it('is asked when it says so, but after 15 minutes at the latest', () => {
    for (const [saidMs, waitMs] of [
      [120_000, 120_000],
      [86_400_000, 900_000],
    ] as const) {
      const tried = proved()
      fail(tried, waiting(saidMs), 'upload')
      expect(tried.account.gate()).toMatchObject({ reason: 'unavailable', until: tried.clock.now() + waitMs })
      succeed(tried)
      expect(tried.account.gate()).toBeNull()
    }
  })
})
