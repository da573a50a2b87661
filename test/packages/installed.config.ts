// The configuration of `npm run test:installed`: one package after the other, because they install the same
// program, and enough time for installers. `npm test` doesn't run these tests, because they need packages
// with Electron's own binary in out/.
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
