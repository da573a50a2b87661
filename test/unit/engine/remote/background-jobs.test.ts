// The decisions of BackgroundJobs: what is next, when to check again, and how many requests that takes over
// days, with a small account and a long list, and with services that provide much or little information.
import { describe, expect, it } from 'vitest'
import {
  type Allowance,
  type BackgroundJob,
  FILL_SHARE,
  isSpare,
  type JobFacts,
  LIST_EVERY_MS,
  type ListWays,
  LOOK_EVERY_MS,
  nextJob,
  refill,
  SAMPLE_SHARE,
  STATS_EVERY_MS,
  STATS_RETRY_MS,
} from '../../../../src-main/engine/remote/background-jobs.ts'
import { createBackgroundRunner } from '../../../../src-main/engine/remote/background-runner.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const MINUTE = 60_000
const DAY = 86_400_000
const FULL: Allowance = { at: NOW, sample: 20, fill: 5 }
const SHORT: ListWays = { pages: 1, perPage: 100, order: 'descending', counts: true }
const LONG: ListWays = { pages: 40, perPage: 500, order: 'descending', counts: true }

function facts(over: Partial<JobFacts> = {}): JobFacts {
  return {
    now: NOW,
    idle: true,
    minute: { limit: 50, used: 0 },
    day: { limit: 5000, used: 100 },
    statsAt: NOW,
    statsFailedAt: null,
    listAt: NOW,
    listFailed: null,
    ways: SHORT,
    lookAt: NOW,
    recent: 0,
    unopened: 0,
    lookFor: null,
    incomplete: null,
    allowance: FULL,
    ...over,
  }
}

const rest = (ms: number): BackgroundJob => ({ kind: 'rest', until: NOW + ms })

describe('spare', () => {
  it.each<[string, Partial<JobFacts>, boolean]>([
    ['nothing to do and a whole budget', {}, true],
    ['somebody works', { idle: false }, false],
    ['the day is nearly used', { day: { limit: 5000, used: 4500 } }, false],
    ['half of the minute is used', { minute: { limit: 50, used: 25 } }, false],
    ['less than half of the minute', { minute: { limit: 50, used: 24 } }, true],
    ['a minute of one', { minute: { limit: 1, used: 0 } }, true],
    ['a minute of one, used', { minute: { limit: 1, used: 1 } }, false],
    ['no day at all', { day: { limit: 0, used: 0 } }, false],
  ])('%s', (_name, over, spare) => {
    expect(isSpare(facts(over))).toBe(spare)
    if (!spare) expect(nextJob(facts({ ...over, listAt: null, incomplete: 1 }))).toEqual(rest(MINUTE))
  })
})

describe('next', () => {
  const hour = NOW - 60 * MINUTE
  it.each<[string, Partial<JobFacts>, BackgroundJob]>([
    ['nothing: a rest', {}, rest(10 * MINUTE)],
    ['no list yet', { listAt: null, ways: null }, { kind: 'list' }],
    [
      'no list yet, and nothing saved',
      { listAt: null, ways: null, allowance: { at: NOW, sample: 0, fill: 0 } },
      { kind: 'list' },
    ],
    [
      'no list yet, and it could not be read for the third time',
      { listAt: null, ways: null, listFailed: { at: NOW - MINUTE, times: 3 } },
      rest(3 * MINUTE),
    ],
    [
      'no list yet, a while after it could not be read',
      { listAt: null, listFailed: { at: NOW - 15 * MINUTE, times: 9 } },
      { kind: 'list' },
    ],
    [
      'no list yet, and a failure of the future',
      { listAt: null, listFailed: { at: NOW + DAY, times: 9 } },
      { kind: 'list' },
    ],
    ['an old list', { listAt: NOW - LIST_EVERY_MS }, { kind: 'list' }],
    ['a list that is not old yet', { listAt: NOW - LIST_EVERY_MS + 5000 }, rest(5000)],
    ['an old list of which nobody knows the ways', { listAt: hour, ways: null }, { kind: 'list' }],
    ['a list of the future: the clock was set back', { listAt: NOW + DAY }, { kind: 'list' }],
    ['an old long list that is not saved for', { listAt: hour, ways: LONG }, rest(10 * MINUTE)],
    [
      'an old long list, saved for',
      { listAt: hour, ways: LONG, allowance: { at: NOW, sample: 40, fill: 0 } },
      { kind: 'list' },
    ],
    ['old figures', { statsAt: NOW - STATS_EVERY_MS }, { kind: 'stats' }],
    [
      'old figures that could not be read',
      { statsAt: NOW - DAY, statsFailedAt: NOW - STATS_RETRY_MS + 5000 },
      rest(5000),
    ],
    [
      'old figures, some time after a failure',
      { statsAt: NOW - DAY, statsFailedAt: NOW - STATS_RETRY_MS },
      { kind: 'stats' },
    ],
    ['no figures: somebody else sees to that', { statsAt: null }, rest(10 * MINUTE)],
    ['new files on one page', { recent: 3, unopened: 3, lookAt: NOW - LOOK_EVERY_MS }, { kind: 'list' }],
    ['new files, just looked at', { recent: 3, unopened: 3, lookAt: NOW - LOOK_EVERY_MS + 2000 }, rest(2000)],
    ['new files in a long list', { recent: 3, unopened: 1, lookAt: hour, ways: LONG }, { kind: 'newest' }],
    [
      'new files, all downloaded already',
      { recent: 3, unopened: 0, lookAt: hour, ways: LONG },
      rest(10 * MINUTE),
    ],
    [
      'oldest first',
      { recent: 3, unopened: 1, lookAt: hour, ways: { ...LONG, order: 'ascending' } },
      { kind: 'newest' },
    ],
    [
      'too many new files for what is saved',
      { recent: 30_000, unopened: 1, lookAt: hour, ways: { ...LONG, pages: 400 } },
      rest(10 * MINUTE),
    ],
    [
      'a list by name: one by one',
      { recent: 3, unopened: 2, lookFor: 7, lookAt: NOW - LOOK_EVERY_MS, ways: { ...LONG, order: 'mixed' } },
      { kind: 'look', fileId: 7 },
    ],
    [
      'a list without counts: one by one, not all in a row',
      { recent: 3, unopened: 2, lookFor: 7, lookAt: NOW - 6 * MINUTE, ways: { ...SHORT, counts: false } },
      rest(Math.ceil(86_400_000 / (5000 * SAMPLE_SHARE * 0.8)) - 6 * MINUTE),
    ],
    [
      'a service that never tells',
      { recent: 3, unopened: 2, lookFor: null, lookAt: hour, ways: { ...SHORT, counts: false } },
      rest(10 * MINUTE),
    ],
    ['a hole', { incomplete: 9 }, { kind: 'fill', fileId: 9 }],
    [
      'a hole, but nothing saved',
      { incomplete: 9, allowance: { at: NOW, sample: 9, fill: 0.5 } },
      rest(432_000),
    ],
    ['the list before a hole', { incomplete: 9, listAt: hour }, { kind: 'list' }],
  ])('%s', (_name, over, wanted) => {
    expect(nextJob(facts(over))).toEqual(wanted)
  })
})

it('the runner goes on after the journal could not be read for once', async () => {
  const clock = createFakeClock()
  let reads = 0
  const done: string[] = []
  const remote = {
    facts: { get: () => null, set: () => undefined },
    incomplete: () => null,
    recent: () => {
      reads++
      if (reads === 1) throw new Error('disk I/O error')
      return { files: 0, unopened: 0 }
    },
  }
  const log = {
    info: (what: string) => void done.push(what),
    warn: () => undefined,
    error: (what: string) => void done.push(what),
  }
  const runner = createBackgroundRunner({
    clock,
    log,
    journal: { db: { soon: async (work: () => void) => work() }, remote },
    catalog: { ways: () => null, asOf: () => null, refresh: async () => ({ ok: true, value: 0 }) },
    stop: new AbortController().signal,
    idle: () => true,
    budget: { view: () => ({ minute: { limit: 50, used: 0 }, day: { limit: 5000, used: 0 } }) },
    account: { stats: () => null },
    stats: { refresh: async () => null },
    limits: { zone: () => null },
    identity: { on: () => undefined },
  } as unknown as Parameters<typeof createBackgroundRunner>[0])
  runner.start()
  await clock.advance(2 * MINUTE)
  runner.close()
  expect(done.slice(0, 2)).toEqual(['background.defect', 'background.job'])
})

describe('what may be spent', () => {
  it.each<[string, Allowance, number, number, Partial<Allowance>]>([
    ['grows with time', { at: NOW - DAY / 250, sample: 0, fill: 0 }, 5000, 1, { sample: 1 }],
    [
      'for two hours at most',
      { at: NOW - DAY, sample: 0, fill: 0 },
      5000,
      1,
      { sample: (5000 * SAMPLE_SHARE) / 12, fill: (5000 * FILL_SHARE) / 12 },
    ],
    ['or until a long list can be read', { at: NOW - DAY, sample: 0, fill: 0 }, 5000, 200, { sample: 200 }],
    [
      'one at least, however small the plan',
      { at: NOW - DAY, sample: 0.5, fill: 0.5 },
      20,
      1,
      { sample: 1, fill: 0.9 },
    ],
    [
      'not by a clock that was set back',
      { at: NOW + DAY, sample: 3, fill: 2 },
      5000,
      1,
      { sample: 3, fill: 2 },
    ],
  ])('%s', (_name, saved, dayLimit, pages, wanted) => {
    const got = refill(saved, NOW, dayLimit, pages)
    expect(got.at).toBe(NOW)
    for (const [name, value] of Object.entries(wanted))
      expect(got[name as 'sample' | 'fill']).toBeCloseTo(value, 6)
  })
})

/** Days with nothing but background jobs, and one new file an hour without downloads. */
function live(days: number, dayLimit: number, ways: ListWays, incomplete: number) {
  let now = NOW
  let allowance: Allowance = { at: now, sample: 1, fill: 1 }
  let listAt: number | null = null
  let lookAt: number | null = null
  let holes = incomplete
  const cost = { sample: 0, fill: 0, lists: 0 }
  let longest = 0
  while (now < NOW + days * DAY) {
    allowance = refill(allowance, now, dayLimit, ways.pages)
    const job = nextJob(
      facts({
        now,
        day: { limit: dayLimit, used: 0 },
        minute: { limit: dayLimit / 100, used: 0 },
        statsAt: now,
        listAt,
        ways,
        lookAt: Math.max(lookAt ?? 0, listAt ?? 0) || null,
        recent: 24,
        unopened: 24,
        lookFor: 1,
        incomplete: holes > 0 ? 1 : null,
        allowance,
      }),
    )
    if (job.kind === 'rest') {
      expect(job.until).toBeGreaterThan(now)
      now = job.until
      continue
    }
    if (job.kind === 'fill') {
      holes--
      cost.fill++
      allowance = { ...allowance, fill: allowance.fill - 1 }
    } else {
      if (lookAt !== null) longest = Math.max(longest, now - lookAt)
      lookAt = now
      const requests =
        job.kind === 'list' ? ways.pages : job.kind === 'newest' && ways.order === 'ascending' ? 2 : 1
      if (job.kind === 'list') cost.lists++
      if (job.kind === 'list' && listAt !== null) cost.sample += requests
      if (job.kind !== 'list' || listAt !== null)
        allowance = { ...allowance, sample: allowance.sample - requests }
      if (job.kind === 'list') listAt = now
    }
    now += 1000
  }
  return { ...cost, longest }
}

describe('a week', () => {
  it.each<[string, number, ListWays, boolean]>([
    ['Pro, one page', 5000, SHORT, true],
    ['Pro, a long list', 5000, LONG, true],
    ['Business, a long list', 10_000, LONG, true],
    [
      'Enterprise, a very long list, oldest first',
      100_000,
      { ...LONG, pages: 200, order: 'ascending' },
      true,
    ],
    ['Pro, a list by name', 5000, { ...LONG, order: 'mixed' }, true],
    ['Pro, no counts in the list', 5000, { ...LONG, counts: false }, true],
    ['a tiny plan', 200, LONG, false],
  ])('%s: within its share, and looked at every ten minutes', (_name, dayLimit, ways, quick) => {
    const days = 7
    const { sample, fill, lists, longest } = live(days, dayLimit, ways, 100_000)
    // Requests saved before the week may be used in it.
    expect(sample).toBeLessThanOrEqual(
      days * dayLimit * SAMPLE_SHARE + ways.pages + (dayLimit * SAMPLE_SHARE) / 12,
    )
    expect(fill).toBeLessThanOrEqual(days * dayLimit * FILL_SHARE + 1 + (dayLimit * FILL_SHARE) / 12)
    expect(fill).toBeGreaterThan(days * dayLimit * FILL_SHARE * 0.9)
    expect(lists).toBeGreaterThan(0)
    expect(lists).toBeLessThanOrEqual(days * 24 * 7)
    if (quick) {
      expect(longest).toBeLessThanOrEqual(10.5 * MINUTE)
      expect(lists).toBeGreaterThanOrEqual(days)
    }
  })
})
