// How the desktop specs run: on Electron or on the stand-in of test/desktop, with the same specs.
// More apps at a time than there are cores: an app mostly waits, for the service or for a notice to go. A spec takes 2 s of CPU in 7 s.
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chooseElectron, chosenElectron } from './test/desktop/choose.ts'
import { IS_LONG } from './test/tools/share.ts'
import { RETRIES } from './test/tools/tally.ts'
import { COMPILE_CACHE, ROOT } from './test/tools/tree.ts'

chooseElectron()
// The stand-in and the app's threads are started about two hundred times. With this, a start takes an eighth less CPU.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE

export default defineConfig({
  testDir: 'test',
  testMatch: ['e2e/*.spec.ts', 'desktop/**/*.spec.ts'],
  // The long share is for `npm run test:long`.
  testIgnore: [
    ...(IS_LONG ? [] : ['**/*.long.spec.ts']),
    ...(chosenElectron() === 'stand-in' ? [] : ['desktop/stand-in.*']),
  ],
  globalSetup: './test/desktop/prepare.ts',
  // In this checkout, because a run empties it first, also while another checkout's specs write there.
  outputDir: join(ROOT, 'node_modules/.cache/slipway-e2e'),
  workers: 1 + 2 * Math.min(availableParallelism(), 4),
  // A test has an app of its own, or shares one only in its process, so those of one file needn't wait for each other: the longest files take minutes.
  fullyParallel: true,
  retries: RETRIES,
  forbidOnly: true,
  timeout: 30_000,
  reporter: [
    ['list'],
    ['./test/desktop/conformance/table.ts'],
    ['json', { outputFile: process.env['SLIPWAY_E2E_REPORT'] ?? join(tmpdir(), 'slipway-e2e-report.json') }],
  ],
})
