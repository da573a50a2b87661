// Two hundred chaos runs, each with a few faults drawn from its seed, and a folder whose watch is killed a
// hundred times, for `npm run test:long`. chaos.test.ts has each kind of fault once.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { atOnce } from '../chaos/at-once.ts'
import { manyKills } from '../chaos/kills.ts'
import { longestFirst } from '../chaos/kinds.ts'
import { chaosRun, failed, reasonOf } from '../chaos/run.ts'

const RUNS = 200
const KILLS = 100
/**
 * The runs mostly wait: each takes 2 s of CPU in 8 s, or minutes with a kind that waits, and has a process of
 * about 100 MB.
 */
const AT_ONCE = Math.min(12, 2 + 4 * availableParallelism())
/** Ten minutes on two cores. Processes start several times more slowly under Wine and on slow machines. */
const MOST_MS = 7_200_000

it('nothing is lost or stored twice, bytes are right, the audit adds up, and the key doesn’t leak', {
  timeout: MOST_MS,
}, async () => {
  const seeds = Array.from({ length: RUNS }, (_, n) => n + 1)
  const bad: string[] = []
  let done = 0
  await atOnce(AT_ONCE, longestFirst(seeds), async (seed) => {
    const report = await chaosRun(seed, { program: 'built' })
    done++
    if (failed(report)) bad.push(reasonOf(report))
  })
  expect(bad).toEqual([])
  expect(done).toBe(RUNS)
})

it('a hundred kills at random moments lose nothing and send nothing twice', {
  timeout: MOST_MS,
}, async () => {
  const { kills, files, lost, twice, wrong, audit } = await manyKills(1, KILLS)
  expect({ kills, lost, twice, wrong, audit }).toEqual({
    kills: KILLS,
    lost: 0,
    twice: 0,
    wrong: 0,
    audit: null,
  })
  expect(files).toBeGreaterThan(KILLS)
})
