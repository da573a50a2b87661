// When a check that found nothing proves that a file isn't on the service: through witnesses, IDs, counts,
// the learned lag of the list, or never. Scenario tests cover the cost of checks, and the rows that they are
// made for.
import { describe, expect, it } from 'vitest'
import {
  type AbsenceEvidence,
  idsToAsk,
  judgeAbsence,
  judgeMissing,
  type ListLag,
  learnDelay,
  learnLag,
  type Missing,
  NO_LAG,
} from '../../../../src-main/engine/presence/evidence.ts'

const nothing: AbsenceEvidence = {
  loss: 'cut',
  sinceMs: 6000,
  witnesses: { shown: 0, missing: 0, withinMs: 500 },
  ids: 'unknown',
  singleWithinMs: null,
  counts: 'unknown',
  lag: NO_LAG,
  delayMs: 0,
}
const prompt: ListLag = { inTime: 3, lateMs: 0 }
const missing = { shown: 0, missing: 1, withinMs: 500 }
const unseen = { shown: 0, missing: 0, withinMs: null }
const seen = { shown: 1, missing: 0, withinMs: 500 }

describe('judgeAbsence', () => {
  it.each<readonly [string, Partial<AbsenceEvidence>, string]>([
    ['too early for any proof', { sinceMs: 1000, witnesses: seen, ids: 'empty' }, 'later'],
    ['a later upload is in the list', { witnesses: seen }, 'witness'],
    [
      'a later upload is in a list that first showed it after 6 s',
      { witnesses: { ...seen, withinMs: 6000 }, sinceMs: 10_000 },
      'later',
    ],
    ['the same, later', { witnesses: { ...seen, withinMs: 6000 }, sinceMs: 11_000 }, 'witness'],
    [
      'the service counts what it lists, which may be a stale copy',
      { counts: 'agree', witnesses: unseen, sinceMs: 14_000 },
      'later',
    ],
    ['the same, later', { counts: 'agree', witnesses: unseen, sinceMs: 15_000 }, 'counts'],
    [
      'ids asked for in vain, where single files were shown within a second',
      { ids: 'empty', singleWithinMs: 1000 },
      'ids',
    ],
    [
      'ids asked for in vain, where single files were shown after ten seconds',
      { ids: 'empty', singleWithinMs: 10_000 },
      'later',
    ],
    ['ids asked for in vain, where no young file was shown', { ids: 'empty' }, 'later'],
    [
      'ids asked for in vain, after two minutes',
      { ids: 'empty', sinceMs: 126_000, loss: 'gateway', delayMs: 4000 },
      'later',
    ],
    ['the service counts what it lists', { counts: 'agree' }, 'counts'],
    ['the service counts what it lists, too early', { counts: 'agree', sinceMs: 4000 }, 'later'],
    [
      'the service counts what it lists, on a list that was 20 s late',
      { counts: 'agree', lag: { inTime: 0, lateMs: 20_000 } },
      'later',
    ],
    ['the same, later', { counts: 'agree', lag: { inTime: 0, lateMs: 20_000 }, sinceMs: 31_000 }, 'counts'],
    [
      'the service counts what it lists, which lacks an own upload',
      { counts: 'agree', witnesses: missing },
      'later',
    ],
    [
      'a prompt list that shows fewer than are counted',
      { counts: 'differ', lag: prompt, sinceMs: 15_000 },
      'later',
    ],
    ['nothing known', {}, 'later'],
    ['nothing known for a minute', { sinceMs: 60_000 }, 'later'],
    ['nothing known for two minutes', { sinceMs: 120_000 }, 'unproved'],
    [
      'a receipt of another file, two minutes ago',
      { loss: 'receipt', ids: 'empty', sinceMs: 120_000 },
      'unproved',
    ],
    ['not the whole body was sent', { loss: 'partly', sinceMs: 1000 }, 'partly'],
    ['not the whole body was sent, just now', { loss: 'partly', sinceMs: 10 }, 'later'],
    ['a gateway gave up, with a witness', { loss: 'gateway', witnesses: seen }, 'later'],
    [
      'a gateway gave up a while ago, with a witness',
      { loss: 'gateway', witnesses: seen, sinceMs: 15_500 },
      'witness',
    ],
    ['a gateway gave up, nothing known for two minutes', { loss: 'gateway', sinceMs: 120_000 }, 'later'],
    ['a gateway gave up, nothing known for ten minutes', { loss: 'gateway', sinceMs: 600_000 }, 'unproved'],
    ['one witness shown, another missing', { witnesses: { shown: 1, missing: 1, withinMs: 500 } }, 'later'],
    ['a list that was always prompt', { lag: prompt, sinceMs: 15_000 }, 'lag'],
    ['a list that was always prompt, too early', { lag: prompt, sinceMs: 14_000 }, 'later'],
    ['a prompt list that lacks an own upload', { lag: prompt, sinceMs: 15_000, witnesses: missing }, 'later'],
    [
      'a list that was 20 s late, with a witness',
      { lag: { inTime: 0, lateMs: 20_000 }, witnesses: seen, sinceMs: 20_000 },
      'later',
    ],
    ['the same, later', { lag: { inTime: 0, lateMs: 20_000 }, witnesses: seen, sinceMs: 31_000 }, 'witness'],
    ['a list that was 20 s late, without', { lag: { inTime: 0, lateMs: 20_000 }, sinceMs: 65_000 }, 'lag'],
    ['a list that was 5 ms late, without', { lag: { inTime: 0, lateMs: 5 }, sinceMs: 14_999 }, 'later'],
    ['the same, as late as a prompt list would', { lag: { inTime: 0, lateMs: 5 }, sinceMs: 15_000 }, 'lag'],
    [
      'a service that stored 40 s late, with a witness',
      { delayMs: 40_000, witnesses: seen, sinceMs: 50_000 },
      'later',
    ],
    ['the same, later', { delayMs: 40_000, witnesses: seen, sinceMs: 60_500 }, 'witness'],
    ['ids, where a service stored 40 s late', { delayMs: 40_000, ids: 'empty', sinceMs: 50_000 }, 'later'],
    [
      'a service that stored minutes late, and nothing else known',
      { delayMs: 100_000, sinceMs: 200_000 },
      'later',
    ],
  ])('%s: %s', (_name, evidence, expected) => {
    const got = judgeAbsence({ ...nothing, ...evidence })
    expect(got.kind === 'proved' ? got.by : got.kind).toBe(expected)
  })

  it('looks again soon at first, then ever later, and at the very moment when the wait ends', () => {
    const looks: number[] = []
    for (let at = 1000; ; ) {
      const got = judgeAbsence({ ...nothing, sinceMs: at })
      if (got.kind !== 'later') break
      looks.push(got.ms)
      at += got.ms
    }
    expect(looks).toEqual([4000, 5000, 10_000, 20_000, 40_000, 40_000])
  })
})

describe('judgeAbsence of a list that shows a later upload', () => {
  it('plans the next lookup for the moment from which the list proves absence', () => {
    const witnesses = { ...seen, withinMs: 6000 }
    expect(judgeAbsence({ ...nothing, witnesses, sinceMs: 8000 })).toEqual({ kind: 'later', ms: 3000 })
  })
})

describe('learnLag', () => {
  it.each<readonly [string, ListLag, readonly number[], readonly number[], ListLag]>([
    ['shown at once', NO_LAG, [200, 3000], [], { inTime: 2, lateMs: 0 }],
    ['shown when it was old already', NO_LAG, [30_000], [], NO_LAG],
    ['was missing', { inTime: 7, lateMs: 0 }, [200], [14_000], { inTime: 0, lateMs: 14_000 }],
    [
      'was missing for less than before',
      { inTime: 7, lateMs: 20_000 },
      [],
      [14_000],
      { inTime: 0, lateMs: 20_000 },
    ],
    ['was missing for longer than any list is late', NO_LAG, [], [9_000_000], { inTime: 0, lateMs: 600_000 }],
    ['in time for long', { inTime: 31, lateMs: 20_000 }, [500], [], { inTime: 0, lateMs: 10_000 }],
    ['in time for long, by less than a second', { inTime: 31, lateMs: 900 }, [500], [], NO_LAG],
  ])('%s', (_name, lag, shown, late, expected) => {
    expect(learnLag(lag, shown, late)).toEqual(expected)
  })

  it('is the same object where there is nothing to write', () => {
    const lag = { inTime: 32, lateMs: 0 }
    expect(learnLag(lag, [100], [])).toBe(lag)
    expect(learnLag(NO_LAG, [], [])).toBe(NO_LAG)
  })

  it('keeps the longest delay, up to ten minutes', () => {
    expect([learnDelay(0, 8000), learnDelay(9000, 8000), learnDelay(0, 9_000_000)]).toEqual([
      8000, 9000, 600_000,
    ])
  })
})

describe('idsToAsk', () => {
  const ids = (...list: number[]): ReadonlySet<number> => new Set(list)
  it.each<readonly [string, ReadonlySet<number>, number | null, number, readonly number[] | null]>([
    ['the next one', ids(1, 2, 3, 4), 4, 0, [5]],
    ['as many as are under way', ids(1, 2, 3, 4), 4, 2, [5, 6, 7]],
    ['holes since', ids(1, 2, 3, 4, 6, 8), 4, 0, [5, 7, 9]],
    ['holes from before are none', ids(1, 3, 4, 6, 7), 7, 0, [8]],
    ['ids in no order', ids(5, 1000, 70_000, 9_000_000), 5, 0, null],
    ['too few to know', ids(1, 2, 3), 3, 0, null],
    ['nothing sent before', ids(1, 2, 3, 4), null, 0, null],
    ['too many', ids(1, 2, 3, 4), 4, 20, null],
    ['at the end of what a number holds', ids(1, 2, 3, 4, Number.MAX_SAFE_INTEGER), 4, 0, null],
  ])('%s', (_name, known, above, underWay, expected) => {
    expect(idsToAsk(known, above, underWay)).toEqual(expected)
  })
})

describe('judgeMissing', () => {
  const MINUTE = 60_000
  const notFound: Missing = { ageMs: 10 * MINUTE, link: 'unread', others: 'lacks', wasDeleted: false }
  it.each<readonly [string, Partial<Missing>, string]>([
    ['its link lives', { link: 'lives' }, 'yes'],
    ['its link lives, and deletion was sent', { link: 'lives', wasDeleted: true }, 'yes'],
    [
      'the list has it, though a gateway answers 404 for files and links',
      { link: 'dead', others: 'shows' },
      'yes',
    ],
    ['a gateway answers 404 for everything but /stats', { link: 'dead', others: 'none' }, 'unknown'],
    [
      'everything is answered 404 after deletion was sent',
      { link: 'dead', others: 'none', wasDeleted: true },
      'unknown',
    ],
    ['deletion was sent, and another file is shown', { wasDeleted: true, ageMs: 1000 }, 'no'],
    ['it is seconds old, though its link is dead', { ageMs: 5000, link: 'dead' }, 'unknown'],
    ['it is a minute old, and another file is shown', { ageMs: MINUTE }, 'unknown'],
    ['it is a minute old, and its link is dead', { ageMs: MINUTE, link: 'dead' }, 'no'],
    ['it is old, and its link is dead', { link: 'dead' }, 'no'],
    ['it is old, and another file is shown', {}, 'no'],
    ['its age is not known, and another file is shown', { ageMs: null }, 'no'],
  ])('%s', (_name, evidence, verdict) => {
    expect(judgeMissing({ ...notFound, ...evidence })).toBe(verdict)
  })
})
