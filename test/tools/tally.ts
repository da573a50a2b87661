// Counts the results of a test run. Pure; prints nothing. Never counts less than one failure if anything went
// wrong. A skipped test is a failure unless it names what the system lacks.

import { z } from 'zod'
import { NEEDS, type Need, needsIn, remedy } from './needs.ts'

interface TestResult {
  readonly status: string
  /** The test's name, prefixed with those of its suites. */
  readonly fullName?: string | undefined
  readonly failureMessages?: readonly string[] | undefined
  /** What the window showed when a desktop spec failed. */
  readonly page?: string | undefined
  /** Why a desktop spec was skipped. */
  readonly reason?: string | undefined
}

/** The part of vitest's JSON report that is used. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly TestResult[]
  }[]
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  /**
   * Tests that were skipped for what the system lacks, or because they are about another system. None if that
   * counts as a failure.
   */
  readonly skipped: number
  /** One line for each reason to skip: how many tests, and what brings what they lack. */
  readonly skips: readonly string[]
  /** One line for each failure that isn't a failed test. */
  readonly notes: readonly string[]
  /**
   * One paragraph per failed test: where it is and how it failed. The log of a long run is often truncated at
   * the beginning, so these are printed at its end.
   */
  readonly failures: readonly string[]
  /** One paragraph per test that failed and then passed on the second attempt, in the same form. */
  readonly flaky: readonly string[]
}

/**
 * How often a failed test may be retried. CI runs thousands of tests, hundreds of them in a browser, on
 * machines that others use as well; a run must not be lost to a single pause of the machine. Elsewhere
 * nothing is retried.
 */
export const RETRIES = process.env['CI'] === 'true' ? 1 : 0
/** The most flaky tests that a run can have without failing. */
const MAX_FLAKY = 3

/** How vitest and Playwright call a test that was skipped. One "to do" is no such test. */
const SKIPPED = ['skipped', 'pending', 'disabled']

/** The steps that run the tests. They fail whenever a test does, so they aren't counted in addition. */
export const TESTS = 'tests'
export const DESKTOP_TESTS = 'desktop tests'

const Spec = z.object({
  title: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })).optional(),
      results: z.array(
        z.object({
          errors: z.array(z.object({ message: z.string().optional() })).optional(),
          attachments: z.array(z.object({ name: z.string(), path: z.string().optional() })).optional(),
        }),
      ),
    }),
  ),
})
interface Suite {
  readonly file: string
  readonly specs: readonly z.infer<typeof Spec>[]
  readonly suites?: readonly Suite[] | undefined
}
const Suite: z.ZodType<Suite> = z.object({
  file: z.string(),
  specs: z.array(Spec),
  get suites() {
    return z.array(Suite).optional()
  },
})
/** The part of Playwright's JSON report that is used. */
export const PlaywrightReport = z.object({
  suites: z.array(Suite),
  errors: z.array(z.object({ message: z.string().optional() })),
})

/** The attachment in which Playwright describes the page at the time of a failure. */
const PAGE_ATTACHMENT = 'error-context'
/** Maximum number of lines of a page's description. A view of the window takes 20 to 60. */
const PAGE_MAX_LINES = 80

/** Stands for a file where something went wrong outside of every spec. */
export const OUTSIDE = 'The desktop specs'

/** Something that went wrong in no test in particular, in the form of a file that failed. */
export function outsideTests(message: string, name = 'The tests'): Report['testResults'][number] {
  return { name, status: 'failed', message, assertionResults: [] }
}

/**
 * Converts Playwright's report to vitest's format. `read` returns the content of an attached file, or null if
 * it can't be read. `because`: why the skipped specs were, if they don't say so themselves.
 */
export function fromPlaywright(
  report: z.infer<typeof PlaywrightReport>,
  read: (path: string) => string | null,
  because = '',
): Report {
  const resultsOf = (suite: Suite): TestResult[] => [
    ...suite.specs.flatMap((spec) =>
      spec.tests.map(({ status, annotations = [], results }): TestResult => {
        const fullName = spec.title
        if (status === 'expected') return { status: 'passed', fullName }
        const reason = annotations.find(({ type }) => type === 'skip')?.description ?? because
        if (status === 'skipped') return { status, fullName, reason }
        const paths = results.flatMap(({ attachments = [] }) =>
          attachments.filter(({ name }) => name === PAGE_ATTACHMENT),
        )
        const page = paths
          .map(({ path }) => (path === undefined ? null : pageIn(read(path))))
          .find((one) => one !== null)
        const failureMessages = results.flatMap(({ errors = [] }) =>
          errors.map(({ message }) => message ?? 'no message'),
        )
        return {
          status: status === 'flaky' ? 'passed' : 'failed',
          fullName,
          failureMessages,
          ...(page == null ? {} : { page }),
        }
      }),
    ),
    ...(suite.suites ?? []).flatMap(resultsOf),
  ]
  const files = report.suites.map((suite) => ({
    name: suite.file,
    status: 'passed',
    message: '',
    assertionResults: resultsOf(suite),
  }))
  const outside = report.errors.map(({ message = 'no message' }) => outsideTests(message, OUTSIDE))
  return { testResults: [...files, ...outside] }
}

/**
 * The description of the page in the text of such an attachment; null if there is none. It has a heading of
 * its own, or, if an expectation failed, is part of that error's details.
 */
function pageIn(text: string | null): string | null {
  const found = /^```yaml\n([\s\S]*?)^```/m.exec(text ?? '')?.[1]
  return found?.trimEnd().split('\n').slice(0, PAGE_MAX_LINES).join('\n') ?? null
}

interface Circumstances {
  readonly platform: NodeJS.Platform
  /** Whether a skipped test is a failure whatever it lacks, as in CI, where everything is installed. */
  readonly isStrict: boolean
}
const HERE: Circumstances = { platform: process.platform, isStrict: process.env['CI'] === 'true' }

export function tally(
  report: Report | null,
  failedSteps: readonly string[],
  { platform, isStrict } = HERE,
): Tally {
  const notes = failedSteps
    .filter((name) => name !== TESTS && name !== DESKTOP_TESTS)
    .map((name) => `The step ${name} failed.`)
  const failures: string[] = []
  const flaky: string[] = []
  const lacked = new Map<string, { readonly needs: readonly Need[]; count: number }>()
  let passed = 0
  let elsewhere = 0
  for (const suite of report?.testResults ?? []) {
    for (const { status, fullName, failureMessages = [], page, reason } of suite.assertionResults) {
      const details = [
        `${suite.name}: ${fullName ?? 'a test'}`,
        ...failureMessages.map(start),
        ...(page === undefined ? [] : [page]),
      ]
      const needs = SKIPPED.includes(status) ? needsIn(reason ?? fullName ?? '') : []
      if (status === 'passed') passed++
      if (status === 'passed' && failureMessages.length > 0) flaky.push(details.join('\n'))
      else if (status === 'failed') failures.push(details.join('\n'))
      else if (needs.length > 0) {
        const same = lacked.get(needs.join()) ?? { needs, count: 0 }
        same.count++
        lacked.set(needs.join(), same)
      } else if (SKIPPED.includes(status) && platform !== 'linux') elsewhere++
      else if (status !== 'passed')
        notes.push(`A test of ${suite.name} did not run (${status}): ${fullName ?? 'a test'}`)
    }
    // A file that couldn't be loaded has no tests to count.
    const told = suite.assertionResults.some(({ status }) => status === 'failed')
    if (suite.status === 'failed' && !told)
      notes.push(`${suite.name} failed outside its tests: ${suite.message}`)
  }
  if (flaky.length > MAX_FLAKY)
    notes.push(`${flaky.length} tests passed only on the second attempt; at most ${MAX_FLAKY} may.`)
  if (passed + failures.length === 0) notes.push('No test ran.')
  if (
    (failedSteps.includes(TESTS) || failedSteps.includes(DESKTOP_TESTS)) &&
    failures.length + notes.length === 0
  )
    notes.push('The test run failed outside the tests.')
  const skips = [...lacked.values()].map(
    ({ needs, count }) => `${count} skipped for lack of ${needs.join(', ')}: ${remedy(needs)}`,
  )
  if (elsewhere > 0) skips.push(`${elsewhere} skipped: they are about another system`)
  const lacking = [...lacked.values()].reduce((sum, { count }) => sum + count, 0)
  return {
    passed,
    failed: failures.length + notes.length + (isStrict ? lacking : 0),
    skipped: elsewhere + (isStrict ? 0 : lacking),
    skips,
    notes,
    failures,
    flaky,
  }
}

/** The last line of `npm test`. */
export function lastLine({ passed, failed, skipped }: Pick<Tally, 'passed' | 'failed' | 'skipped'>): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}

/**
 * What the first seconds of `npm test` say about tests that will be skipped: one line for each need, and what
 * brings all of it.
 */
export function announcement(needs: readonly Need[]): string[] {
  if (needs.length === 0) return []
  return [
    'Not tested here, for lack of what the system has to bring:',
    ...needs.map((need) => `  ${need}: ${NEEDS[need].tests}`),
    `To test it too: ${remedy(needs)}`,
    '',
  ]
}

/** The first lines of a message: what was expected and received, without a long diff or stack trace. */
function start(message: string): string {
  return message.split('\n').slice(0, 12).join('\n').slice(0, 2000)
}
