// How the suites run: units, scenarios, fuzzers and the tests of the reference service, in plain Node, in as many processes as there are cores.
// A test that hangs ends after half a minute; none is allowed to be the only one.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/fuzz/**/*.test.ts', 'test/unit/**/*.test.ts', 'test/scenario/**/*.test.ts', 'test/service/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
  },
})
