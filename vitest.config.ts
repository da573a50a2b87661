// How the suites run: units, scenarios, fuzzers, packages and the tests of the reference service, in plain Node, in as many processes as there are cores.
// A test that hangs ends after five minutes: the longest without a limit of its own takes half a minute on two cores, and a busy or slow
// machine needs several times as long. None is allowed to be the only one.
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/tools/longest-first.ts'
import { IS_LONG } from './test/tools/share.ts'
import { RETRIES } from './test/tools/tally.ts'

export default defineConfig({
  test: {
    include: [
      'test/fuzz/**/*.test.ts',
      'test/packages/**/*.test.ts',
      'test/unit/**/*.test.ts',
      'test/scenario/**/*.test.ts',
      'test/service/**/*.test.ts',
      // Elsewhere they can't run, and a skipped test counts as failed.
      ...(process.platform === 'win32' ? ['test/windows/**/*.test.ts'] : []),
    ],
    // The long share is for `npm run test:long`.
    exclude: [...configDefaults.exclude, ...(IS_LONG ? [] : ['test/**/*.long.test.ts'])],
    environment: 'node',
    // The default is one fewer, so that two cores would have a single process, and many tests mostly wait.
    maxWorkers: availableParallelism(),
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
