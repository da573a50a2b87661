// `npm run chaos -- --runs N --seed S --jobs J`: many chaos runs, one table with a row for each kind of
// fault, and the seed of each failure with the command that repeats it. The folder of a failed run is kept.
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../tools/tree.ts'
import { atOnce } from './at-once.ts'
import { busyWeek } from './busy-week.ts'
import { gestureBatch } from './gesture-main.ts'
import { type GoalRow, goalRows, goalTable } from './goals.ts'
import { cannot, kindsIn, longestFirst } from './kinds.ts'
import { withOwnMounts } from './mounts.ts'
import { hasBuilt } from './process.ts'
import { missing, tableOf } from './report.ts'
import { againOf, chaosRun, failed, type RunReport } from './run.ts'
import { worldBatch } from './world-main.ts'

const HELP = `npm run chaos -- [--gestures|--worlds] [--runs 20] [--seed 1] [--jobs 4] [--kinds A,B] [--only A,B] [--out FILE]

  --runs   how many runs, from --seed on; each is repeatable by its seed
  --jobs   how many at once; runs that take minutes go first
  --kinds  these kinds of fault in every run, instead of drawn ones; no space after the commas between them
  --gestures  what people do to files and commands, instead of the matrix of faults
  --only   with --gestures: those whose names have one of these words; --each: each of them alone, --runs times
  --dealt  with --gestures: all of them dealt to 13 runs, as in npm run test:long; --seed and --runs say which of these runs
  --worlds  services that the API document allows, in the simulated world; needs no build, and a run takes half a second
  --peers  instead of runs: rows F1 to F5 and F7 of the goals, with curl and inotifywait beside Slipway where they are installed
  --rows   which of them (default: all); --files 1000 for F1, F3 and F4; --kills 500 for F5
  --week   instead of runs: a week in which a folder of 20,000 files changes 100,000 times a day (--changes), on a simulated clock
  --out    where the figures go as JSON (default: test/bench/results/chaos.json)
`

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '4' },
    kinds: { type: 'string' },
    gestures: { type: 'boolean', default: false },
    only: { type: 'string' },
    each: { type: 'boolean', default: false },
    dealt: { type: 'boolean', default: false },
    worlds: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    rows: { type: 'string', default: 'F1,F2,F3,F4,F5,F7' },
    files: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '500' },
    week: { type: 'boolean', default: false },
    changes: { type: 'string', default: '100000' },
    out: { type: 'string', default: join(ROOT, 'test/bench/results/chaos.json') },
    help: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
const first = Number(values.seed)
const jobs = Number(values.jobs)
if (values.help || ![runs, first, jobs].every((n) => Number.isSafeInteger(n) && n >= 0)) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 2)
}
const only = values.kinds === undefined ? [] : values.worlds ? values.kinds.split(',') : kindsIn(values.kinds)
if (values.worlds) {
  const reports = await worldBatch({ runs, first, jobs: Math.min(jobs, 2 * availableParallelism()), only })
  keep({ runs, first, reports: reports.filter((report) => report.findings.length > 0) })
  process.exit(reports.some((report) => report.findings.length > 0) ? 1 : 0)
}
if (!hasBuilt()) {
  process.stderr.write('There is no dist/cli.js. Build it with: npm run build\n')
  process.exit(2)
}
withOwnMounts()

if (values.gestures) {
  const reports = await gestureBatch({
    runs,
    first,
    jobs,
    only: values.only?.split(',') ?? [],
    isEach: values.each,
    isDealt: values.dealt,
  })
  keep({ runs, first, reports })
  process.exit(reports.some((report) => report.findings.length > 0) ? 1 : 0)
}

if (values.peers) {
  const rows: GoalRow[] = []
  await goalRows({
    rows: values.rows.split(','),
    files: Number(values.files),
    kills: Number(values.kills),
    jobs,
    tell: (row) => {
      rows.push(row)
      process.stderr.write(`${row.row} ${row.who}: ${row.found}\n`)
    },
  })
  process.stdout.write(`${goalTable(rows)}\n`)
  keep({ rows })
  process.exit(rows.some((row) => row.who === 'slipway' && row.good === false) ? 1 : 0)
}

if (values.week) {
  const week = await busyWeek({
    days: 7,
    changesPerDay: Number(values.changes),
    files: 20_000,
    seed: first,
    onDay: (day) => process.stdout.write(`${JSON.stringify(day)}\n`),
  })
  process.stdout.write(
    `${week.lost.length} lost, ${week.twice.length} twice, audit: ${week.audit ?? 'adds up'}\n`,
  )
  keep(week)
  process.exit(
    week.lost.length + week.twice.length === 0 &&
      week.audit === null &&
      week.days.every((day) => day.refused === 0)
      ? 0
      : 1,
  )
}

function keep(figures: object): void {
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(figures, null, 1)}\n`)
}

const seeds = Array.from({ length: runs }, (_, n) => first + n)
const reports: RunReport[] = []
const began = performance.now()

await atOnce(jobs, only.length > 0 ? seeds : longestFirst(seeds), async (seed) => {
  const report = await chaosRun(seed, { program: 'built', only })
  reports.push(report)
  if (failed(report))
    process.stdout.write(
      `seed ${seed} failed: ${JSON.stringify({ kinds: Object.keys(report.struck), lost: report.lost, twice: report.twice, wrong: report.wrong, runaway: report.runaway, audit: report.audit, leaks: report.leaks, ends: report.ends, home: report.home })}\n  again: ${againOf(report)}\n`,
    )
  if (reports.length % 50 === 0)
    process.stderr.write(
      `${reports.length} of ${runs}, ${reports.filter(failed).length} failed, ${Math.round((performance.now() - began) / 1000)} s\n`,
    )
})

const bad = reports.filter(failed)
process.stdout.write(`${tableOf(reports)}\n\n`)
for (const kind of missing(reports))
  process.stdout.write(`not run: ${kind} (${cannot(kind) ?? 'not drawn'})\n`)
if (bad.length > 0) process.stdout.write(`failed seeds: ${bad.map((report) => report.seed).join(' ')}\n`)
process.stdout.write(
  `${runs} runs in ${Math.round((performance.now() - began) / 1000)} s on ${availableParallelism()} cores\n`,
)
keep({ runs, first, failed: bad.map((report) => report.seed), reports })
process.exit(bad.length > 0 ? 1 : 0)
