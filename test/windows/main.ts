// `npm run test:windows [-- --all | --chaos RUNS | PATH...]`: runs the tests, or that many chaos runs, as win32, with Node for Windows
// under Wine. The last line contains the counts. Exits with 0 if every test passed or is excused in known.txt, or every chaos run passed;
// with 1 if not; with 2 if the arguments are invalid; with 3 if the lane can't be set up here, so that nothing has run.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { judge, LEFT_OUT, outcomesOf, REASONS, Report, readKnown } from './judge.ts'
import { endWine, type Lane, laneAt, onWindows } from './lane.ts'
import { NotHere, setUp } from './setup.ts'

/** These tests cover most of what differs on Windows. They take about four of the fifteen minutes for all tests on two cores. */
const PART = ['test/unit/platform', 'test/unit/cli', 'test/scenario/watch-once.test.ts', 'test/scenario/data-folder.test.ts']
const ALL = ['test/unit', 'test/service', 'test/fuzz', 'test/scenario']
/** What the chaos runs leave: the seeds of the failed ones. */
const Chaos = z.object({ failed: z.array(z.int()) })
/** Milliseconds. Wine starts processes slowly. */
const TEST_MS = 180_000

function runSuites(lane: Lane, paths: readonly string[]): boolean {
  const report = join(lane.dir, 'report.json')
  rmSync(report, { force: true })
  const { err } = onWindows(lane, 'suites', [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...paths,
    ...LEFT_OUT.flatMap((pattern) => ['--exclude', pattern]),
    '--reporter=json',
    '--outputFile=../report.json',
    `--testTimeout=${TEST_MS}`,
    `--maxWorkers=${process.env['SLIPWAY_WORKERS'] || 2}`,
  ])
  let text: string
  try {
    text = readFileSync(report, 'utf8')
  } catch {
    console.log(`vitest left no report. ${readFileSync(err, 'utf8').trim().slice(-2000)}`)
    console.log('0 passed, 1 failed')
    return false
  }
  const known = readKnown(readFileSync(join(import.meta.dirname, 'known.txt'), 'utf8'))
  const { passed, faults, excused, stale } = judge(outcomesOf(Report.parse(JSON.parse(text))), known)
  for (const fault of faults) console.log(`FAILED ${fault}`)
  for (const one of stale) console.log(`passes now, take it off known.txt: ${one}`)
  console.log(`not run: ${LEFT_OUT.join(', ')}: they ask git or build installers`)
  for (const [reason, { failed, skipped }] of excused) console.log(`excused: ${failed} failed, ${skipped} skipped: ${REASONS[reason]}`)
  const count = [...excused.values()].reduce((sum, one) => sum + one.failed + one.skipped, 0)
  console.log(`${passed} passed, ${faults.length} failed, ${count} excused`)
  return faults.length === 0
}

/** Chaos runs from `seed` on; prints their table. A failed run prints the command that repeats it. */
function runChaos(lane: Lane, runs: number, seed: number): boolean {
  const file = join(lane.dir, 'chaos.json')
  rmSync(file, { force: true })
  const args = ['--runs', String(runs), '--seed', String(seed), '--jobs', process.env['SLIPWAY_WORKERS'] || '4', '--out', '../chaos.json']
  const { out, err } = onWindows(lane, 'chaos', ['test/chaos/main.ts', ...args])
  console.log(readFileSync(out, 'utf8').trim())
  let failed: number
  try {
    failed = Chaos.parse(JSON.parse(readFileSync(file, 'utf8'))).failed.length
  } catch {
    console.log(`The runs left no figures. ${readFileSync(err, 'utf8').trim().slice(-2000)}`)
    failed = runs
  }
  console.log(`${runs - failed} passed, ${failed} failed`)
  return failed === 0
}

interface Wanted {
  readonly paths: readonly string[]
  readonly chaos: number
  readonly seed: number
}

/** What the command line asks for. Throws if that isn't clear. */
function wanted(): Wanted {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'boolean' }, chaos: { type: 'string', default: '0' }, seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const [chaos, seed] = [Number(values.chaos), Number(values.seed)]
  if (![chaos, seed].every((n) => Number.isSafeInteger(n) && n >= 0)) throw new Error('--chaos and --seed take a whole number.')
  return { paths: values.all === true ? ALL : positionals.length > 0 ? positionals : PART, chaos, seed }
}

function refused(error: Error): never {
  console.error(`${error.message} There are --all, and --chaos RUNS with --seed N; or name the paths of tests.`)
  process.exit(2)
}

let asked: Wanted
try {
  asked = wanted()
} catch (error) {
  refused(error as Error)
}
const { paths, chaos, seed } = asked
const lane = laneAt(process.env)
try {
  console.log(setUp(lane, (line) => console.log(`setting up: ${line}`)))
} catch (error) {
  if (!(error instanceof NotHere)) throw error
  console.log(`The Windows tests did not run: ${error.message}`)
  console.log('0 passed, none ran')
  process.exit(3)
}
let isGood = false
try {
  isGood = chaos > 0 ? runChaos(lane, chaos, seed) : runSuites(lane, paths)
} finally {
  endWine(lane)
}
process.exit(isGood ? 0 : 1)
