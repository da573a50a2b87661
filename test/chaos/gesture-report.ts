// The table of many gesture runs: a row for each gesture and one for all. A finding is attributed to the
// gesture that was active at that time, or, if that is unknown, to each gesture of its run.
import type { FindingKind } from './evidence.ts'
import { countOfKind, type GestureReport } from './gesture-run.ts'
import { GESTURES } from './gestures.ts'

const COLUMNS: readonly (readonly [FindingKind, string])[] = [
  ['lost', 'lost'],
  ['twice', 'twice'],
  ['wrong', 'wrong bytes'],
  ['rule', 'published against a rule'],
  ['link', 'links broken'],
  ['untrue', 'untrue promises'],
]

const ALL = '**all**'

export function gestureTable(reports: readonly GestureReport[]): string {
  const rows = GESTURES.map((one) => one.name)
    .filter((name) => reports.some((report) => report.drawn.includes(name)))
    .map((name) => {
      const mine = reports.filter((report) => report.drawn.includes(name))
      return row(name, mine, mine.filter((report) => report.struck.includes(name)).length)
    })
  const struck = reports.reduce((sum, report) => sum + report.struck.length, 0)
  const files = reports.reduce((sum, report) => sum + report.files, 0)
  const commands = reports.reduce((sum, report) => sum + report.commands, 0)
  return [
    `${reports.length} runs, ${struck} gestures, ${files} files, ${commands} commands`,
    '',
    `| gesture | runs | struck | ${COLUMNS.map(([, title]) => title).join(' | ')} |`,
    `|---|---|---|${COLUMNS.map(() => '---|').join('')}`,
    ...rows,
    row(ALL, reports, struck),
  ].join('\n')
}

function row(name: string, reports: readonly GestureReport[], struck: number): string {
  const counts = COLUMNS.map(([kind]) =>
    reports.reduce((sum, report) => sum + countOfKind(report, kind, name === ALL ? null : name), 0),
  )
  return `| ${[name, reports.length, struck, ...counts].join(' | ')} |`
}
