// Counts what a run of the tests came to. It decides alone and prints nothing.
// It never counts less than one failure when anything at all went wrong.

/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** One line for each failure that is not a failed test. */
  readonly notes: readonly string[]
}

/** The step that runs the tests; it fails whenever one of them does, so it is not counted on top of them. */
export const TESTS = 'tests'

export function tally(report: Report | null, failedSteps: readonly string[]): Tally {
  const notes = failedSteps.filter((name) => name !== TESTS).map((name) => `The step ${name} failed.`)
  let passed = 0
  let failed = 0
  for (const suite of report?.testResults ?? []) {
    for (const { status } of suite.assertionResults) {
      if (status === 'passed') passed++
      else if (status === 'failed') failed++
      else notes.push(`A test of ${suite.name} did not run (${status}).`)
    }
    // A file that could not be loaded has no tests to count.
    const told = suite.assertionResults.some(({ status }) => status === 'failed')
    if (suite.status === 'failed' && !told) notes.push(`${suite.name} failed outside its tests: ${suite.message}`)
  }
  if (passed + failed === 0) notes.push('No test ran.')
  if (failedSteps.includes(TESTS) && failed + notes.length === 0) notes.push('The test run failed outside the tests.')
  return { passed, failed: failed + notes.length, notes }
}
