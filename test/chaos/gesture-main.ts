// `npm run chaos -- --gestures --runs N --seed S --jobs J`: many gesture runs, one table, and for each failed
// run what was found and the command that repeats it.
import { atOnce } from './at-once.ts'
import { gestureTable } from './gesture-report.ts'
import { type GestureReport, gestureRun, reasonOfGestures } from './gesture-run.ts'
import { GESTURES, gesturesNamed, HANDS } from './gestures.ts'

export interface GestureBatch {
  readonly runs: number
  readonly first: number
  readonly jobs: number
  /** Parts of gesture names. If empty, all gestures may be drawn. */
  readonly only: readonly string[]
  /** Runs each gesture alone, as often as there are runs. */
  readonly isEach: boolean
  /** Runs the hands into which all gestures are dealt; `first` and `runs` say which. */
  readonly isDealt: boolean
}

/** Returns the reports in the order in which the runs ended. Failures are printed at once. */
export async function gestureBatch({
  runs,
  first,
  jobs,
  only,
  isEach,
  isDealt,
}: GestureBatch): Promise<readonly GestureReport[]> {
  if (only.length > 0 && gesturesNamed(only).length === 0)
    throw new Error(`no gesture has ${only.join(' or ')} in its name`)
  if (isDealt && first + runs - 1 > HANDS) throw new Error(`there are ${HANDS} hands`)
  const seeds = Array.from({ length: runs }, (_, n) => first + n)
  const among = only.length === 0 ? GESTURES : gesturesNamed(only)
  const queue = isEach
    ? among.flatMap(({ name }) => seeds.map((seed) => ({ seed, words: [name] })))
    : seeds.map((seed) => ({ seed, words: only }))
  const total = queue.length
  const reports: GestureReport[] = []
  const began = performance.now()
  await atOnce(jobs, queue, async (next) => {
    const report = await gestureRun(next.seed, { program: 'built', only: next.words, isDealt })
    reports.push(report)
    if (report.findings.length > 0) process.stdout.write(`${reasonOfGestures(report)}\n`)
    if (reports.length % 50 === 0)
      process.stderr.write(
        `${reports.length} of ${total}, ${reports.filter((one) => one.findings.length > 0).length} failed, ${Math.round((performance.now() - began) / 1000)} s\n`,
      )
  })
  const failed = reports.filter((one) => one.findings.length > 0)
  process.stdout.write(`${gestureTable(reports)}\n\n`)
  if (failed.length > 0) process.stdout.write(`failed seeds: ${failed.map((one) => one.seed).join(' ')}\n`)
  process.stdout.write(`${total} runs in ${Math.round((performance.now() - began) / 1000)} s\n`)
  return reports
}
