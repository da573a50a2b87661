// The table of many chaos runs: a row for each kind of fault and one for all. A failed run counts against
// each of its kinds, because only a person can find out which one caused the failure.
import { BIG, GROWN, LONG_KINDS, SERVICE_KINDS, WORLD_KINDS } from './kinds.ts'
import type { RunReport } from './run.ts'

const ALL = [...Object.keys(SERVICE_KINDS), ...Object.keys(LONG_KINDS), ...WORLD_KINDS, ...GROWN, BIG]

/** Kinds that didn't occur in any run. */
export function missing(reports: readonly RunReport[]): readonly string[] {
  return ALL.filter((kind) => !reports.some((report) => kind in report.struck))
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

export function tableOf(reports: readonly RunReport[]): string {
  const rows = ALL.filter((kind) => reports.some((report) => kind in report.struck)).map((kind) => {
    const mine = reports.filter((report) => kind in report.struck)
    return row(
      kind,
      mine,
      sum(mine, (report) => report.struck[kind] ?? 0),
    )
  })
  const all = row(
    '**all**',
    reports,
    sum(reports, (report) => Object.values(report.struck).reduce((a, b) => a + b, 0)),
  )
  const files = sum(reports, (report) => report.files)
  const kills = sum(reports, (report) => report.kills)
  return [
    `${reports.length} runs, ${files} files, ${kills} kills, ${sum(reports, (report) => report.starts)} starts`,
    '',
    '| fault | runs | struck | lost | twice | wrong bytes | audit errors | key leaks | runaway | bad ends | recovery: median | longest |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    all,
  ].join('\n')
}

function row(name: string, reports: readonly RunReport[], struck: number): string {
  const times = reports.map((report) => report.recoverMs)
  const cells = [
    name,
    reports.length,
    struck,
    sum(reports, (report) => report.lost.length),
    sum(reports, (report) => report.twice.length),
    sum(reports, (report) => report.wrong.length),
    sum(reports, (report) => (report.audit === null ? 0 : 1)),
    sum(reports, (report) => report.leaks.length),
    sum(reports, (report) => report.runaway.length),
    sum(reports, (report) => report.ends.length),
    seconds(middle(times)),
    seconds(Math.max(0, ...times)),
  ]
  return `| ${cells.join(' | ')} |`
}

function sum(reports: readonly RunReport[], pick: (report: RunReport) => number): number {
  return reports.reduce((total, report) => total + pick(report), 0)
}
