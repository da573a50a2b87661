// Extracts the figures of a row that can be compared with an earlier run: every single measurement, and those
// of its floor, which is a minimal program that does the same work. Rows without such a program use the
// yardstick as their floor, so that a slower machine isn't mistaken for slower code.
import { z } from 'zod'
import type { RowResult } from './results.ts'
import { median } from './statistics.ts'

const Values = z.array(z.number())

export const Series = z.object({
  /** The row and the name of the figure; the same in every run. */
  name: z.string(),
  unit: z.enum(['s', 'ms', 'MiB', 'fps']),
  ours: Values,
  /**
   * `isPaired`: measured in turn with `ours`, run by run. Null if the figure doesn't depend on the machine's
   * speed.
   */
  floor: z.object({ name: z.string(), values: Values, isPaired: z.boolean() }).nullable(),
})
export type Series = z.infer<typeof Series>

/**
 * One ratio per run: to the floor's figure of the same run, or to the floor's median if the two weren't
 * measured in turn. Without a floor, the figures themselves. Empty if the floor's median isn't above 0.
 */
export function ratios({ ours, floor }: Series): readonly number[] {
  if (floor === null) return ours
  const middle = median(floor.values)
  const isPaired = floor.isPaired && floor.values.length === ours.length
  return middle > 0 ? ours.map((value, at) => value / (isPaired ? (floor.values[at] ?? middle) : middle)) : []
}

const Run = z.object({ wallS: z.number(), cpuS: z.number(), peakMiB: z.number() })
const Runs = z.array(Run)
type Runs = z.infer<typeof Runs>

const Uploads = z.object({ ours: Runs, bare: Runs })
const Scans = z.array(
  z.object({
    ours: z.array(
      z.object({ listedMs: z.number(), journalledMs: z.number(), knownMs: z.number(), peakMiB: z.number() }),
    ),
  }),
)
const Latencies = z.object({ ours: z.array(z.object({ way: z.string(), latencies: Values })) })
const Restarts = z.object({ runs: z.array(z.object({ listS: z.number(), rescanS: z.number() })) })
const Visit = z.object({ samples: z.record(z.string(), Values) })

function uploads(row: string, raw: unknown): readonly Series[] {
  const read = Uploads.safeParse(raw)
  if (!read.success) return []
  const { ours, bare } = read.data
  const of = (what: string, pick: (run: Runs[number]) => number): Series => ({
    name: `${row} ${what}`,
    unit: 's',
    ours: ours.map(pick),
    floor: { name: 'bare Node', values: bare.map(pick), isPaired: true },
  })
  return [
    of('time', (run) => run.wallS),
    of('processor time', (run) => run.cpuS),
    { name: `${row} memory`, unit: 'MiB', ours: ours.map((run) => run.peakMiB), floor: null },
  ]
}

/** Names and units of the window's figures, with their keys in the samples of the visit. */
const WINDOW: Readonly<
  Record<string, readonly (readonly [key: string, name: string, unit: Series['unit']])[]>
> = {
  S9: [
    ['firstRowsMs', 'first rows after a reload', 'ms'],
    ['openingMs', 'opening the list', 'ms'],
    ['rowUpdateMs', 'row update', 'ms'],
    ['searchMs', 'a keystroke', 'ms'],
    ['framesPerSecond', 'frames', 'fps'],
  ],
  S10: [
    ['pageMs', 'start to the page', 'ms'],
    ['startMs', 'start to usable window', 'ms'],
    ['startRowsMs', 'start to first rows', 'ms'],
  ],
}

/** The figures of rows without a floor program. */
function plainSeries({ row, raw }: RowResult): readonly Omit<Series, 'floor'>[] {
  if (row === 'S4')
    return (Latencies.safeParse(raw).data?.ours ?? []).map(({ way, latencies }) => ({
      name: `S4 ${way}`,
      unit: 'ms',
      ours: latencies,
    }))
  if (row === 'S5') {
    const [usual] = Scans.safeParse(raw).data ?? []
    const scans = usual?.ours ?? []
    return [
      { name: 'S5 listed', unit: 'ms', ours: scans.map((scan) => scan.listedMs) },
      { name: 'S5 journalled', unit: 'ms', ours: scans.map((scan) => scan.journalledMs) },
      { name: 'S5 known', unit: 'ms', ours: scans.map((scan) => scan.knownMs) },
      { name: 'S5 memory', unit: 'MiB', ours: scans.map((scan) => scan.peakMiB) },
    ]
  }
  if (row === 'S6') {
    const runs = Restarts.safeParse(raw).data?.runs ?? []
    return [
      { name: 'S6 lists answer', unit: 's', ours: runs.map((run) => run.listS) },
      { name: 'S6 rescan done', unit: 's', ours: runs.map((run) => run.rescanS) },
    ]
  }
  const samples = Visit.safeParse(raw).data?.samples ?? {}
  return (WINDOW[row] ?? []).map(([key, what, unit]) => ({
    name: `${row} ${what}`,
    unit,
    ours: samples[key] ?? [],
  }))
}

export function seriesOf(rows: readonly RowResult[]): readonly Series[] {
  return rows
    .filter((row) => row.failure === null)
    .flatMap((row): readonly Series[] => {
      if (row.row === 'S1' || row.row === 'S2') return uploads(row.row, row.raw)
      const floor =
        row.yardstick === undefined ? null : { name: 'yardstick', values: row.yardstick, isPaired: false }
      return plainSeries(row).map((one) => ({
        ...one,
        floor: one.unit === 'MiB' || one.unit === 'fps' ? null : floor,
      }))
    })
    .filter(({ ours }) => ours.length > 0)
}
