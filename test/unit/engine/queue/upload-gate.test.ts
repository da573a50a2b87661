// What holds back all uploads: which of several reasons is shown, and when a change is announced.
// Each part has its own conditions for closing; here the test closes them directly.
import { beforeEach, describe, expect, it } from 'vitest'
import { UploadGate } from '../../../../src-main/engine/queue/upload-gate.ts'
import type { Gate } from '../../../../src-shared/model.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { factsIn } from '../journal/facts-store.ts'

type Part = 'disk' | 'account' | 'limits' | 'uploadPause' | 'compare'

let clock: FakeClock
let stored: Map<string, string>
let announced: (Gate | null)[]
let closed: Partial<Record<Part, Gate>>
let fault: { readonly fault?: string }
let isCallWaiting: boolean
let pausedUntil: number | null
let freeAt: { minute: number | null; day: number | null }
let gate: UploadGate

function open(): UploadGate {
  const part = (name: Part): { gate: () => Gate | null } => ({ gate: () => closed[name] ?? null })
  const window = (nextAt: number | null): { limit: number; used: number; nextAt: number | null } => ({
    limit: 60,
    used: 60,
    nextAt,
  })
  return new UploadGate({
    clock,
    policy: () => ({ forbidden: [], address: '', ...fault }),
    remote: { facts: factsIn(stored) },
    disk: { ...part('disk'), retry: () => closed.disk == null },
    account: part('account'),
    limits: part('limits'),
    uploadPause: part('uploadPause'),
    compare: part('compare'),
    calls: { trouble: () => null, hasWaiting: () => isCallWaiting },
    budget: {
      pausedUntil: () => pausedUntil,
      view: () => ({ minute: window(freeAt.minute), day: window(freeAt.day) }),
    },
    bus: {
      emit: (event) => {
        if (event.kind === 'gate') announced.push(event.gate)
      },
      touched: () => undefined,
    },
  })
}

beforeEach(() => {
  clock = createFakeClock()
  stored = new Map()
  announced = []
  closed = {}
  fault = {}
  isCallWaiting = false
  pausedUntil = null
  freeAt = { minute: null, day: null }
  gate = open()
})

const closes = (
  reason: Gate['reason'],
  inMs: number | null = 60_000,
  message: string | null = null,
): Gate => ({
  reason,
  until: inMs === null ? null : clock.now() + inMs,
  message,
})
const reasons = (): readonly (string | null)[] => announced.map((one) => one?.reason ?? null)

describe('the reason that is shown', () => {
  it('is the pause after a 429, rather than the comparison that meets it', () => {
    closed = { compare: closes('comparing', null) }
    expect(gate.view()?.reason).toBe('comparing')
    pausedUntil = clock.now() + 7000
    expect(gate.view()).toMatchObject({ reason: 'server-pause', until: pausedUntil })
  })

  it('is the weightiest: the user, the policy, the disk, the account, the plan, lost answers, the rate, the comparison', () => {
    closed = {
      disk: closes('disk'),
      account: closes('offline'),
      limits: closes('daily-uploads'),
      uploadPause: closes('answers-lost'),
      compare: closes('comparing', null),
    }
    fault = { fault: 'it isn’t JSON' }
    gate.setPaused(true)
    gate.setRate({ reason: 'rate-minute', until: clock.now() + 60_000 })
    const seen: (string | undefined)[] = []
    const lift = [
      () => gate.setPaused(false),
      () => {
        fault = {}
      },
      () => delete closed.disk,
      () => delete closed.account,
      () => delete closed.limits,
      () => delete closed.uploadPause,
      () => gate.setRate(null),
      () => delete closed.compare,
    ]
    for (const next of lift) {
      seen.push(gate.view()?.reason)
      next()
    }
    expect(seen).toEqual([
      'paused',
      'policy',
      'disk',
      'offline',
      'daily-uploads',
      'answers-lost',
      'rate-minute',
      'comparing',
    ])
    expect(gate.view()).toBeNull()
  })

  it('is the rate until the moment that the budget named', async () => {
    gate.setRate({ reason: 'rate-minute', until: clock.now() + 60_000 })
    await clock.advance(59_999)
    expect(gate.view()?.reason).toBe('rate-minute')
    await clock.advance(1)
    expect(gate.view()).toBeNull()
  })

  it('is the rate, too, where another request waits for it: the window that is full, the day before the minute', () => {
    const [soon, late] = [clock.now() + 1000, clock.now() + 3_600_000]
    freeAt = { minute: soon, day: late }
    expect(gate.view()).toBeNull()
    isCallWaiting = true
    expect(gate.view()).toEqual({ reason: 'rate-day', until: late, message: null })
    freeAt = { minute: soon, day: null }
    expect(gate.view()).toEqual({ reason: 'rate-minute', until: soon, message: null })
    freeAt = { minute: null, day: null }
    expect(gate.view()).toBeNull()
  })
})

it('a pause outlasts a restart, and so does its end', () => {
  gate.setPaused(true)
  expect([gate.isPaused(), open().isPaused()]).toEqual([true, true])
  gate.setPaused(false)
  expect([gate.isPaused(), open().isPaused()]).toEqual([false, false])
})

describe('what is announced', () => {
  it('is each change once', () => {
    for (const change of [
      () => undefined,
      () => (closed.account = closes('offline')),
      () => undefined,
      () => delete closed.account,
    ]) {
      change()
      gate.announce()
    }
    expect(reasons()).toEqual(['offline', null])
  })

  it('is no pause that is over before anyone could read it', () => {
    gate.setRate({ reason: 'rate-minute', until: clock.now() + 1499 })
    gate.announce()
    expect(announced).toEqual([])
    gate.setRate({ reason: 'rate-minute', until: clock.now() + 1500 })
    gate.announce()
    expect(reasons()).toEqual(['rate-minute'])
  })

  it('is a new end of the same pause only if it is another one', () => {
    for (const inMs of [60_000, 60_100, 90_000]) {
      closed.limits = closes('daily-uploads', inMs)
      gate.announce()
    }
    expect(announced.map((one) => (one?.until ?? 0) - clock.now())).toEqual([60_000, 90_000])
  })

  it('is the progress of a comparison, and no other text', () => {
    closed.compare = closes('comparing', null, '1 of 2')
    gate.announce()
    closed.compare = closes('comparing', null, '2 of 2')
    gate.announce()
    closed = { account: closes('offline', 60_000, 'refused') }
    gate.announce()
    closed = { account: closes('offline', 60_000, 'timed out') }
    gate.announce()
    expect(reasons()).toEqual(['comparing', 'comparing', 'offline'])
  })
})
