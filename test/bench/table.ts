// Formats the report as a Markdown table, with the machine above it. Pure. Values are rounded for reading;
// the JSON file contains all digits.
import type { Report, RowResult } from './results.ts'

export const seconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} s`
export const millis = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const mib = (value: number): string => `${Math.round(value)} MiB`
export const times = (value: number): string => `${value.toFixed(2)} x`
export const plain = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(1)
export const percent = (value: number): string => `${value.toFixed(2)} %`

const cell = (parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join('<br>')

const verdict = (reached: boolean | null): string =>
  reached === null ? '' : reached ? ', reached' : ', **missed**'

function line(row: RowResult): string {
  const goals =
    row.failure === null
      ? row.goals.map((goal) => `${goal.goal}: ${goal.value}${verdict(goal.reached)}`)
      : [`not measured: ${row.failure}`]
  return `| ${[[row.row], [row.work, ...row.notes].filter((text) => text !== ''), row.peers, row.slipway, goals].map(cell).join(' | ')} |`
}

export function renderTable(report: Report): string {
  const marked =
    report.mode === 'quick' ? ' **Quick run with small sizes: it proves the bench, not the goals.**' : ''
  return [
    `${report.machine}; ${report.at.slice(0, 10)}.${marked}`,
    '',
    '| # | same work | peers | Slipway | goal: today |',
    '|---|---|---|---|---|',
    ...report.rows.map(line),
    '',
  ].join('\n')
}
