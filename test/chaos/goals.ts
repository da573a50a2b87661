// Measures the rows F1 to F5 and F7 of the goals in one table, next to common alternatives if they are
// installed. Prints figures only; the goals define which are good enough.
import { spawnSync } from 'node:child_process'
import { manyKills } from './kills.ts'
import { SENDERS, sendThousand, UPLOAD_GOALS } from './uploads.ts'
import { watchFaults } from './watching.ts'
import { weeks } from './weeks.ts'

export interface GoalRow {
  readonly row: string
  readonly what: string
  readonly who: string
  readonly found: string
  readonly good: boolean | null
}

export interface GoalOptions {
  readonly rows: readonly string[]
  readonly files: number
  readonly kills: number
  readonly jobs: number
  readonly tell: (row: GoalRow) => void
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

export async function goalRows({ rows, files, kills, jobs, tell }: GoalOptions): Promise<void> {
  for (const [row, { what }] of Object.entries(UPLOAD_GOALS)) {
    if (!rows.includes(row)) continue
    for (const who of SENDERS) {
      const name = `${files} files, ${what}`
      if (who !== 'slipway' && !has('curl')) {
        tell({ row, what: name, who, found: 'not installed', good: null })
        continue
      }
      const { twice, lost, given, falseAlarms, seconds } = await sendThousand(who, row, files)
      const found = `${twice} twice, ${lost} lost silently, ${given} given up, ${falseAlarms} false alarms; ${seconds.toFixed(1)} s`
      tell({ row, what: name, who, found, good: twice + lost + given + falseAlarms === 0 })
    }
  }
  if (rows.includes('F2'))
    for (const who of ['slipway', 'inotifywait'] as const) {
      const what = 'moved in (200), new tree (1,000), overwritten (200), two steps (200), odd names (20)'
      if (who === 'inotifywait' && !has('inotifywait')) {
        tell({ row: 'F2', what, who, found: 'not installed', good: null })
        continue
      }
      const f = await watchFaults(who)
      const found = `${f.movedLost} lost, ${f.treeLost} lost, ${f.torn} torn, ${f.extra} extra, ${f.oddLost} lost`
      tell({
        row: 'F2',
        what,
        who,
        found,
        good: f.movedLost + f.treeLost + f.torn + f.oddLost === 0 && f.extra <= 10,
      })
    }
  if (rows.includes('F5')) {
    const lanes = Math.max(1, jobs)
    const all = await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        manyKills(100 + lane, Math.floor(kills / lanes) + (lane < kills % lanes ? 1 : 0)),
      ),
    )
    const sum = (pick: (one: (typeof all)[number]) => number): number =>
      all.reduce((total, one) => total + pick(one), 0)
    const back = all.flatMap((one) => one.backMs).toSorted((a, b) => a - b)
    const at = (share: number): string =>
      `${((back[Math.min(back.length - 1, Math.floor(back.length * share))] ?? 0) / 1000).toFixed(2)} s`
    const bad = sum((one) => one.lost + one.twice + one.wrong + (one.audit === null ? 0 : 1))
    tell({
      row: 'F5',
      what: `kill -9 at random moments under F4, ${lanes} places`,
      who: 'slipway',
      found: `${sum((one) => one.kills)} kills, ${sum((one) => one.files)} files: ${sum((one) => one.lost)} lost, ${sum((one) => one.twice)} twice, ${sum((one) => one.wrong)} wrong bytes, ${all.filter((one) => one.audit !== null).length} audit errors; back at work: median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`,
      good: bad === 0,
    })
  }
  if (rows.includes('F7'))
    for (const week of weeks())
      tell({
        row: 'F7',
        what: `a week, ${week.plan}, ${week.windows} windows${week.second ? ', a second client takes half' : ', alone'}`,
        who: 'slipway',
        found: `${week.refused} x 429 (${week.refusedAnHour.toFixed(2)} an hour), ${week.passed} requests, ${Math.round(week.share * 100)} % of the allowance`,
        good: week.second ? week.refusedAnHour < 1 : week.refused === 0,
      })
}

export function goalTable(rows: readonly GoalRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(['row', 'what', 'by', 'found', '']),
    '|---|---|---|---|---|',
    ...rows.map((one) =>
      line([one.row, one.what, one.who, one.found, one.good === null ? '-' : one.good ? 'good' : 'not good']),
    ),
  ].join('\n')
}
