// `npm test`: check, build, then all tests: units and scenarios in Node, then the desktop specs with the
// built app. The last line is `N passed, N failed`, and `, N skipped` if the system lacks what some tests
// need. A failed step counts as one failure, and so does a skipped test that doesn't name
// what it lacks, or a run without tests. In CI, every skipped test counts as failed, and a
// failed test is retried once; one that passes then is named. `--long` is `npm run test:long`, without check.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { chosenElectron } from '../desktop/choose.ts'
import { ensureChromium } from '../desktop/prepare.ts'
import { longFiles } from './long.ts'
import { has, lacking, lacks, relevantNeeds } from './needs.ts'
import { OUTSIDE_REPORT, REPORTS, TEST_REPORT } from './outside-reporter.ts'
import { runStep, type Step } from './steps.ts'
import {
  announcement,
  DESKTOP_TESTS,
  fromPlaywright,
  lastLine,
  outsideTests,
  PlaywrightReport,
  type Report,
  TESTS,
  tally,
} from './tally.ts'

const TestResult = z.object({
  status: z.string(),
  fullName: z.string().optional(),
  failureMessages: z.array(z.string()).optional(),
})
const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(TestResult),
    }),
  ),
}) satisfies z.ZodType<Report>

const DESKTOP_REPORT = 'desktop.json'
const dir = mkdtempSync(join(tmpdir(), 'slipway-tests-'))

const failed: string[] = []
const step = (one: Step): void => {
  const { ok, seconds } = runStep(one)
  console.log(`${one.name}: ${ok ? 'ok' : 'failed'} (${seconds.toFixed(1)} s)\n`)
  if (!ok) failed.push(one.name)
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const long = process.argv.includes('--long') ? longFiles() : null
if (long !== null) process.env['SLIPWAY_LONG'] = '1'

let report: Report | null = null
process.env['SLIPWAY_E2E_REPORT'] = join(dir, DESKTOP_REPORT)
process.env[REPORTS] = dir
try {
  ensureChromium()
  for (const line of announcement(lacking(relevantNeeds()))) console.log(line)
  const hasWindow = chosenElectron() === 'electron' || has('chromium')
  if (long === null) step({ name: 'check', command: 'node', args: ['test/tools/check.ts'] })
  step({ name: 'build', command: 'vite', args: ['build', '--app'] })
  step({ name: TESTS, command: 'vitest', args: ['run', ...(long?.tests ?? [])] })
  const read = (file: string): unknown => JSON.parse(readFileSync(join(dir, file), 'utf8'))
  const outside = z.array(z.string()).parse(read(OUTSIDE_REPORT))
  report = {
    testResults: [
      ...Report.parse(read(TEST_REPORT)).testResults,
      ...outside.map((message) => outsideTests(message)),
    ],
  }
  // Without a name, Playwright would run all specs.
  if (long?.specs.length !== 0) {
    // Where no window can be opened, the specs are only listed, so that they are counted as skipped.
    step({
      name: DESKTOP_TESTS,
      command: 'playwright',
      args: ['test', ...(hasWindow ? [] : ['--list']), ...(long?.specs ?? [])],
    })
    const desktopReport = PlaywrightReport.parse(read(DESKTOP_REPORT))
    const desktop = fromPlaywright(desktopReport, readText, hasWindow ? '' : lacks(['chromium']))
    report = { testResults: [...report.testResults, ...desktop.testResults] }
  }
} catch (error) {
  console.error(error)
} finally {
  rmSync(dir, { recursive: true, force: true })
}

const sum = tally(report, failed)
// vitest.config.ts leaves them out, because a skipped test counts as failed.
if (process.platform !== 'win32') console.log('not run: test/windows: they are about what only Windows has')
for (const line of sum.flaky) console.error(`Passed only on the second attempt: ${line}\n`)
for (const line of [...sum.failures, ...sum.notes]) console.error(`${line}\n`)
for (const line of sum.skips) console.log(line)
console.log(lastLine(sum))
process.exitCode = sum.failed === 0 ? 0 : 1
