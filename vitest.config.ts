// How the suites run: units, scenarios, fuzzers, packages and the tests of the reference service, in plain Node, in as many processes as there are cores.
// A test that hangs ends after a minute and a half, which a busy machine needs for tests of several processes; none is allowed to be the only one.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'test/fuzz/**/*.test.ts',
      'test/packages/**/*.test.ts',
      'test/unit/**/*.test.ts',
      'test/scenario/**/*.test.ts',
      'test/service/**/*.test.ts',
    ],
    environment: 'node',
    testTimeout: 90_000,
    hookTimeout: 90_000,
    allowOnly: false,
  },
})
