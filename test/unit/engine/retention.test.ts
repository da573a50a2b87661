// When the journal forgets what is old: a part a minute, once a day, and only while the clocks can be
// trusted.
import { expect, it } from 'vitest'
import type { OldKind, OldRows, Position } from '../../../src-main/engine/journal/old-rows.ts'
import { Retention } from '../../../src-main/engine/journal/old-rows.ts'
import { createFakeClock } from '../../world/fake-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

function setUp({
  parts = {},
  statsAgo = 0,
}: {
  readonly parts?: Partial<Record<OldKind, number>>
  readonly statsAgo?: number | null
} = {}) {
  const clock = createFakeClock()
  const start = clock.now()
  const calls: { readonly kind: OldKind; readonly before: number; readonly from: Position }[] = []
  const left = { ...parts }
  const oldRows: OldRows = {
    drop: (kind, before, from) => {
      calls.push({ kind, before, from })
      const more = (left[kind] ?? 1) - 1
      left[kind] = more
      return more > 0 ? { at: calls.length, id: more } : null
    },
  }
  const stats = { plan: null, stats: {}, limits: {} }
  const retention = new Retention(
    clock,
    { oldRows, soon: (work) => work() },
    { stats: () => (statsAgo === null ? null : { at: clock.now() - statsAgo, stats }) },
  )
  const pass = async (ms: number): Promise<void> => {
    for (let n = 0; n < ms / MINUTE_MS; n++) {
      await clock.advance(MINUTE_MS)
      retention.tick()
    }
  }
  return { clock, start, calls, pass, kinds: () => calls.map(({ kind }) => kind) }
}

it('begins an hour after the start, takes a part a minute, and begins again a day later', async () => {
  const { clock, calls, pass, kinds } = setUp({ parts: { replaced: 3 } })
  await pass(59 * MINUTE_MS)
  expect(calls).toEqual([])
  await pass(2 * MINUTE_MS)
  expect(kinds()).toEqual(['replaced', 'replaced'])
  expect(calls[1]?.from).toEqual({ at: 1, id: 2 })
  await pass(5 * MINUTE_MS)
  expect(kinds()).toEqual(['replaced', 'replaced', 'replaced', 'vanished', 'remote', 'id'])
  expect(calls.at(-1)?.before).toBeLessThanOrEqual(clock.now() - 30 * DAY_MS)
  await pass(22 * HOUR_MS)
  expect(calls).toHaveLength(6)
  await pass(2 * HOUR_MS)
  expect(kinds().slice(6)).toEqual(['replaced', 'vanished', 'remote', 'id'])
})

it('waits for an hour after the wall clock was set, in either direction', async () => {
  for (const jump of [40 * DAY_MS, -40 * DAY_MS]) {
    const { clock, calls, pass } = setUp()
    await pass(59 * MINUTE_MS)
    clock.jumpWall(jump)
    await pass(59 * MINUTE_MS)
    expect(calls).toEqual([])
    await pass(5 * MINUTE_MS)
    expect(calls).toHaveLength(4)
  }
})

it('forgets nothing that happened after /stats was last read, and nothing if it never was', async () => {
  const never = setUp({ statsAgo: null })
  await never.pass(3 * HOUR_MS)
  expect(never.calls).toEqual([])
  const longAgo = setUp({ statsAgo: 45 * DAY_MS })
  await longAgo.pass(2 * HOUR_MS)
  expect(longAgo.calls[0]?.before).toBeLessThan(longAgo.clock.now() - 44 * DAY_MS)
})
