// `npm run chaos -- --worlds`: many runs of the simulated matrix in threads, the findings of each failed seed
// with its last minutes and the command that repeats it, and a table with a row for each kind. A single run
// prints its whole story.
import { Worker } from 'node:worker_threads'
import type { WorldFindingKind } from './world-oracle.ts'
import type { WorldReport } from './world-run.ts'
import { WORLDS } from './worlds.ts'

export interface WorldBatch {
  readonly runs: number
  readonly first: number
  readonly jobs: number
  readonly only: readonly string[]
}

const FINDINGS: readonly WorldFindingKind[] = [
  'lost',
  'twice',
  'wrong',
  'public',
  'untrue',
  'link',
  'stuck',
  'runaway',
  'broken',
]
/** Findings shown of each failed seed. */
const SHOWN = 4

/** The command that repeats a run. */
function worldAgain({ seed, only }: Pick<WorldReport, 'seed' | 'only'>): string {
  return `npm run chaos -- --worlds --runs 1 --seed ${seed}${only.length === 0 ? '' : ` --kinds '${only.join(',')}'`}`
}

/** Why a run failed, in a few lines. */
export function worldReason(report: WorldReport): string {
  const shown = report.findings.slice(0, SHOWN).map(({ kind, what }) => `  ${kind}: ${what}`)
  const more = report.findings.length - shown.length
  return [
    `seed ${report.seed} (${report.kinds.join(' + ')}):`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  again: ${worldAgain(report)}`,
  ].join('\n')
}

export async function worldBatch({ runs, first, jobs, only }: WorldBatch): Promise<readonly WorldReport[]> {
  const reports: WorldReport[] = []
  const began = performance.now()
  const seconds = (): number => Math.round((performance.now() - began) / 1000)
  const note = (report: WorldReport): void => {
    reports.push(report)
    if (report.findings.length > 0) process.stdout.write(`${worldReason(report)}\n`)
    if (reports.length % 100 === 0) process.stderr.write(`${reports.length} of ${runs}, ${seconds()} s\n`)
  }
  const seeds = Array.from({ length: runs }, (_, n) => first + n)
  const threads = Math.max(1, Math.min(jobs, runs))
  await Promise.all(
    Array.from({ length: threads }, (_, thread) =>
      played(
        seeds.filter((_seed, n) => n % threads === thread),
        only,
        note,
      ),
    ),
  )
  if (runs === 1) for (const line of reports[0]?.story ?? []) process.stdout.write(`${line}\n`)
  process.stdout.write(`${worldTable(reports)}\n${runs} runs in ${seconds()} s\n`)
  return reports
}

/** Plays these seeds in a thread. Rejects if the thread ends before them. */
function played(
  seeds: readonly number[],
  only: readonly string[],
  note: (report: WorldReport) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./world-worker.ts', import.meta.url), { workerData: { seeds, only } })
    worker.on('message', note)
    worker.on('error', reject)
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`))))
  })
}

/** A failed run counts against each of its kinds. `alone`: against a kind that was its only one. */
function worldTable(reports: readonly WorldReport[]): string {
  const row = (name: string, mine: readonly WorldReport[]): string => {
    const bad = mine.filter((report) => report.findings.length > 0)
    const alone = bad.filter((report) => report.kinds.length === 1).length
    const counts = FINDINGS.map((kind) =>
      mine.reduce((sum, report) => sum + report.findings.filter((one) => one.kind === kind).length, 0),
    )
    return `| ${[name, mine.length, bad.length, alone, ...counts].join(' | ')} |`
  }
  const kinds = Object.keys(WORLDS).filter((kind) => reports.some((report) => report.kinds.includes(kind)))
  return [
    `| kind | runs | failed | alone | ${FINDINGS.join(' | ')} |`,
    `|---|---|---|---|${FINDINGS.map(() => '---|').join('')}`,
    ...kinds.map((kind) =>
      row(
        kind,
        reports.filter((report) => report.kinds.includes(kind)),
      ),
    ),
    row('**all**', reports),
  ].join('\n')
}
