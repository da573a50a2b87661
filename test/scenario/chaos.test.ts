// Every kind of fault that a chaos run can have within a minute, dealt to ten runs, as a regression test for
// what thousands of runs have shown. chaos.long.test.ts has the seeds; `npm run chaos` runs more, including
// faults that need root. Uses the built program if it is up to date, because it starts faster. Each run can
// be repeated by its seed.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { atOnce } from '../chaos/at-once.ts'
import { dealtKinds, HANDS } from '../chaos/kinds.ts'
import { isBuiltFresh } from '../chaos/process.ts'
import { chaosRun, failed, reasonOf } from '../chaos/run.ts'

/** The runs mostly wait: each takes 2 s of CPU in 8 s, or in 70 s if it waits for the limit per minute. */
const AT_ONCE = Math.min(HANDS, 2 + 4 * availableParallelism())

it('nothing is lost or stored twice, bytes are right, the audit adds up, and the key doesn’t leak', {
  timeout: 1_800_000,
}, async () => {
  const hands = Array.from({ length: HANDS }, (_, n) => n + 1)
  const program = isBuiltFresh() ? 'built' : 'source'
  const bad: string[] = []
  let done = 0
  await atOnce(AT_ONCE, hands, async (hand) => {
    const report = await chaosRun(hand, { program, only: dealtKinds(hand) })
    done++
    if (failed(report)) bad.push(reasonOf(report))
  })
  expect(bad).toEqual([])
  expect(done).toBe(HANDS)
})
