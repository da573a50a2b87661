// Comparing runs of the bench: whether the intervals keep to their confidence level, the verdict on each
// figure, the history file and the stored ratios. Measures nothing; random numbers are seeded.
import { describe, expect, it } from 'vitest'
import { compareRuns, compareWithReference, Reference, referenceOf } from '../../bench/compare.ts'
import { type HistoryLine, historyText, newestSeries, readHistory } from '../../bench/history.ts'
import { failedRow, type RowResult } from '../../bench/results.ts'
import { ratios, type Series, seriesOf } from '../../bench/series.ts'
import { ratioInterval, seededRandom } from '../../bench/statistics.ts'
import { readTree } from '../../tools/tree.ts'

/** Typical measurements: 5 % noise, and one run in seven slowed down by up to a half. */
function noisy(seed: number): (count: number, middle?: number) => readonly number[] {
  const random = seededRandom(seed)
  const one = (middle: number): number => {
    const bell = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return middle * Math.exp(0.05 * bell) * (random() < 1 / 7 ? 1 + random() / 2 : 1)
  }
  return (count, middle = 1) => Array.from({ length: count }, () => one(middle))
}

const share = (times: number, is: (seed: number) => boolean): number =>
  Array.from({ length: times }, (_, seed) => is(seed + 1)).filter((one) => one).length / times

describe('ratioInterval', () => {
  it.each([5, 10])('raises no more false alarms than it promises, with %d runs', (runs) => {
    const alarms = share(200, (seed) => {
      const draw = noisy(seed)
      const found = ratioInterval(draw(runs), draw(runs), { seed, resamples: 400 })
      return found !== null && (found.low > 1 || found.high < 1)
    })
    expect(alarms).toBeLessThanOrEqual(0.03)
  })

  it('finds what is half as slow again with five runs, and what is a sixth slower with fifteen', () => {
    const finds = (runs: number, by: number): number =>
      share(100, (seed) => {
        const draw = noisy(seed)
        return (ratioInterval(draw(runs), draw(runs, by), { seed, resamples: 400 })?.low ?? 0) > 1
      })
    expect(finds(5, 3 / 2)).toBeGreaterThan(0.9)
    expect(finds(15, 7 / 6)).toBeGreaterThan(0.9)
  })

  it('is the same at every call, and has the ratio inside', () => {
    const [before, after] = [
      [1, 1.1, 0.9, 1.05, 1],
      [2, 2.1, 2.3, 1.9, 2],
    ]
    const found = ratioInterval(before, after)
    expect(found).toEqual(ratioInterval(before, after))
    expect(found?.ratio).toBe(2)
    expect(found?.low).toBeGreaterThan(1.6)
    expect(found?.low).toBeLessThan(2)
    expect(found?.high).toBeGreaterThan(2)
    expect(found?.high).toBeLessThan(2.6)
  })

  it.each([
    [[], [1]],
    [[1], []],
    [[0, 1], [1]],
    [[1], [Number.NaN]],
  ])('says nothing of %j and %j', (before, after) => {
    expect(ratioInterval(before, after)).toBeNull()
  })
})

const series = (ours: readonly number[], more: Partial<Series> = {}): Series => ({
  name: 'S1 time',
  unit: 's',
  ours: [...ours],
  floor: null,
  ...more,
})
const STEADY = [1, 1.01, 0.99, 1.02, 0.98]
const times = (factor: number): readonly number[] => STEADY.map((value) => value * factor)
const bare = (values: readonly number[], isPaired = true) => ({
  name: 'bare Node',
  values: [...values],
  isPaired,
})

describe('ratios', () => {
  it('are of each run where both ran in turn, else of the middle', () => {
    expect(ratios(series([2, 9, 4], { floor: bare([1, 3, 2]) }))).toEqual([2, 3, 2])
    expect(ratios(series([2, 9, 4], { floor: bare([1, 3, 2], false) }))).toEqual([1, 4.5, 2])
    expect(ratios(series([2, 4], { floor: bare([1, 3, 2]) }))).toEqual([1, 2])
    expect(ratios(series([2, 4]))).toEqual([2, 4])
    expect(ratios(series([2, 4], { floor: bare([]) }))).toEqual([])
  })
})

describe('compareRuns', () => {
  const said = (before: Series, after: Series) => compareRuns([before], [after])[0]

  it('says by how much something became slower, and within which bounds', () => {
    expect(said(series(STEADY), series(times(1.5)))).toMatchObject({ verdict: 'worse' })
    expect(said(series(STEADY), series(times(1.5)))?.text).toMatch(/^S1 time: slower by 50 % \(4\d to 5\d\)$/)
  })

  it('says what became faster', () => {
    expect(said(series(STEADY), series(times(0.8)))?.text).toMatch(/^S1 time: faster by 20 % \(1\d to 2\d\)$/)
  })

  it('says that nothing changed, and how sure that is', () => {
    expect(said(series(STEADY), series(times(1.01)))).toMatchObject({ verdict: 'same' })
    expect(said(series(STEADY), series(times(1.01)))?.text).toMatch(
      /^S1 time: no change beyond the noise \(-\d to \d %\)$/,
    )
  })

  it('takes a machine that became slower for no change, since the floor did, too', () => {
    const before = series(STEADY, { floor: bare(STEADY) })
    expect(said(before, series(times(3), { floor: bare(times(3)) }))).toMatchObject({ verdict: 'same' })
    expect(said(before, series(times(3), { floor: bare(times(2)) }))?.text).toMatch(
      /over bare Node: slower by 50 %/,
    )
  })

  it('knows that more memory and fewer frames are worse', () => {
    expect(said(series(STEADY, { unit: 'MiB' }), series(times(2), { unit: 'MiB' }))?.text).toContain(
      'larger by 100 %',
    )
    expect(said(series(STEADY, { unit: 'fps' }), series(times(0.5), { unit: 'fps' }))).toMatchObject({
      verdict: 'worse',
    })
    expect(said(series(STEADY, { unit: 'fps' }), series(times(2), { unit: 'fps' }))).toMatchObject({
      verdict: 'better',
    })
  })

  it.each([
    ['too few runs', series(STEADY), series([9, 9]), 'too-few', 'too few runs to tell (5 and 2'],
    ['nothing before', series(STEADY, { name: 'S2 time' }), series(STEADY), 'new', 'nothing to compare with'],
    [
      'another floor',
      series(STEADY),
      series(STEADY, { floor: bare(STEADY) }),
      'new',
      'against nothing before',
    ],
    ['no figures', series([0, 0, 0, 0, 0]), series(STEADY), 'too-few', 'no figures above 0'],
  ])('judges nothing where there is %s', (_name, before, after, verdict, text) => {
    expect(said(before, after)).toMatchObject({ verdict, text: expect.stringContaining(text) })
  })
})

describe('the history', () => {
  const line = (more: Partial<HistoryLine> = {}): HistoryLine => ({
    at: '2026-11-20T10:00:00Z',
    commit: 'abc+',
    machine: 'two cores',
    mode: 'usual',
    series: [series(STEADY)],
    ...more,
  })

  it('keeps every single figure', () => {
    const lines = [line(), line({ mode: 'quick', commit: null })]
    expect(readHistory(lines.map(historyText).join(''), 'h')).toEqual({ ok: true, lines })
  })

  it('compares with the newest figures of runs of the same sizes', () => {
    const lines = [
      line({ series: [series([1]), series([2], { name: 'S2 time' })] }),
      line({ series: [series([3])] }),
      line({ mode: 'quick', series: [series([4])] }),
    ]
    expect(newestSeries(lines, 'usual').map((one) => one.ours)).toEqual([[3], [2]])
    expect(newestSeries(lines, 'full')).toEqual([])
  })

  it.each([
    ['', 'runs.jsonl: there is no run in it.'],
    ['\n\n', 'runs.jsonl: there is no run in it.'],
    [`${historyText(line())}{"at": "2026`, 'runs.jsonl, line 2: this is not JSON. A run that was cut off'],
    ['[]\n', "runs.jsonl, line 1: the line doesn't fit"],
    [historyText({ ...line(), mode: 'slow' as 'quick' }), "runs.jsonl, line 1: mode doesn't fit"],
    [
      historyText({ ...line(), series: [series(['x' as unknown as number])] }),
      "line 1: series.0.ours.0 doesn't fit",
    ],
  ])('says what is wrong with %j', (text, message) => {
    const read = readHistory(text, 'runs.jsonl')
    expect(read).toMatchObject({ ok: false, message: expect.stringContaining(message) })
  })
})

describe('the stored ratios', () => {
  const reference = { farOut: 2, ratios: { 'S1 time': 1.5 } }

  it('are of figures with a floor, by their best run', () => {
    const all = [series([3, 2], { floor: bare([1, 1]) }), series([7], { name: 'S1 memory' })]
    expect(referenceOf(all, 2)).toEqual({ farOut: 2, ratios: { 'S1 time': 2 } })
  })

  it('raise the alarm only where every run is far out', () => {
    const judged = (...ours: readonly number[]) =>
      compareWithReference(reference, [series(ours, { floor: bare(ours.map(() => 1)) })]).map(
        (one) => one.isFarOut,
      )
    expect(judged(3.1, 4)).toEqual([true])
    expect(judged(2.9, 40)).toEqual([false])
  })

  it('say nothing of figures that they have not', () => {
    expect(compareWithReference(reference, [series([9], { name: 'S9 new' }), series([])])).toEqual([])
  })

  it('can be read', () => {
    const stored = Reference.parse(JSON.parse(readTree('test/bench/reference.json')))
    expect(Object.keys(stored.ratios)).toEqual(
      expect.arrayContaining(['S1 processor time', 'S2 processor time']),
    )
  })
})

describe('seriesOf', () => {
  const row = (name: string, raw: unknown, yardstick?: number[]): RowResult => ({
    ...failedRow(name, ''),
    failure: null,
    raw,
    ...(yardstick === undefined ? {} : { yardstick }),
  })
  const run = (wallS: number) => ({ wallS, cpuS: wallS * 2, peakMiB: 100, code: 0, out: '' })

  it('puts an upload beside the floor of the same run', () => {
    const found = seriesOf([row('S1', { ours: [run(3), run(4)], bare: [run(1), run(2)], curl: [] })])
    expect(found.map(({ name, ours, floor }) => [name, ours, floor?.values])).toEqual([
      ['S1 time', [3, 4], [1, 2]],
      ['S1 processor time', [6, 8], [2, 4]],
      ['S1 memory', [100, 100], undefined],
    ])
  })

  it('puts what has no floor over the yardstick, but neither memory nor frames', () => {
    const scan = { listedMs: 1, journalledMs: 2, knownMs: 3, peakMiB: 4 }
    const found = seriesOf([
      row('S5', [{ ours: [scan] }], [0.5]),
      row('S9', { samples: { framesPerSecond: [60], openingMs: [9] } }, [0.5]),
    ])
    expect(found.map(({ name, floor }) => [name, floor?.name ?? null])).toEqual([
      ['S5 listed', 'yardstick'],
      ['S5 journalled', 'yardstick'],
      ['S5 known', 'yardstick'],
      ['S5 memory', null],
      ['S9 opening the list', 'yardstick'],
      ['S9 frames', null],
    ])
  })

  it('leaves out rows that failed or have another shape', () => {
    expect(
      seriesOf([
        failedRow('S1', 'x'),
        row('S2', { ours: 'none' }),
        row('S7', { samples: [] }),
        row('S4', null),
      ]),
    ).toEqual([])
  })
})
