// When uploads may start although `/stats` doesn't answer: after one attempt, however long each attempt
// takes.

import { expect, it } from 'vitest'
import { PlanProof, type PlanProofOptions } from '../../../../src-main/engine/queue/plan-proof.ts'
import { StatsRefresh } from '../../../../src-main/engine/remote/stats-refresh.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'

const START = 20_000 * 86_400_000

/**
 * A `/stats` whose every attempt ends without an answer after 30 seconds. `readAt`: when this process has
 * read it before.
 */
function hanging(readAt: number | null) {
  const clock = createFakeClock(START)
  let attempts = 0
  const stats = new StatsRefresh({
    clock,
    calls: {
      tenure: () => new AbortController().signal,
      run: async () => {
        attempts++
        await new Promise<void>((resolve) => void clock.after(30_000, resolve))
        return { ok: false, failure: { kind: 'blocked' } }
      },
    },
    account: { blocks: () => 0 },
    identity: { explain: () => ({ code: 'no-connection', title: '', hint: null }), on: () => undefined },
    bus: quietBus(),
    stop: new AbortController().signal,
  } as unknown as ConstructorParameters<typeof StatsRefresh>[0])
  if (readAt !== null) Object.assign(stats, { isRead: () => true })
  const proof = new PlanProof({
    clock,
    stats,
    transfers: { due: () => [{}] },
    account: { stats: () => (readAt === null ? null : { at: readAt }), isBlocked: () => false },
    folders: { sendingIds: () => [] },
  } as unknown as PlanProofOptions)
  return { clock, proof, attempts: () => attempts }
}

it.each([
  ['at the first start', null],
  ['after a day without a read', START - 90_000_000],
])('%s, uploads start after one attempt', async (_name, readAt) => {
  const { clock, proof, attempts } = hanging(readAt)
  expect(proof.prove(false)).toBe(false)
  await clock.advance(29_000)
  expect([proof.prove(false), attempts()]).toEqual([false, 1])
  await clock.advance(2000)
  expect([proof.prove(false), attempts()]).toEqual([true, 1])
})

it('uploads do not wait for further attempts', async () => {
  const { clock, proof, attempts } = hanging(null)
  proof.prove(false)
  await clock.advance(31_000)
  await clock.advance(20_000)
  expect([proof.prove(false), attempts()]).toEqual([true, 2])
  await clock.advance(10_000)
  expect([proof.prove(false), attempts()]).toEqual([true, 2])
})
