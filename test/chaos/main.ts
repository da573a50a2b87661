// `node test/chaos/main.ts --runs N --seed S --jobs J`: many chaos runs, one table, and the seed of each that failed.
// A failure leaves its folder where it is; the run itself can be repeated by its seed.
import { parseArgs } from 'node:util'
import { chaosRun, failed, type RunReport } from './run.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' }, jobs: { type: 'string', default: '2' } },
})
const runs = Number(values.runs)
const first = Number(values.seed)
const jobs = Number(values.jobs)
if (![runs, first, jobs].every((n) => Number.isSafeInteger(n) && n >= 0)) {
  process.stderr.write('usage: node test/chaos/main.ts [--runs N] [--seed S] [--jobs J]\n')
  process.exit(2)
}

const reports: RunReport[] = []
let next = 0
await Promise.all(
  Array.from({ length: Math.max(1, jobs) }, async () => {
    while (next < runs) {
      const report = await chaosRun(first + next++)
      reports.push(report)
      if (failed(report))
        process.stdout.write(
          `seed ${report.seed} failed: exit ${report.code}, lost ${JSON.stringify(report.lost)}, twice ${JSON.stringify(report.twice)}, wrong ${JSON.stringify(report.wrong)}, audit ${report.audit ?? 'ok'} ${report.err.trim().slice(0, 300)}\n`,
        )
      else if (reports.length % 20 === 0) process.stdout.write(`${reports.length} of ${runs}\n`)
    }
  }),
)

const sum = (pick: (report: RunReport) => number): number => reports.reduce((total, report) => total + pick(report), 0)
const times = reports.map((report) => report.recoverMs).toSorted((a, b) => a - b)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const bad = reports.filter(failed)
process.stdout.write(
  `\n| runs | files | kills | faults struck | lost | twice | wrong bytes | audit errors | recovery median, longest |\n|---|---|---|---|---|---|---|---|---|\n| ${[
    reports.length,
    sum((r) => r.files),
    sum((r) => r.kills),
    sum((r) => r.faults),
    sum((r) => r.lost.length),
    sum((r) => r.twice.length),
    sum((r) => r.wrong.length),
    sum((r) => (r.audit === null ? 0 : 1)),
    `${seconds(times[Math.floor(times.length / 2)] ?? 0)}, ${seconds(times.at(-1) ?? 0)}`,
  ].join(' | ')} |\n`,
)
if (bad.length > 0) process.stdout.write(`failed seeds: ${bad.map((report) => report.seed).join(' ')}\n`)
process.exit(bad.length > 0 ? 1 : 0)
