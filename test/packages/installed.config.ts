// How `npm run test:installed` runs: one package after the other, since they install the same program, and with time for installers.
// `npm test` doesn't run these tests: they need packages with Electron's own binary in out/.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/packages/**/*.installed.ts'],
    environment: 'node',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    allowOnly: false,
  },
})
