// How the suites run: units, scenarios, fuzzers, packages and the tests of the reference service, in plain Node. Files that replace nothing
// that others use share their processes.
// A test that hangs ends after five minutes: the longest without a limit of its own takes half a minute on two cores, and a busy or slow
// machine needs several times as long. None is allowed to be the only one.
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, sep } from 'node:path'
import { defineConfig } from 'vitest/config'
import { needsOwnProcess } from './test/tools/isolation.ts'
import { LongestFirst } from './test/tools/longest-first.ts'
import { OUTSIDE_REPORT, outsideReporter, REPORTS, TEST_REPORT } from './test/tools/outside-reporter.ts'
import { IS_LONG } from './test/tools/share.ts'
import { RETRIES } from './test/tools/tally.ts'
import { COMPILE_CACHE, readTree } from './test/tools/tree.ts'

// A hundred processes load the runner, and many threads a part of the program.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE

const files = globSync(
  [
    'test/attack/**/*.test.ts',
    'test/fuzz/**/*.test.ts',
    'test/packages/**/*.test.ts',
    'test/unit/**/*.test.ts',
    'test/scenario/**/*.test.ts',
    'test/service/**/*.test.ts',
    // Elsewhere they can't run, and a skipped test counts as failed.
    ...(process.platform === 'win32' ? ['test/windows/**/*.test.ts'] : []),
  ],
  { cwd: import.meta.dirname },
)
  .map((file) => file.replaceAll(sep, '/'))
  // The long share is for `npm run test:long`.
  .filter((file) => IS_LONG || !file.endsWith('.long.test.ts'))
const alone = files.filter((file) => needsOwnProcess(readTree(file)))
const together = files.filter((file) => !alone.includes(file))

const reports = process.env[REPORTS]

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // A process and its modules take a quarter of a second of CPU to start, which is more than most files take to run.
      { extends: true, test: { name: 'together', include: together, isolate: false } },
    ],
    environment: 'node',
    reporters: [
      'default',
      ...(reports === undefined
        ? []
        : [
            ['json', { outputFile: join(reports, TEST_REPORT) }] satisfies ['json', object],
            outsideReporter(join(reports, OUTSIDE_REPORT)),
          ]),
    ],
    // More than there are cores, because the longest files mostly wait, as do the tests in them that run at once.
    maxWorkers: 2 * availableParallelism() + 1,
    maxConcurrency: 8,
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The default of a second is short for a thread or a process on a busy machine. `expect.poll` ends as soon as its condition holds.
    expect: { poll: { timeout: 30_000 } },
    // Never a property that has found a counterexample: the next attempt would try other values.
    retry: { count: RETRIES, condition: /^(?!Property failed)/ },
    allowOnly: false,
  },
})
