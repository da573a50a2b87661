// `npm run test:windows [-- --all | --native | --chaos RUNS | PATH...]`: runs the tests, or that many chaos
// runs, as win32, with Node for Windows under Wine; with --native, on Windows itself. The last line contains
// the counts. Exits with 0 if every test passed or is excused in known.txt, or every chaos run passed; with 1
// if not; with 2 if the arguments are invalid; with 3 if it can't run here, so that nothing has run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ROOT } from '../tools/tree.ts'
import { judge, knownOn, LEFT_OUT, outcomesOf, REASONS, Report, readKnown, type System } from './judge.ts'
import { endWine, type Lane, laneAt, onWindows } from './lane.ts'
import { NotHere, setUp } from './setup.ts'

/**
 * These tests cover most of what differs on Windows. They take about four of the fifteen minutes for all
 * tests on two cores.
 */
const PART = [
  'test/windows',
  'test/unit/platform',
  'test/unit/cli',
  'test/scenario/watch-once.test.ts',
  'test/scenario/data-folder.test.ts',
]
const ALL = ['test/windows', 'test/unit', 'test/service', 'test/fuzz', 'test/attack', 'test/scenario']
/** What the chaos runs leave: the seeds of the failed ones. */
const Chaos = z.object({ failed: z.array(z.int()) })
/** Milliseconds. Wine starts processes slowly. */
const TEST_MS = 180_000

function vitestArgs(paths: readonly string[], report: string): readonly string[] {
  const leftOut = LEFT_OUT.flatMap((pattern) => ['--exclude', pattern])
  return [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...paths,
    ...leftOut,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
}

function runSuites(lane: Lane, paths: readonly string[]): boolean {
  const report = join(lane.dir, 'report.json')
  rmSync(report, { force: true })
  const workers = process.env['SLIPWAY_WORKERS'] || 2
  const { err } = onWindows(lane, 'suites', [
    ...vitestArgs(paths, '../report.json'),
    `--testTimeout=${TEST_MS}`,
    `--maxWorkers=${workers}`,
  ])
  return judgeReport(report, 'wine', () => readFileSync(err, 'utf8').trim().slice(-2000))
}

/** Runs the suites with this Node, on this Windows. */
function runNatively(paths: readonly string[]): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-windows-'))
  const report = join(dir, 'report.json')
  try {
    const args = [...vitestArgs(paths, report), '--reporter=default', `--testTimeout=${TEST_MS}`]
    const { error } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
    return judgeReport(report, 'windows', () => error?.message ?? '')
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Prints what vitest's report means. `output` is shown if there is none. */
function judgeReport(report: string, system: System, output: () => string): boolean {
  let text: string
  try {
    text = readFileSync(report, 'utf8')
  } catch {
    console.log(`vitest left no report. ${output()}`)
    console.log('0 passed, 1 failed')
    return false
  }
  const known = knownOn(system, readKnown(readFileSync(join(import.meta.dirname, 'known.txt'), 'utf8')))
  const { passed, faults, excused, stale } = judge(outcomesOf(Report.parse(JSON.parse(text))), known)
  for (const fault of faults) console.log(`FAILED ${fault}`)
  // The list is kept by what happens under Wine.
  for (const one of stale)
    console.log(system === 'wine' ? `passes now, take it off known.txt: ${one}` : `passes here: ${one}`)
  console.log(`not run: ${LEFT_OUT.join(', ')}: they use git, run the repository's tools or build installers`)
  for (const [reason, { failed, skipped }] of excused)
    console.log(`excused: ${failed} failed, ${skipped} skipped: ${REASONS[reason]}`)
  const count = [...excused.values()].reduce((sum, one) => sum + one.failed + one.skipped, 0)
  console.log(`${passed} passed, ${faults.length} failed, ${count} excused`)
  return faults.length === 0
}

/** Chaos runs from `seed` on; prints their table. A failed run prints the command that repeats it. */
function runChaos(lane: Lane, runs: number, seed: number): boolean {
  const file = join(lane.dir, 'chaos.json')
  rmSync(file, { force: true })
  const args = [
    '--runs',
    String(runs),
    '--seed',
    String(seed),
    '--jobs',
    process.env['SLIPWAY_WORKERS'] || '4',
    '--out',
    '../chaos.json',
  ]
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
  readonly isNative: boolean
  readonly paths: readonly string[]
  readonly chaos: number
  readonly seed: number
}

/** What the command line asks for. Throws if that isn't clear. */
function wanted(): Wanted {
  const { values, positionals } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      native: { type: 'boolean', default: false },
      chaos: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
    },
    allowPositionals: true,
  })
  const isNative = values.native
  const [chaos, seed] = [Number(values.chaos), Number(values.seed)]
  if (![chaos, seed].every((n) => Number.isSafeInteger(n) && n >= 0))
    throw new Error('--chaos and --seed take a whole number.')
  if (isNative && chaos > 0)
    throw new Error('--native runs tests only. For chaos runs on Windows there is npm run chaos.')
  // On Windows itself, all of them take minutes only.
  const most = values.all || isNative ? ALL : PART
  return { isNative, paths: positionals.length > 0 && !values.all ? positionals : most, chaos, seed }
}

function refused(error: Error): never {
  console.error(
    `${error.message} There are --all, --native, and --chaos RUNS with --seed N; or name the paths of tests.`,
  )
  process.exit(2)
}

function didNotRun(why: string): never {
  console.log(`The Windows tests did not run: ${why}`)
  console.log('0 passed, none ran')
  process.exit(3)
}

let asked: Wanted
try {
  asked = wanted()
} catch (error) {
  refused(error as Error)
}
const { isNative, paths, chaos, seed } = asked
if (isNative) {
  if (process.platform !== 'win32') didNotRun(`--native is for Windows itself; this is ${process.platform}.`)
  process.exit(runNatively(paths) ? 0 : 1)
}
const lane = laneAt(process.env)
try {
  console.log(setUp(lane, (line) => console.log(`setting up: ${line}`)))
} catch (error) {
  if (!(error instanceof NotHere)) throw error
  didNotRun(error.message)
}
let isGood = false
try {
  isGood = chaos > 0 ? runChaos(lane, chaos, seed) : runSuites(lane, paths)
} finally {
  endWine(lane)
}
process.exit(isGood ? 0 : 1)
