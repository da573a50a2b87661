// `npm run test:windows [-- --all | PATH...]`: runs the tests as win32, with Node for Windows under Wine. The last line contains the
// counts. Exits with 0 if every test passed or is excused in known.txt, with 1 if not, and with 3 if the lane can't be set up here; then no
// test has run.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { judge, LEFT_OUT, outcomesOf, REASONS, Report, readKnown } from './judge.ts'
import { endWine, type Lane, laneAt, onWindows } from './lane.ts'
import { NotHere, setUp } from './setup.ts'

/** These tests cover most of what differs on Windows. They take about four of the fifteen minutes for all tests on two cores. */
const PART = ['test/unit/platform', 'test/unit/cli', 'test/scenario/watch-once.test.ts', 'test/scenario/data-folder.test.ts']
const ALL = ['test/unit', 'test/service', 'test/fuzz', 'test/scenario']
/** Milliseconds. Wine starts processes slowly. */
const TEST_MS = 60_000

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

const typed = process.argv.slice(2)
const unknown = typed.find((word) => word.startsWith('-') && word !== '--all')
if (unknown !== undefined) {
  console.error(`${unknown} is no option; there is --all, or name the paths of tests.`)
  process.exit(2)
}
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
  isGood = runSuites(lane, typed.includes('--all') ? ALL : typed.length > 0 ? typed : PART)
} finally {
  endWine(lane)
}
process.exit(isGood ? 0 : 1)
