// The gestures that users make with files and commands, dealt to thirteen runs that combine them with faults
// of the service: four of the runs in `npm test`, all of them in `npm run test:long`. Every promise is
// checked against the service and the disk. gestures.long.test.ts has the seeds; `npm run chaos --
// --gestures` runs more. Uses the built program if it is up to date, because it starts faster.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { atOnce } from '../chaos/at-once.ts'
import { gestureRun, reasonOfGestures } from '../chaos/gesture-run.ts'
import { HANDS } from '../chaos/gestures.ts'
import { isBuiltFresh } from '../chaos/process.ts'
import { share } from '../tools/share.ts'

const RUNS = share(4, HANDS)

/** A run takes 5 s of CPU, mostly for starts of the command line, and waits for longer than that. */
const AT_ONCE = Math.min(RUNS, 3 * availableParallelism())
/**
 * All thirteen take a minute and a half on two cores. Processes start several times more slowly under Wine
 * and on slow machines.
 */
const MOST_MS = 1_800_000

it('nothing is lost, doubled or published against a rule, no link breaks, and every statement is true', {
  timeout: MOST_MS,
}, async () => {
  const hands = Array.from({ length: RUNS }, (_, n) => n + 1)
  const program = isBuiltFresh() ? 'built' : 'source'
  const bad: string[] = []
  let done = 0
  await atOnce(AT_ONCE, hands, async (hand) => {
    const report = await gestureRun(hand, { program, isDealt: true })
    done++
    if (report.findings.length > 0) bad.push(reasonOfGestures(report))
  })
  expect(bad).toEqual([])
  expect(done).toBe(RUNS)
})
