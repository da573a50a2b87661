// Saves what went wrong in no test in particular, such as a promise that nothing awaited: vitest fails for it, but
// its JSON report leaves it out. `npm test` prints it at the end of its log.
import { writeFileSync } from 'node:fs'
import { z } from 'zod'

const Errors = z.array(
  z.object({
    message: z.string(),
    stack: z.string().optional(),
    type: z.string().optional(),
    // The test file that ran at the time.
    VITEST_TEST_PATH: z.string().optional(),
  }),
)

/** The variable with which `npm test` names the directory for reports. */
export const REPORTS = 'SLIPWAY_TEST_REPORTS'
export const TEST_REPORT = 'tests.json'
export const OUTSIDE_REPORT = 'outside.json'

/** Writes an array of texts to `file`: each error with its stack and the test file that ran at the time. */
export function outsideReporter(file: string): { onTestRunEnd(tests: unknown, errors: unknown): void } {
  return {
    onTestRunEnd(_tests, errors) {
      const texts = Errors.parse(errors).map(({ message, stack, type, VITEST_TEST_PATH: during }) =>
        [type ?? '', stack ?? message, during === undefined ? '' : `during ${during}`].join(' ').trim(),
      )
      writeFileSync(file, JSON.stringify(texts))
    },
  }
}
