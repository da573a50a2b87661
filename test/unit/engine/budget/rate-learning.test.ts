// Table-driven tests of what a 429, the rate headers and accepted requests reveal about the limits.
// request-pacer.test.ts and request-pacer-property.test.ts test how the pacer uses this.
import { describe, expect, it } from 'vitest'
import type { RateHints } from '../../../../src-main/api/types.ts'
import { pauseAfter429, statedWaitMs } from '../../../../src-main/engine/budget/pause-after-429.ts'
import {
  headerLimit,
  type LearnedLimit,
  lessonOf429,
  loweredLimit,
  othersFromHeader,
  othersLastMs,
  pauseAtZeroMs,
  provenLimit,
  type RefusalFacts,
  raisedLimit,
  raiseIntervalMs,
} from '../../../../src-main/engine/budget/rate-learning.ts'

const NOW = 10 * 86_400_000
const MINUTE = 60_000
const HOUR = 3_600_000

function hints(over: Partial<RateHints>): RateHints {
  return { retryAfterMs: null, limit: null, remaining: null, resetMs: null, ...over }
}

describe('lessonOf429', () => {
  const base: RefusalFacts = {
    waitMs: null,
    isSameEpisode: false,
    wasProbing: false,
    level: 0,
    minute: { passed: 40 },
    day: { used: 900, passed: 900, learned: null },
    refusals: [NOW],
    now: NOW,
  }
  const learned: LearnedLimit = { limit: 1_000, proven: 950, raiseAt: NOW + HOUR, refusedAt: 950, failed: 1 }
  const none = { window: null }
  const cases: readonly (readonly [string, Partial<RefusalFacts>, ReturnType<typeof lessonOf429>])[] = [
    ['blames the minute window at first', {}, { window: 'minute', passed: 40 }],
    ['takes a wait of a minute for the minute window', { waitMs: MINUTE }, { window: 'minute', passed: 40 }],
    ['learns nothing from a wait longer than a minute', { waitMs: 2 * MINUTE }, none],
    ['learns nothing from a first burst limit of seconds', { waitMs: 5_000 }, none],
    [
      'believes a second burst within two minutes',
      { waitMs: 5_000, refusals: [NOW - MINUTE, NOW] },
      { window: 'minute', passed: 40 },
    ],
    ['takes refusals of the same moment for one', { waitMs: 5_000, refusals: [NOW - 3_000, NOW] }, none],
    ['learns nothing while probes are refused', { wasProbing: true, level: 2 }, none],
    [
      'blames the day after the third pause in vain, and clears the minute',
      { wasProbing: true, level: 3, day: { used: 900, passed: 896, learned: null } },
      { window: 'day', passed: 896, isMinuteCleared: true },
    ],
    [
      'learns from others of the same burst',
      { isSameEpisode: true, wasProbing: true, level: 0 },
      { window: 'minute', passed: 40 },
    ],
    ['learns nothing from stragglers of a probe', { isSameEpisode: true, wasProbing: true, level: 1 }, none],
    [
      'blames the day at the edge of a learned day limit',
      { day: { used: 949, passed: 947, learned } },
      { window: 'day', passed: 947, isMinuteCleared: false },
    ],
    [
      'blames the minute below a learned day limit',
      { day: { used: 940, passed: 940, learned } },
      { window: 'minute', passed: 40 },
    ],
    [
      'counts from 98 % of a learned day limit as its edge',
      { day: { used: 980, passed: 980, learned: { ...learned, proven: 5_000 } } },
      { window: 'day', passed: 980, isMinuteCleared: false },
    ],
  ]
  it.each(cases)('%s', (_name, over, lesson) => {
    expect(lessonOf429({ ...base, ...over })).toEqual(lesson)
  })
})

describe('loweredLimit', () => {
  const cases = [
    { name: 'what passed', passed: 30, before: 50, refusals: [NOW], limit: 30 },
    { name: 'no more than the limit in force', passed: 60, before: 40, refusals: [NOW], limit: 40 },
    {
      name: '5 % less when refused twice within the hour',
      passed: 60,
      before: 40,
      refusals: [NOW - MINUTE, NOW],
      limit: 38,
    },
    {
      name: 'the same when the other refusal is older',
      passed: 60,
      before: 40,
      refusals: [NOW - 2 * HOUR, NOW],
      limit: 40,
    },
    { name: 'at least one', passed: 1, before: 1, refusals: [NOW - MINUTE, NOW], limit: 1 },
    { name: 'nothing at the full limit', passed: 60, before: 50, refusals: [NOW], limit: null },
  ]
  it.each(cases)('is $name', ({ passed, before, refusals, limit }) => {
    const next = loweredLimit({
      passed,
      before,
      base: 50,
      learned: null,
      window: 'minute',
      refusals,
      now: NOW,
    })
    expect(next).toEqual(
      limit === null ? null : { limit, proven: limit, raiseAt: NOW + MINUTE, refusedAt: limit, failed: 0 },
    )
  })
  it('counts a raise that was refused', () => {
    const facts = { passed: 30, before: 40, base: 50, window: 'minute', refusals: [NOW], now: NOW } as const
    const learned: LearnedLimit = { limit: 40, proven: 30, raiseAt: NOW, refusedAt: 20, failed: 0 }
    expect(loweredLimit({ ...facts, learned })).toMatchObject({ failed: 1, raiseAt: NOW + 10 * MINUTE })
    expect(loweredLimit({ ...facts, learned: { ...learned, refusedAt: 40 } })).toMatchObject({ failed: 0 })
  })
})

describe('raisedLimit', () => {
  const learned: LearnedLimit = { limit: 10, proven: 10, raiseAt: NOW, refusedAt: 10, failed: 0 }
  it('keeps the same object while nothing is due', () => {
    expect(raisedLimit(learned, 50, MINUTE, NOW - 1)).toBe(learned)
  })
  it('doubles until a raise is refused, then grows by a tenth of the limit', () => {
    expect(raisedLimit(learned, 50, MINUTE, NOW)).toEqual({ ...learned, limit: 20, raiseAt: NOW + MINUTE })
    expect(raisedLimit({ ...learned, failed: 1 }, 50, MINUTE, NOW)).toMatchObject({ limit: 15 })
    expect(raisedLimit({ ...learned, limit: 1 }, 50, MINUTE, NOW)).toMatchObject({ limit: 6 })
  })
  it('catches up on steps that were missed', () => {
    const failed = { ...learned, failed: 2 }
    const raised = { ...failed, limit: 25, raiseAt: NOW + 3 * HOUR }
    expect(raisedLimit(failed, 50, HOUR, NOW + 2 * HOUR)).toEqual(raised)
  })
  it('ends once the base itself was not refused for an interval', () => {
    expect(raisedLimit({ ...learned, limit: 30 }, 50, MINUTE, NOW)).toMatchObject({ limit: 50 })
    expect(raisedLimit({ ...learned, limit: 50 }, 50, MINUTE, NOW)).toBeNull()
  })
})

it('proves one request at a time near the last refusal, and an eighth more beyond it', () => {
  const learned: LearnedLimit = { limit: 400, proven: 100, raiseAt: NOW, refusedAt: 100, failed: 0 }
  expect(provenLimit(learned, 99)).toBe(learned)
  expect(provenLimit(learned, 101).proven).toBe(101)
  expect(provenLimit({ ...learned, proven: 120 }, 121).proven).toBe(135)
  expect(provenLimit({ ...learned, proven: 120, failed: 1 }, 121).proven).toBe(121)
})

it.each([
  ['minute', 0, 5, MINUTE],
  ['minute', 1, 5, 10 * MINUTE],
  ['minute', 2, 0, 10 * MINUTE],
  ['minute', 2, 4, 2 * HOUR],
  ['day', 0, 1, 30 * MINUTE],
  ['day', 0, 48, 6 * HOUR],
] as const)(
  'raises a limit per %s after %d refused raises and %d refusals of the day every %d ms',
  (window, failed, refusals, intervalMs) => {
    expect(raiseIntervalMs(window, failed, refusals)).toBe(intervalMs)
  },
)

describe('pauseAfter429', () => {
  const cases = [
    { name: 'a window and its margin where no wait is named', waitMs: null, level: 0, pauseMs: 61_050 },
    { name: 'the wait that is named', waitMs: 30_000, level: 0, pauseMs: 30_250 },
    { name: 'at least a second', waitMs: 0, level: 0, pauseMs: 1_250 },
    { name: 'the ladder where that is longer', waitMs: 30_000, level: 1, pauseMs: 120_000 },
    { name: 'the named wait where that is longer', waitMs: 200_000, level: 1, pauseMs: 200_250 },
    { name: 'an hour at the top of the ladder', waitMs: null, level: 40, pauseMs: HOUR },
    {
      name: 'never longer than a day and a minute',
      waitMs: 90 * HOUR,
      level: 0,
      pauseMs: 24 * HOUR + MINUTE,
    },
  ]
  it.each(cases)('is $name', ({ waitMs, level, pauseMs }) => {
    expect(pauseAfter429(waitMs, level, 0)).toBe(pauseMs)
  })
  it('spreads clients by 5 % and two seconds at most', () => {
    expect(pauseAfter429(9_750, 0, 1)).toBe(10_500)
    expect(pauseAfter429(null, 5, 1)).toBe(HOUR + 2_000)
  })
})

describe('headers', () => {
  it.each([
    { limit: 30, planned: 50, isKnown: true, is: 30 },
    { limit: 50, planned: 50, isKnown: true, is: null },
    { limit: 80, planned: 50, isKnown: true, is: null },
    { limit: 80, planned: 50, isKnown: false, is: 80 },
    { limit: 30.9, planned: 50, isKnown: true, is: 30 },
    { limit: 0, planned: 50, isKnown: true, is: undefined },
    { limit: Number.NaN, planned: 50, isKnown: true, is: undefined },
    { limit: null, planned: 50, isKnown: true, is: undefined },
  ])('limit $limit of $planned (known: $isKnown) is $is', ({ limit, planned, isKnown, is }) => {
    expect(headerLimit(hints({ limit }), planned, isKnown)).toBe(is)
  })

  it.each([
    { limit: 50, remaining: 20, ours: 10, others: 20 },
    { limit: null, remaining: 20, ours: 10, others: 20 },
    { limit: 50, remaining: 45, ours: 10, others: 0 },
    { limit: 50, remaining: -1, ours: 0, others: 0 },
    { limit: 50, remaining: Number.NaN, ours: 0, others: 0 },
    { limit: 50, remaining: null, ours: 0, others: 0 },
  ])(
    'remaining $remaining of $limit with $ours of ours shows $others others',
    ({ limit, remaining, ours, others }) => {
      expect(othersFromHeader(hints({ limit, remaining }), 50, ours)).toBe(others)
    },
  )

  it.each([
    { resetMs: null, lastMs: MINUTE + 1_050 },
    { resetMs: 10_000, lastMs: 11_050 },
    { resetMs: HOUR, lastMs: MINUTE + 1_050 },
  ])('others count for $lastMs ms with a reset in $resetMs ms', ({ resetMs, lastMs }) => {
    expect(othersLastMs(hints({ resetMs }), MINUTE)).toBe(lastMs)
  })

  it.each([
    { remaining: 0, resetMs: 10_000, pauseMs: 10_250 },
    { remaining: 0.5, resetMs: 10_000, pauseMs: 10_250 },
    { remaining: 0, resetMs: 90 * HOUR, pauseMs: 24 * HOUR + MINUTE + 250 },
    { remaining: 0, resetMs: null, pauseMs: null },
    { remaining: 1, resetMs: 10_000, pauseMs: null },
    { remaining: -1, resetMs: 10_000, pauseMs: null },
    { remaining: null, resetMs: 10_000, pauseMs: null },
  ])('remaining $remaining, reset in $resetMs ms: pause $pauseMs ms', ({ remaining, resetMs, pauseMs }) => {
    expect(pauseAtZeroMs(hints({ remaining, resetMs }))).toBe(pauseMs)
  })

  it('prefer Retry-After to the reset', () => {
    expect(statedWaitMs(hints({ retryAfterMs: 5, resetMs: 9 }))).toBe(5)
    expect(statedWaitMs(hints({ resetMs: 9 }))).toBe(9)
    expect(statedWaitMs(hints({}))).toBeNull()
  })
})
