// Table-driven tests of what a `Date` header reveals about the service's clock and about a gap in time.
// server-clock.test.ts tests the timeline that is adjusted by it.
import { describe, expect, it } from 'vitest'
import {
  type Anchor,
  boundsOf,
  type GapFacts,
  type GapVerdict,
  judgeGap,
  learnDate,
} from '../../../../src-main/engine/budget/server-clock.ts'

const T = 1_000_000
const HOUR = 3_600_000
const at = (lo: number, hi: number, streak: number): Anchor => ({ lo, hi, at: T, streak })

describe('boundsOf', () => {
  it('spans the flight of the request and the second that Date leaves out', () => {
    expect(boundsOf(T + 500, T - 200, T)).toEqual({ lo: 500, hi: 1_700 })
  })
  it.each([
    ['no number', Number.NaN, T - 200],
    ['an answer that took over half a minute', T, T - 30_001],
  ])('are none for %s', (_name, serverDate, sentAt) => {
    expect(boundsOf(serverDate, sentAt, T)).toBeNull()
  })
})

describe('learnDate', () => {
  const cases: readonly (readonly [string, Anchor | null, { lo: number; hi: number }, Anchor])[] = [
    ['starts with the first Date', null, { lo: 0, hi: 1_000 }, at(0, 1_000, 1)],
    ['narrows where both agree', at(0, 1_000, 1), { lo: 400, hi: 1_400 }, at(400, 1_000, 2)],
    ['widens for a second server', at(0, 1_000, 5), { lo: 2_500, hi: 3_500 }, at(0, 3_500, 5)],
    ['starts over for another clock', at(0, 1_000, 9), { lo: 9_000, hi: 10_000 }, at(9_000, 10_000, 1)],
    ['counts no further than a hundred', at(0, 1_000, 100), { lo: 0, hi: 1_000 }, at(0, 1_000, 100)],
  ]
  it.each(cases)('%s', (_name, before, seen, after) => {
    expect(learnDate(before, seen, T)).toEqual(after)
  })
  it('lets an old anchor widen by the drift of both clocks', () => {
    const old: Anchor = { lo: 0, hi: 0, at: T - 1_000_000, streak: 1 }
    expect(learnDate(old, { lo: -9_000, hi: 9_000 }, T)).toEqual(at(-500, 500, 2))
  })
})

describe('judgeGap', () => {
  const before = at(0, 1_000, 5)
  const gap = (over: Partial<GapFacts> = {}): GapFacts => ({ wallMs: HOUR, before, claimedMs: null, ...over })
  const length = (byMs: number, anchor: Anchor): GapVerdict => ({ kind: 'length', byMs, anchor })
  const cases: readonly (readonly [string, GapFacts, { lo: number; hi: number }, GapVerdict])[] = [
    [
      'believes the wall clock that agrees',
      gap(),
      { lo: HOUR, hi: HOUR + 1_000 },
      length(HOUR - 1_000, at(0, 1_000, 6)),
    ],
    [
      'takes the shorter time where the Date shows less',
      gap(),
      { lo: 600_000, hi: 601_000 },
      length(599_000, at(0, 1_000, 6)),
    ],
    ['finds no gap where the Date shows none', gap(), { lo: 0, hi: 1_000 }, length(0, at(0, 1_000, 6))],
    [
      'finds no gap where the Date went back',
      gap(),
      { lo: -HOUR, hi: 1_000 - HOUR },
      length(0, at(-HOUR, 1_000 - HOUR, 1)),
    ],
    [
      'waits for a second Date that claims more',
      gap(),
      { lo: 2 * HOUR, hi: 2 * HOUR + 1_000 },
      { kind: 'claimed', claimedMs: 2 * HOUR - 1_000 },
    ],
    [
      'believes the second one',
      gap({ claimedMs: 2 * HOUR }),
      { lo: 2 * HOUR, hi: 2 * HOUR + 1_000 },
      length(2 * HOUR - 1_000, at(0, 1_000, 5)),
    ],
    [
      'does not believe a second one that claims otherwise',
      gap({ claimedMs: 5 * HOUR }),
      { lo: 2 * HOUR, hi: 2 * HOUR + 1_000 },
      { kind: 'claimed', claimedMs: 2 * HOUR - 1_000 },
    ],
    [
      'starts over where neither clock is trusted',
      gap({ before: at(0, 1_000, 2) }),
      { lo: 600_000, hi: 601_000 },
      { kind: 'unknown', anchor: at(600_000, 601_000, 1) },
    ],
  ]
  it.each(cases)('%s', (_name, facts, seen, verdict) => {
    expect(judgeGap(facts, seen, T)).toEqual(verdict)
  })
})
