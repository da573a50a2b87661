// A batch of chaos runs: how many run at once and in which order, which kinds a list names, and the command
// that repeats a failed run. Nothing is run.
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../chaos/at-once.ts'
import { BIG, isBig, isLong, kindsIn, longestFirst } from '../../chaos/kinds.ts'
import { type RunReport, reasonOf } from '../../chaos/run.ts'

const SEEDS = Array.from({ length: 520 }, (_, n) => n + 1)

describe('a batch', () => {
  it.each([1, 2, 7])('of short and long runs has %d at once in all, and runs each once', async (jobs) => {
    let [now, most] = [0, 0]
    const ran: number[] = []
    await atOnce(jobs, longestFirst(SEEDS), async (seed) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      ran.push(seed)
      now--
    })
    expect(most).toBe(jobs)
    expect(ran.toSorted((a, b) => a - b)).toEqual(SEEDS)
  })

  it('begins with the big file, then has the long runs, then the others in their order', () => {
    const order = longestFirst(SEEDS)
    expect(order.slice(0, 3)).toEqual([500, 25, 50])
    expect(order.findLastIndex(isLong)).toBe(SEEDS.filter((seed) => isLong(seed) || isBig(seed)).length - 1)
    expect(order.slice(20, 24)).toEqual([1, 2, 3, 4])
  })

  it('fails with the error of a run', async () => {
    await expect(
      atOnce(2, SEEDS, async (seed) => (seed === 3 ? Promise.reject(new Error('no room')) : undefined)),
    ).rejects.toThrow('no room')
  })
})

describe('a list of kinds', () => {
  it('has names with commas in them', () => {
    expect(kindsIn('503')).toEqual(['503'])
    expect(kindsIn(`stored late, cut,no answer, ever,disk full (journal and log),${BIG}`)).toEqual([
      'stored late, cut',
      'no answer, ever',
      'disk full (journal and log)',
      BIG,
    ])
  })
  it.each(['', '504', 'stored late', 'stored late,cut', '503, 502'])('that is %j names none', (list) => {
    expect(() => kindsIn(list)).toThrow('no kind is named')
  })
})

describe('the reason of a failed run', () => {
  const report: RunReport = {
    seed: 7,
    only: [],
    struck: { '503': 2 },
    notRun: [],
    files: 1,
    starts: 1,
    kills: 0,
    lost: ['a.txt'],
    twice: [],
    wrong: [],
    audit: null,
    leaks: [],
    runaway: [],
    ends: [],
    recoverMs: 0,
    tookMs: 0,
    home: '/tmp/run',
  }
  const again = (failed: RunReport): string => reasonOf(failed).split('again: ')[1] ?? ''

  it('says what was found, and ends with the command that repeats it', () => {
    expect(reasonOf(report)).toBe(
      'seed 7 (503): lost: a.txt (1); kept in /tmp/run\n  again: npm run chaos -- --runs 1 --seed 7',
    )
  })

  it('gives the kinds that were given, as the command reads them', () => {
    const only = ['stored late, cut', '503']
    const [, kinds] =
      /^npm run chaos -- --runs 1 --seed 7 --kinds '([^']*)'$/.exec(again({ ...report, only })) ?? []
    expect(kindsIn(kinds ?? '')).toEqual(only)
  })
})
